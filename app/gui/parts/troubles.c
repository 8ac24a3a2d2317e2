/* What went wrong in a run. See troubles.h. */
#include "gui/parts/troubles.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "canvas/edits/edits.h"
#include "panels/problem-list.h"

#define BEFORE 0.999  /* of the time at which a run went wrong, it may well end */
#define GUESS_GAP 30  /* px, between an output and the Guess put behind it */
#define GUESS_ROOM 20 /* px, left and right of it, for its wires */

struct _WeirTroubles {
  WeirPart parent;
  WeirDiagnostics *model_problems; /* or NULL */
  guint n_model_problems;          /* those of the run follow */
  GPtrArray *troubles;             /* WeirTrouble of the newest run */
  const WeirSession *failed;       /* whose failure has been told; only compared */
};

G_DEFINE_FINAL_TYPE (WeirTroubles, weir_troubles, WEIR_TYPE_PART)

enum { SIGNAL_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- As problems ----------------------------------------------------------------------------- */

/* Stable names, as problems of models have. */
static const char *
get_code (WeirTroubleKind kind)
{
  switch (kind)
    {
    case WEIR_TROUBLE_NOT_FINITE:
      return "RUN01";
    case WEIR_TROUBLE_RAN_AWAY:
      return "RUN02";
    case WEIR_TROUBLE_NO_VALUE:
      return "RUN03";
    case WEIR_TROUBLE_LOOP:
      return "RUN04";
    case WEIR_TROUBLE_STEP:
      return "RUN05";
    case WEIR_TROUBLE_EVENTS:
      return "RUN06";
    case WEIR_TROUBLE_LIMIT:
      return "RUN07";
    case WEIR_TROUBLE_CROSSINGS:
      return "RUN08";
    case WEIR_TROUBLE_NOTE:
      return "RUN09";
    case WEIR_TROUBLE_OTHER:
    case WEIR_TROUBLE_END:
    default:
      return "RUN00";
    }
}

static guint32
find_block (WeirTroubles *self, const WeirTrouble *trouble)
{
  WeirModel *model = weir_runner_get_session_model (self->parent.runner);
  WeirBlock *block = model != NULL && trouble->path[0] != '\0'
                         ? weir_model_find_path (model, trouble->path)
                         : NULL;

  return block != NULL ? weir_block_get_id (block) : 0;
}

static char *
make_sentence (const char *text, G_GNUC_UNUSED gboolean is_translation, gpointer path)
{
  g_autofree char *sentence = weir_text_capitalize (text, path);

  return g_strconcat (sentence, g_str_has_suffix (sentence, ".") ? NULL : ".", NULL);
}

WeirDiagnostics *
weir_troubles_list (WeirTroubles *self)
{
  WeirDiagnostics *model = self->model_problems;
  WeirDiagnostics *all = weir_diagnostics_new ();

  self->n_model_problems = model != NULL ? weir_diagnostics_get_size (model) : 0;
  for (guint i = 0; i < self->n_model_problems; i++)
    weir_diagnostics_add_copy (all, weir_diagnostics_get (model, i));
  for (guint i = 0; i < self->troubles->len; i++)
    {
      const WeirTrouble *trouble = self->troubles->pdata[i];
      g_autoptr (WeirMessage) sentence = weir_message_rewrite (
          weir_message_ref (trouble->message), make_sentence, g_strdup (trouble->path), g_free);

      weir_diagnostics_add (all, trouble->severity, get_code (trouble->kind), trouble->path,
                            find_block (self, trouble), 0, 0, "%s",
                            weir_message_get_text (sentence));
      if (trouble->subject != NULL)
        weir_diagnostics_set_subject (all, trouble->subject);
    }
  return all;
}

static void
problems_told (WeirTroubles *self, WeirDiagnostics *diagnostics, gboolean shows)
{
  if (diagnostics != NULL)
    weir_diagnostics_ref (diagnostics);
  g_clear_pointer (&self->model_problems, weir_diagnostics_unref);
  self->model_problems = diagnostics;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0, shows);
}

/* --- Remedies -------------------------------------------------------------------------------- */

/* What a setting would be, rounded for people; an end comes a thousandth before what went wrong.
 * (transfer full) */
static char *
dup_value (const WeirRemedy *remedy)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double scale;

  switch (remedy->kind)
    {
    case WEIR_REMEDY_MAX_STEP:
    case WEIR_REMEDY_STEP:
    case WEIR_REMEDY_RELATIVE_TOLERANCE:
    case WEIR_REMEDY_ABSOLUTE_TOLERANCE:
      return g_strdup (g_ascii_formatd (number, sizeof number, "%.2g", remedy->value));
    case WEIR_REMEDY_STOP_TIME:
      scale = exp10 (4 - ceil (log10 (remedy->value)));
      return g_strdup (g_ascii_formatd (number, sizeof number, "%.4g",
                                        floor (BEFORE * remedy->value * scale) / scale));
    case WEIR_REMEDY_SOLVER:
    case WEIR_REMEDY_MAX_STEPS:
    case WEIR_REMEDY_GUESS:
    default:
      return weir_remedy_dup_setting_value (remedy);
    }
}

/* On its button. @value: as dup_value(). (transfer full) */
static char *
dup_title (const WeirRemedy *remedy, const char *value)
{
  switch (remedy->kind)
    {
    case WEIR_REMEDY_MAX_STEP:
      return g_strdup_printf (_ ("Longest Step %s s and Run"), value);
    case WEIR_REMEDY_STEP:
      return g_strdup_printf (_ ("Step %s s and Run"), value);
    case WEIR_REMEDY_SOLVER:
      return g_strdup_printf (_ ("Solver %s and Run"), value);
    case WEIR_REMEDY_RELATIVE_TOLERANCE:
      return g_strdup_printf (_ ("Relative Tolerance %s and Run"), value);
    case WEIR_REMEDY_ABSOLUTE_TOLERANCE:
      return g_strdup_printf (_ ("Absolute Tolerance %s and Run"), value);
    case WEIR_REMEDY_MAX_STEPS:
      return remedy->value > 0 ? g_strdup_printf (_ ("Up to %s Steps and Run"), value)
                               : g_strdup (_ ("Any Number of Steps and Run"));
    case WEIR_REMEDY_STOP_TIME:
      return g_strdup_printf (_ ("Stop at %s s and Run"), value);
    case WEIR_REMEDY_GUESS:
    default:
      return g_strdup (_ ("Insert Guess"));
    }
}

char **
weir_troubles_list_fixes (guint problem, const WeirDiagnostic *diagnostic, guint **fixes,
                          gpointer data)
{
  WeirTroubles *self = data;
  const WeirTrouble *trouble;
  char **titles;

  if (problem < self->n_model_problems)
    return weir_canvas_list_fixes (diagnostic, fixes);
  trouble = self->troubles->pdata[problem - self->n_model_problems];
  titles = g_new0 (char *, trouble->n_remedies + 1);
  *fixes = g_new0 (guint, trouble->n_remedies + 1);
  for (guint i = 0; i < trouble->n_remedies; i++)
    {
      g_autofree char *value = dup_value (&trouble->remedies[i]);

      titles[i] = dup_title (&trouble->remedies[i], value);
      (*fixes)[i] = i;
    }
  return titles;
}

typedef struct {
  WeirPatch *patch;
  WeirPlace place;
  guint32 block, guess;
  const char *port;
} Rewiring;

/* What the output leads to is led to by the Guess behind it instead. */
static gboolean
lead_on (WeirWire *wire, gpointer data)
{
  Rewiring *r = data;
  WeirWireEnd from = weir_wire_get_from (wire);
  g_autoptr (WeirWire) led = NULL;

  if (from.block != r->block || g_strcmp0 (from.port, r->port) != 0)
    return TRUE;
  led = weir_wire_with_ends (wire, (WeirWireEnd) { .block = r->guess, .port = "y" },
                             weir_wire_get_to (wire));
  weir_patch_set_wire (r->patch, r->place, led);
  return TRUE;
}

/* A Guess behind the output that the loop is cut at. NULL if there is no such output (any more).
 * (transfer full) */
static WeirEdit *
make_guess (WeirTroubles *self, const WeirTrouble *trouble)
{
  WeirModel *model = weir_document_get_model (self->parent.document);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 id = find_block (self, trouble);
  g_autoptr (WeirScene) scene = NULL;
  const WeirBlockShape *shape;
  const WeirPortShape *port;
  WeirSite site = { .model = model };
  g_autoptr (WeirBlock) sample = NULL;
  g_autoptr (WeirBlockShape) guess = NULL;
  WeirPoint in, at;
  WeirEdit *edit;
  Rewiring rewiring;

  if (id == 0 || trouble->subject == NULL || weir_model_find_block (model, id, ids) == NULL)
    return NULL;
  site.place = (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len };
  scene = weir_scene_new (weir_site_get_diagram (site), NULL);
  shape = weir_scene_find_block (scene, id);
  port = shape != NULL ? weir_block_shape_find_port (shape, trouble->subject, TRUE) : NULL;
  if (port == NULL)
    return NULL;
  sample = weir_block_new (1, "Guess", "Guess", (WeirPoint) { 0, 0 });
  guess = weir_block_shape_new (sample);
  in = guess->ports[0].position;
  at = weir_edit_find_room (
      scene, (WeirPoint) { guess->box.width + 2 * GUESS_ROOM, guess->box.height },
      (WeirPoint) { port->position.x + GUESS_GAP - GUESS_ROOM - in.x, port->position.y - in.y });
  edit = weir_edit_add_connected (site, "Guess", id, port->name, TRUE,
                                  (WeirPoint) { at.x + GUESS_ROOM + in.x, at.y + in.y });
  if (edit == NULL)
    return NULL;
  rewiring = (Rewiring) { edit->patch, site.place, id, g_array_index (edit->new_blocks, guint32, 0),
                          port->name };
  weir_diagram_foreach_wire_at (weir_site_get_diagram (site), id, lead_on, &rewiring);
  return edit;
}

static void
insert_guess (WeirTroubles *self, const WeirTrouble *trouble)
{
  g_autoptr (WeirEdit) edit = make_guess (self, trouble);
  g_autoptr (GError) error = NULL;

  if (edit == NULL)
    {
      weir_host_toast (self->parent.host, _ ("The model has changed; this can no longer be done."));
      return;
    }
  if (!weir_document_edit (self->parent.document, edit->patch, _ ("Insert Guess"), NULL, &error))
    {
      weir_host_toast (self->parent.host, weir_error_say (error));
      return;
    }
  weir_canvas_select_blocks (self->parent.canvas,
                             (const guint32 *) (gpointer) edit->new_blocks->data,
                             edit->new_blocks->len);
  weir_host_activate (self->parent.host, "properties");
}

/* One undo step, and the run that it is meant for. */
static void
change_setting (WeirTroubles *self, const WeirRemedy *remedy)
{
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autofree char *value = dup_value (remedy);
  g_autofree char *label = dup_title (remedy, value);
  g_autoptr (GError) error = NULL;

  weir_patch_set_setting (patch, weir_remedy_get_setting (remedy), value);
  if (!weir_document_edit (self->parent.document, patch, label, NULL, &error))
    weir_host_toast (self->parent.host, weir_error_say (error));
  else
    {
      weir_runner_begin (self->parent.runner);
      weir_runner_run (self->parent.runner);
      weir_host_show_page (self->parent.host, "plots");
    }
}

gboolean
weir_troubles_remedy (WeirTroubles *self, guint problem, guint fix)
{
  g_autoptr (WeirTrouble) trouble = NULL;

  if (problem < self->n_model_problems || problem - self->n_model_problems >= self->troubles->len)
    return FALSE;
  trouble = weir_trouble_ref (self->troubles->pdata[problem - self->n_model_problems]);
  g_return_val_if_fail (fix < trouble->n_remedies, FALSE);
  if (weir_remedy_get_setting (&trouble->remedies[fix]) != NULL)
    change_setting (self, &trouble->remedies[fix]);
  else
    insert_guess (self, trouble);
  return TRUE;
}

guint
weir_troubles_get_last (WeirTroubles *self)
{
  return self->troubles->len == 0 ? G_MAXUINT : self->n_model_problems + self->troubles->len - 1;
}

/* --- Telling --------------------------------------------------------------------------------- */

/* The sentence of a failure says that it is one; a warning is told as it is. */
static void
tell (WeirTroubles *self)
{
  const WeirTrouble *last = self->troubles->len > 0 ? self->troubles->pdata[self->troubles->len - 1]
                                                    : NULL;
  const char *label = last != NULL ? _ ("_Show") : NULL;
  g_autofree char *text = NULL;

  if (self->failed != NULL)
    {
      text = g_strdup_printf (_ ("The run failed: %s"),
                              weir_error_say (weir_session_get_failure (
                                  weir_runner_get_session (self->parent.runner))));
      weir_host_set_offer (self->parent.host, GTK_MESSAGE_ERROR, text, label, "win.show-trouble");
    }
  else
    {
      text = last != NULL ? weir_message_translate (last->message) : NULL;
      weir_host_set_offer (self->parent.host, GTK_MESSAGE_WARNING, text, label, "win.show-trouble");
    }
}

static gboolean
says_already (const GPtrArray *list, const WeirTrouble *warning)
{
  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (((const WeirTrouble *) list->pdata[i])->path, warning->path))
      return TRUE;
  return FALSE;
}

/* What blocks warned of, each the first time, then what went wrong. WeirTrouble. (transfer full) */
static GPtrArray *
collect (const WeirSnapshot *snapshot)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_trouble_unref);

  for (guint i = 0; i < snapshot->n_notes; i++)
    if (snapshot->notes[i]->severity == WEIR_SEVERITY_WARNING
        && !says_already (list, snapshot->notes[i]))
      g_ptr_array_add (list, weir_trouble_ref (snapshot->notes[i]));
  for (guint i = 0; i < snapshot->n_troubles; i++)
    g_ptr_array_add (list, weir_trouble_ref (snapshot->troubles[i]));
  return list;
}

static gboolean
are_same (const GPtrArray *a, const GPtrArray *b)
{
  return a->len == b->len
         && (a->len == 0 || memcmp (a->pdata, b->pdata, a->len * sizeof *a->pdata) == 0);
}

static void
run_changed (WeirTroubles *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  const WeirSnapshot *snapshot = session != NULL ? weir_session_get_snapshot (session) : NULL;
  gboolean has_failed = session != NULL && weir_session_get_state (session) == WEIR_SESSION_FAILED;
  g_autoptr (GPtrArray) now = snapshot != NULL ? collect (snapshot) : NULL;

  if (snapshot == NULL)
    return;
  if (are_same (now, self->troubles) && has_failed == (self->failed == session))
    return;
  self->failed = has_failed ? session : NULL;
  g_ptr_array_unref (self->troubles);
  self->troubles = g_ptr_array_ref (now);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0, FALSE);
  tell (self);
}

static void
session_replaced (WeirTroubles *self)
{
  self->failed = NULL;
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  WeirTroubles *self = WEIR_TROUBLES (object);

  G_OBJECT_CLASS (weir_troubles_parent_class)->constructed (object);
  g_signal_connect_object (self->parent.host, "problems", G_CALLBACK (problems_told), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.runner, "notify::session", G_CALLBACK (session_replaced),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.runner, "state-changed", G_CALLBACK (run_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
finalize (GObject *object)
{
  WeirTroubles *self = WEIR_TROUBLES (object);

  g_clear_pointer (&self->troubles, g_ptr_array_unref);
  g_clear_pointer (&self->model_problems, weir_diagnostics_unref);
  G_OBJECT_CLASS (weir_troubles_parent_class)->finalize (object);
}

static void
weir_troubles_class_init (WeirTroublesClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WEIR_TYPE_TROUBLES, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
weir_troubles_init (WeirTroubles *self)
{
  self->troubles = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_trouble_unref);
}
