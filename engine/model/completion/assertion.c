/* Sentences about dependencies that a model promises, checked against its structure.
 *
 *   plant:y0 must not depend on u0
 *   plant.y must depend on plant.gain
 *   changing Kp must not invalidate plant.theta
 *   changing plant.k must invalidate plant.force
 *
 * A path is one that `weir explain` takes (system/change/explain.h) or a variable of the model,
 * which stands for every parameter that is computed from it; quotes and backticks around paths are
 * taken off. That a value depends on a source and that a change of the source invalidates it are
 * the same thing.
 */
#include "model/completion/completion-private.h"
#include "base/error.h"
#include "base/text.h"
#include "system/change/explain.h"

#include <string.h>

typedef struct {
  char *value, *source; /* paths */
  gboolean is_wanted;
} Sentence;

static void
sentence_clear (Sentence *self)
{
  g_free (self->value);
  g_free (self->source);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sentence, sentence_clear)

/* A path without what people put around it. (transfer full) */
static char *
dup_path (const char *text, gssize length)
{
  g_autofree char *path = g_strstrip (g_strndup (text, (gsize) length));
  gsize n = strlen (path);

  if (n >= 2 && strchr ("`'\"", path[0]) != NULL && path[n - 1] == path[0])
    return g_strndup (path + 1, n - 2);
  return g_steal_pointer (&path);
}

static gboolean
sentence_parse (const char *text, Sentence *sentence)
{
  static const struct {
    const char *before, *between;
    gboolean is_wanted, value_first;
  } forms[] = {
    { "changing ", " must not invalidate ", FALSE, FALSE },
    { "changing ", " must invalidate ", TRUE, FALSE },
    { "", " must not depend on ", FALSE, TRUE },
    { "", " must depend on ", TRUE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      const char *between = strstr (text, forms[i].between);
      const char *start = text + strlen (forms[i].before);
      g_autofree char *first = NULL;
      g_autofree char *second = NULL;

      if (between == NULL || !g_str_has_prefix (text, forms[i].before) || between < start)
        continue;
      first = dup_path (start, between - start);
      second = dup_path (between + strlen (forms[i].between),
                         (gssize) strlen (between + strlen (forms[i].between)));
      if (first[0] == '\0' || second[0] == '\0')
        return FALSE;
      sentence->is_wanted = forms[i].is_wanted;
      sentence->value = g_strdup (forms[i].value_first ? first : second);
      sentence->source = g_strdup (forms[i].value_first ? second : first);
      return TRUE;
    }
  return FALSE;
}

typedef struct {
  WeirModel *model;
  WeirExplainer *explainer;
  WeirBindings *bindings;
  WeirDiagnostics *diagnostics;
} Checking;

static void G_GNUC_PRINTF (4, 5)
    report (const Checking *c, const char *code, guint i, const char *format, ...)
{
  g_autofree char *about = NULL;
  const char *sentence, *reason;
  WeirMessage *message;
  va_list args;

  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  weir_model_get_assertion_at (c->model, i, &sentence, &reason);
  about = g_strdup_printf ("\"%s\"%s%s%s", sentence, reason[0] != '\0' ? " (" : "", reason,
                           reason[0] != '\0' ? ")" : "");
  weir_diagnostics_add_message (
      c->diagnostics, WEIR_SEVERITY_ERROR, code, "", 0, 0, 0,
      weir_message_join (weir_message_new_literal (about), ": ", message));
}

/* Adds the trackers of every parameter that is computed from a variable. FALSE: there is no such
 * variable. */
static gboolean
find_variable (const Checking *c, const char *name, GArray *trackers)
{
  g_autoptr (GPtrArray) all = NULL;
  const WeirBinding *variable;

  if (weir_model_get_variable (c->model, name) == NULL)
    return FALSE;
  variable = weir_bindings_evaluate (c->bindings, NULL, name);
  all = weir_bindings_list (c->bindings);
  for (guint i = 0; variable != NULL && i < all->len; i++)
    {
      const WeirBinding *binding = g_ptr_array_index (all, i);
      g_autofree char *path = NULL;
      guint32 tracker;

      if (binding->spec == NULL || !weir_binding_depends_on (binding, variable))
        continue;
      /* A parameter that shapes its block changes the whole block. */
      path = binding->spec->tunable != NULL
                 ? g_strconcat (binding->owner->path, ".", binding->spec->tunable, NULL)
                 : g_strdup (binding->owner->path);
      if (weir_explainer_find (c->explainer, path, &tracker, NULL))
        g_array_append_val (trackers, tracker);
    }
  return TRUE;
}

/* @trackers: of guint32. FALSE after reporting that there is no such thing. */
static gboolean
find (const Checking *c, guint i, const char *path, GArray *trackers)
{
  g_autoptr (GError) error = NULL;
  guint32 tracker;

  if (weir_explainer_find (c->explainer, path, &tracker, &error))
    g_array_append_val (trackers, tracker);
  else if (!find_variable (c, path, trackers))
    {
      report (c, "DEP02", i, "%s", weir_error_get_text (error));
      return FALSE;
    }
  return TRUE;
}

/* "plant.u -> plant.gain -> plant.y": how the change comes to the value. NULL: it does not.
 * (transfer full) */
static WeirMessage *
find_way (const Checking *c, guint32 source, const GArray *values)
{
  g_autoptr (GArray) steps = weir_explain_downstream (c->explainer, source, NULL);
  const WeirWalk *walk = weir_explainer_get_walk (c->explainer);

  for (guint i = 0; i < steps->len; i++)
    for (guint k = 0; k < values->len; k++)
      {
        WeirMessage *way = NULL;

        if (g_array_index (steps, WeirStepTaken, i).tracker != g_array_index (values, guint32, k))
          continue;
        for (gint32 at = (gint32) i; at >= 0; at = g_array_index (steps, WeirStepTaken, at).from)
          {
            WeirMessage *name = weir_walk_describe (
                walk, g_array_index (steps, WeirStepTaken, at).tracker);

            way = way != NULL ? weir_message_join (name, " -> ", way) : name;
          }
        return way;
      }
  return NULL;
}

/* A port is a window on an entry: what the change reaches last need not be a value of its own. */
static void
add_windows (const Checking *c, GArray *values)
{
  const WeirWalk *walk = weir_explainer_get_walk (c->explainer);

  for (guint i = 0; i < values->len; i++)
    {
      guint32 tracker = g_array_index (values, guint32, i);
      const guint32 *prerequisites;
      WeirEntry entry;
      guint n;

      if (weir_walk_get_entry (walk, tracker, &entry))
        continue;
      prerequisites = weir_walk_get_prerequisites (walk, tracker, &n);
      for (guint k = 0; k < n; k++)
        {
          gboolean is_known = FALSE;

          for (guint m = 0; m < values->len; m++)
            is_known |= g_array_index (values, guint32, m) == prerequisites[k];
          if (!is_known)
            g_array_append_val (values, prerequisites[k]);
        }
    }
}

static void
check_sentence (const Checking *c, guint i)
{
  g_auto (Sentence) sentence = { 0 };
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (WeirMessage) way = NULL;
  const char *text;

  weir_model_get_assertion_at (c->model, i, &text, NULL);
  if (!sentence_parse (text, &sentence))
    {
      report (c, "DEP02", i,
              N_ ("this is no sentence such as \"A must not depend on B\" or \"changing B must not "
                  "invalidate A\"."));
      return;
    }
  if (!find (c, i, sentence.value, values) || !find (c, i, sentence.source, sources))
    return;
  add_windows (c, values);
  for (guint k = 0; k < sources->len && way == NULL; k++)
    way = find_way (c, g_array_index (sources, guint32, k), values);
  if (way != NULL && !sentence.is_wanted)
    report (c, "DEP01", i, N_ ("it does, by way of %s."), weir_message_get_text (way));
  else if (way == NULL && sentence.is_wanted)
    report (c, "DEP01", i, N_ ("it does not: no change of %s reaches %s."), sentence.source,
            sentence.value);
}

void
weir_model_check_assertions (WeirModel *model, WeirSystem *system, WeirBindings *bindings,
                             WeirDiagnostics *diagnostics)
{
  Checking c = { model, NULL, bindings, diagnostics };

  if (weir_model_get_n_assertions (model) == 0)
    return;
  c.explainer = weir_explainer_new (weir_system_get_layout (system));
  for (guint i = 0; i < weir_model_get_n_assertions (model); i++)
    check_sentence (&c, i);
  weir_explainer_free (c.explainer);
}
