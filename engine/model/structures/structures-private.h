/* What the readers of this room share: elements of XML, files beside a file, and a system as both
 * kinds of file say it, of which a model is made. Thread: *owner* of the reading.
 */
#pragma once

#include "fmi/archive.h"
#include "model/structures/structures.h"
#include "model/tree/fmu-files.h"
#include "model/tree/model-private.h"

G_BEGIN_DECLS

/* --- Elements (markup.c) --------------------------------------------------------------------- */

/* An element with all that is in it. Names are without their prefixes. */
typedef struct {
  char *name, *text; /* what is written in it, without what is in its elements; or NULL */
  char **attributes; /* name, value, and so on, NULL */
  GPtrArray *children;
  int line;
} WeirMarkup;

/* NULL and a diagnostic with @file if @bytes are none, or more than a reader can be asked to keep.
 * (transfer full) */
WeirMarkup *weir_markup_read (GBytes *bytes, const char *file, WeirDiagnostics *diagnostics);
void weir_markup_free (WeirMarkup *self);
/* NULL: it has none. */
const char *weir_markup_get (const WeirMarkup *self, const char *attribute);
/* The first element in it of that name; @self: or NULL. NULL: there is none. */
const WeirMarkup *weir_markup_find (const WeirMarkup *self, const char *name);
guint weir_markup_get_size (const WeirMarkup *self); /* how many elements are in it; 0 of NULL */
const WeirMarkup *weir_markup_get_child (const WeirMarkup *self, guint i);
gboolean weir_markup_is (const WeirMarkup *self, const char *name);
/* FALSE, and @value as it was: there is none, or it is no finite number. */
gboolean weir_markup_get_number (const WeirMarkup *self, const char *attribute, double *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirMarkup, weir_markup_free)

/* --- Files beside a file (sources.c) --------------------------------------------------------- */

/* Where relative names lead: a folder, or one within a package. */
typedef struct {
  WeirFmuArchive *archive; /* NULL: a folder */
  char *root;              /* the folder; of a package its own path */
  char *inside;            /* within the package: "" or "resources/" */
} WeirOrigin;

void weir_origin_clear (WeirOrigin *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirOrigin, weir_origin_clear)
/* "PACKAGE.ssp/resources/a.fmu" of a relative reference; NULL and @error: it leads out of the
 * package or to another machine. (transfer full) */
char *weir_origin_dup_path (const WeirOrigin *self, const char *reference, GError **error);
/* (transfer full) */
GBytes *weir_origin_read (const WeirOrigin *self, const char *reference, GError **error);
/* Where the references in that file lead. FALSE and @error. */
gboolean weir_origin_enter (const WeirOrigin *self, const char *reference, WeirOrigin *inner,
                            GError **error);

/* --- A system -------------------------------------------------------------------------------- */

#define WEIR_SELF G_MAXUINT /* the system itself, for an end of a link */

typedef struct _WeirStructure WeirStructure;

typedef enum {
  WEIR_PART_FMU,
  WEIR_PART_SYSTEM,
  WEIR_PART_LINEAR, /* offset + factor * in: u, y */
  WEIR_PART_SUM,    /* in1, in2, ...: y */
} WeirPartKind;

typedef struct {
  WeirPartKind kind;
  char *name;
  int line;
  WeirPoint position, size; /* size 0: not said */
  double y;                 /* and where neither is */
  /* FMUs. */
  char *file;
  const WeirFmuSource *source; /* NULL: there is no such file */
  const char *mode;            /* static; NULL: as it offers */
  guint steps;
  GHashTable *starts; /* name to text, "2" or "[1, 2]" */
  WeirStructure *inside;
  double factor, offset;
  guint n_inputs;
} WeirPart;

typedef struct {
  guint part; /* or WEIR_SELF */
  char *port;
} WeirLinkEnd;

typedef struct {
  WeirLinkEnd from, to;
  double factor, offset;
  char *expression; /* instead, of u; or NULL */
  gboolean is_bare; /* the number passes, whatever it measures at both ends */
  int line;
} WeirLink;

struct _WeirStructure {
  GPtrArray *parts;            /* of WeirPart */
  GArray *links;               /* of WeirLink */
  GPtrArray *inputs, *outputs; /* of the system itself: names */
  GHashTable *numbers;         /* name of a part, borrowed, to its number */
  GHashTable *values;          /* of inputs of the outermost: name to text */
};

/* A reading: one file and those that it names. */
typedef struct {
  WeirDiagnostics *diagnostics;
  const char *file; /* that is read now, for messages */
  GPtrArray *notes; /* sentences for people who see the diagram alone */
  guint n_parts;    /* of all systems */
  guint depth;      /* of files in files */
  gboolean is_failed;
  char *title, *author, *description;
  double start, stop;   /* NAN: not said */
  double step;          /* between exchanges; NAN */
  const char *schedule; /* static; NULL: the default */
} WeirStructureReading;

WeirStructure *weir_structure_new (void);
void weir_structure_free (WeirStructure *self);
/* A part more; one of that name is told as an error. */
WeirPart *weir_structure_add (WeirStructureReading *r, WeirStructure *self, WeirPartKind kind,
                              const char *name, int line);
/* WEIR_SELF if there is none. */
guint weir_structure_find (const WeirStructure *self, const char *name);
WeirPart *weir_structure_get (const WeirStructure *self, guint part);

/* @format: a sentence. An error ends the reading, a warning stays in the model as a note. */
void weir_structure_fail (WeirStructureReading *r, const char *code, int line, const char *format,
                          ...) G_GNUC_PRINTF (4, 5);
void weir_structure_warn (WeirStructureReading *r, const char *code, int line, const char *format,
                          ...) G_GNUC_PRINTF (4, 5);
/* As weir_markup_get_number(), and what is there and no number is told. */
gboolean weir_structure_get_number (WeirStructureReading *r, const WeirMarkup *element,
                                    const char *attribute, double *value);
/* An FMU at @reference of @origin: its file and, where there is one, its source. */
void weir_part_take_file (WeirPart *self, WeirStructureReading *r, const WeirOrigin *origin,
                          const char *reference);
/* A value for the start of a part or of its variable; FALSE: it has no such variable. @text: as
 * files have it, numbers, words, names of items. */
gboolean weir_part_set_start (WeirPart *self, WeirStructureReading *r, const char *variable,
                              const char *text, int line);
/* Its variable of that name, or NULL. */
const WeirFmuVariable *weir_part_find_variable (const WeirPart *self, const char *name);

/* Of the outermost system, once all is read. @folder: that its file lies in. (transfer full) */
WeirModel *weir_structure_assemble (WeirStructureReading *r, const WeirStructure *root,
                                    const char *folder);

/* --- The two kinds --------------------------------------------------------------------------- */

#define WEIR_SSP_ELEMENT "SystemStructureDescription"
#define WEIR_OSP_ELEMENT "OspSystemStructure"

#define WEIR_SSP_FILE "SystemStructure.ssd" /* of a package */

/* That file of the package that @bytes are, and where what it names lies; NULL if it is none.
 * @path: of the package. @origin: to be cleared in any case. (transfer full) */
GBytes *weir_ssp_open_package (WeirStructureReading *r, GBytes *bytes, const char *path,
                               WeirOrigin *origin);

/* NULL if something fails. (transfer full) */
WeirStructure *weir_ssp_read (WeirStructureReading *r, const WeirMarkup *root,
                              const WeirOrigin *origin);
WeirStructure *weir_osp_read (WeirStructureReading *r, const WeirMarkup *root,
                              const WeirOrigin *origin);

G_END_DECLS
