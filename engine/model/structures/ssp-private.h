/* What the files about SSP share: units, values that are bound, and the file that is read. */
#pragma once

#include "model/structures/structures-private.h"

G_BEGIN_DECLS

typedef struct _WeirSspLevel WeirSspLevel;

/* One .ssd. */
typedef struct {
  WeirStructureReading *r;
  const WeirOrigin *origin;
  GHashTable *units; /* name to WeirFmuUnit */
  GPtrArray *levels; /* of WeirSspLevel: its systems, those around others first */
} WeirSsp;

/* A system of the file, whose connections are read when all systems are there. */
struct _WeirSspLevel {
  const WeirMarkup *system;
  WeirStructure *structure;
  WeirSspLevel *around;         /* NULL: it is the outermost */
  guint part;                   /* that it is in there */
  GArray *signals;              /* WeirSspSignal, of its dictionaries */
  GHashTable *inputs, *outputs; /* by WeirSspSignal of those around it: the port by which it comes
                                   in or goes out */
};

/* A signal of a dictionary (.ssb), which one connection writes and others read: a part of the
 * system that has the dictionary, which hands it on. */
typedef struct {
  char *dictionary, *name;
  WeirSspLevel *level;
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
GHashTable *weir_ssp_read_units (WeirStructureReading *r, const WeirMarkup *units);
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

/* Reads those of its system, which is one more level of @self. @around: or NULL. (transfer none) */
WeirSspLevel *weir_ssp_add_level (WeirSsp *self, const WeirMarkup *system, WeirStructure *structure,
                                  WeirSspLevel *around, guint part);
void weir_ssp_level_free (WeirSspLevel *self);
/* The signal that a reference's connector stands for, of the system or of the innermost around it
 * that has the dictionary; NULL and an error: there is none. (transfer none) */
WeirSspSignal *weir_ssp_find_signal (WeirSsp *self, const WeirSspLevel *level,
                                     const WeirMarkup *reference, const char *name);
/* Where it is read, or written, at a level: the part that hands it on, or a port of the system by
 * which it passes, made of links through all systems between. The port: (transfer full) */
WeirLinkEnd weir_ssp_get_signal_end (WeirSsp *self, WeirSspLevel *level, WeirSspSignal *signal,
                                     gboolean is_written, int line);

/* --- The file (ssp-read.c) ------------------------------------------------------------------- */

/* @outer: what is said of it by the file that names it; or NULL. (transfer full) */
WeirStructure *weir_ssp_read_within (WeirStructureReading *r, const WeirMarkup *root,
                                     const WeirOrigin *origin, const GPtrArray *outer);

G_END_DECLS
