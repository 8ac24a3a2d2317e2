/* The description of a diagram as an immutable value.
 *
 * A WeirModel is a tree: a root WeirDiagram of blocks, wires and annotations, in which a Subsystem
 * block holds a WeirDiagram of its own. Nothing here ever changes: an edit makes a new model that
 * shares all but one path of nodes with the old one (patch.h). Ids are positive, unique within the
 * whole model and never reused by an edit; elements are kept in order of id, which is also the
 * order in the file. What does not make sense (an unknown type, a dangling wire, text that does not
 * parse) is kept as it is and reported by completion (completion.h).
 *
 * Everything: reference-counted, immutable, thread *any*.
 */
#pragma once

#include "base/diagnostic.h"
#include "blocks/library/registry.h"
#include "model/tree/metadata.h"

G_BEGIN_DECLS

typedef struct _WeirModel WeirModel;
typedef struct _WeirDiagram WeirDiagram;
typedef struct _WeirBlock WeirBlock;
typedef struct _WeirWire WeirWire;
typedef struct _WeirNote WeirNote;

typedef struct {
  double x, y;
} WeirPoint; /* diagram units: 1 = a pixel at 100 % */

typedef enum {
  WEIR_ROTATION_0,
  WEIR_ROTATION_90,
  WEIR_ROTATION_180,
  WEIR_ROTATION_270,
} WeirRotation; /* clockwise */

/* Whether a block takes part in what runs. */
typedef enum {
  WEIR_BLOCK_ACTIVE,
  WEIR_BLOCK_COMMENTED_OUT,  /* its outputs are zero */
  WEIR_BLOCK_PASSED_THROUGH, /* each output is the input of the same number */
  WEIR_N_BLOCK_MODES,
} WeirBlockMode;

/* A colour that the user gave an element, to group or warn; what it looks like is the palette's. */
typedef enum {
  WEIR_TINT_NONE,
  WEIR_TINT_RED,
  WEIR_TINT_ORANGE,
  WEIR_TINT_YELLOW,
  WEIR_TINT_GREEN,
  WEIR_TINT_BLUE,
  WEIR_TINT_PURPLE,
  WEIR_TINT_GREY,
  WEIR_N_TINTS,
} WeirTint;

/* As in a file: "blue"; "none" for none. */
const char *weir_tint_get_name (WeirTint tint);
/* WEIR_TINT_NONE for an unknown name or NULL. */
WeirTint weir_tint_find (const char *name);

/* One end of a wire: a block's port by name; or, of a physical line, another line of the diagram
 * which it joins; or a free point. */
typedef struct {
  guint32 block;    /* 0 unless at a port */
  const char *port; /* borrowed; NULL unless at a port */
  WeirPoint point;  /* where a free end hangs, or a line joins another */
  guint32 line;     /* the line that is joined; 0 = none */
} WeirWireEnd;

/* --- Blocks ---------------------------------------------------------------------------------- */

WeirBlock *weir_block_new (guint32 id, const char *type, const char *name, WeirPoint position);
WeirBlock *weir_block_ref (WeirBlock *self);
void weir_block_unref (WeirBlock *self);

/* The checked parameter values, made once and kept; NULL if the type is unknown or a text does not
 * parse. (transfer none) */
const WeirArguments *weir_block_get_arguments (const WeirBlock *self);

guint32 weir_block_get_id (const WeirBlock *self);
const char *weir_block_get_type_name (const WeirBlock *self);
const char *weir_block_get_name (const WeirBlock *self);
WeirPoint weir_block_get_position (const WeirBlock *self); /* top left */
WeirPoint weir_block_get_size (const WeirBlock *self);     /* 0, 0 = the type's own size */
WeirRotation weir_block_get_rotation (const WeirBlock *self);
gboolean weir_block_get_flipped (const WeirBlock *self);
WeirBlockMode weir_block_get_mode (const WeirBlock *self);
WeirTint weir_block_get_tint (const WeirBlock *self);
int weir_block_get_line (const WeirBlock *self); /* in the file it was read from; 0 = none */
/* The text of a parameter, or NULL where the type's default holds. */
const char *weir_block_get_parameter (const WeirBlock *self, const char *name);
guint weir_block_get_n_parameters (const WeirBlock *self);
void weir_block_get_parameter_at (const WeirBlock *self, guint i, const char **name,
                                  const char **text);
/* Of the block, its ports and variables; may be NULL, the empty list. (transfer none) */
WeirMetadata *weir_block_get_metadata (const WeirBlock *self);
/* Is it to be a unit of co-simulation, with steps of its own: a Subsystem that is marked as one, an
 * FMU that is run so? And the text of one of its settings
 * (model/tree/unit-settings.h), or NULL where the default holds. */
gboolean weir_block_is_unit (const WeirBlock *self);
const char *weir_block_get_unit_setting (const WeirBlock *self, const char *name);
/* Of a Subsystem; else NULL. (transfer none) */
WeirDiagram *weir_block_get_diagram (const WeirBlock *self);

/* Copies that differ in one thing. (transfer full) */
WeirBlock *weir_block_with_id (const WeirBlock *self, guint32 id);
WeirBlock *weir_block_with_name (const WeirBlock *self, const char *name);
WeirBlock *weir_block_with_position (const WeirBlock *self, WeirPoint position);
WeirBlock *weir_block_with_size (const WeirBlock *self, WeirPoint size);
WeirBlock *weir_block_with_orientation (const WeirBlock *self, WeirRotation rotation,
                                        gboolean flipped);
WeirBlock *weir_block_with_mode (const WeirBlock *self, WeirBlockMode mode);
WeirBlock *weir_block_with_tint (const WeirBlock *self, WeirTint tint);
WeirBlock *weir_block_with_parameter (const WeirBlock *self, const char *name,
                                      const char *text); /* NULL removes */
/* @of: a port or variable, "" = the block; NULL @text removes. */
/* As a block of another type, with those of its parameters that this has. */
WeirBlock *weir_block_with_type (const WeirBlock *self, const char *type);
WeirBlock *weir_block_with_metadata (const WeirBlock *self, const char *of, WeirMetadataKey key,
                                     const char *text);
WeirBlock *weir_block_with_unit (const WeirBlock *self, gboolean is_unit);
/* Makes it a unit; NULL @text: the default. */
WeirBlock *weir_block_with_unit_setting (const WeirBlock *self, const char *name, const char *text);
WeirBlock *weir_block_with_diagram (const WeirBlock *self, WeirDiagram *diagram);

/* Ports as the block's type and parameters imply (a Subsystem's from its In and Out blocks, in
 * order of id). NULL-terminated names; empty if the type is unknown or its parameters do not parse.
 */
char **weir_block_dup_inputs (const WeirBlock *self);
char **weir_block_dup_outputs (const WeirBlock *self);
/* The same of pins, where physical lines end: of a Subsystem those that its Pin blocks name. What
 * has none gives an empty list. (transfer full), of WeirPinSpec, with static or interned texts */
GArray *weir_block_list_pins (const WeirBlock *self);
/* The part of physical networks that it is; NULL: none. (transfer none) */
const WeirPartType *weir_block_get_part (const WeirBlock *self);
/* The size that a port insists on; 0 = takes what comes, or not known. */
guint weir_block_get_port_size (const WeirBlock *self, const char *port, gboolean is_output);
/* All that the block says of a port; FALSE: it has none of that name, or is a Subsystem. What @spec
 * names lives as long as the block. */
gboolean weir_block_find_port (const WeirBlock *self, const char *port, gboolean is_output,
                               WeirPortSpec *spec);
/* Of each input, or output, the terminal that it is in, NULL where it is in none; NULL: none is in
 * one. The names are there for good. (transfer container) */
const char **weir_block_list_terminals (const WeirBlock *self, gboolean is_output);

/* A parameter of a block that a running context can take over without rebuilding. FALSE if it
 * shapes the block. @leaf_parameter: name of the leaf's numeric parameter. */
gboolean weir_model_is_tunable (const WeirBlock *block, const char *parameter,
                                const char **leaf_parameter);

/* --- Wires ----------------------------------------------------------------------------------- */

/* A wire carries a signal from an output to an input. A physical line is a wire without direction:
 * it joins pins, and other lines, whose ends then are one node. Everything else is the same of
 * both: ids, bends, labels, patches. */

/* @bends: hand-made corner points, kept by routing; may be NULL. */
WeirWire *weir_wire_new (guint32 id, WeirWireEnd from, WeirWireEnd to, const WeirPoint *bends,
                         guint n_bends);
WeirWire *weir_wire_ref (WeirWire *self);
void weir_wire_unref (WeirWire *self);
guint32 weir_wire_get_id (const WeirWire *self);
WeirWireEnd weir_wire_get_from (const WeirWire *self); /* an output port */
WeirWireEnd weir_wire_get_to (const WeirWire *self);   /* an input port */
const WeirPoint *weir_wire_get_bends (const WeirWire *self, guint *n_bends);
const char *weir_wire_get_label (const WeirWire *self); /* shown on it; "" = none */
int weir_wire_get_line (const WeirWire *self);
gboolean weir_wire_is_line (const WeirWire *self); /* physical */
WeirWire *weir_line_new (guint32 id, WeirWireEnd from, WeirWireEnd to, const WeirPoint *bends,
                         guint n_bends);
WeirWire *weir_wire_with_id (const WeirWire *self, guint32 id);
WeirWire *weir_wire_with_ends (const WeirWire *self, WeirWireEnd from, WeirWireEnd to);
WeirWire *weir_wire_with_bends (const WeirWire *self, const WeirPoint *bends, guint n_bends);
WeirWire *weir_wire_with_label (const WeirWire *self, const char *label);

/* --- Notes: free text on the diagram --------------------------------------------------------- */

/* A note with a size is a frame: a titled area behind the blocks. */

WeirNote *weir_note_new (guint32 id, WeirPoint position, const char *text);
WeirNote *weir_note_ref (WeirNote *self);
void weir_note_unref (WeirNote *self);
guint32 weir_note_get_id (const WeirNote *self);
WeirPoint weir_note_get_position (const WeirNote *self);
const char *weir_note_get_text (const WeirNote *self);
WeirPoint weir_note_get_size (const WeirNote *self); /* 0, 0 = as large as its text: no frame */
WeirTint weir_note_get_tint (const WeirNote *self);
gboolean weir_note_is_frame (const WeirNote *self);

/* Copies that differ in one thing. (transfer full) */
WeirNote *weir_note_with_id (const WeirNote *self, guint32 id);
WeirNote *weir_note_with_position (const WeirNote *self, WeirPoint position);
WeirNote *weir_note_with_size (const WeirNote *self, WeirPoint size);
WeirNote *weir_note_with_text (const WeirNote *self, const char *text);
WeirNote *weir_note_with_tint (const WeirNote *self, WeirTint tint);

/* --- Diagrams -------------------------------------------------------------------------------- */

WeirDiagram *weir_diagram_ref (WeirDiagram *self);
void weir_diagram_unref (WeirDiagram *self);
guint weir_diagram_get_n_blocks (const WeirDiagram *self);
guint weir_diagram_get_n_wires (const WeirDiagram *self);
guint weir_diagram_get_n_notes (const WeirDiagram *self);
WeirBlock *weir_diagram_find_block (const WeirDiagram *self, guint32 id); /* (transfer none) */
WeirBlock *weir_diagram_find_block_by_name (const WeirDiagram *self, const char *name);
WeirWire *weir_diagram_find_wire (const WeirDiagram *self, guint32 id);
WeirNote *weir_diagram_find_note (const WeirDiagram *self, guint32 id);
/* Calls @func in order of id until it returns FALSE. */
typedef gboolean (*WeirBlockFunc) (WeirBlock *block, gpointer data);
typedef gboolean (*WeirWireFunc) (WeirWire *wire, gpointer data);
typedef gboolean (*WeirNoteFunc) (WeirNote *note, gpointer data);
void weir_diagram_foreach_block (const WeirDiagram *self, WeirBlockFunc func, gpointer data);
void weir_diagram_foreach_wire (const WeirDiagram *self, WeirWireFunc func, gpointer data);
void weir_diagram_foreach_note (const WeirDiagram *self, WeirNoteFunc func, gpointer data);
/* The wires that end at a block, in order of id; O(log n) and one step a wire. */
void weir_diagram_foreach_wire_at (const WeirDiagram *self, guint32 block, WeirWireFunc func,
                                   gpointer data);
/* Calls @func in order of id for what is not the same in two diagrams, until it returns FALSE; NULL
 * stands for what one does not have. What the diagrams share is skipped, so that the cost is that
 * of the edits between them. */
typedef gboolean (*WeirBlockChangeFunc) (guint32 id, WeirBlock *before, WeirBlock *after,
                                         gpointer data);
typedef gboolean (*WeirWireChangeFunc) (guint32 id, WeirWire *before, WeirWire *after,
                                        gpointer data);
void weir_diagram_foreach_block_change (const WeirDiagram *before, const WeirDiagram *after,
                                        WeirBlockChangeFunc func, gpointer data);
void weir_diagram_foreach_wire_change (const WeirDiagram *before, const WeirDiagram *after,
                                       WeirWireChangeFunc func, gpointer data);
/* @base if it is free, else a name of the form "Gain2" that no block of the diagram has.
 * (transfer full) */
char *weir_diagram_dup_free_name (const WeirDiagram *self, const char *base);

/* --- Models ---------------------------------------------------------------------------------- */

WeirModel *weir_model_new (void); /* empty, with default settings */
WeirModel *weir_model_ref (WeirModel *self);
void weir_model_unref (WeirModel *self);
WeirDiagram *weir_model_get_root (const WeirModel *self); /* (transfer none) */
/* Was it read from a file of another format, which it would not be written back to? */
gboolean weir_model_is_foreign (const WeirModel *self);
guint32 weir_model_get_next_id (const WeirModel *self); /* greater than any id in use */
/* Run settings, as text; model/tree/settings.h lists them. NULL where the default holds. */
const char *weir_model_get_setting (const WeirModel *self, const char *name);
const char *weir_model_get_title (const WeirModel *self);      /* "" if it has none */
WeirMetadata *weir_model_get_metadata (const WeirModel *self); /* may be NULL. (transfer none) */
/* Names that parameters anywhere in the model may use, each with the text of its value: a number, a
 * vector or an expression. In order of name. */
const char *weir_model_get_variable (const WeirModel *self,
                                     const char *name); /* NULL if there is none */
guint weir_model_get_n_variables (const WeirModel *self);
void weir_model_get_variable_at (const WeirModel *self, guint i, const char **name,
                                 const char **text);
/* What must hold of the model's dependencies (model/completion/assertion.c): a sentence, and why
 * ("" = unsaid). */
guint weir_model_get_n_assertions (const WeirModel *self);
void weir_model_get_assertion_at (const WeirModel *self, guint i, const char **sentence,
                                  const char **reason);

/* How results are looked at: under the name of each plot (and of what else the window keeps so) a
 * text that the window makes and reads. Saved with the model, but no edit of it: nothing to undo,
 * nothing unsaved, and nothing that is computed depends on it. In order of name. */
const char *weir_model_get_plot (const WeirModel *self,
                                 const char *name); /* NULL if there is none */
guint weir_model_get_n_plots (const WeirModel *self);
const char *weir_model_get_plot_at (const WeirModel *self, guint i);

/* A place in the model: the ids of the Subsystem blocks from the root to a diagram; n_ids 0 is the
 * root diagram. Passed by value, ids borrowed. */
typedef struct {
  const guint32 *ids;
  guint n_ids;
} WeirPlace;
#define WEIR_PLACE_ROOT ((WeirPlace) { NULL, 0 })

/* NULL if there is no such place. (transfer none) */
WeirDiagram *weir_model_get_diagram (const WeirModel *self, WeirPlace place);
/* Finds an element anywhere. @place_ids: GArray of guint32, filled with its place, or NULL.
 * (transfer none) (nullable) */
WeirBlock *weir_model_find_block (const WeirModel *self, guint32 id, GArray *place_ids);
WeirWire *weir_model_find_wire (const WeirModel *self, guint32 id, GArray *place_ids);
WeirNote *weir_model_find_note (const WeirModel *self, guint32 id, GArray *place_ids);
/* "plant.sum" of a block anywhere, or NULL. (transfer full) */
char *weir_model_dup_block_path (const WeirModel *self, guint32 id);
/* The block of a path such as "plant.sum", or NULL. */
WeirBlock *weir_model_find_path (const WeirModel *self, const char *path);
/* Adds the ids of the wires that end at a port of the block of a path to @wires, a set of ids as
 * pointers. */
void weir_model_note_wires_to (const WeirModel *self, const char *path, const char *port,
                               GHashTable *wires);
/* Whether some block is a unit of co-simulation. */
gboolean weir_model_has_units (const WeirModel *self);

/* Same content, ids, order and layout included. */
gboolean weir_model_equal (const WeirModel *a, const WeirModel *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBlock, weir_block_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirWire, weir_wire_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirNote, weir_note_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirDiagram, weir_diagram_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirModel, weir_model_unref)

G_END_DECLS
