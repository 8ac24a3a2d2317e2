/* Physical lines at the border of a Subsystem, for who groups, expands and moves: each node that
 * crosses it goes through one Pin block.
 */
#pragma once

#include "canvas/edits/edits.h"
#include "model/tree/line-work.h"

G_BEGIN_DECLS

typedef struct _WeirBoundaries WeirBoundaries;

static inline gboolean
weir_block_is_pin (const WeirBlock *block)
{
  return g_str_equal (weir_block_get_type_name (block), "Pin");
}

/* A node that has pins on both sides. */
typedef struct {
  guint32 node;             /* of the diagram around */
  const WeirDomain *domain; /* NULL: not known */
  gboolean is_right;        /* of the middle of what goes in */
  double y;                 /* of its first pin that goes in */
  WeirWireEnd outer, inner; /* where it goes on, on either side; who moves says where */
} WeirBoundary;

/* The nodes of @scene that have pins both of the blocks @inside, which is borrowed, and of others.
 */
WeirBoundaries *weir_boundaries_new (WeirScene *scene, GHashTable *inside, WeirPoint middle);
void weir_boundaries_free (WeirBoundaries *self);
guint weir_boundaries_get_n (const WeirBoundaries *self);
WeirBoundary *weir_boundaries_get (const WeirBoundaries *self, guint i); /* (transfer none) */
guint weir_boundaries_count (const WeirBoundaries *self, gboolean is_right);
/* @name, for as long as @self is there. */
const char *weir_boundaries_keep_name (WeirBoundaries *self, const char *name);
/* Adds the Pin blocks beside what goes in, which is in @box: nodes go on there. @take_name: gives
 * each a free name, (transfer full). */
void weir_boundaries_add_blocks (WeirBoundaries *self, WeirEdit *edit, WeirPlace inner,
                                 WeirRect box, char *(*take_name) (gpointer data), gpointer data,
                                 guint32 *next_id);
/* Each line goes in, by @offset, or stays and ends at the border, where another goes on, or is not
 * touched. */
void weir_boundaries_split (WeirBoundaries *self, WeirLineWork *outer, WeirLineWork *inner,
                            WeirPoint offset, guint32 *next_id);

/* Pin blocks on either side of what is in a diagram, one below another. */
typedef struct {
  WeirRect box;
  double least[2]; /* the next one's top: left, right */
} WeirPinColumn;

void weir_pin_column_init (WeirPinColumn *self, WeirRect box);
/* At @wanted or below. */
void weir_pin_column_add (WeirPinColumn *self, WeirEdit *edit, WeirPlace place, guint32 id,
                          const char *name, const WeirBoundary *boundary, double wanted);

/* All lines of a Subsystem, whose inside is at @place, go out by @offset; what met at its pins is
 * joined. */
void weir_boundaries_expand (WeirEdit *edit, WeirSite site, WeirPlace place, guint32 subsystem,
                             WeirPoint offset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBoundaries, weir_boundaries_free)

G_END_DECLS
