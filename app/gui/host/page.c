/* A page of the dock. See page.h. */
#include "gui/host/page.h"

#define FOLDER "/org/weirsim/Weir/ui/"

G_DEFINE_ABSTRACT_TYPE (WeirPage, weir_page, ADW_TYPE_BIN)

enum {
  PROPERTY_HOST = 1,
  PROPERTY_TITLE,
  PROPERTY_NEEDS_ATTENTION,
  PROPERTY_AVAILABLE,
  N_PROPERTIES
};
static GParamSpec *properties[N_PROPERTIES];

static void
take_host (WeirPage *self, WeirHost *host)
{
  self->host = host;
  self->document = g_object_ref (weir_host_get_document (host));
  self->runner = g_object_ref (weir_host_get_runner (host));
  self->canvas = g_object_ref (weir_host_get_canvas (host));
  self->cache = g_object_ref (weir_host_get_cache (host));
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WeirPage *self = WEIR_PAGE (object);

  switch (id)
    {
    case PROPERTY_HOST:
      take_host (self, g_value_get_object (value));
      break;
    case PROPERTY_TITLE:
      g_free (self->title);
      self->title = g_value_dup_string (value);
      break;
    case PROPERTY_NEEDS_ATTENTION:
      self->needs_attention = g_value_get_boolean (value);
      break;
    case PROPERTY_AVAILABLE:
      self->is_available = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WeirPage *self = WEIR_PAGE (object);

  switch (id)
    {
    case PROPERTY_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROPERTY_NEEDS_ATTENTION:
      g_value_set_boolean (value, self->needs_attention);
      break;
    case PROPERTY_AVAILABLE:
      g_value_set_boolean (value, self->is_available);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
dispose (GObject *object)
{
  WeirPage *self = WEIR_PAGE (object);

  weir_host_remove_actions (self->host, self->actions);
  G_OBJECT_CLASS (weir_page_parent_class)->dispose (object);
  self->host = NULL;
}

static void
finalize (GObject *object)
{
  WeirPage *self = WEIR_PAGE (object);

  g_clear_object (&self->document);
  g_clear_object (&self->runner);
  g_clear_object (&self->canvas);
  g_clear_object (&self->cache);
  g_ptr_array_unref (self->actions);
  g_free (self->title);
  G_OBJECT_CLASS (weir_page_parent_class)->finalize (object);
}

static void
weir_page_class_init (WeirPageClass *klass)
{
  const GParamFlags both = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  G_OBJECT_CLASS (klass)->set_property = set_property;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  properties[PROPERTY_HOST] = g_param_spec_object ("host", NULL, NULL, WEIR_TYPE_HOST,
                                                   G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY
                                                       | G_PARAM_STATIC_STRINGS);
  properties[PROPERTY_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, both);
  properties[PROPERTY_NEEDS_ATTENTION] = g_param_spec_boolean ("needs-attention", NULL, NULL, FALSE,
                                                               both);
  properties[PROPERTY_AVAILABLE] = g_param_spec_boolean ("available", NULL, NULL, TRUE, both);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
}

static void
weir_page_init (WeirPage *self)
{
  self->actions = g_ptr_array_new ();
  self->is_available = TRUE;
}

void
weir_page_add_actions (WeirPage *self, const GActionEntry *entries, guint n)
{
  weir_host_add_actions (self->host, entries, n, self, self->actions);
}

void
weir_page_set_title (WeirPage *self, const char *title)
{
  g_object_set (self, "title", title, NULL);
}

void
weir_page_set_needs_attention (WeirPage *self, gboolean needs_attention)
{
  g_object_set (self, "needs-attention", needs_attention, NULL);
}

void
weir_page_set_available (WeirPage *self, gboolean available)
{
  g_object_set (self, "available", available, NULL);
}

gboolean
weir_page_is_shown (WeirPage *self)
{
  GtkWidget *stack = gtk_widget_get_parent (GTK_WIDGET (self));

  return GTK_IS_STACK (stack)
         && gtk_stack_get_visible_child (GTK_STACK (stack)) == GTK_WIDGET (self);
}

void
weir_set_template (gpointer klass, const char *name)
{
  g_autofree char *path = g_strconcat (FOLDER, name, NULL);

  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass), path);
}

GtkBuilder *
weir_template_load (const char *name)
{
  g_autofree char *path = g_strconcat (FOLDER, name, NULL);

  return gtk_builder_new_from_resource (path);
}
