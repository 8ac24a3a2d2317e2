/* The problems of the model on the canvas: marks, sentences, a loop lit up, fixes.
 *
 * What is lit stays so until something else is selected or the problems are found anew.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-shown.h"
#include "canvas/edits/fixes.h"
#include "paint/drawing/problem.h"

#define MAX_FURTHER_IN 100 /* problems looked for in Subsystems, at each drawing */

void
weir_canvas_add_mark (GHashTable *marks, guint32 id, guint flags)
{
  guint old = GPOINTER_TO_UINT (g_hash_table_lookup (marks, GUINT_TO_POINTER (id)));

  if (id != 0)
    g_hash_table_insert (marks, GUINT_TO_POINTER (id), GUINT_TO_POINTER (old | flags));
}

/* --- Which there are ------------------------------------------------------------------------- */

static void
add_sentence (GHashTable *sentences, guint32 id, const char *text)
{
  const char *old = g_hash_table_lookup (sentences, GUINT_TO_POINTER (id));

  if (id != 0)
    g_hash_table_insert (sentences, GUINT_TO_POINTER (id),
                         old == NULL ? g_strdup (text) : g_strconcat (old, "\n", text, NULL));
}

gboolean
weir_canvas_is_fresh (WeirCanvas *self, const WeirDiagnostic *diagnostic)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), FALSE);
  return diagnostic->block >= self->first_fresh && g_str_equal (diagnostic->code, "NET02");
}

void
weir_canvas_set_first_fresh (WeirCanvas *self, guint32 id)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;

  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (self->first_fresh == id)
    return;
  self->first_fresh = id;
  if (self->diagnostics != NULL)
    diagnostics = weir_diagnostics_ref (self->diagnostics);
  weir_canvas_set_diagnostics (self, diagnostics);
}

void
weir_canvas_set_diagnostics (WeirCanvas *self, WeirDiagnostics *diagnostics)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (diagnostics != NULL)
    weir_diagnostics_ref (diagnostics);
  g_clear_pointer (&self->diagnostics, weir_diagnostics_unref);
  self->diagnostics = diagnostics;
  self->lit = NULL;
  self->pointed_problem = 0;
  g_hash_table_remove_all (self->sentences);
  for (guint i = 0; diagnostics != NULL && i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (diagnostics, i);
      g_autofree char *sentence = NULL;

      if (weir_canvas_is_fresh (self, diagnostic))
        continue;
      sentence = weir_message_translate (diagnostic->message);
      add_sentence (self->sentences, diagnostic->block, sentence);
      add_sentence (self->sentences, diagnostic->wire, sentence);
    }
  weir_canvas_tell (self, WEIR_CANVAS_NEWS_PROBLEMS);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

char *
weir_canvas_dup_problems (WeirCanvas *self, guint32 id)
{
  return g_strdup (g_hash_table_lookup (self->sentences, GUINT_TO_POINTER (id)));
}

char *
weir_canvas_dup_port_problems (WeirCanvas *self, guint32 block, const WeirPortShape *port)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; self->diagnostics != NULL && i < weir_diagnostics_get_size (self->diagnostics);
       i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (self->diagnostics, i);
      g_autofree char *sentence = NULL;

      if (diagnostic->block != block || port->is_output || weir_canvas_is_fresh (self, diagnostic)
          || !g_str_has_prefix (diagnostic->code, "NET")
          || g_strcmp0 (diagnostic->subject, port->name) != 0)
        continue;
      if (text->len > 0)
        g_string_append_c (text, '\n');
      sentence = weir_message_translate (diagnostic->message);
      g_string_append (text, sentence);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* --- Breakpoints ----------------------------------------------------------------------------- */

void
weir_canvas_set_breakpoints (WeirCanvas *self, GHashTable *sentences, GHashTable *off)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  g_hash_table_ref (sentences);
  g_hash_table_ref (off);
  g_hash_table_unref (self->breaks);
  g_hash_table_unref (self->breaks_off);
  self->breaks = sentences;
  self->breaks_off = off;
  weir_canvas_tell (self, WEIR_CANVAS_NEWS_BREAKPOINTS);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
weir_canvas_add_break_marks (WeirCanvas *self, GHashTable *marks)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->breaks);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    weir_canvas_add_mark (marks, GPOINTER_TO_UINT (id),
                          g_hash_table_contains (self->breaks_off, id) ? WEIR_MARK_BREAK_OFF
                                                                       : WEIR_MARK_BREAK);
}

char *
weir_canvas_dup_remarks (WeirCanvas *self, guint32 id)
{
  g_autofree char *problems = weir_canvas_dup_problems (self, id);
  const char *breaks = g_hash_table_lookup (self->breaks, GUINT_TO_POINTER (id));

  if (breaks == NULL)
    return g_steal_pointer (&problems);
  return problems == NULL ? g_strdup (breaks) : g_strdup_printf ("%s\n%s", problems, breaks);
}

/* --- Pointing -------------------------------------------------------------------------------- */

/* Within this place, or the Subsystem here that it is in; 0 if it is elsewhere. */
static guint32
find_here (WeirCanvas *self, guint32 block)
{
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint depth = self->place->len;

  if (block == 0
      || weir_model_find_block (weir_document_get_model (self->document), block, place) == NULL
      || place->len < depth
      || (depth > 0 && memcmp (place->data, self->place->data, depth * sizeof (guint32)) != 0))
    return 0;
  return place->len == depth ? block : g_array_index (place, guint32, depth);
}

void
weir_canvas_point_at_problem (WeirCanvas *self, const WeirDiagnostic *diagnostic)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  self->pointed_problem = 0;
  if (diagnostic != NULL && diagnostic->wire != 0
      && weir_scene_find_wire (self->scene, diagnostic->wire) != NULL)
    self->pointed_problem = diagnostic->wire;
  else if (diagnostic != NULL)
    self->pointed_problem = find_here (self, diagnostic->block);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint32
weir_canvas_get_pointed_problem (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), 0);
  return self->pointed_problem;
}

/* --- Drawing --------------------------------------------------------------------------------- */

static guint
get_mark (const WeirDiagnostic *diagnostic)
{
  return diagnostic->severity == WEIR_SEVERITY_ERROR     ? WEIR_MARK_ERROR
         : diagnostic->severity == WEIR_SEVERITY_WARNING ? WEIR_MARK_WARNING
                                                         : WEIR_MARK_HINT;
}

void
weir_canvas_add_problem_marks (WeirCanvas *self, GHashTable *marks)
{
  for (guint i = 0; self->diagnostics != NULL && i < weir_diagnostics_get_size (self->diagnostics);
       i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (self->diagnostics, i);
      guint32 block = diagnostic->block;

      if (weir_canvas_is_fresh (self, diagnostic))
        continue;
      /* What is further in shows on the Subsystem that leads there. */
      if (block != 0 && i < MAX_FURTHER_IN && weir_scene_find_block (self->scene, block) == NULL)
        block = find_here (self, block);
      weir_canvas_add_mark (marks, block, get_mark (diagnostic));
      weir_canvas_add_mark (marks, diagnostic->wire, get_mark (diagnostic));
    }
}

void
weir_canvas_draw_lit (WeirCanvas *self, cairo_t *cr)
{
  for (guint i = 0; self->lit != NULL && i < self->lit->n_wires; i++)
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, self->lit->wires[i]);

      if (wire != NULL)
        weir_draw_lit_wire (cr, wire, self->viewport.zoom, self->palette);
    }
}

void
weir_canvas_draw_problems (WeirCanvas *self, cairo_t *cr, WeirRect visible)
{
  double zoom = self->viewport.zoom;

  for (guint i = 0; self->diagnostics != NULL && i < weir_diagnostics_get_size (self->diagnostics);
       i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (self->diagnostics, i);
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, diagnostic->wire);
      const WeirBlockShape *block = weir_scene_find_block (self->scene, diagnostic->block);
      const WeirPortShape *port = NULL;

      if (wire != NULL && weir_rect_intersects (visible, weir_rect_grow (wire->reach, 10 / zoom)))
        weir_draw_wire_problem (cr, wire, get_mark (diagnostic), zoom, self->palette);
      if (block == NULL || diagnostic->subject == NULL || weir_canvas_is_fresh (self, diagnostic)
          || !g_str_has_prefix (diagnostic->code, "NET")
          || !weir_rect_intersects (visible, weir_rect_grow (block->box, 10 / zoom)))
        continue;
      port = weir_block_shape_find_port (block, diagnostic->subject, FALSE);
      if (port != NULL)
        weir_draw_port_problem (cr, port, get_mark (diagnostic), zoom, self->palette);
    }
}

/* --- Going there, mending -------------------------------------------------------------------- */

void
weir_canvas_show_problem (WeirCanvas *self, const WeirDiagnostic *diagnostic)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));
  g_return_if_fail (diagnostic != NULL);

  /* Of a wire that ends at a block, the block says more of where it is. */
  if (diagnostic->wire != 0 && diagnostic->n_wires == 0)
    weir_canvas_select_wire (self, diagnostic->wire);
  else if (diagnostic->block != 0)
    weir_canvas_select_block (self, diagnostic->block);
  self->lit = NULL;
  for (guint i = 0; self->diagnostics != NULL && i < weir_diagnostics_get_size (self->diagnostics);
       i++)
    if (weir_diagnostics_get (self->diagnostics, i) == diagnostic && diagnostic->n_wires > 0)
      self->lit = diagnostic;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
weir_canvas_get_n_lit_wires (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), 0);
  return self->lit != NULL ? self->lit->n_wires : 0;
}

gboolean
weir_canvas_fix (WeirCanvas *self, const WeirDiagnostic *diagnostic, guint fix)
{
  WeirEdit *edit;

  g_return_val_if_fail (WEIR_IS_CANVAS (self), FALSE);
  g_return_val_if_fail (diagnostic != NULL && fix < WEIR_N_FIXES, FALSE);

  edit = weir_fix_make (weir_document_get_model (self->document), diagnostic, (WeirFix) fix);
  if (edit == NULL)
    {
      weir_canvas_say (self,
                       fix == WEIR_FIX_CONNECT_NEAREST
                           ? _ ("There is no port near this end that it could be connected to.")
                           : _ ("The model has changed; this can no longer be done."));
      return FALSE;
    }
  if (diagnostic->block != 0)
    weir_canvas_select_block (self, diagnostic->block);
  return weir_canvas_apply (self, edit, NULL);
}

char **
weir_canvas_list_fixes (const WeirDiagnostic *diagnostic, guint **fixes)
{
  WeirFix found[WEIR_N_FIXES];
  guint n = weir_fix_list (diagnostic, found);
  char **titles = g_new0 (char *, n + 1);

  *fixes = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      titles[i] = g_strdup (weir_fix_get_title (found[i]));
      (*fixes)[i] = found[i];
    }
  return titles;
}

/* --- In the context menu --------------------------------------------------------------------- */

void
weir_canvas_on_fix (GtkWidget *widget, G_GNUC_UNUSED const char *name, GVariant *value)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint i, fix;

  g_variant_get (value, "(uu)", &i, &fix);
  if (self->diagnostics == NULL || i >= weir_diagnostics_get_size (self->diagnostics))
    return;
  weir_canvas_fix (self, weir_diagnostics_get (self->diagnostics, i), fix);
}

GMenuModel *
weir_canvas_make_fix_menu (WeirCanvas *self, guint32 id)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; self->diagnostics != NULL && i < weir_diagnostics_get_size (self->diagnostics);
       i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (self->diagnostics, i);
      WeirFix fixes[WEIR_N_FIXES];
      guint n;

      if (diagnostic->block != id && diagnostic->wire != id)
        continue;
      n = weir_fix_list (diagnostic, fixes);
      for (guint k = 0; k < n; k++)
        {
          /* Translators: what can be done, and to which input or parameter. */
          g_autofree char *label = diagnostic->subject != NULL
                                       ? g_strdup_printf (_ ("%s (%s)"),
                                                          weir_fix_get_title (fixes[k]),
                                                          diagnostic->subject)
                                       : g_strdup (weir_fix_get_title (fixes[k]));
          g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

          g_menu_item_set_action_and_target (item, "canvas.fix", "(uu)", i, (guint) fixes[k]);
          g_menu_append_item (menu, item);
        }
    }
  return g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 0 ? G_MENU_MODEL (g_steal_pointer (&menu))
                                                            : NULL;
}
