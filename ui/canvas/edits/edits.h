/* What an editor does to a diagram, as patches: functions from a model to an edit.
 *
 * Nothing here touches a document or a widget: each function looks at one model and returns the
 * patch with the label of its undo step, or NULL if there is nothing to do. New elements get ids
 * from the model's next id on and names that are free. Thread: *any*.
 */
#pragma once

#include "model/tree/analysis-points.h"
#include "model/tree/patch.h"
#include "paint/scene/scene.h"

G_BEGIN_DECLS

/* The diagram that is edited. Borrowed. */
typedef struct {
  WeirModel *model;
  WeirPlace place;
} WeirSite;

/* Some elements of it, by id. Borrowed. */
typedef struct {
  const guint32 *blocks, *wires, *notes;
  guint n_blocks, n_wires, n_notes;
} WeirElements;

typedef enum {
  WEIR_SELECT_BLOCK,
  WEIR_SELECT_WIRE,
  WEIR_SELECT_NOTE,
  WEIR_N_SELECT_KINDS
} WeirSelectKind;

typedef struct {
  WeirPatch *patch;
  char *label;                    /* translated: "Move 2 blocks" */
  GArray *new_blocks, *new_notes; /* guint32: what to select afterwards; NULL = as it was */
} WeirEdit;

void weir_edit_free (WeirEdit *self);

WeirDiagram *weir_site_get_diagram (WeirSite site); /* NULL if there is no such place */

/* --- Blocks and notes (edits.c) -------------------------------------------------------------- */

WeirEdit *weir_edit_add_block (WeirSite site, const char *type, WeirPoint position);
/* A block of an FMU, named by its file. @file: as the block is to have it. */
WeirEdit *weir_edit_add_fmu (WeirSite site, const char *file, WeirPoint position);
/* Bends of wires that lie wholly among the blocks move with them, and so do free ends of their
 * wires. A frame takes along what lies wholly in it. */
WeirEdit *weir_edit_move (WeirSite site, WeirElements what, WeirPoint offset);
/* Where a removed block had one wire in and wires out of one output, the wires out begin where the
 * wire in did: the connection is healed. Other wires at removed blocks go with them. */
WeirEdit *weir_edit_delete (WeirSite site, WeirElements what);
/* Copies blocks, the wires among them and what is inside them, and notes. */
WeirEdit *weir_edit_duplicate (WeirSite site, WeirElements what, WeirPoint offset);
/* The same with all of another diagram (a fragment). */
WeirEdit *weir_edit_paste (WeirSite site, const WeirDiagram *fragment, WeirPoint offset);
WeirEdit *weir_edit_rename (WeirSite site, guint32 block, const char *name);
/* Comments out, passes through or takes part again. In and Out blocks always take part. */
WeirEdit *weir_edit_set_mode (WeirSite site, const guint32 *blocks, guint n, WeirBlockMode mode);
WeirEdit *weir_edit_set_tint (WeirSite site, WeirElements what, WeirTint tint);
/* @id: 0 = a new note. An empty @text removes it, unless it is a frame. */
WeirEdit *weir_edit_set_note (WeirSite site, guint32 id, WeirPoint position, const char *text);
/* A frame over @area, behind everything. */
WeirEdit *weir_edit_add_frame (WeirSite site, WeirRect area, const char *title);

/* What a new block of @type is called: "Gain2", "R1" of a part. (transfer full) */
char *weir_edit_dup_name (WeirDiagram *diagram, const char *type);
/* Where a new block of @size fits, on the grid: @wanted or the nearest free place. */
WeirPoint weir_edit_find_room (WeirScene *scene, WeirPoint size, WeirPoint wanted);

/* --- Wires (edits-wires.c) ------------------------------------------------------------------- */

/* Why no wire may run from this output to this input, in one sentence; NULL if it may. Either end
 * may be missing (block 0). @ignore_wire: a wire that is about to be replaced, or 0. (transfer
 * full) */
char *weir_edit_refuse_connection (WeirScene *scene, guint32 from, const char *output, guint32 to,
                                   const char *input, guint32 ignore_wire);
/* Wire @id, or a new one for 0, between these ends, either of which may be free, with
 * these bends. */
WeirEdit *weir_edit_wire (WeirSite site, guint32 id, WeirWireEnd from, WeirWireEnd to,
                          const WeirPoint *bends, guint n_bends);
WeirEdit *weir_edit_set_bends (WeirSite site, guint32 wire, const WeirPoint *bends, guint n_bends);
WeirEdit *weir_edit_set_label (WeirSite site, guint32 wire, const char *label);
/* What linear analysis does to a wire's signal (edits-points.c). */
WeirPointKinds weir_site_get_points (WeirSite site, guint32 wire);
WeirEdit *weir_edit_set_points (WeirSite site, guint32 wire, WeirPointKinds kinds);
/* The wire that @block would part if it were there: one that runs through its middle, when it has a
 * free input and a free output. 0 if there is none. @offset: how far to move it so that the wire is
 * straight. */
guint32 weir_edit_find_wire_under (WeirScene *scene, WeirBlock *block, WeirPoint *offset);
/* Sets @block, new or moved, in the middle of the wire. */
WeirEdit *weir_edit_insert_into_wire (WeirSite site, WeirScene *scene, guint32 wire,
                                      WeirBlock *block);
/* Adds a block of @type whose first fitting port is at @at, wired to a port that is there already.
 * NULL if the type has no such port. */
WeirEdit *weir_edit_add_connected (WeirSite site, const char *type, guint32 block, const char *port,
                                   gboolean is_output, WeirPoint at);
/* Whether a new block of @type has an input, or an output. */
gboolean weir_edit_type_fits (const char *type, gboolean needs_input);
/* @block with one more input, where a parameter of its type says how many there are; @input: (out)
 * its name, interned. NULL if there is none. (transfer full) */
WeirBlock *weir_edit_grow_block (const WeirBlock *block, const char **input);
/* The input that @block would have besides those that are all wired, @ignore_wire not counting;
 * NULL: one is free, or it can have no more. weir_edit_wire() makes it. (interned) */
const char *weir_edit_find_new_input (WeirScene *scene, guint32 block, guint32 ignore_wire);
/* The first free output of @from to the first free input of @to, or else those of their pins that
 * are nearest to each other; NULL if there is none. */
WeirEdit *weir_edit_connect_blocks (WeirSite site, WeirScene *scene, guint32 from, guint32 to);

/* --- Physical lines (edits-lines.c) ---------------------------------------------------------- */

/* Of the pin or line that a line may end at; NULL: it takes that of what it is joined with. */
const WeirDomain *weir_edit_find_domain (WeirScene *scene, WeirWireEnd end);
/* Why no line may run between these ends, in one sentence; NULL if it may. @ignore_line: one that
 * is about to be replaced, or 0. (transfer full) */
char *weir_edit_refuse_line (WeirScene *scene, WeirWireEnd a, WeirWireEnd b, guint32 ignore_line);
/* As weir_edit_wire(), of a physical line. */
WeirEdit *weir_edit_line (WeirSite site, guint32 id, WeirWireEnd from, WeirWireEnd to,
                          const WeirPoint *bends, guint n_bends);
/* Whether a new block of @type has a pin that may be joined with one of @domain (NULL: any). */
gboolean weir_edit_type_has_pin (const char *type, const WeirDomain *domain);
/* Adds a part whose first fitting pin is at @at, joined with @source; a two-pole leads on in the
 * direction from @from to there. NULL if the type has no such pin. */
WeirEdit *weir_edit_add_part (WeirSite site, WeirScene *scene, const char *type, WeirWireEnd source,
                              WeirPoint from, WeirPoint at);
/* The line that @block, a two-pole at which nothing ends, would part if it were there; 0: none. */
guint32 weir_edit_find_line_under (WeirScene *scene, WeirBlock *block, WeirPoint *offset);
/* Sets it in series there, turned along the line. */
WeirEdit *weir_edit_insert_into_line (WeirSite site, WeirScene *scene, guint32 line,
                                      WeirBlock *block);

/* --- Arranging (edits-arrange.c, edits-tidy.c) --------------------------------------------- */

/* Turns each block about its middle. @quarters: clockwise. */
WeirEdit *weir_edit_rotate (WeirSite site, const guint32 *blocks, guint n, int quarters);
WeirEdit *weir_edit_flip (WeirSite site, const guint32 *blocks, guint n, gboolean upside_down);
/* Gives a block, or a frame, this box on the diagram. */
WeirEdit *weir_edit_resize (WeirSite site, guint32 id, WeirRect box);

typedef enum {
  WEIR_ALIGN_LEFT,
  WEIR_ALIGN_CENTER, /* middles on one vertical line */
  WEIR_ALIGN_RIGHT,
  WEIR_ALIGN_TOP,
  WEIR_ALIGN_MIDDLE, /* middles on one horizontal line */
  WEIR_ALIGN_BOTTOM,
  WEIR_N_ALIGNMENTS,
} WeirAlignment;

/* Moves blocks and notes to the edge or middle of them all. */
WeirEdit *weir_edit_align (WeirSite site, WeirElements what, WeirAlignment alignment);
/* Equal gaps between neighbours, the outer two staying; of three or more. */
WeirEdit *weir_edit_distribute (WeirSite site, WeirElements what, gboolean vertically);
/* Gives all the size of the largest. */
WeirEdit *weir_edit_match_size (WeirSite site, const guint32 *blocks, guint n);
/* Lays the blocks out anew, along the flow of their signals, where they are; n 0 = all of the
 * diagram. Hand-made bends of wires among them are dropped. */
WeirEdit *weir_edit_tidy (WeirSite site, const guint32 *blocks, guint n);

/* --- Hierarchy (edits-subsystem.c) ----------------------------------------------------------- */

/* Puts the elements into a new Subsystem, with an In or Out block for each signal that crosses, and
 * a Pin for each node of physical lines. */
WeirEdit *weir_edit_group (WeirSite site, WeirElements what);
/* Carries blocks to the level at @target, below what is there, with the wires among them; a wire to
 * a block that stays becomes loose at that end. Physical lines stay joined: through Pins of the
 * Subsystems on the way, those that a node has, else new ones. In, Out and Pin blocks stay. NULL if
 * @target is in one of the blocks. */
WeirEdit *weir_edit_move_to_level (WeirSite site, WeirElements what, WeirPlace target);
/* Puts what a Subsystem holds in its place; its In, Out and Pin blocks become
 * wires and lines. */
WeirEdit *weir_edit_expand (WeirSite site, guint32 block);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirEdit, weir_edit_free)

/* --- For those who make edits ------------------------------------------------------------------
 */

WeirEdit *weir_edit_new (char *label); /* @label: taken over */
/* NULL for NULL and for an edit without changes, which is freed. */
WeirEdit *weir_edit_finish (WeirEdit *self);
WeirBlock *weir_site_find_block (WeirSite site, guint32 id); /* (transfer none) */
void weir_edit_put_block (WeirEdit *self, WeirSite site, WeirBlock *block);
void weir_edit_put_wire (WeirEdit *self, WeirSite site, WeirWire *wire);

GHashTable *weir_id_set_new (const guint32 *ids, guint n);
gboolean weir_id_set_has (GHashTable *set, guint32 id);

/* The wires at a block, or all of a diagram for 0: GPtrArray of WeirWire, each with a reference. */
GPtrArray *weir_diagram_list_wires (const WeirDiagram *diagram, guint32 block);
GPtrArray *weir_diagram_list_blocks (const WeirDiagram *diagram); /* WeirBlock */
GPtrArray *weir_diagram_list_notes (const WeirDiagram *diagram);  /* WeirNote */
/* The wire that ends at this input, or NULL. (transfer none) */
WeirWire *weir_diagram_find_wire_into (const WeirDiagram *diagram, guint32 block,
                                       const char *input);
/* @wire with bends and free ends moved by @offset. (transfer full) */
WeirWire *weir_wire_shifted (WeirWire *wire, WeirPoint offset);
WeirRect weir_block_get_box (const WeirBlock *block);

G_END_DECLS
