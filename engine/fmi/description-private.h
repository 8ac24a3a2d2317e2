/* What the parts of reading a description share: the elements (description-read.c), the values of
 * their attributes (description-values.c), what refers to what (description-resolve.c), the rules
 * (description-check.c), terminals (description-terminals.c); all of it in order
 * (description-open.c). Of other sizes: description-sized.c. Thread: *owner* of the reading.
 */
#pragma once

#include "base/xml.h"
#include "fmi/description.h"

G_BEGIN_DECLS

#define WEIR_FMU_MAX_DESCRIPTION ((gsize) 256 * 1024 * 1024) /* bytes */

struct _WeirFmuDescriptionPrivate {
  gatomicrefcount ref_count;
  WeirFmuDescription *base; /* of which this is one of other sizes; or NULL */
  GStringChunk *texts;
  GPtrArray *blocks;      /* memory, freed with it */
  GHashTable *names;      /* variables and aliases: name to index + 1 */
  GHashTable *references; /* gint64 key to index + 1 */
  GHashTable *unit_names; /* to index + 1 */
  GHashTable *type_names;
};

/* Where the parser is. */
typedef enum {
  WEIR_FMU_AT_NOTHING,
  WEIR_FMU_AT_ROOT,
  WEIR_FMU_AT_MODE,
  WEIR_FMU_AT_SOURCES,
  WEIR_FMU_AT_UNITS,
  WEIR_FMU_AT_UNIT,
  WEIR_FMU_AT_TYPES,
  WEIR_FMU_AT_SIMPLE_TYPE, /* 2.0: the type itself stands in it */
  WEIR_FMU_AT_TYPE,
  WEIR_FMU_AT_CATEGORIES,
  WEIR_FMU_AT_VARIABLES,
  WEIR_FMU_AT_SCALAR, /* 2.0: its type stands in it */
  WEIR_FMU_AT_VARIABLE,
  WEIR_FMU_AT_STRUCTURE,
  WEIR_FMU_AT_OUTPUTS, /* 2.0 */
  WEIR_FMU_AT_DERIVATIVES,
  WEIR_FMU_AT_INITIAL_UNKNOWNS,
  WEIR_FMU_AT_LEAF, /* nothing stands in it */
  WEIR_FMU_AT_SKIPPED,
} WeirFmuElement;

/* A description being read. */
typedef struct {
  WeirXml xml;
  WeirFmuDescription *d;
  WeirDiagnostics *diagnostics;
  GByteArray *places; /* WeirFmuElement of each open element */
  guint n_skipped;    /* open elements that are passed over */
  char *subject;      /* of problems: the variable, type or unit that is open; NULL: none */
  gboolean has_typed; /* 2.0: the type of the open variable or declared type was there */
  gboolean has_variables, has_structure;

  GArray *variables, *units, *types, *categories;
  GArray *unknowns[WEIR_FMU_N_UNKNOWNS];
  /* Of what is open. */
  GArray *dimensions, *aliases, *items, *display_units, *texts;
  /* Scratch. */
  GHashTable
      *facts;      /* texts, owned: display units of units, items of types (description-check.c) */
  GArray *numbers; /* of guint */
  GArray *doubles;
  GByteArray *kinds;
} WeirFmuReading;

/* --- Memory (description.c) ------------------------------------------------------------------ */

/* Without anything in it. (transfer full) */
WeirFmuDescription *weir_fmu_description_new (void);

/* Copies @size bytes into memory of the description, for 8-byte alignment; never NULL. */
gpointer weir_fmu_keep (WeirFmuReading *r, gconstpointer data, gsize size);
/* Takes over what @array holds, and frees it: an array that belongs to the description. */
gpointer weir_fmu_keep_array (WeirFmuReading *r, GArray *array, guint *n);
/* The text in memory of the description; NULL stays NULL. */
const char *weir_fmu_keep_text (WeirFmuReading *r, const char *text);

/* The key by which a variable's value reference is found. */
gint64 weir_fmu_get_key (int version, WeirFmuType type, guint32 reference);

/* --- Problems -------------------------------------------------------------------------------- */

/* At the element that is open. */
#define weir_fmu_warn(r, code, ...)                                                                \
  weir_diagnostics_add ((r)->diagnostics, WEIR_SEVERITY_WARNING, code, (r)->subject, 0, 0,         \
                        weir_xml_get_line (&(r)->xml), __VA_ARGS__)
#define weir_fmu_complain(r, code, ...)                                                            \
  weir_diagnostics_add ((r)->diagnostics, WEIR_SEVERITY_ERROR, code, (r)->subject, 0, 0,           \
                        weir_xml_get_line (&(r)->xml), __VA_ARGS__)
/* At a line that was read before, of what is called @path. */
#define weir_fmu_warn_of(r, code, path, line, ...)                                                 \
  weir_diagnostics_add ((r)->diagnostics, WEIR_SEVERITY_WARNING, code, path, 0, 0, line,           \
                        __VA_ARGS__)
#define weir_fmu_complain_of(r, code, path, line, ...)                                             \
  weir_diagnostics_add ((r)->diagnostics, WEIR_SEVERITY_ERROR, code, path, 0, 0, line, __VA_ARGS__)

/* --- Values (description-values.c) ----------------------------------------------------------- */

/* An attribute of the element that is open. What is not understood is told, and the default is
 * returned. */
const char *weir_fmu_read_text (WeirFmuReading *r, const char *attribute); /* or NULL */
gboolean weir_fmu_read_flag (WeirFmuReading *r, const char *attribute, gboolean otherwise);
double weir_fmu_read_double (WeirFmuReading *r, const char *attribute, double otherwise);
guint64 weir_fmu_read_unsigned (WeirFmuReading *r, const char *attribute, guint64 most,
                                guint64 otherwise);
gint64 weir_fmu_read_integer (WeirFmuReading *r, const char *attribute, gint64 least, gint64 most,
                              gint64 otherwise);
/* One of the words that @find knows, or @otherwise. */
int weir_fmu_read_word (WeirFmuReading *r, const char *attribute, int (*find) (const char *name),
                        int otherwise);
/* A list of numbers of at most 32 bits into r->numbers. FALSE: not there, or not understood. */
gboolean weir_fmu_read_numbers (WeirFmuReading *r, const char *attribute);
/* The start values of @variable, in the forms of its type. */
void weir_fmu_read_start (WeirFmuReading *r, WeirFmuVariable *variable);
/* One start value of a string or binary. */
void weir_fmu_read_start_text (WeirFmuReading *r, WeirFmuType type, const char *value);

/* --- After the file -------------------------------------------------------------------------- */

/* What refers to what; sizes; what declared types say. */
void weir_fmu_resolve (WeirFmuReading *r);
/* What may go together. Fills in defaults where it may not. */
void weir_fmu_check_variables (WeirFmuReading *r);
void weir_fmu_check_structure (WeirFmuReading *r);

/* Reads terminals into the description, which is whole. */
void weir_fmu_read_terminals (WeirFmuReading *r, GBytes *bytes);

/* Reads the elements of @bytes into lists of @r. FALSE: that is no description, which is told. */
gboolean weir_fmu_read_elements (WeirFmuReading *r, GBytes *bytes);

G_END_DECLS
