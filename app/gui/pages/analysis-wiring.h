/* Blocks added to a diagram and wires led through them, as parts of one patch: for experiments on a
 * model, and for controllers put into it. Thread: *any*.
 */
#pragma once

#include "model/tree/patch.h"

G_BEGIN_DECLS

typedef struct {
  const WeirModel *model;
  const WeirDiagram *diagram;
  WeirPatch *patch;
  GArray *ids; /* guint32: the diagram's place */
  guint32 next;
  GHashTable *names; /* char *: that are taken in this patch */
} WeirWiring;

/* In the diagram of the block that has the port @path. FALSE: there is no such block. */
gboolean weir_wiring_init (WeirWiring *self, const WeirModel *model, const char *path);
void weir_wiring_clear (WeirWiring *self);
/* Whether that port is in the same diagram. */
gboolean weir_wiring_has_port (const WeirWiring *self, const char *path);

/* A block with these parameters, name and value by turns, NULL at the end; @name: or one like it.
 * Its id. */
guint32 weir_wiring_add (WeirWiring *self, const char *type, const char *name, WeirPoint position,
                         gboolean is_flipped, const char *const *parameters);
/* From output to input. */
void weir_wiring_connect (WeirWiring *self, guint32 from, const char *output, guint32 to,
                          const char *input);
void weir_wiring_connect_end (WeirWiring *self, WeirWireEnd from, guint32 to, const char *input);
/* All that sees the signal at a port, or the one input that the port is, sees that of @block's
 * output y instead. Where it came from: block 0 = nowhere. */
WeirWireEnd weir_wiring_divert (WeirWiring *self, const char *path, guint32 block);
/* Where a signal comes from: the port itself, or what is wired to it. */
WeirWireEnd weir_wiring_find_source (const WeirWiring *self, const char *path);
/* The patch, which is the caller's then. */
WeirPatch *weir_wiring_finish (WeirWiring *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirWiring, weir_wiring_clear)

G_END_DECLS
