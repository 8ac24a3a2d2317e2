/* What the files of this room share: what a file holds, the schema, and the parts of reading: the
 * parser (xml-read.c), the values of attributes (xml-values.c), what each element means
 * (xml-elements.c). Thread: *owner* of the reading.
 */
#pragma once

#include "base/xml.h"
#include "model/tree/model-private.h"
#include "model/files/xml.h"

G_BEGIN_DECLS

/* The newest version of the format, and the first that has plots, units of co-simulation, and
 * physical lines. A file is of the first version that has all that is in it. */
#define WEIR_FORMAT_VERSION 4
#define WEIR_FORMAT_PLOTS 2
#define WEIR_FORMAT_UNITS 3
#define WEIR_FORMAT_LINES 4
#define WEIR_MODEL_ELEMENT "weir"
#define WEIR_FRAGMENT_ELEMENT "weir-fragment"

/* What a file held: everything is owned. */
typedef struct {
  WeirDiagram *diagram;
  WeirHead head;
} WeirContents;

/* Who looks on while a file is read. */
typedef struct {
  GCancellable *cancellable; /* NULL = nobody ends it */
  gint *progress;            /* atomic, thousandths; NULL = nobody asks */
  gsize size;                /* of the file */
  const char *folder;        /* of it, or NULL */
} WeirReadControl;

/* Reads a file whose root element is @element; @control may be NULL. FALSE and one diagnostic if it
 * cannot be read. */
gboolean weir_contents_read (GInputStream *stream, const char *name, const char *element,
                             const WeirReadControl *control, WeirContents *contents,
                             WeirDiagnostics *diagnostics);
GBytes *weir_contents_write (const WeirContents *contents,
                             const char *element); /* (transfer full) */

/* --- The schema (schema.c) ---------------------------------------------------------------------
 */

/* What data/weir.xsd says, as tables: each element's attributes, their forms, and what may stand in
 * it.
 *
 * The schema is what is published; checking against it by libxml2's general validator took longer
 * than all the rest of reading a large file. A test holds both against each other. The namespace
 * of schemas' own attributes is known: where a schema lies is passed over (nothing is loaded from
 * there), and a type may be named that the element has anyway.
 */

/* What elements there are, by their names. */
typedef enum {
  WEIR_TAG_ROOT, /* either */
  WEIR_TAG_ASSERTION,
  WEIR_TAG_ASSERTIONS,
  WEIR_TAG_BEND,
  WEIR_TAG_BLOCK,
  WEIR_TAG_DIAGRAM,
  WEIR_TAG_LINE,
  WEIR_TAG_META,
  WEIR_TAG_NOTE,
  WEIR_TAG_PARAMETER,
  WEIR_TAG_PLOT,
  WEIR_TAG_PLOTS,
  WEIR_TAG_SETTING,
  WEIR_TAG_SETTINGS,
  WEIR_TAG_TITLE,
  WEIR_TAG_UNIT,
  WEIR_TAG_VARIABLE,
  WEIR_TAG_VARIABLES,
  WEIR_TAG_WIRE,
} WeirTag;

/* A file being checked: the open elements. Zeros, then weir_schema_begin(). */
typedef struct {
  const char *root; /* element that is asked for where the file begins with neither root element */
  GArray *open;
  WeirTag tag; /* of the element that began or ended last */
} WeirSchemaCheck;

void weir_schema_begin (WeirSchemaCheck *self, const char *root);
void weir_schema_end (WeirSchemaCheck *self);

/* In the order of the file. Each returns NULL, or a sentence that says what breaks the schema,
 * after which nothing more may be checked. (transfer full)
 * @attributes: name, prefix, namespace, begin and end of the value of each, as SAX hands them over.
 * @uri: of the element's namespace, or NULL. */
WeirMessage *weir_schema_check_start (WeirSchemaCheck *self, const char *name, const char *uri,
                                      const char *const *attributes, guint n_attributes);
WeirMessage *weir_schema_check_text (WeirSchemaCheck *self, const char *text, gsize length);
WeirMessage *weir_schema_check_close (WeirSchemaCheck *self);

/* --- Reading --------------------------------------------------------------------------------- */

/* A diagram being read, and the block in it that is open. */
typedef struct {
  WeirDiagram *diagram;      /* notes alone, until it ends */
  GPtrArray *blocks, *wires; /* its own */
  WeirBlock *block;
  GArray *parameters; /* of WeirTextPair */
  GArray *unit;       /* the same */
  GArray *metadata;   /* of WeirMetadataItem, owned texts */
  gboolean was_heating;
} WeirLevel;

typedef struct {
  WeirXml xml;
  const WeirReadControl *control;
  const char *element; /* the root element that is expected */
  WeirSchemaCheck schema;
  guint depth;      /* of open elements */
  GArray *levels;   /* of WeirLevel */
  GHashTable *ids;  /* id to the line of its element */
  GString *text;    /* of the open title or note; NULL elsewhere */
  GArray *pairs;    /* of WeirTextPair: of the open list of the model */
  GArray *metadata; /* of WeirMetadataItem, owned texts: of the model */
  GArray *bends;    /* of WeirPoint: of the open wire */
  WeirWire *wire;   /* that is open, without its bends */
  guint32 note_id;
  WeirPoint note_position, note_size;
  WeirTint note_tint;
  GHashTable *block_contents; /* weir_block_contents_new() */
  GHashTable *parts;          /* type of a part, as the file calls it, to what it is */
  WeirContents contents;
} WeirReading;

/* --- Values (xml-values.c) ------------------------------------------------------------------- */

char *weir_reading_dup_attribute (WeirReading *r, const char *name); /* (transfer full) */
gboolean weir_reading_get_number (WeirReading *r, const char *name, double *number);
WeirPoint weir_reading_get_point (WeirReading *r, const char *x, const char *y);
/* What begins @text, a whole number; the greatest there is where it is greater. */
guint64 weir_reading_get_whole (const char *text);
/* The id of the current element; fails if it is in use. */
guint32 weir_reading_take_id (WeirReading *r);

/* Lists, of WeirTextPair and WeirMetadataItem with owned texts; what is taken empties them.
 * @name, @text: the attributes of a pair. */
GArray *weir_reading_pairs_new (void);
GArray *weir_reading_items_new (void);
void weir_reading_add_pair (WeirReading *r, GArray *pairs, const char *name, const char *text);
void weir_reading_add_item (WeirReading *r, GArray *items);
WeirMetadata *weir_reading_take_metadata (WeirReading *r, GArray *items);
WeirTexts *weir_reading_take_pairs (WeirReading *r, GArray *pairs, const char *what);

/* --- Elements (xml-elements.c) --------------------------------------------------------------- */

void weir_reading_level_clear (gpointer level);
void weir_reading_start_element (WeirReading *r, WeirTag tag, const char *name);
void weir_reading_end_element (WeirReading *r, WeirTag tag);

G_END_DECLS
