/* The model as C, or as an FMU. See generate.h. */
#include "gui/parts/generate.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "generate/generate.h"
#include "gui/host/chooser.h"
#include "model/completion/completion.h"
#include "numerics/number.h"

struct _WeirGeneratePart {
  WeirPart parent;
  gboolean is_writing;

  /* The dialog, while it is open. */
  GtkWidget *dialog, *solver, *step, *step_label, *prefix, *version;
  gboolean is_fmu;
  GPtrArray *solvers; /* const WeirSolverInfo *, as in the list */
};

G_DEFINE_FINAL_TYPE (WeirGeneratePart, weir_generate_part, WEIR_TYPE_PART)

/* --- Writing --------------------------------------------------------------------------------- */

/* The data of a task. */
typedef struct {
  WeirGenerateKind kind;
  WeirModel *model;
  WeirSimulatorOptions options;
  double stop_time; /* s */
  char *prefix, *path, *name;
  char *note; /* what the FMU lacks, or NULL */
} Writing;

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  weir_model_unref (writing->model);
  g_free (writing->prefix);
  g_free (writing->path);
  g_free (writing->name);
  g_free (writing->note);
  g_free (writing);
}

/* What a run records: each once. (transfer full) */
static char **
dup_ports (WeirModel *model)
{
  g_auto (GStrv) paths = weir_model_dup_recorded_ports (model);
  g_autoptr (GStrvBuilder) ports = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      char *name = weir_model_dup_signal_name (model, paths[i]);

      if (!g_hash_table_contains (seen, name))
        g_strv_builder_add (ports, name);
      g_hash_table_add (seen, name);
    }
  return g_strv_builder_end (ports);
}

/* The first problem, with whose it is. */
static void
set_problem (GError **error, WeirDiagnostics *diagnostics)
{
  const WeirDiagnostic *first = weir_diagnostics_get (diagnostics, 0);

  weir_error_set (error, WEIR_ERROR_INVALID, "%s%s%s", first->path,
                  *first->path != '\0' ? ": " : "", first->text);
}

static gboolean
write_files (Writing *writing, WeirSystem *system, GError **error)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_auto (GStrv) ports = dup_ports (writing->model);
  g_autoptr (WeirGenerated) files = NULL;

  if (writing->kind != WEIR_GENERATE_CODE)
    {
      g_autoptr (GHashTable) units = weir_generate_list_units (writing->model, system);

      if (weir_generate_fmu (system, writing->prefix, &writing->options,
                             (const char *const *) ports, units,
                             writing->kind == WEIR_GENERATE_FMU_2 ? 2 : 3, writing->stop_time,
                             writing->path, &writing->note, diagnostics, error))
        return TRUE;
      if (*error == NULL)
        set_problem (error, diagnostics);
      return FALSE;
    }
  files = weir_generate (system, writing->prefix, &writing->options, (const char *const *) ports,
                         diagnostics);
  if (files != NULL)
    return weir_generated_write (files, writing->path, error);
  set_problem (error, diagnostics);
  return FALSE;
}

static void
write_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                 G_GNUC_UNUSED GCancellable *cancellable)
{
  Writing *writing = data;
  g_autoptr (WeirCompletion)
      completion = weir_model_get_derived (writing->model, &weir_derived_completion);
  WeirSystem *system = weir_completion_get_system (completion);
  GError *error = NULL;

  if (system == NULL)
    g_set_error_literal (&error, WEIR_ERROR, WEIR_ERROR_INVALID,
                         _ ("The model is not complete yet; see Problems."));
  if (error == NULL && write_files (writing, system, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
written (GObject *object, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirGeneratePart *self = WEIR_GENERATE_PART (object);
  const Writing *writing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  self->is_writing = FALSE;
  weir_document_keep_completion (self->parent.document, writing->model);
  if (self->parent.host == NULL) /* the editor is gone */
    return;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, weir_error_say (error));
      return;
    }
  if (writing->note != NULL)
    {
      text = g_strdup_printf (
          _ ("“%s” holds sources alone: no C compiler was found here that takes "
             "them."),
          writing->name);
      weir_host_set_banner (self->parent.host, GTK_MESSAGE_WARNING, text);
      return;
    }
  text = g_strdup_printf (_ ("Exported “%s”"), writing->name);
  weir_host_toast (self->parent.host, text);
}

void
weir_generate_part_write (WeirGeneratePart *self, const WeirGenerateChoice *choice, GFile *file)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  WeirSimulatorOptions options;
  double stop_time;
  Writing *writing;

  if (self->is_writing)
    return;
  if (path == NULL)
    {
      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR,
                            _ ("Code is written to local folders only."));
      return;
    }
  if (!weir_runner_read_settings (self->parent.runner, &options, &stop_time, &error))
    {
      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, weir_error_say (error));
      return;
    }
  options.solver = choice->solver;
  if (choice->step > 0)
    options.step = choice->step;
  writing = g_new0 (Writing, 1);
  writing->options = options;
  writing->stop_time = stop_time;
  writing->kind = choice->kind;
  writing->model = weir_model_ref (weir_document_get_model (self->parent.document));
  writing->prefix = g_strdup (choice->prefix);
  writing->path = choice->kind != WEIR_GENERATE_CODE && !g_str_has_suffix (path, ".fmu")
                      ? g_strconcat (path, ".fmu", NULL)
                      : g_strdup (path);
  writing->name = g_path_get_basename (writing->path);
  task = g_task_new (self, NULL, written, NULL);
  g_task_set_task_data (task, writing, writing_free);
  weir_model_prepare_completion (writing->model);
  self->is_writing = TRUE;
  g_task_run_in_thread (task, write_in_thread);
}

gboolean
weir_generate_part_is_writing (WeirGeneratePart *self)
{
  return self->is_writing;
}

/* --- The dialog ------------------------------------------------------------------------------ */

GtkWidget *
weir_generate_part_get_dialog (WeirGeneratePart *self)
{
  return self->dialog;
}

static const WeirSolverInfo *
get_solver (const WeirGeneratePart *self)
{
  return g_ptr_array_index (self->solvers,
                            gtk_drop_down_get_selected (GTK_DROP_DOWN (self->solver)));
}

/* 0: as the run has it. FALSE: it is no step. */
static gboolean
read_step (const WeirGeneratePart *self, double *step)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->step));
  char *end = NULL;

  *step = 0;
  if (*text == '\0' || get_solver (self)->is_adaptive)
    return TRUE;
  *step = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*step) && *step > 0;
}

static void
update_dialog (WeirGeneratePart *self)
{
  gboolean keeps_step = !get_solver (self)->is_adaptive;
  double step;
  gboolean is_step = read_step (self, &step);

  gtk_widget_set_sensitive (self->step, keeps_step);
  gtk_widget_set_sensitive (self->step_label, keeps_step);
  if (is_step)
    gtk_widget_remove_css_class (self->step, "error");
  else
    gtk_widget_add_css_class (self->step, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->step), GTK_ACCESSIBLE_STATE_INVALID,
                               is_step ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE,
                               -1);
  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self->dialog), "choose", is_step);
}

/* A label above what it names. */
static GtkWidget *
add_field (GtkWidget *box, const char *title, GtkWidget *widget)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), widget);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_margin_top (label, 6);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  label, NULL, -1);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), widget);
  return label;
}

/* Those that written code can have; that of the run is chosen, if it is one of them. */
static GtkWidget *
make_solvers (WeirGeneratePart *self, const char *chosen)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  guint selected = 0;
  GtkWidget *list;

  self->solvers = g_ptr_array_new ();
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);

      if (!weir_generate_has_solver (info->name))
        continue;
      if (g_strcmp0 (info->name, chosen) == 0)
        selected = self->solvers->len;
      g_ptr_array_add (self->solvers, (gpointer) info);
      gtk_string_list_append (titles, _ (info->title));
    }
  list = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (list), selected);
  return list;
}

static GtkWidget *
make_fields (WeirGeneratePart *self)
{
  static const char *const versions[] = { "FMI 2.0", "FMI 3.0", NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  g_autofree char *stem = weir_host_dup_stem (self->parent.host);
  WeirSimulatorOptions options = { 0 };
  double stop_time = 0;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  (void) weir_runner_read_settings (self->parent.runner, &options, &stop_time, NULL);
  if (self->is_fmu)
    {
      self->version = gtk_drop_down_new_from_strings (versions);
      add_field (box, _ ("_Version"), self->version);
    }
  self->solver = make_solvers (self, options.solver);
  gtk_widget_set_name (self->solver, "weir-generate-solver");
  add_field (box, self->is_fmu ? _ ("_Solver of co-simulation") : _ ("_Solver"), self->solver);
  self->step = gtk_entry_new ();
  gtk_widget_set_name (self->step, "weir-generate-step");
  if (options.step > 0)
    gtk_editable_set_text (GTK_EDITABLE (self->step), weir_number_to_text (options.step, number));
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->step), _ ("As the run has it"));
  self->step_label = add_field (box, _ ("S_tep in s"), self->step);
  self->prefix = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->prefix), stem);
  add_field (box, _ ("_Name, with which names in the code begin"), self->prefix);
  g_signal_connect_object (self->solver, "notify::selected", G_CALLBACK (update_dialog), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->step, "changed", G_CALLBACK (update_dialog), self,
                           G_CONNECT_SWAPPED);
  g_object_set (self->step, "activates-default", TRUE, NULL);
  g_object_set (self->prefix, "activates-default", TRUE, NULL);
  return box;
}

/* What is chosen, until the chooser answers. */
typedef struct {
  WeirGeneratePart *part;
  WeirGenerateChoice choice;
  char *prefix;
} Asked;

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  g_object_unref (asked->part);
  g_free (asked->prefix);
  g_free (asked);
}

static void
place_chosen (gpointer data, GFile *file)
{
  Asked *asked = data;

  if (asked->part->parent.host != NULL)
    weir_generate_part_write (asked->part, &asked->choice, file);
}

static void
ask_for_place (WeirGeneratePart *self)
{
  Asked *asked = g_new0 (Asked, 1);
  g_autofree char *name = NULL;

  asked->part = g_object_ref (self);
  asked->prefix = gtk_editable_get_chars (GTK_EDITABLE (self->prefix), 0, -1);
  asked->choice.prefix = asked->prefix;
  asked->choice.solver = get_solver (self)->name;
  read_step (self, &asked->choice.step);
  if (self->is_fmu)
    asked->choice.kind = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->version)) == 0
                             ? WEIR_GENERATE_FMU_2
                             : WEIR_GENERATE_FMU_3;
  name = self->is_fmu ? g_strconcat (asked->prefix, ".fmu", NULL) : NULL;
  if (self->is_fmu)
    weir_ask_for_file (self->parent.host,
                       &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                             .title = _ ("Export as FMU"),
                                             .accept = _ ("_Export"),
                                             .kind = _ ("FMUs"),
                                             .suffixes = { "fmu" },
                                             .name = name },
                       place_chosen, asked, asked_free);
  else
    weir_ask_for_file (self->parent.host,
                       &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                             .title = _ ("Folder for the Code"),
                                             .accept = _ ("_Generate") },
                       place_chosen, asked, asked_free);
}

static void
forget_dialog (WeirGeneratePart *self)
{
  g_clear_pointer (&self->solvers, g_ptr_array_unref);
  self->dialog = self->solver = self->step = self->step_label = self->prefix = self->version = NULL;
}

static void
answered (G_GNUC_UNUSED AdwMessageDialog *dialog, const char *response, WeirGeneratePart *self)
{
  if (self->parent.host != NULL && self->dialog != NULL && strcmp (response, "choose") == 0)
    ask_for_place (self);
  forget_dialog (self);
}

static void
open_dialog (WeirGeneratePart *self, gboolean is_fmu)
{
  AdwMessageDialog *dialog;

  if (self->dialog != NULL)
    return;
  weir_host_enter_typed (self->parent.host);
  self->is_fmu = is_fmu;
  self->dialog = adw_message_dialog_new (
      weir_host_get_toplevel (self->parent.host),
      is_fmu ? _ ("Export as FMU") : _ ("Generate Code"),
      is_fmu ? _ ("For other tools: by model exchange, and in co-simulation with a solver of its "
                  "own. Its outputs are what a run records.")
             : _ ("The model as C that needs nothing but a compiler, and what runs it. It computes "
                  "what a run computes, to the bit."));
  dialog = ADW_MESSAGE_DIALOG (self->dialog);
  adw_message_dialog_set_extra_child (dialog, make_fields (self));
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "choose",
                                    is_fmu ? _ ("Choose _File…") : _ ("Choose _Folder…"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "choose", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "choose");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (answered), self, 0);
  update_dialog (self);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
generate (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  open_dialog (data, FALSE);
}

static void
export_fmu (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  open_dialog (data, TRUE);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = { { .name = "generate-code", .activate = generate },
                                          { .name = "export-fmu", .activate = export_fmu } };

  G_OBJECT_CLASS (weir_generate_part_parent_class)->constructed (object);
  weir_part_add_actions (WEIR_PART (object), entries, G_N_ELEMENTS (entries));
}

static void
dispose (GObject *object)
{
  WeirGeneratePart *self = WEIR_GENERATE_PART (object);
  GtkWidget *dialog = self->dialog;

  forget_dialog (self);
  if (dialog != NULL)
    gtk_window_destroy (GTK_WINDOW (dialog));
  G_OBJECT_CLASS (weir_generate_part_parent_class)->dispose (object);
}

static void
weir_generate_part_class_init (WeirGeneratePartClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
weir_generate_part_init (G_GNUC_UNUSED WeirGeneratePart *self)
{
}
