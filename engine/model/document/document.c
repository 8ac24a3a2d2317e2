/* The document: a chain of models with a place in it.
 *
 * `steps` holds the model before the first edit and the model after each; `current` is an index
 * into it. A step keeps the label of the edit that led to it. Undo and redo only move the index.
 * What is derived from models (derived.h) is kept for the current one and the one before.
 */
#include "model/document/document.h"

#include "base/file.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"
#include "model/tree/file-names.h"

#define LOOK_DELAY_MS 200 /* after the last sign that the file was written */

typedef struct {
  WeirModel *model;
  char *label; /* NULL for the first */
} Step;

struct _WeirDocument {
  GObject parent_instance;

  GFile *file;   /* NULL = never saved */
  GArray *steps; /* of Step, at least one */
  guint current;
  WeirModel *saved; /* as in the file; of a new document, the empty model */
  char *merge_key;  /* of the last edit while others may still join it */

  /* Unsaved changes kept for recovery. */
  WeirRecoverySlot *slot; /* NULL without autosave */
  guint interval;         /* ms */
  guint timer;            /* source that writes, while there is something to write */

  /* What others do to the file. */
  GFileMonitor *monitor;   /* NULL without a file */
  guint look;              /* source that compares after something happened */
  char *digest;            /* of the file's bytes as last read or written; NULL = unknown */
  gboolean is_gone;        /* the file did not exist when it was looked at last */
  guint n_readings;        /* begun; of those that go on in threads the newest counts */
  WeirDerivedKind *needed; /* of what is read in a thread; NULL = nothing */

  /* Those that keep what is derived from them: the current model and the one that was so before. */
  WeirModel *newest[2];

  /* Completion in a thread. */
  WeirModel *completing; /* what the thread looks at; NULL = there is none */
  gboolean is_requested; /* the newest model is to be completed when that has ended */
  GPtrArray *waiting;    /* of Waiting, for the newest */

  gboolean was_modified, could_undo, could_redo; /* as last notified */
};

G_DEFINE_FINAL_TYPE (WeirDocument, weir_document, G_TYPE_OBJECT)

enum {
  PROP_FILE = 1,
  PROP_MODIFIED,
  PROP_CAN_UNDO,
  PROP_CAN_REDO,
  PROP_TITLE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];
static guint changed_signal, merge_ended_signal, file_changed_signal, completed_signal;

/* Who wants to do something with the completion. */
typedef struct {
  GWeakRef object;
  void (*func) (gpointer object);
} Waiting;

static void
waiting_free (gpointer data)
{
  Waiting *waiting = data;

  g_weak_ref_clear (&waiting->object);
  g_free (waiting);
}

static void
step_clear (gpointer data)
{
  Step *step = data;

  weir_model_unref (step->model);
  g_free (step->label);
}

static Step *
get_step (WeirDocument *self, guint i)
{
  return &g_array_index (self->steps, Step, i);
}

/* The current model is another one, perhaps. */
static void
note_newest (WeirDocument *self)
{
  WeirModel *model = get_step (self, self->current)->model;
  WeirModel *oldest = self->newest[1];

  if (model == self->newest[0])
    return;
  self->newest[1] = self->newest[0];
  self->newest[0] = weir_model_ref (model);
  if (oldest == NULL)
    return;
  if (oldest != model)
    weir_model_drop_derived_aside (oldest);
  weir_model_unref (oldest);
}

/* Starts a new chain at @model, which is as in the file. */
static void
start_chain (WeirDocument *self, WeirModel *model)
{
  Step step = { weir_model_ref (model), NULL };

  g_array_set_size (self->steps, 0);
  g_array_append_val (self->steps, step);
  self->current = 0;
  weir_model_ref (model);
  g_clear_pointer (&self->saved, weir_model_unref);
  self->saved = model;
  g_clear_pointer (&self->merge_key, g_free);
  note_newest (self);
}

/* --- Autosave -------------------------------------------------------------------------------- */

static gboolean
keep (gpointer data)
{
  WeirDocument *self = data;

  self->timer = 0;
  weir_recovery_slot_write (self->slot, weir_document_get_model (self), self->file);
  return G_SOURCE_REMOVE;
}

/* A timer that runs already is left alone: it bounds the age of the oldest change that is
 * not kept. */
static void
schedule_keep (WeirDocument *self)
{
  if (self->slot == NULL)
    return;
  if (!weir_document_get_modified (self))
    {
      g_clear_handle_id (&self->timer, g_source_remove);
      weir_recovery_slot_clear (self->slot);
    }
  else if (self->timer == 0)
    self->timer = g_timeout_add (self->interval, keep, self);
}

void
weir_document_set_autosave (WeirDocument *self, guint milliseconds)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));

  self->interval = milliseconds;
  if (self->slot == NULL)
    self->slot = weir_recovery_slot_new ();
  schedule_keep (self);
}

/* --- Changes --------------------------------------------------------------------------------- */

static void
notify_if (WeirDocument *self, gboolean value, gboolean *last, guint property)
{
  if (value == *last)
    return;
  *last = value;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
notify_state (WeirDocument *self)
{
  notify_if (self, weir_document_get_modified (self), &self->was_modified, PROP_MODIFIED);
  notify_if (self, weir_document_can_undo (self), &self->could_undo, PROP_CAN_UNDO);
  notify_if (self, weir_document_can_redo (self), &self->could_redo, PROP_CAN_REDO);
  schedule_keep (self);
}

/* Tells of a new current model. */
static void
note_change (WeirDocument *self, WeirAspects aspects)
{
  note_newest (self);
  g_object_ref (self);
  if (aspects != 0)
    g_signal_emit (self, changed_signal, 0, (guint) aspects);
  notify_state (self);
  g_object_unref (self);
}

static void
weir_document_init (WeirDocument *self)
{
  g_autoptr (WeirModel) model = weir_model_new ();

  self->waiting = g_ptr_array_new_with_free_func (waiting_free);
  self->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (self->steps, step_clear);
  start_chain (self, model);
}

static void
weir_document_finalize (GObject *object)
{
  WeirDocument *self = WEIR_DOCUMENT (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->look, g_source_remove);
  g_clear_pointer (&self->slot, weir_recovery_slot_free);
  g_clear_object (&self->monitor);
  g_free (self->digest);
  g_clear_object (&self->file);
  g_array_unref (self->steps);
  g_clear_pointer (&self->saved, weir_model_unref);
  g_free (self->merge_key);
  g_clear_pointer (&self->newest[0], weir_model_unref);
  g_clear_pointer (&self->newest[1], weir_model_unref);
  g_clear_pointer (&self->completing, weir_model_unref);
  g_ptr_array_unref (self->waiting);
  G_OBJECT_CLASS (weir_document_parent_class)->finalize (object);
}

static void
weir_document_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WeirDocument *self = WEIR_DOCUMENT (object);

  switch (id)
    {
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    case PROP_MODIFIED:
      g_value_set_boolean (value, weir_document_get_modified (self));
      break;
    case PROP_CAN_UNDO:
      g_value_set_boolean (value, weir_document_can_undo (self));
      break;
    case PROP_CAN_REDO:
      g_value_set_boolean (value, weir_document_can_redo (self));
      break;
    case PROP_TITLE:
      g_value_take_string (value, self->file != NULL ? g_file_get_basename (self->file)
                                                     : g_strdup ("Untitled"));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
weir_document_class_init (WeirDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = weir_document_finalize;
  object_class->get_property = weir_document_get_property;

  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE, flags);
  properties[PROP_MODIFIED] = g_param_spec_boolean ("modified", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_UNDO] = g_param_spec_boolean ("can-undo", NULL, NULL, FALSE, flags);
  properties[PROP_CAN_REDO] = g_param_spec_boolean ("can-redo", NULL, NULL, FALSE, flags);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, "Untitled", flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  changed_signal = g_signal_new ("changed", WEIR_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  file_changed_signal = g_signal_new ("file-changed", WEIR_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 0);
  merge_ended_signal = g_signal_new ("merge-ended", WEIR_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
  completed_signal = g_signal_new ("completed", WEIR_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

WeirDocument *
weir_document_new (void)
{
  return g_object_new (WEIR_TYPE_DOCUMENT, NULL);
}

WeirModel *
weir_document_get_model (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), NULL);

  return get_step (self, self->current)->model;
}

GFile *
weir_document_get_file (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), NULL);

  return self->file;
}

gboolean
weir_document_get_modified (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);

  return self->is_gone
         || !weir_model_equal_but (weir_document_get_model (self), self->saved, WEIR_ASPECT_PLOTS);
}

/* --- Editing --------------------------------------------------------------------------------- */

gboolean
weir_document_edit (WeirDocument *self, const WeirPatch *patch, const char *label,
                    const char *merge_key, GError **error)
{
  g_autoptr (WeirModel) model = NULL;
  WeirAspects aspects;

  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (patch != NULL, FALSE);
  g_return_val_if_fail (label != NULL, FALSE);

  model = weir_model_apply (weir_document_get_model (self), patch, &aspects, error);
  if (model == NULL)
    return FALSE;
  if (aspects == 0)
    return TRUE;
  if (aspects == WEIR_ASPECT_PLOTS)
    {
      Step *step = get_step (self, self->current);

      weir_model_unref (step->model);
      step->model = g_steal_pointer (&model);
      note_change (self, aspects);
      return TRUE;
    }

  g_array_set_size (self->steps, self->current + 1);
  if (merge_key != NULL && self->current > 0 && g_strcmp0 (merge_key, self->merge_key) == 0)
    {
      Step *step = get_step (self, self->current);

      weir_model_unref (step->model);
      step->model = g_steal_pointer (&model);
    }
  else
    {
      Step step = { g_steal_pointer (&model), g_strdup (label) };

      g_array_append_val (self->steps, step);
      self->current++;
      g_free (self->merge_key);
      self->merge_key = g_strdup (merge_key);
    }
  note_change (self, aspects);
  return TRUE;
}

void
weir_document_end_merge (WeirDocument *self)
{
  Step *step, *before;

  g_return_if_fail (WEIR_IS_DOCUMENT (self));

  if (self->merge_key == NULL)
    return;
  g_clear_pointer (&self->merge_key, g_free);

  /* A drag that ends where it began leaves no step behind. */
  step = get_step (self, self->current);
  before = get_step (self, self->current - 1);
  if (self->current + 1 == self->steps->len && weir_model_equal (step->model, before->model))
    {
      self->current--;
      g_array_set_size (self->steps, self->current + 1);
      notify_state (self);
    }
  g_signal_emit (self, merge_ended_signal, 0);
}

gboolean
weir_document_is_merging (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);

  return self->merge_key != NULL;
}

/* @model with the parameter; itself if it has no such block. (transfer full), NULL and @error. */
static WeirModel *
preset (WeirModel *model, guint32 id, const char *parameter, const char *value,
        WeirAspects *aspects, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirBlock *block = weir_model_find_block (model, id, ids);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirBlock) changed = NULL;

  *aspects = 0;
  if (block == NULL)
    return weir_model_ref (model);
  changed = weir_block_with_parameter (block, parameter, value);
  weir_patch_set_block (patch, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len },
                        changed);
  return weir_model_apply (model, patch, aspects, error);
}

gboolean
weir_document_preset (WeirDocument *self, guint32 id, const char *parameter, const char *value,
                      GError **error)
{
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_model_unref);
  WeirModel *saved;
  WeirAspects aspects = 0, ignored;

  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (self->file == NULL, FALSE);
  g_return_val_if_fail (parameter != NULL, FALSE);

  weir_document_end_merge (self);
  for (guint i = 0; i < self->steps->len; i++)
    {
      WeirModel *model = preset (get_step (self, i)->model, id, parameter, value,
                                 i == self->current ? &aspects : &ignored, error);

      if (model == NULL)
        return FALSE;
      g_ptr_array_add (models, model);
    }
  saved = preset (self->saved, id, parameter, value, &ignored, error);
  if (saved == NULL)
    return FALSE;
  for (guint i = 0; i < self->steps->len; i++)
    {
      weir_model_unref (get_step (self, i)->model);
      get_step (self, i)->model = weir_model_ref (models->pdata[i]);
    }
  weir_model_unref (self->saved);
  self->saved = saved;
  note_change (self, aspects);
  return TRUE;
}

gboolean
weir_document_can_undo (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);

  return self->current > 0;
}

gboolean
weir_document_can_redo (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);

  return self->current + 1 < self->steps->len;
}

const char *
weir_document_get_undo_label (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), NULL);

  return get_step (self, self->current)->label;
}

const char *
weir_document_get_redo_label (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), NULL);

  return weir_document_can_redo (self) ? get_step (self, self->current + 1)->label : NULL;
}

static void
go_to_step (WeirDocument *self, guint i)
{
  g_autoptr (WeirModel) before = weir_model_ref (weir_document_get_model (self));
  Step *step = get_step (self, i);
  WeirModel *model = weir_model_with_plots_of (step->model, before);

  g_clear_pointer (&self->merge_key, g_free);
  self->current = i;
  weir_model_unref (step->model);
  step->model = model;
  note_change (self, weir_model_compare (before, model));
}

void
weir_document_undo (WeirDocument *self)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));

  weir_document_end_merge (self);
  if (weir_document_can_undo (self))
    go_to_step (self, self->current - 1);
}

void
weir_document_redo (WeirDocument *self)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));

  if (weir_document_can_redo (self))
    go_to_step (self, self->current + 1);
}

/* --- The file -------------------------------------------------------------------------------- */

/* Of what the file holds at present. NULL if it cannot be read. (transfer full) */
static char *
dup_digest (GFile *file)
{
  g_autoptr (GBytes) bytes = weir_file_read_from (file, WEIR_FILE_MODEL, NULL);

  return bytes == NULL ? NULL : g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
}

/* A file that is gone or cannot be read has not changed: there is nothing to load instead. */
gboolean
weir_document_is_file_changed (WeirDocument *self)
{
  g_autofree char *digest = NULL;

  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);

  digest = self->file == NULL ? NULL : dup_digest (self->file);
  return digest != NULL && g_strcmp0 (digest, self->digest) != 0;
}

gboolean
weir_document_is_file_gone (WeirDocument *self)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);

  return self->is_gone;
}

void
weir_document_look_at_file (WeirDocument *self)
{
  gboolean was_gone;

  g_return_if_fail (WEIR_IS_DOCUMENT (self));

  g_clear_handle_id (&self->look, g_source_remove);
  was_gone = self->is_gone;
  self->is_gone = self->file != NULL && !g_file_query_exists (self->file, NULL);
  if (self->is_gone != was_gone || (!self->is_gone && weir_document_is_file_changed (self)))
    g_signal_emit (self, file_changed_signal, 0);
  notify_state (self);
}

static gboolean
look_now (gpointer data)
{
  WeirDocument *self = data;

  self->look = 0;
  weir_document_look_at_file (self);
  return G_SOURCE_REMOVE;
}

/* Programs write files in several steps; the last of them counts. */
static void
something_happened (WeirDocument *self)
{
  g_clear_handle_id (&self->look, g_source_remove);
  self->look = g_timeout_add (LOOK_DELAY_MS, look_now, self);
}

/* @digest: of what the file holds as far as is known here, taken over; NULL = it cannot be read. */
static void
note_file_as_known (WeirDocument *self, char *digest)
{
  g_clear_handle_id (&self->look, g_source_remove);
  g_free (self->digest);
  self->digest = digest;
  self->is_gone = self->digest == NULL && !g_file_query_exists (self->file, NULL);
  if (self->monitor != NULL)
    return;
  self->monitor = g_file_monitor_file (self->file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (something_happened), self,
                             G_CONNECT_SWAPPED);
}

static void
set_file (WeirDocument *self, GFile *file)
{
  if (self->file == file || (self->file != NULL && file != NULL && g_file_equal (self->file, file)))
    return;
  g_set_object (&self->file, file);
  g_clear_object (&self->monitor);
  self->is_gone = FALSE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FILE]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

/* Makes @model the current one by an edit that others do not join. */
static void
push_step (WeirDocument *self, WeirModel *model, const char *label)
{
  Step step = { weir_model_ref (model), g_strdup (label) };

  g_array_set_size (self->steps, self->current + 1);
  g_array_append_val (self->steps, step);
  self->current++;
  g_clear_pointer (&self->merge_key, g_free);
}

/* --- Reading --------------------------------------------------------------------------------- */

/* What is read: by read_all(), in any thread; and what becomes of it: by take(), in the main one.
 */
typedef struct _Reading Reading;
struct _Reading {
  void (*take) (WeirDocument *self, Reading *reading);
  GFile *file;             /* that is read */
  char *label;             /* of the edit that it becomes; NULL = none */
  WeirRecovery *recovery;  /* that is taken; or NULL */
  gboolean with_origin;    /* its own file is read too */
  gint *progress;          /* nullable */
  WeirDerivedKind *needed; /* that is made of the model; NULL = nothing */
  guint serial;            /* among the document's */
  WeirModel *model;        /* NULL: refused, or cancelled */
  WeirModel *origin;       /* NULL: none, or it cannot be read */
  char *digest;            /* of the document's file */
  WeirDiagnostics *diagnostics;
};

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_object_unref (reading->file);
  g_free (reading->label);
  g_clear_pointer (&reading->recovery, weir_recovery_free);
  g_clear_pointer (&reading->model, weir_model_unref);
  g_clear_pointer (&reading->origin, weir_model_unref);
  g_free (reading->digest);
  weir_diagnostics_unref (reading->diagnostics);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

static Reading *
reading_new (WeirDocument *self, void (*take) (WeirDocument *self, Reading *reading), GFile *file,
             const char *label)
{
  Reading *reading = g_new0 (Reading, 1);

  reading->take = take;
  reading->file = g_object_ref (file);
  reading->label = g_strdup (label);
  reading->diagnostics = weir_diagnostics_new ();
  reading->serial = ++self->n_readings;
  return reading;
}

/* What was kept lies elsewhere than the file that it will be. */
static void
settle_kept (Reading *reading)
{
  g_autofree char *folder = weir_file_dup_folder (reading->recovery->origin);
  WeirModel *settled = weir_model_settle (reading->model, folder);

  weir_model_unref (reading->model);
  reading->model = settled;
}

/* FALSE: refused, or cancelled. A file that is gone or damaged does not keep what was kept of it
 * from coming back. */
static gboolean
read_all (Reading *reading, GCancellable *cancellable)
{
  const WeirRecovery *recovery = reading->recovery;
  g_autoptr (WeirDiagnostics) ignored = weir_diagnostics_new ();
  g_autofree char *digest = NULL;

  reading->model = weir_model_read_file_with_progress (
      reading->file, cancellable, reading->progress, &digest, reading->diagnostics);
  if (recovery != NULL && reading->model != NULL)
    settle_kept (reading);
  if (recovery == NULL)
    reading->digest = g_steal_pointer (&digest);
  else if (reading->model != NULL && reading->with_origin)
    reading->origin = weir_model_read_file_with_progress (recovery->origin, cancellable, NULL,
                                                          &reading->digest, ignored);
  return reading->model != NULL;
}

static void
begin_from (WeirDocument *self, WeirModel *model)
{
  start_chain (self, model);
  set_file (self, NULL);
  note_change (self, WEIR_ASPECT_ALL);
}

void
weir_document_begin (WeirDocument *self, WeirModel *model)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));
  g_return_if_fail (model != NULL);

  self->n_readings++; /* what is being read is no longer the newest */
  begin_from (self, model);
}

static void
take_template (WeirDocument *self, Reading *reading)
{
  begin_from (self, reading->model);
}

/* What is not in our own format is not written over: it is saved under another name. */
static void
take_loaded (WeirDocument *self, Reading *reading)
{
  if (weir_model_is_foreign (reading->model))
    {
      take_template (self, reading);
      return;
    }
  start_chain (self, reading->model);
  set_file (self, reading->file);
  note_file_as_known (self, g_steal_pointer (&reading->digest));
  note_change (self, WEIR_ASPECT_ALL);
}

static void
take_again (WeirDocument *self, Reading *reading)
{
  WeirAspects aspects = weir_model_compare (weir_document_get_model (self), reading->model);

  if (aspects != 0)
    push_step (self, reading->model, reading->label);
  weir_model_unref (self->saved);
  self->saved = weir_model_ref (reading->model);
  note_file_as_known (self, g_steal_pointer (&reading->digest));
  note_change (self, aspects);
}

static void
take_kept (WeirDocument *self, Reading *reading)
{
  g_autoptr (GError) error = NULL;

  if (self->file == NULL)
    {
      if (reading->origin == NULL)
        reading->origin = weir_model_new ();
      start_chain (self, reading->origin);
      if (reading->recovery->origin != NULL)
        {
          set_file (self, reading->recovery->origin);
          note_file_as_known (self, g_steal_pointer (&reading->digest));
        }
    }
  push_step (self, reading->model, reading->label);
  if (self->slot != NULL && !weir_recovery_slot_adopt (self->slot, reading->recovery, &error))
    g_message ("%s", error->message);
  note_change (self, WEIR_ASPECT_ALL);
}

static Reading *
reading_new_kept (WeirDocument *self, WeirRecovery *recovery, const char *label)
{
  Reading *reading = reading_new (self, take_kept, recovery->kept, label);

  reading->recovery = weir_recovery_copy (recovery);
  reading->with_origin = self->file == NULL && recovery->origin != NULL;
  return reading;
}

static void
tell_read (const Reading *reading, WeirDiagnostics *diagnostics)
{
  for (guint i = 0; i < weir_diagnostics_get_size (reading->diagnostics); i++)
    weir_diagnostics_add_copy (diagnostics, weir_diagnostics_get (reading->diagnostics, i));
}

/* @reading: (transfer full). */
static gboolean
read_now (WeirDocument *self, Reading *reading, WeirDiagnostics *diagnostics)
{
  g_autoptr (Reading) owned = reading;
  gboolean is_read = read_all (reading, NULL);

  tell_read (reading, diagnostics);
  if (is_read)
    reading->take (self, reading);
  return is_read;
}

gboolean
weir_document_load (WeirDocument *self, GFile *file, WeirDiagnostics *diagnostics)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (diagnostics != NULL, FALSE);

  return read_now (self, reading_new (self, take_loaded, file, NULL), diagnostics);
}

gboolean
weir_document_load_template (WeirDocument *self, GFile *file, WeirDiagnostics *diagnostics)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  return read_now (self, reading_new (self, take_template, file, NULL), diagnostics);
}

gboolean
weir_document_recover (WeirDocument *self, WeirRecovery *recovery, const char *label,
                       WeirDiagnostics *diagnostics)
{
  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (recovery != NULL, FALSE);

  return read_now (self, reading_new_kept (self, recovery, label), diagnostics);
}

static void
read_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                GCancellable *cancellable)
{
  Reading *reading = data;
  gboolean is_read = read_all (reading, cancellable);

  if (is_read && reading->needed != NULL)
    reading->needed->unref (weir_model_get_derived (reading->model, reading->needed));
  g_task_return_boolean (task, is_read);
}

void
weir_document_set_needed (WeirDocument *self, WeirDerivedKind *kind)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));

  self->needed = kind;
}

/* @reading: (transfer full). */
static void
begin_reading (WeirDocument *self, Reading *reading, GCancellable *cancellable, gint *progress,
               GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);

  reading->progress = progress;
  reading->needed = self->needed;
  g_task_set_task_data (task, reading, reading_free);
  g_task_run_in_thread (task, read_in_thread);
}

void
weir_document_load_async (WeirDocument *self, GFile *file, GCancellable *cancellable,
                          gint *progress, GAsyncReadyCallback callback, gpointer data)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));
  g_return_if_fail (G_IS_FILE (file));

  begin_reading (self, reading_new (self, take_loaded, file, NULL), cancellable, progress, callback,
                 data);
}

void
weir_document_load_template_async (WeirDocument *self, GFile *file, GCancellable *cancellable,
                                   gint *progress, GAsyncReadyCallback callback, gpointer data)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));
  g_return_if_fail (G_IS_FILE (file));

  begin_reading (self, reading_new (self, take_template, file, NULL), cancellable, progress,
                 callback, data);
}

void
weir_document_reload_async (WeirDocument *self, const char *label, GCancellable *cancellable,
                            gint *progress, GAsyncReadyCallback callback, gpointer data)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));
  g_return_if_fail (self->file != NULL);

  begin_reading (self, reading_new (self, take_again, self->file, label), cancellable, progress,
                 callback, data);
}

void
weir_document_recover_async (WeirDocument *self, WeirRecovery *recovery, const char *label,
                             GCancellable *cancellable, gint *progress,
                             GAsyncReadyCallback callback, gpointer data)
{
  g_return_if_fail (WEIR_IS_DOCUMENT (self));
  g_return_if_fail (recovery != NULL);

  begin_reading (self, reading_new_kept (self, recovery, label), cancellable, progress, callback,
                 data);
}

gboolean
weir_document_load_finish (WeirDocument *self, GAsyncResult *result, WeirDiagnostics *diagnostics)
{
  Reading *reading = g_task_get_task_data (G_TASK (result));
  gboolean is_read;

  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (diagnostics != NULL, FALSE);

  is_read = g_task_propagate_boolean (G_TASK (result), NULL);
  if (reading->serial != self->n_readings)
    return FALSE;
  tell_read (reading, diagnostics);
  if (is_read)
    reading->take (self, reading);
  return is_read;
}

/* The same seen from elsewhere is no edit: nothing to undo. */
static void
replace_current (WeirDocument *self, WeirModel *model)
{
  Step *step = get_step (self, self->current);

  weir_model_ref (model);
  weir_model_unref (step->model);
  step->model = model;
}

gboolean
weir_document_save (WeirDocument *self, GFile *file, GError **error)
{
  g_autoptr (WeirModel) moved = NULL;
  g_autofree char *folder = NULL;
  WeirAspects aspects;
  WeirModel *model;

  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  weir_document_end_merge (self);
  model = weir_document_get_model (self);
  folder = weir_file_dup_folder (file);
  moved = weir_model_move (model, folder);
  if (!weir_model_write_file (moved, file, error))
    return FALSE;
  self->n_readings++; /* what is being read is older */
  aspects = weir_model_compare (model, moved);
  replace_current (self, moved);
  weir_model_unref (self->saved);
  self->saved = g_steal_pointer (&moved);
  set_file (self, file);
  note_file_as_known (self, dup_digest (self->file));
  note_change (self, aspects);
  return TRUE;
}

/* --- Completion ------------------------------------------------------------------------------ */

void
weir_document_show_completion (WeirDocument *self, const WeirCompletion *completion,
                               WeirSystem **system, WeirDiagnostics **diagnostics)
{
  if (diagnostics != NULL)
    {
      const WeirDiagnostics *found = weir_completion_get_diagnostics (completion);
      g_autofree char *file = self->file != NULL ? g_file_get_parse_name (self->file) : NULL;

      /* The completion is shared, and knows of no file. */
      *diagnostics = weir_diagnostics_new ();
      for (guint i = 0; i < weir_diagnostics_get_size (found); i++)
        weir_diagnostics_add_copy (*diagnostics, weir_diagnostics_get (found, i));
      if (file != NULL)
        weir_diagnostics_set_file (*diagnostics, file);
    }
  if (system != NULL)
    {
      *system = weir_completion_get_system (completion);
      if (*system != NULL)
        weir_system_ref (*system);
    }
}

WeirSystem *
weir_document_complete (WeirDocument *self, WeirDiagnostics **diagnostics)
{
  g_autoptr (WeirCompletion) completion = NULL;
  WeirSystem *system;

  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), NULL);

  completion = weir_model_get_derived (weir_document_get_model (self), &weir_derived_completion);
  weir_document_show_completion (self, completion, &system, diagnostics);
  return system;
}

gboolean
weir_document_peek_completion (WeirDocument *self, WeirSystem **system,
                               WeirDiagnostics **diagnostics)
{
  g_autoptr (WeirCompletion) completion = NULL;

  g_return_val_if_fail (WEIR_IS_DOCUMENT (self), FALSE);

  completion = weir_model_peek_derived (weir_document_get_model (self), &weir_derived_completion,
                                        NULL);
  if (completion == NULL)
    return FALSE;
  weir_document_show_completion (self, completion, system, diagnostics);
  return TRUE;
}

/* The result stays with the model: what the thread held of it goes there too. */
static void
complete_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer model,
                    G_GNUC_UNUSED GCancellable *cancellable)
{
  weir_completion_unref (weir_model_get_derived (model, &weir_derived_completion));
  g_task_return_boolean (task, TRUE);
}

void
weir_document_keep_completion (WeirDocument *self, WeirModel *completed)
{
  WeirModel *model = weir_document_get_model (self);

  if (completed != model) /* edited meanwhile, perhaps in a way that the result survives */
    weir_model_hand_on_derived (completed, model, weir_model_compare (completed, model));
  if (completed != self->newest[0] && completed != self->newest[1])
    weir_model_drop_derived_aside (completed);
}

static void
on_completed (G_GNUC_UNUSED GObject *source, G_GNUC_UNUSED GAsyncResult *result, gpointer data)
{
  GWeakRef *weak = data;
  g_autoptr (WeirDocument) self = g_weak_ref_get (weak); /* it may be gone meanwhile */
  g_autoptr (WeirModel) done = NULL;

  g_weak_ref_clear (weak);
  g_free (weak);
  if (self == NULL)
    return;
  done = g_steal_pointer (&self->completing);
  weir_document_keep_completion (self, done);
  if (self->is_requested)
    weir_document_request_completion (self);
}

/* Tells that the newest model is completed. */
static void
tell_completed (WeirDocument *self)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);

  self->waiting = g_ptr_array_new_with_free_func (waiting_free);
  g_object_ref (self);
  g_signal_emit (self, completed_signal, 0);
  for (guint i = 0; i < waiting->len; i++)
    {
      Waiting *next = waiting->pdata[i];
      g_autoptr (GObject) object = g_weak_ref_get (&next->object);

      if (object != NULL)
        next->func (object);
    }
  g_object_unref (self);
}

void
weir_document_when_completed (WeirDocument *self, void (*func) (gpointer object), gpointer object)
{
  Waiting *waiting;

  g_return_if_fail (WEIR_IS_DOCUMENT (self));
  g_return_if_fail (G_IS_OBJECT (object));

  if (weir_document_peek_completion (self, NULL, NULL))
    {
      if (self->is_requested) /* a thread has just found it: those that wait are to know first */
        weir_document_request_completion (self);
      func (object);
      return;
    }
  for (guint i = self->waiting->len; i-- > 0;)
    {
      Waiting *other = self->waiting->pdata[i];
      g_autoptr (GObject) its = g_weak_ref_get (&other->object);

      if (its == NULL || (its == object && other->func == func))
        g_ptr_array_remove_index (self->waiting, i);
    }
  waiting = g_new (Waiting, 1);
  g_weak_ref_init (&waiting->object, object);
  waiting->func = func;
  g_ptr_array_add (self->waiting, waiting);
  weir_document_request_completion (self);
}

void
weir_document_request_completion (WeirDocument *self)
{
  WeirModel *model;
  g_autoptr (GTask) task = NULL;
  GWeakRef *weak;

  g_return_if_fail (WEIR_IS_DOCUMENT (self));

  model = weir_document_get_model (self);
  self->is_requested = FALSE;
  if (weir_document_peek_completion (self, NULL, NULL))
    {
      tell_completed (self);
      return;
    }
  self->is_requested = TRUE;
  if (self->completing != NULL)
    return;
  weir_model_prepare_completion (model);
  self->completing = weir_model_ref (model);
  weak = g_new (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  task = g_task_new (NULL, NULL, on_completed, weak);
  g_task_set_task_data (task, weir_model_ref (model), (GDestroyNotify) weir_model_unref);
  g_task_run_in_thread (task, complete_in_thread);
}
