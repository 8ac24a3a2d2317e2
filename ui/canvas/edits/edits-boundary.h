/* Physical lines at the border of a Subsystem, for who groups and expands: each node that crosses
 * it goes through one Pin block.
 */
#pragma once

#include "canvas/edits/edits.h"

G_BEGIN_DECLS

typedef struct _WeirBoundaries WeirBoundaries;

static inline gboolean
weir_block_is_pin (const WeirBlock *block)
{
  return g_str_equal (weir_block_get_type_name (block), "Pin");
}

/* The nodes of @scene that have pins both of the blocks @inside, which is borrowed, and of others.
 * What is left of @middle has its Pin there. Pins take ids from @next_id on. */
WeirBoundaries *weir_boundaries_new (WeirScene *scene, GHashTable *inside, WeirPoint middle,
                                     guint32 *next_id);
void weir_boundaries_free (WeirBoundaries *self);
guint weir_boundaries_count (const WeirBoundaries *self, gboolean is_right);
/* Adds the Pin blocks beside what goes in, which is in @box. @take_name: gives each a free name,
 * (transfer full). */
void weir_boundaries_add_blocks (WeirBoundaries *self, WeirEdit *edit, WeirPlace inner,
                                 WeirRect box, char *(*take_name) (gpointer data), gpointer data);
/* A line goes in, or stays and ends at the Subsystem, or is not touched. */
void weir_boundaries_group_line (WeirBoundaries *self, WeirEdit *edit, WeirSite site,
                                 WeirPlace inner, WeirWire *line, guint32 subsystem,
                                 guint32 *next_id);
/* All lines of a Subsystem, whose inside is at @place, go out by @offset; what met at its pins is
 * joined. */
void weir_boundaries_expand (WeirEdit *edit, WeirSite site, WeirPlace place, guint32 subsystem,
                             WeirPoint offset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBoundaries, weir_boundaries_free)

G_END_DECLS
