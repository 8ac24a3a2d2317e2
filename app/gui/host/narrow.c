/* A bin of least width. See narrow.h. */
#include "gui/host/narrow.h"

struct _WeirNarrow {
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (WeirNarrow, weir_narrow, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
get_request_mode (G_GNUC_UNUSED GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  gtk_widget_measure (child, orientation, orientation == GTK_ORIENTATION_HORIZONTAL ? -1 : for_size,
                      minimum, natural, NULL, NULL);
  *minimum_baseline = *natural_baseline = -1;
}

static void
size_allocate (GtkWidget *widget, int width, int height, G_GNUC_UNUSED int baseline)
{
  gtk_widget_allocate (gtk_widget_get_first_child (widget), width, height, -1, NULL);
}

static void
dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  g_clear_pointer (&child, gtk_widget_unparent);
  G_OBJECT_CLASS (weir_narrow_parent_class)->dispose (object);
}

static void
weir_narrow_class_init (WeirNarrowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->get_request_mode = get_request_mode;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
}

static void
weir_narrow_init (G_GNUC_UNUSED WeirNarrow *self)
{
}
