/* What the files of engine/model share: how models are made of parts, and patches of changes.
 *
 * Invariants: nothing here changes after it can be seen by a second owner. Exceptions are results
 * made on request: the one in a WeirBlockContent, published once by an atomic exchange, and those
 * of derived.c.
 */
#pragma once

#include "base/pmap.h"
#include "blocks/library/registry.h"
#include "model/tree/model.h"
#include "model/tree/patch.h"
#include "model/tree/texts.h"

G_BEGIN_DECLS

#define WEIR_TYPE_NAME_SUBSYSTEM "Subsystem"
#define WEIR_TYPE_NAME_FMU "FMU"
#define WEIR_TYPE_NAME_IN "In"
#define WEIR_TYPE_NAME_OUT "Out"
#define WEIR_TYPE_NAME_PIN "Pin"

#define WEIR_MAX_ID ((guint32) 0x3fffffff) /* so that an id and two bits fit a pointer anywhere */
#define WEIR_MAX_COORDINATE 1e9            /* diagram units; a larger one is refused */
#define WEIR_MAX_DEPTH 100    /* nested diagrams; twice as many XML elements, which libxml2 takes */
#define WEIR_MAX_TEXT 8000000 /* bytes; libxml2 reads no text of 10 000 000 */

#define WEIR_UNIT_MARK "steps" /* the setting that every unit has */

/* What a block computes: shared by all copies that differ only in name or looks. */
typedef struct {
  gatomicrefcount ref_count;
  GRefString *type; /* interned */
  WeirTexts *parameters;
  gpointer arguments; /* atomic: NULL until asked for, then a WeirArguments or WEIR_NO_ARGUMENTS */
  gconstpointer
      file; /* atomic: of an FMU block whose file was found, that WeirFmuSource; or NULL */
} WeirBlockContent;

struct _WeirBlock {
  gatomicrefcount ref_count;
  guint32 id;
  int line;
  guint8 rotation, flipped, mode, tint;
  GRefString *name;
  WeirPoint position, size;
  WeirBlockContent *content;
  WeirMetadata *metadata; /* NULL = none */
  WeirTexts *unit;        /* settings of a unit of co-simulation; NULL: it is none */
  WeirDiagram *diagram;   /* NULL unless a Subsystem (or an unknown type that has one) */
};

struct _WeirDiagram {
  gatomicrefcount ref_count;
  WeirPMap blocks, wires, notes; /* by id */
  WeirPMap names;                /* set of hash of name << 32 | id of block */
  WeirPMap ends;                 /* set of id of block << 32 | id of wire that ends there */
};

/* What a model says beside its diagram. Everything is owned; NULL = none. */
typedef struct {
  GRefString *title;
  WeirMetadata *metadata;
  WeirTexts *settings;
  WeirTexts *variables;  /* name and value */
  WeirTexts *assertions; /* sentence and reason */
  WeirTexts *plots;      /* name, and how it is looked at */
  GRefString *folder;    /* where the file is that the model was read from; not saved */
  gboolean is_foreign;   /* that file is in another format; not saved */
} WeirHead;

typedef struct _WeirDerived WeirDerived;

struct _WeirModel {
  gatomicrefcount ref_count;
  guint32 next_id;
  WeirHead head;
  WeirDiagram *root;
  WeirPMap homes;       /* every id in use to its WeirHome, as WEIR_HOME_POINTER() */
  WeirDerived *derived; /* behind the lock of derived.c */
};

typedef enum {
  WEIR_ELEMENT_BLOCK = 1,
  WEIR_ELEMENT_WIRE,
  WEIR_ELEMENT_NOTE,
} WeirElementKind;

/* Where an id is in use: the Subsystem block whose diagram holds it (0 = the root), and as what.
 * Kept as a pointer-sized number; it is never 0, because no kind is. */
#define WEIR_HOME(parent, kind) GSIZE_TO_POINTER ((gsize) (parent) << 2 | (gsize) (kind))
#define WEIR_HOME_PARENT(home) ((guint32) (GPOINTER_TO_SIZE (home) >> 2))
#define WEIR_HOME_KIND(home) ((WeirElementKind) (GPOINTER_TO_SIZE (home) & 3))

/* --- Blocks ---------------------------------------------------------------------------------- */

/* Only before anyone else sees the block. */
void weir_block_set_line (WeirBlock *self, int line);
/* What equal blocks compute is kept once; @contents: from weir_block_contents_new(). */
void weir_block_set_parameters (WeirBlock *self, WeirTexts *parameters, GHashTable *contents);
GHashTable *weir_block_contents_new (void); /* (transfer full) */
/* The same afresh, with the reason where it fails. (transfer full) */
WeirArguments *weir_block_parse_arguments (const WeirBlock *self, GError **error);
gboolean weir_block_is_type (const WeirBlock *self, const char *type);

void weir_wire_set_line (WeirWire *self, int line);

gboolean weir_wire_ends_equal (const WeirWire *a,
                               const WeirWire *b); /* the ports; not free points */

/* @diagram as it runs: blocks that are passed through are gone, each wire from one begins where the
 * input of the same number gets its signal, or is gone if that has none. (transfer full) */
WeirDiagram *weir_diagram_dup_effective (WeirDiagram *self);

/* --- Checks ---------------------------------------------------------------------------------- */

/* NULL, or why @text could not be saved and read again: a phrase such as "is not UTF-8 text". */
const char *weir_text_get_problem (const char *text);
/* NULL, or why @name cannot be the name of a block: such a phrase. */
const char *weir_name_get_problem (const char *name);

/* The length of a name without the number at its end: "Gain2" is numbered on from "Gain". */
gsize weir_name_get_stem_length (const char *name);

/* --- Diagrams under construction: no one else sees them yet ---------------------------------- */

WeirDiagram *weir_diagram_new (void);
WeirDiagram *weir_diagram_copy (const WeirDiagram *self); /* O(1) */
/* All blocks and wires at once, each with an id of its own, of a diagram that has none. */
void weir_diagram_fill (WeirDiagram *self, const GPtrArray *blocks, const GPtrArray *wires);
void weir_diagram_put_block (WeirDiagram *self, WeirBlock *block);
void weir_diagram_put_wire (WeirDiagram *self, WeirWire *wire);
void weir_diagram_put_note (WeirDiagram *self, WeirNote *note);
gboolean weir_diagram_drop (WeirDiagram *self, WeirElementKind kind, guint32 id);
gboolean weir_diagram_has (const WeirDiagram *self, WeirElementKind kind, guint32 id);
/* How many blocks are called @name, none, one or more (2). */
guint weir_diagram_count_name (const WeirDiagram *self, const char *name);

/* --- Models ---------------------------------------------------------------------------------- */

WeirHead weir_head_copy (const WeirHead *self);
void weir_head_clear (WeirHead *self);
/* A model whose ids are known to be unique. @root, @head: (transfer none) */
WeirModel *weir_model_new_for_root (WeirDiagram *root, const WeirHead *head);
/* The diagram in the Subsystem block @parent, 0 = the root; NULL if it is in neither. */
WeirDiagram *weir_homes_find_diagram (const WeirPMap *homes, WeirDiagram *root, guint32 parent);

/* --- Patches: what making them (patch.c) and applying them (patch-apply.c) share -------------- */

typedef enum {
  WEIR_CHANGE_SET,
  WEIR_CHANGE_REMOVE,
  WEIR_CHANGE_SETTING,
  WEIR_CHANGE_TITLE,
  WEIR_CHANGE_METADATA,
  WEIR_CHANGE_VARIABLE,
  WEIR_CHANGE_ASSERTION,
  WEIR_CHANGE_PLOT,
} WeirChangeKind;

typedef struct {
  WeirChangeKind kind;
  WeirElementKind element_kind;
  guint32 *place_ids;
  guint n_place_ids;
  guint32 id;       /* of the element */
  gpointer element; /* WeirBlock, WeirWire or WeirNote, owned; NULL to remove */
  char *name, *text;
  char *of; /* METADATA */
  WeirMetadataType type;
} WeirChange;

struct _WeirPatch {
  GArray *changes;
};

/* Reads the file of an FMU block, so that it has ports; and those of all such blocks in @diagram.
 * @folder: of the model, or NULL. */
void weir_block_read_fmu (const WeirBlock *self, const char *folder);
void weir_diagram_read_fmus (const WeirDiagram *self, const char *folder);

G_END_DECLS
