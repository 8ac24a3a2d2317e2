/* What is known about the cache of a diagram's blocks. See overlay.h. */
#include "paint/drawing/overlay.h"

#include <glib/gi18n-lib.h>

static const struct {
  const char *nick, *title;
} modes[WEIR_N_OVERLAYS] = {
  [WEIR_OVERLAY_OFF] = { "off", N_ ("No Overlay") },
  [WEIR_OVERLAY_STATE] = { "state", N_ ("Cache State") },
  [WEIR_OVERLAY_HEAT] = { "heat", N_ ("Computations per Second") },
  [WEIR_OVERLAY_COST] = { "cost", N_ ("Time Spent Computing") },
  [WEIR_OVERLAY_SAVED] = { "saved", N_ ("Time Saved by the Cache") },
};

static void
block_overlay_free (gpointer data)
{
  WeirBlockOverlay *block = data;

  for (guint i = 0; i < block->n_ports; i++)
    g_clear_pointer (&block->ports[i].name, g_ref_string_release);
  g_free (block);
}

WeirOverlay *
weir_overlay_new (void)
{
  WeirOverlay *self = g_new0 (WeirOverlay, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->device_scale = 1;
  self->blocks = g_hash_table_new_full (NULL, NULL, NULL, block_overlay_free);
  return self;
}

WeirOverlay *
weir_overlay_ref (WeirOverlay *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_overlay_unref (WeirOverlay *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  weir_overlay_clear_signs (self);
  g_hash_table_unref (self->blocks);
  g_free (self->caption);
  g_free (self);
}

void
weir_overlay_clear_signs (WeirOverlay *self)
{
  for (guint badge = 0; badge < WEIR_N_BADGES; badge++)
    for (guint ratio = 0; ratio < WEIR_N_RATIOS; ratio++)
      g_clear_pointer (&self->signs[badge][ratio], cairo_surface_destroy);
}

WeirBlockOverlay *
weir_overlay_add_block (WeirOverlay *self, guint32 id, guint n_ports)
{
  WeirBlockOverlay *block = g_malloc0 (sizeof *block + n_ports * sizeof *block->ports);

  block->depth = -1;
  block->ratio = -1;
  block->n_ports = n_ports;
  g_hash_table_insert (self->blocks, GUINT_TO_POINTER (id), block);
  return block;
}

void
weir_port_overlay_init (WeirPortOverlay *self, const char *name, gboolean is_output)
{
  *self = (WeirPortOverlay) { .name = g_ref_string_new_intern (name),
                              .is_output = is_output,
                              .depth = -1 };
}

WeirBlockOverlay *
weir_overlay_find_block (const WeirOverlay *self, guint32 id)
{
  return g_hash_table_lookup (self->blocks, GUINT_TO_POINTER (id));
}

WeirPortOverlay *
weir_block_overlay_find_port (const WeirBlockOverlay *self, const char *name, gboolean is_output)
{
  for (guint i = 0; i < self->n_ports; i++)
    if (self->ports[i].is_output == is_output && g_strcmp0 (self->ports[i].name, name) == 0)
      return (WeirPortOverlay *) &self->ports[i];
  return NULL;
}

void
weir_overlay_clear_emphasis (WeirOverlay *self)
{
  GHashTableIter iter;
  gpointer value;

  self->has_emphasis = FALSE;
  g_clear_pointer (&self->caption, g_free);
  g_hash_table_iter_init (&iter, self->blocks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      WeirBlockOverlay *block = value;

      block->depth = -1;
      for (guint i = 0; i < block->n_ports; i++)
        block->ports[i].depth = -1;
    }
}

void
weir_overlay_clear_beat (WeirOverlay *self)
{
  GHashTableIter iter;
  gpointer value;

  self->has_beat = FALSE;
  self->way = WEIR_BEAT_STANDS;
  g_hash_table_iter_init (&iter, self->blocks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      WeirBlockOverlay *block = value;

      block->sign = WEIR_BEAT_SIGN_NONE;
      for (guint i = 0; i < block->n_ports; i++)
        block->ports[i].moves = FALSE;
    }
}

const char *
weir_overlay_mode_to_nick (WeirOverlayMode mode)
{
  g_return_val_if_fail (mode < WEIR_N_OVERLAYS, modes[0].nick);
  return modes[mode].nick;
}

gboolean
weir_overlay_mode_from_nick (const char *nick, WeirOverlayMode *mode)
{
  for (guint i = 0; i < WEIR_N_OVERLAYS; i++)
    if (g_strcmp0 (modes[i].nick, nick) == 0)
      {
        *mode = (WeirOverlayMode) i;
        return TRUE;
      }
  return FALSE;
}

const char *
weir_overlay_mode_get_title (WeirOverlayMode mode)
{
  g_return_val_if_fail (mode < WEIR_N_OVERLAYS, "");
  return _ (modes[mode].title);
}
