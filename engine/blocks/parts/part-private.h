/* What the files share that read the texts of parts. */
#pragma once

#include "blocks/parts/part.h"

G_BEGIN_DECLS

/* What is read of a text of equations, whose lines may come in any order. */
typedef enum {
  WEIR_PART_PINS,
  WEIR_PART_OWN, /* what else only parts have */
  WEIR_PART_REST,
} WeirPartPhase;

/* The text that is being read: its lines one after the other. */
typedef struct {
  const char *file;     /* or NULL */
  const char *at;       /* in the line */
  int line, first_line; /* of the file; of the open part */
  const char *group;
  WeirPartType *part; /* the open one, or NULL */
  GPtrArray *parts;
  GPtrArray *domains; /* of const WeirDomain: that the text declares */
  GString *text;      /* of the open part */
  GString *meaning;   /* of it: what its digest is of */
  GHashTable *arrays; /* what was declared with a number: name to GPtrArray of its elements */
  guint n_lines;      /* that the line at hand has stood for */
  GError **error;

  const WeirArguments *arguments; /* that say what its options and counts are; NULL: defaults */
  gboolean has_all;               /* each option is yes, to see whether it can be read */

  /* Of a text of equations: */
  const WeirReport *report; /* where problems go, instead of the error; else NULL */
  WeirPartPhase phase;
  GArray *pin_lines; /* of int: where each pin is declared */
  int reference_line;
  int failed_line; /* the last that a problem was told of */
  WeirFindNumberFunc find;
  gpointer data;
  GString *rest; /* the lines that are not of parts alone */
} WeirPartReading;

static inline gboolean
weir_part_is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (guchar) c >= 0x80;
}

/* part-words.c. FALSE, after noting the problem with the part and the line. @format: N_(). */
gboolean weir_part_reading_fail (WeirPartReading *r, const char *format, ...) G_GNUC_PRINTF (2, 3);
void weir_part_skip_blanks (WeirPartReading *r);
/* One copy of a text, for good. */
const char *weir_part_keep (const char *text);
/* "" if there is none here. Interned; the texts below are kept. */
const char *weir_part_take_name (WeirPartReading *r);
gboolean weir_part_take_mark (WeirPartReading *r, const char *mark);
/* Of a text in quotes; NULL if there is none here. */
const char *weir_part_take_text (WeirPartReading *r);
/* Up to one of @ends, without blanks around. */
const char *weir_part_take_until (WeirPartReading *r, const char *ends);

/* part-declare.c: the rest of a line behind its first word. FALSE after noting the problem. */
gboolean weir_part_reading_take_pin (WeirPartReading *r, guint *pin);
gboolean weir_part_reading_read_domain (WeirPartReading *r);
gboolean weir_part_reading_read_pin (WeirPartReading *r);
gboolean weir_part_reading_read_between (WeirPartReading *r, gboolean is_through);
gboolean weir_part_reading_fail_role (WeirPartReading *r, const WeirPartRole *role);
gboolean weir_part_reading_read_role (WeirPartReading *r, const char *word);
gboolean weir_part_reading_read_name (WeirPartReading *r, GArray *names);
gboolean weir_part_reading_read_parameter (WeirPartReading *r, gboolean is_tunable,
                                           gboolean is_initial);
gboolean weir_part_reading_read_choice (WeirPartReading *r, gboolean is_count);

/* part.c. @as: in what it is read otherwise. */
GPtrArray *weir_parts_parse_as (const char *text, WeirPartReading as, GError **error);
/* Does nothing that the part says flow into its reference? */
gboolean weir_part_reading_check_reference (WeirPartReading *r, const WeirPartType *part);
/* The value of an option, a count or a constant that was read before. FALSE: there is none. */
gboolean weir_part_reading_find_number (const WeirPartReading *r, const char *name, double *number);
/* A line without conditions and loops. */
gboolean weir_part_reading_read_plain (WeirPartReading *r, const char *line);
WeirPartType *weir_part_type_alloc (const char *name);
/* Is this the first word of a line that only parts have? */
gboolean weir_part_word_is_own (const char *word);
/* WEIR_NO_PIN if there is none. */
guint weir_part_type_find_pin (const WeirPartType *part, const char *name, gsize length);
/* What of the part's own the name is. FALSE: nothing. */
gboolean weir_part_find_own (const WeirPartType *part, const char *name, WeirPiece *piece);

/* part-expand.c: calls weir_part_reading_read_plain() with the line as often as its conditions and
 * loops say, with names of elements as they are called: "p1" for "p[1]". */
gboolean weir_part_reading_read_line (WeirPartReading *r, const char *line);
GHashTable *weir_part_arrays_new (void); /* (transfer full) */

/* part-lines.c: a line of the equation language. */
gboolean weir_part_reading_read_equation (WeirPartReading *r, const char *line);

G_END_DECLS
