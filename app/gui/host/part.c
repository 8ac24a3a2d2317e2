/* A part of an editor. See part.h. */
#include "gui/host/part.h"

G_DEFINE_ABSTRACT_TYPE (WeirPart, weir_part, G_TYPE_OBJECT)

enum { PROPERTY_HOST = 1 };

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WeirPart *self = WEIR_PART (object);

  if (id != PROPERTY_HOST)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  self->host = g_value_get_object (value);
  self->document = g_object_ref (weir_host_get_document (self->host));
  self->runner = g_object_ref (weir_host_get_runner (self->host));
  self->canvas = g_object_ref (weir_host_get_canvas (self->host));
  self->cache = g_object_ref (weir_host_get_cache (self->host));
}

static void
dispose (GObject *object)
{
  WeirPart *self = WEIR_PART (object);

  weir_host_remove_actions (self->host, self->actions);
  G_OBJECT_CLASS (weir_part_parent_class)->dispose (object);
  self->host = NULL;
}

static void
finalize (GObject *object)
{
  WeirPart *self = WEIR_PART (object);

  g_clear_object (&self->document);
  g_clear_object (&self->runner);
  g_clear_object (&self->canvas);
  g_clear_object (&self->cache);
  g_ptr_array_unref (self->actions);
  G_OBJECT_CLASS (weir_part_parent_class)->finalize (object);
}

static void
weir_part_class_init (WeirPartClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = set_property;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROPERTY_HOST,
      g_param_spec_object ("host", NULL, NULL, WEIR_TYPE_HOST,
                           G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));
}

static void
weir_part_init (WeirPart *self)
{
  self->actions = g_ptr_array_new ();
}

void
weir_part_add_actions (WeirPart *self, const GActionEntry *entries, guint n)
{
  weir_host_add_actions (self->host, entries, n, self, self->actions);
}
