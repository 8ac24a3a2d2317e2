/* What the files about SSP share: units, values that are bound, and the file that is read. */
#pragma once

#include "model/structures/structures-private.h"

G_BEGIN_DECLS

/* One .ssd. */
typedef struct {
  WeirStructureReading *r;
  const WeirOrigin *origin;
  GHashTable *units; /* name to WeirFmuUnit */
} WeirSsp;

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

/* What the element's bindings say, later ones over earlier ones. (transfer full), of WeirSspValue
 */
GPtrArray *weir_ssp_read_values (WeirSsp *self, const WeirMarkup *element, const char *component);
void weir_ssp_add_value (GPtrArray *values, const char *name, const WeirSspValue *like);
/* Gives an FMU what is meant for it. */
void weir_ssp_set_values (WeirSsp *self, WeirPart *part, const GPtrArray *values);

/* --- The file (ssp-read.c) ------------------------------------------------------------------- */

/* @outer: what is said of it by the file that names it; or NULL. (transfer full) */
WeirStructure *weir_ssp_read_within (WeirStructureReading *r, const WeirMarkup *root,
                                     const WeirOrigin *origin, const GPtrArray *outer);

G_END_DECLS
