/* An edit of a model, as data: a list of changes that are validated and applied together.
 *
 * Applying makes a new model and says which aspects changed, so that results derived from a model
 * know whether they survive. Thread: a patch belongs to one thread (*owner*).
 */
#pragma once

#include "model/tree/model.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_ASPECT_LAYOUT = 1 << 0,     /* positions, sizes, bends, notes */
  WEIR_ASPECT_NAMES = 1 << 1,      /* names of blocks */
  WEIR_ASPECT_METADATA = 1 << 2,   /* title, author, ...; but for units of ports */
  WEIR_ASPECT_PARAMETERS = 1 << 3, /* values that a running system can take over */
  WEIR_ASPECT_STRUCTURE = 1 << 4,  /* blocks, types, wires, parameters that shape a block, units,
                                      variables, assertions */
  WEIR_ASPECT_SETTINGS = 1 << 5,   /* run settings */
  WEIR_ASPECT_VALUES = 1 << 6,     /* values that others may be computed from: whether a running
                                      system can take them over is known when all of the model is
                                      looked at (weir_aspects_resolve(), completion.h) */
  WEIR_ASPECT_PLOTS = 1 << 7,      /* how results are looked at: layout and axes of plots, ranges of
                                      sliders; no edit in its own right, so nothing to undo */
  WEIR_ASPECT_LINES = 1 << 8,      /* physical lines and the connectors that they join */
  WEIR_ASPECT_SCHEDULE = 1 << 9,   /* units of co-simulation, and when each advances */
  WEIR_ASPECT_POINTS = 1 << 10,    /* analysis points: where signals are opened or observed */
  WEIR_ASPECT_ALL = (1 << 11) - 1,
  /* What nothing that is computed depends on. */
  WEIR_ASPECTS_OF_LOOKS = WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA | WEIR_ASPECT_PLOTS,
} WeirAspects;

typedef struct _WeirPatch WeirPatch;

WeirPatch *weir_patch_new (void);
void weir_patch_free (WeirPatch *self);

/* Elements carry their id; a "set" replaces the element of the same id or adds it.
 * (transfer none) */
void weir_patch_set_block (WeirPatch *self, WeirPlace place, WeirBlock *block);
void weir_patch_set_wire (WeirPatch *self, WeirPlace place, WeirWire *wire);
void weir_patch_set_note (WeirPatch *self, WeirPlace place, WeirNote *note);
/* Removing a block leaves the wires at it alone: remove or re-end them in the same patch. */
void weir_patch_remove_block (WeirPatch *self, WeirPlace place, guint32 id);
void weir_patch_remove_wire (WeirPatch *self, WeirPlace place, guint32 id);
void weir_patch_remove_note (WeirPatch *self, WeirPlace place, guint32 id);
void weir_patch_set_setting (WeirPatch *self, const char *name,
                             const char *text); /* NULL = default */
void weir_patch_set_title (WeirPatch *self, const char *title);
/* Of the model as a whole; NULL @text removes. That of blocks is part of them. */
void weir_patch_set_metadata (WeirPatch *self, const char *of, WeirMetadataKey key,
                              const char *text);
/* A variable of the model; NULL @text removes. */
void weir_patch_set_variable (WeirPatch *self, const char *name, const char *text);
/* A sentence that must hold (model/completion/assertion.c) and why; NULL @reason removes. */
void weir_patch_set_assertion (WeirPatch *self, const char *sentence, const char *reason);
/* How a plot is looked at (weir_model_get_plot()); NULL @text removes. */
void weir_patch_set_plot (WeirPatch *self, const char *name, const char *text);

/* Renames a block. If it is an In, Out or Pin, what ends at that port of the Subsystem is re-ended
 * too. FALSE if there is no such block. */
gboolean weir_patch_rename_block (WeirPatch *self, const WeirModel *model, WeirPlace place,
                                  guint32 id, const char *name);
gboolean weir_patch_is_empty (const WeirPatch *self);

/* The changes are made in the order given; what must hold is checked of the result, so that a patch
 * may exchange two names or carry a block with its id from one diagram to another.
 *
 * The model after the patch, or NULL and @error when a change makes no sense: an id in use
 * elsewhere, a place or element that does not exist, a name used twice or with a '.', a wire to a
 * missing block. @aspects: may be NULL. (transfer full) */
WeirModel *weir_model_apply (WeirModel *model, const WeirPatch *patch, WeirAspects *aspects,
                             GError **error);

/* In which aspects two models differ; 0 if they are equal. What they share is skipped, so that the
 * cost is that of the edits between them. */
WeirAspects weir_model_compare (const WeirModel *a, const WeirModel *b);
/* Do they differ in no aspect but @ignored? Ends at the first difference. */
gboolean weir_model_equal_but (const WeirModel *a, const WeirModel *b, WeirAspects ignored);
/* @self looked at as @of is (WEIR_ASPECT_PLOTS), where it has the same blocks. The cost is that of
 * the edits between them. (transfer full) */
WeirModel *weir_model_with_plots_of (WeirModel *self, WeirModel *of);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirPatch, weir_patch_free)

G_END_DECLS
