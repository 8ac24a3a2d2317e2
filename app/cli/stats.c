/* The report of a run: its totals and what the cache did, as a table for people or as JSON.
 *
 * A miss is a computation: the first one, one of a value that was out of date, or one while caching
 * was off. Hits and misses are requests, so the hit rate is hits over their sum.
 */
#include "cli/cli-private.h"

#include "blocks/library/registry.h"
#include "cosim/cosim.h"
#include "system/context/context.h"
#include "system/evaluation/event.h"
#include "numerics/number.h"

typedef struct {
  WeirLayout *layout;
  guint n;
  WeirCounters *counters;
  WeirCounters total;
} Counts;

static guint64
misses (const WeirCounters *c)
{
  return c->first + c->stale + c->disabled;
}

static double
hit_rate (const WeirCounters *c)
{
  guint64 requests = c->hits + misses (c);

  return requests > 0 ? (double) c->hits / (double) requests : 0.0;
}

static void
counts_init (Counts *self, const WeirRunReport *report)
{
  WeirContext *context = weir_simulator_get_context (report->simulator);

  self->layout = weir_context_get_layout (context);
  self->n = weir_layout_get_n_entries (self->layout);
  self->counters = g_new0 (WeirCounters, MAX (self->n, 1));
  self->total = (WeirCounters) { 0 };
  weir_context_read_counters (context, self->counters);
  for (guint i = 0; i < self->n; i++)
    {
      self->total.hits += self->counters[i].hits;
      self->total.first += self->counters[i].first;
      self->total.stale += self->counters[i].stale;
      self->total.disabled += self->counters[i].disabled;
      self->total.invalidations += self->counters[i].invalidations;
    }
}

/* --- Table ----------------------------------------------------------------------------------- */

#define COUNT "%12" G_GUINT64_FORMAT

static void
print_row (const char *name, const WeirCounters *c)
{
  char rate[16];

  g_ascii_formatd (rate, sizeof rate, "%.1f", 100.0 * hit_rate (c));
  weir_cli_say (COUNT "  " COUNT "  " COUNT "  %8s %%  %s\n", c->hits, misses (c), c->invalidations,
                rate, name);
}

static void
print_total (const char *name, guint64 value)
{
  weir_cli_say ("%-18s %" G_GUINT64_FORMAT "\n", name, value);
}

static const char *const triggers[] = {
  [WEIR_TRIGGER_PERIODIC] = "period",           [WEIR_TRIGGER_INITIALIZATION] = "initialisation",
  [WEIR_TRIGGER_PER_STEP] = "each step",        [WEIR_TRIGGER_TIMED] = "own times",
  [WEIR_TRIGGER_CROSSING] = "zero crossing",    [WEIR_TRIGGER_FORCED] = "forced",
  [WEIR_TRIGGER_SIDES] = "both sides of steps",
};

/* How often the events of each block did something. */
static void
print_events (const WeirRunReport *self)
{
  WeirSystem *system = weir_simulator_get_system (self->simulator);
  WeirLayout *layout = weir_system_get_layout (system);
  guint n = weir_system_get_n_events (system);

  if (n == 0)
    return;
  weir_cli_say ("\n%12s  %-14s  %s\n", "events", "by", "block");
  for (guint i = 0; i < n; i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (system, i);
      g_autofree char *path = weir_layout_dup_path (layout, event.node);

      weir_cli_say ("%12" G_GUINT64_FORMAT "  %-14s  %s\n",
                    weir_simulator_get_event_count (self->simulator, i), triggers[event.trigger],
                    path);
    }
}

#define N_TIMES 7

typedef struct {
  const char *name, *key;
  double seconds;
} TimeRow;

/* Where the wall time went; what is left over is the simulator's own. */
static void
list_times (const WeirRunReport *self, TimeRow rows[N_TIMES])
{
  WeirSimulatorTimes t = weir_simulator_get_times (self->simulator);
  double rest = self->wall_time - t.solver - t.crossings - t.events - t.monitor;

  rows[0] = (TimeRow) { "steps of the solver", "solver", t.solver };
  rows[1] = (TimeRow) { "  right-hand sides", "right_hand_sides", t.rhs };
  rows[2] = (TimeRow) { "  Jacobians", "jacobians", t.jacobians };
  rows[3] = (TimeRow) { "looking for zero crossings", "crossings", t.crossings };
  rows[4] = (TimeRow) { "events", "events", t.events };
  rows[5] = (TimeRow) { "recording", "recording", t.monitor };
  rows[6] = (TimeRow) { "other", "other", MAX (rest, 0) };
}

static void
print_times (const WeirRunReport *self)
{
  TimeRow rows[N_TIMES];

  list_times (self, rows);
  weir_cli_say ("\n%12s  %8s  %s\n", "seconds", "share", "spent on");
  for (guint i = 0; i < N_TIMES; i++)
    {
      double share = self->wall_time > 0 ? 100 * rows[i].seconds / self->wall_time : 0;
      char seconds[16], percent[16];

      g_ascii_formatd (seconds, sizeof seconds, "%.6f", rows[i].seconds);
      g_ascii_formatd (percent, sizeof percent, "%.1f", share);
      weir_cli_say ("%12s  %6s %%  %s\n", seconds, percent, rows[i].name);
    }
}

static void
print_steps (const WeirRunReport *self)
{
  const WeirSimulatorStatistics *s = weir_simulator_get_statistics (self->simulator);
  guint limiting = weir_simulator_find_limiting_state (self->simulator);
  char shortest[G_ASCII_DTOSTR_BUF_SIZE], longest[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (shortest, sizeof shortest, "%.3g", s->shortest_step);
  g_ascii_formatd (longest, sizeof longest, "%.3g", s->longest_step);
  weir_cli_say ("%-18s %s to %s s\n", "length of steps", shortest, longest);
  if (limiting != G_MAXUINT)
    {
      g_autofree char *name = weir_simulator_dup_state_name (self->simulator, limiting);

      weir_cli_say ("%-18s %s\n", "limited last by", name);
    }
}

/* FALSE: the model has no units. */
static gboolean
get_units (const WeirRunReport *self, WeirCosimStatistics *units)
{
  WeirCosim *cosim = weir_cosim_get (self->simulator);

  if (cosim != NULL)
    weir_cosim_get_statistics (cosim, units);
  return cosim != NULL;
}

static void
print_units (const WeirRunReport *self)
{
  char shortest[G_ASCII_DTOSTR_BUF_SIZE], longest[G_ASCII_DTOSTR_BUF_SIZE];
  WeirCosimStatistics units;

  if (!get_units (self, &units))
    return;
  g_ascii_formatd (shortest, sizeof shortest, "%.3g", units.shortest);
  g_ascii_formatd (longest, sizeof longest, "%.3g", units.longest);
  print_total ("steps of units", units.steps);
  print_total ("made again", units.rejected);
  weir_cli_say ("%-18s %s to %s s\n", "their length", shortest, longest);
}

void
weir_run_report_print_table (const WeirRunReport *self)
{
  const WeirSimulatorStatistics *s = weir_simulator_get_statistics (self->simulator);
  WeirContext *context = weir_simulator_get_context (self->simulator);
  g_autofree char *stop_time = weir_value_to_string (&self->stop_time, 1);
  char wall[16];
  Counts counts;

  g_ascii_formatd (wall, sizeof wall, "%.3f", self->wall_time);
  weir_cli_say ("%-18s %s s\n", "simulated", stop_time);
  weir_cli_say ("%-18s %s s\n", "took", wall);
  print_total ("rows", self->n_rows);
  print_total ("steps", s->steps);
  print_total ("rejected steps", s->rejected_steps);
  print_steps (self);
  print_units (self);
  print_total ("right-hand sides", s->rhs_calls);
  print_total ("Jacobians", s->jacobians);
  print_total ("discrete updates", s->discrete_updates);
  print_total ("other updates", s->unrestricted_updates + s->resets);
  print_total ("publishes", s->publishes);
  print_total ("zero crossings", s->crossings);
  print_total ("event iterations", s->event_iterations);
  print_total ("solver restarts", s->reinitialisations);
  print_total ("change events", weir_context_get_n_events (context));
  weir_cli_say ("%-18s %s\n", "caching", weir_context_get_caching (context) ? "on" : "off");

  print_times (self);
  print_events (self);
  counts_init (&counts, self);
  weir_cli_say ("\n%12s  %12s  %12s  %10s  %s\n", "hits", "computed", "invalidated", "hit rate",
                "entry");
  for (guint i = 0; i < counts.n; i++)
    {
      g_autofree char *path = weir_layout_dup_entry_path (counts.layout, (WeirEntry) { i });

      print_row (path, &counts.counters[i]);
    }
  print_row ("total", &counts.total);
  g_free (counts.counters);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void
append_number (GString *json, const char *name, double value)
{
  g_string_append_printf (json, "\"%s\": ", name);
  weir_json_append_number (json, value);
}

static void
append_count (GString *json, const char *name, guint64 value)
{
  g_string_append_printf (json, "\"%s\": %" G_GUINT64_FORMAT, name, value);
}

static void
append_counters (GString *json, const WeirCounters *c)
{
  append_count (json, "hits", c->hits);
  g_string_append (json, ", ");
  append_count (json, "misses", misses (c));
  g_string_append (json, ", ");
  append_count (json, "first", c->first);
  g_string_append (json, ", ");
  append_count (json, "out_of_date", c->stale);
  g_string_append (json, ", ");
  append_count (json, "disabled", c->disabled);
  g_string_append (json, ", ");
  append_count (json, "invalidations", c->invalidations);
}

static void
append_steps (GString *json, const WeirRunReport *self)
{
  const WeirSimulatorStatistics *s = weir_simulator_get_statistics (self->simulator);
  guint limiting = weir_simulator_find_limiting_state (self->simulator);

  g_string_append (json, ",\n  ");
  append_number (json, "shortest_step", s->shortest_step);
  g_string_append (json, ",\n  ");
  append_number (json, "longest_step", s->longest_step);
  g_string_append (json, ",\n  \"limiting_state\": ");
  if (limiting == G_MAXUINT)
    g_string_append (json, "null");
  else
    {
      g_autofree char *name = weir_simulator_dup_state_name (self->simulator, limiting);

      weir_json_append_string (json, name);
    }
}

static void
append_times (GString *json, const WeirRunReport *self)
{
  TimeRow rows[N_TIMES];

  list_times (self, rows);
  g_string_append (json, ",\n  \"times\": {");
  for (guint i = 0; i < N_TIMES; i++)
    {
      g_string_append (json, i > 0 ? ", " : "");
      append_number (json, rows[i].key, rows[i].seconds);
    }
  g_string_append_c (json, '}');
}

static void
append_events (GString *json, const WeirRunReport *self)
{
  WeirSystem *system = weir_simulator_get_system (self->simulator);
  WeirLayout *layout = weir_system_get_layout (system);

  g_string_append (json, ",\n  \"events\": [");
  for (guint i = 0; i < weir_system_get_n_events (system); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (system, i);
      g_autofree char *path = weir_layout_dup_path (layout, event.node);

      g_string_append (json, i > 0 ? ", { \"block\": " : "{ \"block\": ");
      weir_json_append_string (json, path);
      g_string_append (json, ", \"by\": ");
      weir_json_append_string (json, triggers[event.trigger]);
      g_string_append (json, ", ");
      append_count (json, "count", weir_simulator_get_event_count (self->simulator, i));
      g_string_append (json, " }");
    }
  g_string_append_c (json, ']');
}

static void
append_units (GString *json, const WeirRunReport *self)
{
  WeirCosimStatistics units;

  if (!get_units (self, &units))
    return;
  g_string_append (json, ",\n  \"units\": { ");
  append_count (json, "steps", units.steps);
  g_string_append (json, ", ");
  append_count (json, "made_again", units.rejected);
  g_string_append (json, ", ");
  append_number (json, "shortest", units.shortest);
  g_string_append (json, ", ");
  append_number (json, "longest", units.longest);
  g_string_append (json, " }");
}

void
weir_run_report_print_json (const WeirRunReport *self)
{
  const WeirSimulatorStatistics *s = weir_simulator_get_statistics (self->simulator);
  WeirContext *context = weir_simulator_get_context (self->simulator);
  const struct {
    const char *name;
    guint64 value;
  } totals[] = {
    { "rows", self->n_rows },
    { "steps", s->steps },
    { "rejected_steps", s->rejected_steps },
    { "rhs_calls", s->rhs_calls },
    { "jacobians", s->jacobians },
    { "discrete_updates", s->discrete_updates },
    { "unrestricted_updates", s->unrestricted_updates },
    { "resets", s->resets },
    { "publishes", s->publishes },
    { "crossings", s->crossings },
    { "event_iterations", s->event_iterations },
    { "reinitialisations", s->reinitialisations },
    { "change_events", weir_context_get_n_events (context) },
  };
  g_autoptr (GString) json = g_string_new ("{\n  \"file\": ");
  Counts counts;

  weir_json_append_string (json, self->file);
  g_string_append (json, ",\n  \"solver\": ");
  weir_json_append_string (json, self->options->solver != NULL ? self->options->solver : "auto");
  g_string_append (json, ",\n  ");
  append_number (json, "relative_tolerance", self->options->relative_tolerance);
  g_string_append (json, ",\n  ");
  append_number (json, "absolute_tolerance", self->options->absolute_tolerance);
  g_string_append (json, ",\n  ");
  append_number (json, "stop_time", self->stop_time);
  g_string_append (json, ",\n  ");
  append_number (json, "time", weir_context_get_time (context));
  g_string_append (json, ",\n  ");
  append_number (json, "wall_time", self->wall_time);
  g_string_append_printf (json, ",\n  \"caching\": %s",
                          weir_context_get_caching (context) ? "true" : "false");
  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    {
      g_string_append (json, ",\n  ");
      append_count (json, totals[i].name, totals[i].value);
    }

  append_steps (json, self);
  append_units (json, self);
  append_times (json, self);
  append_events (json, self);
  counts_init (&counts, self);
  g_string_append (json, ",\n  \"cache\": {");
  append_counters (json, &counts.total);
  g_string_append (json, "},\n  \"entries\": [");
  for (guint i = 0; i < counts.n; i++)
    {
      g_autofree char *path = weir_layout_dup_entry_path (counts.layout, (WeirEntry) { i });

      g_string_append (json, i > 0 ? ",\n    {\"path\": " : "\n    {\"path\": ");
      weir_json_append_string (json, path);
      g_string_append (json, ", ");
      append_counters (json, &counts.counters[i]);
      g_string_append_c (json, '}');
    }
  g_string_append (json, counts.n > 0 ? "\n  ]\n}\n" : "]\n}\n");
  g_free (counts.counters);
  g_print ("%s", json->str);
}
