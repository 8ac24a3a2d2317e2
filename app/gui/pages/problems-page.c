/* WeirProblemsPage: the problems of the model and of the run, listed here and marked on the
 * diagram, in the outline and on the tab of the page.
 *
 * Inputs that are open because their block was made just now are on the list only, until building
 * has ended: a run was asked for, or the model was saved or is another one. Thread: *main*.
 */
#include <glib/gi18n-lib.h>

#include "gui/host/page.h"
#include "gui/parts/troubles.h"
#include "panels/outline-panel.h"
#include "panels/problem-list.h"

G_DECLARE_FINAL_TYPE (WeirProblemsPage, weir_problems_page, WEIR, PROBLEMS_PAGE, WeirPage)

struct _WeirProblemsPage {
  WeirPage parent;
  WeirProblemList *panel;
};

G_DEFINE_FINAL_TYPE (WeirProblemsPage, weir_problems_page, WEIR_TYPE_PAGE)

static WeirTroubles *
get_troubles (WeirProblemsPage *self)
{
  return weir_host_find (self->parent.host, WEIR_TYPE_TROUBLES);
}

/* --- What is listed -------------------------------------------------------------------------- */

/* Besides those of the canvas. */
static void
show_marks (WeirProblemsPage *self)
{
  WeirOutlinePanel *outline = weir_host_find (self->parent.host, WEIR_TYPE_OUTLINE_PANEL);
  g_autoptr (WeirDiagnostics) marked = weir_diagnostics_new ();

  for (guint i = 0; i < weir_problem_list_get_n_rows (self->panel); i++)
    {
      const WeirDiagnostic *diagnostic = weir_problem_list_get (self->panel, i);

      if (!weir_canvas_is_fresh (self->parent.canvas, diagnostic))
        weir_diagnostics_add_copy (marked, diagnostic);
    }
  if (outline != NULL)
    weir_outline_panel_set_diagnostics (outline, marked);
  weir_page_set_needs_attention (&self->parent, weir_diagnostics_get_size (marked) > 0);
}

static void
problems_changed (WeirProblemsPage *self, gboolean shows)
{
  g_autoptr (WeirDiagnostics) all = weir_troubles_list (get_troubles (self));
  guint n = weir_diagnostics_get_size (all);
  g_autofree char *title = n > 0 ? g_strdup_printf (_ ("Problems (%u)"), n)
                                 : g_strdup (_ ("Problems"));

  weir_problem_list_set_diagnostics (self->panel, all);
  weir_canvas_set_diagnostics (self->parent.canvas, all);
  weir_page_set_title (&self->parent, title);
  show_marks (self);
  if (shows)
    weir_host_show_page (self->parent.host, "problems");
}

static void
modified_changed (WeirProblemsPage *self)
{
  if (!weir_document_get_modified (self->parent.document))
    weir_host_end_building (self->parent.host);
}

static void
file_changed (WeirProblemsPage *self)
{
  weir_host_end_building (self->parent.host);
}

/* Whatever runs shows in the plots, unless the user looks at something else. */
static void
show_plots (WeirProblemsPage *self)
{
  if (weir_page_is_shown (&self->parent))
    weir_host_show_page (self->parent.host, "plots");
}

static void
session_replaced (WeirProblemsPage *self)
{
  if (weir_runner_get_session (self->parent.runner) == NULL)
    return;
  weir_host_end_building (self->parent.host);
  show_plots (self);
}

/* A run was asked for. */
static void
run_refused (WeirProblemsPage *self, WeirDiagnostics *diagnostics)
{
  weir_host_end_building (self->parent.host);
  weir_host_tell_problems (self->parent.host, diagnostics,
                           diagnostics != NULL && weir_diagnostics_has_errors (diagnostics));
}

/* One that goes on; a new one is told when it is there. */
static void
run_asked_for (WeirProblemsPage *self)
{
  if (!weir_runner_is_starting (self->parent.runner) && weir_runner_is_active (self->parent.runner))
    show_plots (self);
}

/* --- What is done with them ------------------------------------------------------------------ */

static void
go_to_problem (WeirProblemsPage *self, guint i)
{
  weir_canvas_show_problem (self->parent.canvas, weir_problem_list_get (self->panel, i));
}

static void
point_at_problem (WeirProblemsPage *self, int i)
{
  weir_canvas_point_at_problem (self->parent.canvas,
                                i < 0 ? NULL : weir_problem_list_get (self->panel, (guint) i));
}

static void
fix_problem (WeirProblemsPage *self, guint i, guint fix)
{
  if (!weir_troubles_remedy (get_troubles (self), i, fix))
    weir_canvas_fix (self->parent.canvas, weir_problem_list_get (self->panel, i), fix);
}

static void
pointed_changed (WeirProblemsPage *self)
{
  weir_problem_list_set_pointed (self->panel,
                                 weir_canvas_get_pointed (self->parent.canvas, NULL).block);
}

/* The last one; a failure is. */
static void
show_trouble (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirProblemsPage *self = data;
  guint i = weir_troubles_get_last (get_troubles (self));

  weir_host_show_page (self->parent.host, "problems");
  if (i == G_MAXUINT)
    return;
  weir_canvas_show_problem (self->parent.canvas, weir_problem_list_get (self->panel, i));
  weir_problem_list_focus (self->panel, i);
}

static void
checked (gpointer data)
{
  WeirProblemsPage *self = data;
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) system = NULL;

  if (self->parent.host == NULL)
    return;
  weir_document_peek_completion (self->parent.document, &system, &diagnostics);
  weir_host_tell_problems (self->parent.host, diagnostics, TRUE);
  if (system != NULL)
    weir_host_toast (self->parent.host, _ ("The model is complete and can run"));
}

static void
check (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirProblemsPage *self = data;

  weir_host_enter_typed (self->parent.host);
  weir_host_show_page (self->parent.host, "problems");
  weir_page_set_title (&self->parent, _ ("Checking…"));
  weir_document_when_completed (self->parent.document, checked, self);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
ready (WeirPage *page)
{
  weir_host_end_building (page->host);
}

static void
constructed (GObject *object)
{
  static const char *const runs[] = { "run", "step", "steps" };
  static const GActionEntry entries[] = {
    { .name = "show-trouble", .activate = show_trouble },
    { .name = "check", .activate = check },
  };
  WeirProblemsPage *self = WEIR_PROBLEMS_PAGE (object);
  WeirPage *page = &self->parent;

  G_OBJECT_CLASS (weir_problems_page_parent_class)->constructed (object);
  weir_page_add_actions (page, entries, G_N_ELEMENTS (entries));
  weir_problem_list_set_fixes_func (self->panel, weir_troubles_list_fixes, get_troubles (self));
  g_signal_connect_object (get_troubles (self), "changed", G_CALLBACK (problems_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->host, "building-ended", G_CALLBACK (show_marks), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->document, "notify::file", G_CALLBACK (file_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->document, "notify::modified", G_CALLBACK (modified_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->runner, "notify::session", G_CALLBACK (session_replaced), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->runner, "problems", G_CALLBACK (run_refused), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->canvas, "pointed-changed", G_CALLBACK (pointed_changed), self,
                           G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    g_signal_connect_object (
        g_action_map_lookup_action (weir_host_get_actions (page->host), runs[i]), "activate",
        G_CALLBACK (run_asked_for), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
dispose (GObject *object)
{
  WeirProblemsPage *self = WEIR_PROBLEMS_PAGE (object);

  if (self->panel != NULL)
    weir_problem_list_set_fixes_func (self->panel, NULL, NULL);
  self->panel = NULL;
  G_OBJECT_CLASS (weir_problems_page_parent_class)->dispose (object);
}

static void
weir_problems_page_class_init (WeirProblemsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  WEIR_PAGE_CLASS (klass)->ready = ready;
  g_type_ensure (WEIR_TYPE_PROBLEM_LIST);
  weir_set_template (klass, "problems-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirProblemsPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, go_to_problem);
  gtk_widget_class_bind_template_callback (widget_class, point_at_problem);
  gtk_widget_class_bind_template_callback (widget_class, fix_problem);
}

static void
weir_problems_page_init (WeirProblemsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
