/* The correctness lab in the editor: it starts its tests, and ages what they found. */
#include <glib/gi18n-lib.h>

#include "gui/parts/lab-tests.h"
#include "lab/lab-panel.h"

static void
test_asked_for (WeirEditor *self, guint test, gboolean on)
{
  if (test != WEIR_LAB_VERIFY)
    weir_editor_study (self, test, on);
  else if (on)
    weir_runner_verify (self->runner);
  else
    weir_runner_cancel_verify (self->runner);
}

static void
document_changed (WeirEditor *self, guint aspects)
{
  if (self->lab != NULL && (aspects & ~(guint) WEIR_ASPECTS_OF_LOOKS) != 0)
    for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
      weir_lab_panel_set_outdated (WEIR_LAB_PANEL (self->lab), (WeirLabTest) i);
}

void
weir_editor_go_to_path (WeirEditor *self, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, ":", 2);
  WeirBlock *block = weir_model_find_path (weir_document_get_model (self->document), parts[0]);

  if (block != NULL)
    weir_canvas_select_block (self->canvas, weir_block_get_id (block));
}

/* --- All of it ------------------------------------------------------------------------------- */

void
weir_editor_add_lab (WeirEditor *self)
{
  g_signal_connect_swapped (self->lab, "test", G_CALLBACK (test_asked_for), self);
  g_signal_connect_swapped (self->lab, "go-to", G_CALLBACK (weir_editor_go_to_path), self);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
}

void
weir_editor_remove_lab (WeirEditor *self)
{
  weir_editor_stop_studies (self);
  if (self->lab == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->lab, self);
  self->lab = NULL;
}
