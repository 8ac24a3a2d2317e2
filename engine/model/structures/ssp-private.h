/* What the files about SSP share: units, values that are bound, and the file that is read. */
#pragma once

#include "model/structures/structures-private.h"

G_BEGIN_DECLS

/* One .ssd. */
typedef struct {
  WeirStructureReading *r;
  const WeirOrigin *origin;
  GHashTable *units; /* name to WeirFmuUnit */
  GArray *signals;   /* WeirSspSignal: of the dictionaries of the system that is read now */
} WeirSsp;

/* A signal of a dictionary (.ssb), which one connection writes and others read: a part that hands
 * it on. */
typedef struct {
  char *dictionary, *name;
  guint part;       /* WEIR_SELF: none of its connections has been read */
  WeirFmuUnit unit; /* without a base: that of who writes it */
  gboolean is_written;
} WeirSspSignal;

/* A value that is to be given to a variable. */
typedef struct {
  char *name;       /* "gear.ratio" */
  char *text;       /* as written, or after its transformations */
  WeirFmuUnit unit; /* without a base: not said */
  int line;
} WeirSspValue;

/* --- Units and transformations (ssp-units.c) ------------------------------------------------- */

/* Of <Units>; NULL: none. (transfer full) */
GHashTable *weir_ssp_read_units (const WeirMarkup *units);
/* NULL: nothing is known of it. */
const WeirFmuUnit *weir_ssp_find_unit (GHashTable *units, const char *name);
/* Of an FMU's variable; NULL: it says none, or nothing of it. */
const WeirFmuUnit *weir_ssp_find_unit_of (const WeirPart *part, const char *variable);
/* value in @to = factor * value in @from + offset. FALSE: they do not measure the same. Where one
 * of them is NULL or has no base, nothing is converted. */
gboolean weir_ssp_convert (const WeirFmuUnit *from, const WeirFmuUnit *to, double *factor,
                           double *offset);

typedef struct {
  double factor, offset;
  const WeirMarkup *map; /* of values to values; or NULL */
} WeirSspTransformation;

/* What an entry or a connection says of the values that pass. */
WeirSspTransformation weir_ssp_read_transformation (WeirSsp *self, const WeirMarkup *element);
/* "if u == 1 then 3 else u". (transfer full) */
char *weir_ssp_dup_expression (WeirSsp *self, const WeirMarkup *map);

/* --- Values (ssp-values.c) ------------------------------------------------------------------- */

/* The root of a file that is named, or what is written in place of it; NULL: neither. @owned: (out)
 * the file's, to be freed. */
const WeirMarkup *weir_ssp_find_content (WeirSsp *self, const WeirMarkup *element,
                                         const char *inline_name, const char *content_name,
                                         const char *component, WeirMarkup **owned);
/* What the element's bindings say, later ones over earlier ones. (transfer full), of WeirSspValue
 */
GPtrArray *weir_ssp_read_values (WeirSsp *self, const WeirMarkup *element, const char *component);
void weir_ssp_add_value (GPtrArray *values, const char *name, const WeirSspValue *like);
/* Gives an FMU what is meant for it. */
void weir_ssp_set_values (WeirSsp *self, WeirPart *part, const GPtrArray *values);

/* --- Signal dictionaries (ssp-signals.c) ----------------------------------------------------- */

/* Those of a system. (transfer full), of WeirSspSignal */
GArray *weir_ssp_read_signals (WeirSsp *self, const WeirMarkup *system);
/* The signal that a reference's connector stands for; NULL and an error: there is none. (transfer
 * none) */
WeirSspSignal *weir_ssp_find_signal (WeirSsp *self, const WeirMarkup *reference, const char *name);
/* The part that hands it on. */
guint weir_ssp_get_signal_part (WeirSsp *self, WeirSspSignal *signal, WeirStructure *structure,
                                int line);

/* --- The file (ssp-read.c) ------------------------------------------------------------------- */

/* @outer: what is said of it by the file that names it; or NULL. (transfer full) */
WeirStructure *weir_ssp_read_within (WeirStructureReading *r, const WeirMarkup *root,
                                     const WeirOrigin *origin, const GPtrArray *outer);

G_END_DECLS
