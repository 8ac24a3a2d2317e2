/* WeirFmus: FMUs in a model: one is chosen and becomes a block; whose programs may run; and a model
 * of them as a package of SSP.
 *
 * Opening a model runs nobody's program. Where it holds some that are not trusted a banner says so,
 * whose button asks: the answer holds for this program's run, or for good. Once they are trusted
 * the model is completed anew, which audits them. Thread: *main*.
 */
#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "gui/host/chooser.h"
#include "gui/host/export.h"
#include "gui/host/part.h"
#include "model/completion/completion.h"
#include "model/structures/structures.h"
#include "model/tree/fmu-parameters.h"

#define MAX_LISTED 8 /* in the question */

G_DECLARE_FINAL_TYPE (WeirFmus, weir_fmus, WEIR, FMUS, WeirPart)

struct _WeirFmus {
  WeirPart parent;
  guint n_told;     /* programs that the banner tells of */
  GPtrArray *asked; /* WeirForeignProgram, while the question is open */
};

G_DEFINE_FINAL_TYPE (WeirFmus, weir_fmus, WEIR_TYPE_PART)

/* --- Telling --------------------------------------------------------------------------------- */

static void
tell (WeirFmus *self, guint n)
{
  g_autofree char *text = NULL;

  if (n == self->n_told)
    return;
  self->n_told = n;
  if (n > 0)
    text = g_strdup_printf (
        ngettext (
            "This model holds the program of %u FMU that you have not trusted. It is not run.",
            "This model holds the programs of %u FMUs that you have not trusted. They are not "
            "run.",
            n),
        n);
  weir_host_set_offer (self->parent.host, GTK_MESSAGE_WARNING, text,
                       text != NULL ? _ ("_Review…") : NULL, "win.trust-fmus");
}

static void
problems_told (WeirFmus *self, WeirDiagnostics *diagnostics)
{
  g_autoptr (GPtrArray) programs = NULL;
  gboolean is_any = FALSE;

  for (guint i = 0; diagnostics != NULL && i < weir_diagnostics_get_size (diagnostics); i++)
    is_any |= g_str_equal (weir_diagnostics_get (diagnostics, i)->code, WEIR_UNTRUSTED_CODE);
  if (is_any)
    programs = weir_model_list_untrusted (weir_document_get_model (self->parent.document));
  tell (self, is_any ? programs->len : 0);
}

/* --- Asking ---------------------------------------------------------------------------------- */

static void
trust (WeirFmus *self, const GPtrArray *programs, gboolean for_good)
{
  for (guint i = 0; i < programs->len; i++)
    {
      const WeirForeignProgram *program = programs->pdata[i];
      g_autoptr (GError) error = NULL;

      if (weir_foreign_program_trust (program, for_good, &error))
        continue;
      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, weir_error_say (error));
      return;
    }
  weir_model_drop_derived (weir_document_get_model (self->parent.document));
  weir_document_request_completion (self->parent.document);
}

static void
answered (G_GNUC_UNUSED AdwMessageDialog *dialog, const char *response, WeirFmus *self)
{
  g_autoptr (GPtrArray) asked = g_steal_pointer (&self->asked);

  if (self->parent.host == NULL || asked == NULL)
    return;
  tell (self, 0); /* the banner may have been left standing, or gone with the question */
  if (strcmp (response, "cancel") == 0)
    tell (self, asked->len);
  else
    trust (self, asked, strcmp (response, "trust") == 0);
}

static char *
dup_question (const GPtrArray *programs)
{
  GString *text = g_string_new (
      _ ("An FMU holds a program of whoever made it. It runs in a process of its own, without the "
         "network, but can read and write your files. Trust it if you know where it comes from."));

  for (guint i = 0; i < programs->len && i < MAX_LISTED; i++)
    {
      const WeirForeignProgram *program = programs->pdata[i];

      g_string_append_printf (text, "\n\n%s\nSHA-256 %.16s…", program->name, program->checksum);
    }
  if (programs->len > MAX_LISTED)
    g_string_append_printf (text, "\n\n…");
  return g_string_free (text, FALSE);
}

static void
ask (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirFmus *self = data;
  g_autoptr (GPtrArray)
      programs = weir_model_list_untrusted (weir_document_get_model (self->parent.document));
  g_autofree char *text = NULL;
  GtkWidget *dialog;

  if (self->asked != NULL)
    return;
  if (programs->len == 0)
    {
      weir_host_toast (self->parent.host, _ ("The model holds no program that is not trusted"));
      return;
    }
  text = dup_question (programs);
  self->asked = g_ptr_array_ref (programs);
  dialog = adw_message_dialog_new (
      weir_host_get_toplevel (self->parent.host),
      ngettext ("Trust This Program?", "Trust These Programs?", programs->len), text);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "once",
                                    _ ("_This Time"), "trust", _ ("Al_ways"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* --- Choosing -------------------------------------------------------------------------------- */

static void
chosen (gpointer data, GFile *file)
{
  WeirFmus *self = data;

  if (self->parent.host != NULL)
    weir_canvas_add_fmu (self->parent.canvas, file);
}

static void
choose (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirFmus *self = data;

  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                                           .title = _ ("Insert an FMU"),
                                           .accept = _ ("_Insert"),
                                           .kind = _ ("FMUs"),
                                           .suffixes = { "fmu" },
                                           .file = weir_document_get_file (self->parent.document) },
                     chosen, g_object_ref (self), g_object_unref);
}

/* --- What their makers say ------------------------------------------------------------------- */

/* A web browser shows pages of whoever made the FMU: it is opened by its button alone. */
static void
show_pages (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirFmus *self = data;
  const WeirBlock *block = weir_model_find_block (weir_document_get_model (self->parent.document),
                                                  g_variant_get_uint32 (value), NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *uri = NULL;

  if (block == NULL || !weir_block_has_fmu_pages (block))
    return;
  path = weir_block_unpack_fmu_pages (block, &error);
  uri = path != NULL ? g_filename_to_uri (path, NULL, &error) : NULL;
  if (uri != NULL)
    gtk_show_uri (weir_host_get_toplevel (self->parent.host), uri, GDK_CURRENT_TIME);
  else
    weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, weir_error_say (error));
}

/* --- Packages -------------------------------------------------------------------------------- */

static void
export_to (gpointer data, GFile *file)
{
  WeirFmus *self = data;
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) target = g_object_ref (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (self->parent.host == NULL)
    return;
  bytes = weir_structure_write (weir_document_get_model (self->parent.document), 1, &error);
  if (bytes == NULL)
    {
      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, weir_error_say (error));
      return;
    }
  if (strchr (name, '.') == NULL && folder != NULL)
    {
      g_autofree char *longer = g_strconcat (name, ".ssp", NULL);

      g_object_unref (target);
      target = g_file_get_child (folder, longer);
    }
  weir_export_bytes (self->parent.host, target, bytes);
}

static void export(G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value,
                   gpointer data)
{
  WeirFmus *self = data;
  g_autofree char *stem = weir_host_dup_stem (self->parent.host);
  g_autofree char *name = g_strconcat (stem, ".ssp", NULL);

  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Export as a System of FMUs"),
                                           .accept = _ ("_Export"),
                                           .kind = _ ("Packages of SSP"),
                                           .suffixes = { "ssp" },
                                           .name = name },
                     export_to, g_object_ref (self), g_object_unref);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "trust-fmus", .activate = ask },
    { .name = "insert-fmu", .activate = choose },
    { .name = "fmu-pages", .activate = show_pages, .parameter_type = "u" },
    { .name = "export-structure", .activate = export }
  };
  WeirFmus *self = WEIR_FMUS (object);

  G_OBJECT_CLASS (weir_fmus_parent_class)->constructed (object);
  weir_foreign_program_allow_audits (); /* models are run here */
  weir_part_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  g_signal_connect_object (self->parent.host, "problems", G_CALLBACK (problems_told), self,
                           G_CONNECT_SWAPPED);
}

static void
finalize (GObject *object)
{
  g_clear_pointer (&WEIR_FMUS (object)->asked, g_ptr_array_unref);
  G_OBJECT_CLASS (weir_fmus_parent_class)->finalize (object);
}

static void
weir_fmus_class_init (WeirFmusClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
weir_fmus_init (G_GNUC_UNUSED WeirFmus *self)
{
}
