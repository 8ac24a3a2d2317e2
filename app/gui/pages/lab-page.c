/* WeirLabPage: the correctness lab. It starts its tests, and ages what they found. */
#include "gui/parts/lab-tests.h"
#include "gui/host/page.h"

G_DECLARE_FINAL_TYPE (WeirLabPage, weir_lab_page, WEIR, LAB_PAGE, WeirPage)

struct _WeirLabPage {
  WeirPage parent;
  WeirLabPanel *panel;
};

G_DEFINE_FINAL_TYPE (WeirLabPage, weir_lab_page, WEIR_TYPE_PAGE)

static void
test_asked_for (WeirLabPage *self, guint test, gboolean on)
{
  WeirLabTests *tests = weir_host_find (self->parent.host, WEIR_TYPE_LAB_TESTS);

  if (test != WEIR_LAB_VERIFY)
    weir_lab_tests_switch (tests, test, on);
  else if (on)
    weir_runner_verify (self->parent.runner);
  else
    weir_runner_cancel_verify (self->parent.runner);
}

static void
document_changed (WeirLabPage *self, guint aspects)
{
  if ((aspects & ~(guint) WEIR_ASPECTS_OF_LOOKS) == 0)
    return;
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    weir_lab_panel_set_outdated (self->panel, (WeirLabTest) i);
}

static void
go_to (WeirLabPage *self, const char *path)
{
  weir_host_go_to_path (self->parent.host, path);
}

static void
constructed (GObject *object)
{
  WeirLabPage *self = WEIR_LAB_PAGE (object);

  G_OBJECT_CLASS (weir_lab_page_parent_class)->constructed (object);
  g_signal_connect_object (self->parent.document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
weir_lab_page_class_init (WeirLabPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  g_type_ensure (WEIR_TYPE_LAB_PANEL);
  weir_set_template (klass, "lab-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirLabPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, test_asked_for);
  gtk_widget_class_bind_template_callback (widget_class, go_to);
}

static void
weir_lab_page_init (WeirLabPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
