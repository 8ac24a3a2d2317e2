/* What the canvas shows of the cache. See cache-views.h. */
#include "gui/parts/cache-views.h"

#include "cache/cache-card.h"
#include "cache/cache-overlay.h"
#include "gui/host/settings.h"
#include "model/completion/completion.h"

#define EXPLORE_DELAY_MS 250 /* after which the pointer is taken to rest on a parameter */

struct _WeirCacheViews {
  WeirPart parent;
  WeirCacheOverlay *overlay; /* NULL while nothing is shown */
  GArray *path;              /* WeirStepTaken: what is being explained, or NULL */
  GArray *explored; /* WeirStepTaken: what a change of what is pointed at would reach, or NULL */
  char *explored_caption;
  guint explore_soon; /* source that shows what the parameter pointed at reaches */
  guint32 pointed_block;
  const char *pointed_parameter; /* interned; NULL: the pointer is on none */
  const WeirGuestView *guest;    /* or NULL */
  gpointer guest_data;
  gboolean is_alt_held;
  GtkEventController *keys; /* of the whole editor */
};

G_DEFINE_FINAL_TYPE (WeirCacheViews, weir_cache_views, WEIR_TYPE_PART)

static WeirCacheViews *
find (WeirHost *host)
{
  return weir_host_find (host, WEIR_TYPE_CACHE_VIEWS);
}

/* Is something shown instead? */
static gboolean
has_guest (WeirCacheViews *self)
{
  return self->guest != NULL && self->guest->is_shown (self->guest_data);
}

/* --- The overlay ----------------------------------------------------------------------------- */

static void
refresh_figures (WeirCacheViews *self)
{
  if (self->overlay == NULL || has_guest (self))
    return;
  weir_cache_overlay_update (self->overlay, g_get_monotonic_time ());
  gtk_widget_queue_draw (GTK_WIDGET (self->parent.canvas));
}

/* Everything anew: the diagram, the mode, what is emphasised. */
static void
refresh_overlay (WeirCacheViews *self)
{
  WeirOverlayMode mode = weir_canvas_get_overlay_mode (self->parent.canvas);
  const GArray *steps = self->explored != NULL ? self->explored : self->path;
  const char *caption = self->explored != NULL ? self->explored_caption : NULL;
  gboolean is_guest = has_guest (self);

  if ((mode == WEIR_OVERLAY_OFF && steps == NULL && !is_guest)
      || !weir_cache_model_ensure (self->parent.cache))
    {
      g_clear_pointer (&self->overlay, weir_cache_overlay_free);
      weir_canvas_set_overlay (self->parent.canvas, NULL);
      return;
    }
  if (self->overlay == NULL)
    self->overlay = weir_cache_overlay_new (self->parent.cache);
  weir_cache_overlay_set_diagram (
      self->overlay, weir_model_get_diagram (weir_document_get_model (self->parent.document),
                                             weir_canvas_get_place (self->parent.canvas)));
  if (is_guest && self->guest->fill (self->guest_data, self->overlay))
    {
      weir_canvas_set_overlay (self->parent.canvas, weir_cache_overlay_get (self->overlay));
      return;
    }
  weir_overlay_clear_beat (weir_cache_overlay_get (self->overlay));
  weir_cache_overlay_set_mode (self->overlay, mode);
  weir_cache_overlay_emphasize (self->overlay, steps, caption);
  weir_canvas_set_overlay (self->parent.canvas, weir_cache_overlay_get (self->overlay));
  refresh_figures (self);
}

static void
document_changed (WeirCacheViews *self, guint aspects)
{
  if (aspects & (WEIR_ASPECT_STRUCTURE | WEIR_ASPECT_VALUES | WEIR_ASPECT_NAMES))
    refresh_overlay (self);
}

static void
session_replaced (WeirCacheViews *self)
{
  weir_cache_model_set_session (self->parent.cache, weir_runner_get_session (self->parent.runner),
                                weir_runner_get_session_model (self->parent.runner));
}

/* --- What a change would reach --------------------------------------------------------------- */

static void
explore (WeirCacheViews *self, guint32 tracker, const char *what)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->parent.cache);
  const WeirSnapshot *snapshot = weir_cache_model_get_snapshot (self->parent.cache);

  self->explored = weir_explain_downstream (
      explainer, tracker, weir_cache_model_get_flags (self->parent.cache, snapshot));
  g_free (self->explored_caption);
  self->explored_caption = weir_cache_describe_change (self->parent.cache, what, self->explored,
                                                       snapshot);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->parent.canvas),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->explored_caption, -1);
}

/* The tracker of what is pointed at: of a block all that it can change itself. */
static gboolean
find_tracker (WeirCacheViews *self, WeirCanvasSubject subject, guint32 *tracker)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->parent.cache);
  const WeirWalk *walk;
  WeirLayout *layout;
  WeirNode node;
  WeirInput in;
  WeirOutput out;

  if (explainer == NULL || subject.block == 0
      || !weir_cache_model_find_node (self->parent.cache, subject.block, &node))
    return FALSE;
  walk = weir_explainer_get_walk (explainer);
  layout = weir_cache_model_get_layout (self->parent.cache);
  if (subject.port == NULL)
    *tracker = weir_walk_get_tracker ((WeirWalk *) walk, node, WEIR_ALL_SOURCES_EXCEPT_INPUTS);
  else if (subject.is_output && weir_layout_find_output (layout, node, subject.port, &out))
    *tracker = weir_walk_get_output_tracker (walk, node, out);
  else if (!subject.is_output && weir_layout_find_input (layout, node, subject.port, &in))
    *tracker = weir_walk_get_input_tracker (walk, node, in);
  else
    return FALSE;
  return TRUE;
}

static void
pointed_changed (WeirCacheViews *self)
{
  gboolean exploring;
  WeirCanvasSubject subject = weir_canvas_get_pointed (self->parent.canvas, &exploring);
  gboolean was_exploring = self->explored != NULL;
  guint32 tracker;

  g_clear_pointer (&self->explored, g_array_unref);
  if (exploring && find_tracker (self, subject, &tracker))
    {
      g_autofree char *what = NULL;
      WeirNode node;

      weir_cache_model_find_node (self->parent.cache, subject.block, &node);
      what = subject.port == NULL
                 ? weir_cache_model_dup_node_title (self->parent.cache, node)
                 : weir_cache_model_dup_tracker_title (self->parent.cache, tracker);
      explore (self, tracker, what);
    }
  if (was_exploring || self->explored != NULL)
    refresh_overlay (self);
}

void
weir_cache_views_explore_tracker (WeirHost *host, guint32 tracker)
{
  WeirCacheViews *self = find (host);
  gboolean was_exploring = self->explored != NULL;

  g_clear_pointer (&self->explored, g_array_unref);
  if (tracker != WEIR_NO_INDEX && weir_cache_model_ensure (self->parent.cache))
    {
      g_autofree char *what = weir_cache_model_dup_tracker_title (self->parent.cache, tracker);

      explore (self, tracker, what);
    }
  if (was_exploring || self->explored != NULL)
    refresh_overlay (self);
}

/* NULL: nothing any more. */
static void
explore_parameter (WeirCacheViews *self, guint32 block, const char *parameter)
{
  WeirLayout *layout;
  WeirNode node;
  WeirParameter index;
  guint size;
  gboolean was_exploring = self->explored != NULL;

  g_clear_pointer (&self->explored, g_array_unref);
  if (parameter != NULL && weir_cache_model_find_node (self->parent.cache, block, &node))
    {
      WeirExplainer *explainer = weir_cache_model_get_explainer (self->parent.cache);
      WeirBlock *shown = weir_model_find_block (weir_document_get_model (self->parent.document),
                                                block, NULL);
      const char *leaf_parameter;
      guint32 tracker;

      layout = weir_cache_model_get_layout (self->parent.cache);
      if (shown != NULL && weir_model_is_tunable (shown, parameter, &leaf_parameter)
          && weir_layout_find_parameter (layout, node, leaf_parameter, &index, &size))
        {
          g_autofree char *node_path = weir_layout_dup_path (layout, node);
          g_autofree char *path = g_strconcat (node_path, ".", leaf_parameter, NULL);
          g_autofree char *what = g_strdup_printf ("%s: %s", node_path, parameter);

          if (weir_explainer_find (explainer, path, &tracker, NULL))
            explore (self, tracker, what);
        }
    }
  if (was_exploring || self->explored != NULL)
    refresh_overlay (self);
}

static gboolean
explore_pointed (gpointer data)
{
  WeirCacheViews *self = data;

  self->explore_soon = 0;
  explore_parameter (self, self->pointed_block, self->pointed_parameter);
  return G_SOURCE_REMOVE;
}

/* The pointer on its way to somewhere else changes nothing; nor does resting on a parameter, unless
 * the cache is looked at on the diagram anyway or Alt asks for it. */
static void
refresh_pointed (WeirCacheViews *self)
{
  gboolean is_asked = self->is_alt_held
                      || weir_canvas_get_overlay_mode (self->parent.canvas) != WEIR_OVERLAY_OFF;

  g_clear_handle_id (&self->explore_soon, g_source_remove);
  if (self->pointed_parameter == NULL || !is_asked)
    explore_parameter (self, self->pointed_block, NULL);
  else
    self->explore_soon = g_timeout_add (EXPLORE_DELAY_MS, explore_pointed, self);
}

void
weir_cache_views_point_at_parameter (WeirHost *host, guint32 block, const char *parameter)
{
  WeirCacheViews *self = find (host);

  self->pointed_block = block;
  self->pointed_parameter = g_intern_string (parameter);
  refresh_pointed (self);
}

static void
structure_changed (WeirCacheViews *self)
{
  g_clear_pointer (&self->explored, g_array_unref);
  g_clear_pointer (&self->path, g_array_unref);
  g_clear_pointer (&self->overlay, weir_cache_overlay_free);
  refresh_overlay (self);
  /* What is pointed at may be known only now. */
  pointed_changed (self);
  if (self->pointed_parameter != NULL)
    refresh_pointed (self);
}

static void
note_alt (WeirCacheViews *self, gboolean held)
{
  if (held == self->is_alt_held)
    return;
  self->is_alt_held = held;
  if (self->pointed_parameter != NULL)
    refresh_pointed (self);
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
             GdkModifierType state, WeirCacheViews *self)
{
  note_alt (self, key == GDK_KEY_Alt_L || key == GDK_KEY_Alt_R || (state & GDK_ALT_MASK) != 0);
  return GDK_EVENT_PROPAGATE;
}

static void
key_released (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
              G_GNUC_UNUSED GdkModifierType state, WeirCacheViews *self)
{
  if (key == GDK_KEY_Alt_L || key == GDK_KEY_Alt_R)
    note_alt (self, FALSE);
}

/* Wherever the focus is: the pointer on a parameter does not move it. */
static void
follow_alt (WeirCacheViews *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed), self, 0);
  g_signal_connect_object (keys, "key-released", G_CALLBACK (key_released), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->parent.host), keys);
  self->keys = g_object_ref (keys);
}

/* --- Cards ----------------------------------------------------------------------------------- */

static char *
describe (WeirCanvasSubject subject, gpointer data)
{
  WeirCacheViews *self = data;

  if (weir_canvas_get_overlay_mode (self->parent.canvas) == WEIR_OVERLAY_OFF
      && (weir_host_get_perspective (self->parent.host) != WEIR_PERSPECTIVE_CACHE
          || weir_runner_get_session (self->parent.runner) == NULL))
    return NULL;
  return subject.port != NULL ? weir_cache_card_of_port (self->parent.cache, subject.block,
                                                         subject.port, subject.is_output)
                              : weir_cache_card_of_block (self->parent.cache, subject.block);
}

/* --- For others ------------------------------------------------------------------------------ */

void
weir_cache_views_emphasize (WeirHost *host, GArray *steps)
{
  WeirCacheViews *self = find (host);

  if (self->path == NULL && steps == NULL)
    return;
  g_clear_pointer (&self->path, g_array_unref);
  self->path = steps;
  refresh_overlay (self);
}

gboolean
weir_cache_views_is_emphasized (WeirHost *host)
{
  return find (host)->path != NULL;
}

gboolean
weir_cache_views_is_exploring (WeirHost *host)
{
  return find (host)->explored != NULL;
}

WeirOverlay *
weir_cache_views_get_overlay (WeirHost *host)
{
  WeirCacheViews *self = find (host);

  return self->overlay != NULL ? weir_cache_overlay_get (self->overlay) : NULL;
}

void
weir_cache_views_set_guest (WeirHost *host, const WeirGuestView *guest, gpointer data)
{
  WeirCacheViews *self = find (host);

  self->guest = guest;
  self->guest_data = data;
}

void
weir_cache_views_refresh (WeirHost *host)
{
  refresh_overlay (find (host));
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  WeirCacheViews *self = WEIR_CACHE_VIEWS (object);
  WeirPart *part = &self->parent;
  const WeirListening wanted[] = {
    { part->cache, "structure-changed", G_CALLBACK (structure_changed) },
    { part->cache, "figures-changed", G_CALLBACK (refresh_figures) },
    { part->document, "changed", G_CALLBACK (document_changed) },
    { part->runner, "notify::session", G_CALLBACK (session_replaced) },
    { part->canvas, "notify::overlay", G_CALLBACK (refresh_overlay) },
    { part->canvas, "place-changed", G_CALLBACK (refresh_overlay) },
    { part->canvas, "pointed-changed", G_CALLBACK (pointed_changed) },
  };

  G_OBJECT_CLASS (weir_cache_views_parent_class)->constructed (object);
  weir_listen (self, wanted, G_N_ELEMENTS (wanted));
  follow_alt (self);
  weir_canvas_set_card_func (part->canvas, describe, self);
}

static void
dispose (GObject *object)
{
  WeirCacheViews *self = WEIR_CACHE_VIEWS (object);

  g_clear_handle_id (&self->explore_soon, g_source_remove);
  weir_canvas_set_card_func (self->parent.canvas, NULL, NULL);
  weir_canvas_set_overlay (self->parent.canvas, NULL);
  if (self->keys != NULL)
    gtk_widget_remove_controller (GTK_WIDGET (self->parent.host), self->keys);
  g_clear_object (&self->keys);
  g_clear_pointer (&self->overlay, weir_cache_overlay_free);
  g_clear_pointer (&self->explored, g_array_unref);
  g_clear_pointer (&self->path, g_array_unref);
  g_clear_pointer (&self->explored_caption, g_free);
  G_OBJECT_CLASS (weir_cache_views_parent_class)->dispose (object);
}

static void
weir_cache_views_class_init (WeirCacheViewsClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
weir_cache_views_init (G_GNUC_UNUSED WeirCacheViews *self)
{
}
