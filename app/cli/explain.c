/* `weir explain`: what a source invalidates, what a value depends on, why it is out of date. */
#include "cli/cli-private.h"

#include "system/change/explain.h"
#include "system/context/inspection.h"
#include "system/evaluation/eval.h"

typedef struct {
  gboolean depends, invalidates, why;
} Questions;

/* The context after a run until the stop time; NULL and a complaint if that failed. */
static WeirContext *
run_until_end (const WeirCliModel *opened)
{
  g_autoptr (WeirContext) context = weir_system_create_context (opened->system);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSimulator)
      simulator = weir_simulator_new (opened->system, context, &opened->simulator_options, &error);

  if (simulator == NULL || !weir_simulator_initialize (simulator, &error)
      || !weir_simulator_advance_to (simulator, opened->stop_time, &error))
    {
      weir_cli_complain ("%s: %s", opened->file, error->message);
      return NULL;
    }
  return g_steal_pointer (&context);
}

static guint
count_entries (WeirExplainer *explainer, const GArray *steps, guint *depth)
{
  guint n = 0;

  *depth = 0;
  for (guint i = 0; i < steps->len; i++)
    {
      const WeirStepTaken *step = &g_array_index (steps, WeirStepTaken, i);
      WeirEntry entry;

      n += step->from >= 0
           && weir_walk_get_entry (weir_explainer_get_walk (explainer), step->tracker, &entry);
      *depth = MAX (*depth, step->depth);
    }
  return n;
}

static void
print_answer (WeirExplainer *explainer, const char *path, gboolean is_downstream,
              const GArray *steps)
{
  g_autofree char *text = weir_explain_to_text (explainer, steps);
  guint depth, n = count_entries (explainer, steps, &depth);

  weir_cli_say (is_downstream
                    ? "A change of %s invalidates %u %s, at most %u %s away:\n"
                    : "%s depends on %u cached %s, at most %u %s away, and on these sources:\n",
                path, n, n == 1 ? "value" : "values", depth, depth == 1 ? "step" : "steps");
  g_print ("%s", text);
}

static void
answer (WeirExplainer *explainer, const char *path, guint32 tracker, Questions asked,
        const WeirFlags *flags)
{
  const WeirWalk *walk = weir_explainer_get_walk (explainer);
  WeirEntry entry;
  gboolean is_entry = weir_walk_get_entry (walk, tracker, &entry);
  guint n;

  if (!asked.depends && !asked.invalidates && !asked.why)
    {
      /* Of what is computed or passed on, where it comes from; of sources and blocks, what they
       * reach. */
      WeirNode node;
      WeirTicket ticket;

      weir_walk_get_prerequisites (walk, tracker, &n);
      weir_walk_locate (walk, tracker, &node, &ticket);
      asked.depends = n > 0 && ticket.i >= WEIR_TICKET_XCDOT;
      asked.invalidates = !asked.depends;
    }
  if (asked.why && !is_entry) /* an output shows the entry that it hears from */
    {
      const guint32 *prerequisites = weir_walk_get_prerequisites (walk, tracker, &n);

      is_entry = n == 1 && weir_walk_get_entry (walk, prerequisites[0], &entry);
    }
  if (asked.why && !is_entry)
    weir_cli_say ("%s is no cached value: it is never out of date.\n", path);
  if (asked.why && is_entry)
    {
      WeirWhy why = weir_explain_why (explainer, entry, flags);
      g_autofree char *text = weir_why_to_text (explainer, entry, &why);

      weir_cli_say ("%s\n", text);
      weir_why_clear (&why);
    }
  if (asked.depends)
    {
      g_autoptr (GArray) steps = weir_explain_upstream (explainer, tracker, flags);

      print_answer (explainer, path, FALSE, steps);
    }
  if (asked.invalidates)
    {
      g_autoptr (GArray) steps = weir_explain_downstream (explainer, tracker, flags);

      print_answer (explainer, path, TRUE, steps);
    }
}

static WeirExit
explain (const WeirCliModel *opened, const char *path, gboolean runs, Questions asked)
{
  g_autoptr (WeirExplainer) explainer = NULL;
  g_autoptr (WeirFlags) flags = NULL;
  g_autoptr (GError) error = NULL;
  guint32 tracker;

  explainer = weir_explainer_new (weir_system_get_layout (opened->system));
  if (!weir_explainer_find (explainer, path, &tracker, &error))
    {
      weir_cli_complain ("%s: %s", opened->file, error->message);
      return WEIR_EXIT_USAGE;
    }
  if (runs)
    {
      g_autoptr (WeirContext) context = run_until_end (opened);

      if (context == NULL)
        return WEIR_EXIT_RUN;
      flags = weir_context_copy_flags (context);
    }
  answer (explainer, path, tracker, asked, flags);
  return WEIR_EXIT_OK;
}

WeirExit
weir_cli_explain (int argc, char **argv)
{
  g_auto (WeirRunOptions) options = { 0 };
  g_auto (WeirCliModel) opened = { 0 };
  Questions asked = { 0 };
  const GOptionEntry own[] = {
    { "invalidates", 0, 0, G_OPTION_ARG_NONE, &asked.invalidates, "What a change of it invalidates",
      NULL },
    { "depends", 0, 0, G_OPTION_ARG_NONE, &asked.depends, "What it depends on", NULL },
    { "why", 0, 0, G_OPTION_ARG_NONE, &asked.why,
      "Why it is out of date or not after the run: the last change that reached it, and on what "
      "way",
      NULL },
    { 0 },
  };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options, own);
  WeirExit status;

  if (!weir_cli_parse (
          &argc, &argv, "FILE PATH",
          "Explains invalidation. PATH is time, accuracy, a block, BLOCK.NAME for a port, "
          "parameter or discrete\nstate, or BLOCK:NAME for a cache entry (time derivatives) "
          "or a ticket (q, xc, xcdot).\n"
          "Without a question: what a source invalidates, what anything else depends on. "
          "With --until the\nmodel is run first and the flags are shown.",
          entries, 2, 2))
    return WEIR_EXIT_USAGE;
  status = weir_cli_model_open (&opened, argv[1], &options);
  if (status != WEIR_EXIT_OK)
    return status;
  return explain (&opened, argv[2], asked.why || weir_run_options_has (&options, "stop-time"),
                  asked);
}
