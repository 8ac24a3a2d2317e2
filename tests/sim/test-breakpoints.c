/* Breakpoints on invalidation: when they are met, what they say, and that runs which stop at them
 * come out the same to the bit. Expected counts follow from the definitions: each line of a script
 * is one event or request. */
#include "break-list.h"
#include "system/layout/sources.h"
#include "system/context/source-values.h"

/* --- A leaf of which every count is known ---------------------------------------------------- */

static guint slope_calls;

static WeirStatus
slope (const WeirCalc *c, double *y)
{
  slope_calls++;
  y[0] = weir_calc_parameter (c, (WeirParameter) { 0 })[0] * 2;
  return WEIR_OK;
}

static WeirStatus
ramp (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_time (c) * weir_calc_cached (c, (WeirCached) { 0 })[0];
  return WEIR_OK;
}

/* slope = 2 k; y = t * slope; z shows slope. */
static WeirSystem *
ramp_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ramp");
  WeirParameter k = weir_leaf_add_parameter (b, "k", (double[]) { 1.5 }, 1);
  WeirCached cached = weir_leaf_add_cache_entry (b, "slope", 1, slope,
                                                 WEIR_DEPENDS (weir_parameter_ticket (b, k)));

  weir_leaf_add_output (b, "y", 1, ramp, WEIR_DEPENDS (WEIR_TIME, weir_cached_ticket (b, cached)));
  weir_leaf_add_output_window (b, "z", weir_cached_ticket (b, cached));
  return weir_leaf_builder_build (b);
}

static WeirSystem *
wrapped_ramp_new (void)
{
  g_autoptr (WeirSystem) leaf = ramp_new ();

  return wrap_new ("ramp", leaf);
}

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirBreakpoints *breakpoints;
  GArray *hits; /* WeirBreakHit */
} Desk;

static void
note_hit (WeirContext *context, const WeirBreakHit *hit, gpointer data)
{
  Desk *desk = data;

  /* Consistent: a value that was computed is up to date, one put out of date is not. */
  if (hit->source.i != WEIR_NO_INDEX && hit->entry.i != WEIR_NO_INDEX)
    g_assert_false (weir_context_is_up_to_date (context, hit->entry));
  else if (hit->entry.i != WEIR_NO_INDEX && hit->has_value)
    g_assert_true (weir_context_is_up_to_date (context, hit->entry));
  g_array_append_val (desk->hits, *hit);
}

static void
desk_init (Desk *self, const GArray *list)
{
  *self = (Desk) { .system = wrapped_ramp_new (),
                   .hits = g_array_new (FALSE, FALSE, sizeof (WeirBreakHit)) };
  self->context = weir_system_create_context (self->system);
  self->breakpoints = weir_breakpoints_new (weir_system_get_layout (self->system), list, NULL);
  weir_breakpoints_watch (self->breakpoints, self->context, note_hit, NULL, self);
}

static void
desk_clear (Desk *self)
{
  weir_context_free (self->context);
  weir_breakpoints_free (self->breakpoints);
  weir_system_unref (self->system);
  g_array_unref (self->hits);
}

static WeirEntry
entry_of (Desk *self, const char *path)
{
  WeirLayout *layout = weir_system_get_layout (self->system);

  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      g_autofree char *found = weir_layout_dup_entry_path (layout, (WeirEntry) { e });

      if (g_str_equal (found, path))
        return (WeirEntry) { e };
    }
  g_error ("no entry \"%s\"", path);
}

static double
eval (Desk *self, const char *path)
{
  const double *value = weir_eval_entry (self->system, self->context, entry_of (self, path));

  g_assert_nonnull (value);
  return value[0];
}

static void
set_k (Desk *self, double k)
{
  WeirNode node;

  g_assert_true (weir_layout_find_node (weir_system_get_layout (self->system), "ramp", &node));
  weir_context_set_parameter (self->context, node, (WeirParameter) { 0 }, &k);
}

static guint64
count_of (Desk *self, guint i)
{
  return weir_breakpoints_get_counts (self->breakpoints)[i];
}

/* The same things happen in every test of the desk. */
static void
play (Desk *self)
{
  weir_context_set_time (self->context, 1);             /* nothing is up to date yet */
  g_assert_cmpfloat (eval (self, "ramp:y"), ==, 3);     /* computes slope and y */
  g_assert_cmpfloat (eval (self, "ramp:y"), ==, 3);     /* reuses y */
  weir_context_set_time (self->context, 2);             /* y out of date */
  weir_context_set_time (self->context, 3);             /* y found so */
  g_assert_cmpfloat (eval (self, "ramp:y"), ==, 9);     /* computes y, reuses slope */
  set_k (self, 2);                                      /* slope and y out of date */
  set_k (self, 2);                                      /* the same bytes: no event */
  set_k (self, 1.5);                                    /* both found so */
  g_assert_cmpfloat (eval (self, "ramp:slope"), ==, 3); /* computes slope: as before */
  weir_context_begin_change (self->context);
  weir_context_set_time (self->context, 4);
  set_k (self, 5);
  weir_context_end_change (self->context);           /* one event; y was out of date */
  g_assert_cmpfloat (eval (self, "ramp:y"), ==, 40); /* computes both */
}

static void
test_counts (void)
{
  static const struct {
    WeirBreakKind kind;
    const char *what, *by;
    WeirBreakTest test;
    double number;
    guint at_least;
    guint64 met;
  } cases[] = {
    { WEIR_BREAK_COMPUTED, "ramp:y", NULL, WEIR_BREAK_ALWAYS, 0, 0, 3 },
    { WEIR_BREAK_COMPUTED, "ramp.y", NULL, WEIR_BREAK_ALWAYS, 0, 0, 3 },
    { WEIR_BREAK_COMPUTED, "ramp:slope", NULL, WEIR_BREAK_ALWAYS, 0, 0, 3 },
    { WEIR_BREAK_COMPUTED, "ramp:slope", NULL, WEIR_BREAK_SAME, 0, 0, 1 },
    { WEIR_BREAK_COMPUTED, "ramp:slope", NULL, WEIR_BREAK_CHANGED, 0, 0, 2 },
    { WEIR_BREAK_COMPUTED, "ramp:y", NULL, WEIR_BREAK_ABOVE, 3, 0, 2 },
    { WEIR_BREAK_COMPUTED, "ramp:y", NULL, WEIR_BREAK_BELOW, 10, 0, 2 },
    { WEIR_BREAK_COMPUTED, "ramp:y", NULL, WEIR_BREAK_EQUAL, 9, 0, 1 },
    { WEIR_BREAK_COMPUTED, "ramp:y", NULL, WEIR_BREAK_NOT_FINITE, 0, 0, 0 },
    { WEIR_BREAK_REUSED, "ramp:y", NULL, WEIR_BREAK_ALWAYS, 0, 0, 1 },
    { WEIR_BREAK_REUSED, "ramp:slope", NULL, WEIR_BREAK_ALWAYS, 0, 0, 1 },
    { WEIR_BREAK_OUT_OF_DATE, "ramp:y", NULL, WEIR_BREAK_ALWAYS, 0, 0, 2 },
    { WEIR_BREAK_OUT_OF_DATE, "ramp:y", "time", WEIR_BREAK_ALWAYS, 0, 0, 1 },
    { WEIR_BREAK_OUT_OF_DATE, "ramp:y", "ramp.k", WEIR_BREAK_ALWAYS, 0, 0, 1 },
    { WEIR_BREAK_OUT_OF_DATE, "ramp:slope", NULL, WEIR_BREAK_ALWAYS, 0, 0, 2 },
    { WEIR_BREAK_OUT_OF_DATE, "ramp:slope", "ramp.k", WEIR_BREAK_ALWAYS, 0, 0, 2 },
    { WEIR_BREAK_OUT_OF_DATE, "ramp:slope", "accuracy", WEIR_BREAK_ALWAYS, 0, 0, 0 },
    { WEIR_BREAK_UNUSED, "ramp:y", NULL, WEIR_BREAK_ALWAYS, 0, 0, 4 },
    { WEIR_BREAK_UNUSED, "ramp:slope", NULL, WEIR_BREAK_ALWAYS, 0, 0, 1 },
    { WEIR_BREAK_EVENT, "", NULL, WEIR_BREAK_ALWAYS, 0, 0, 6 },
    { WEIR_BREAK_EVENT, "time", NULL, WEIR_BREAK_ALWAYS, 0, 0, 4 },
    { WEIR_BREAK_EVENT, "ramp.k", NULL, WEIR_BREAK_ALWAYS, 0, 0, 3 },
    { WEIR_BREAK_EVENT, "", NULL, WEIR_BREAK_ALWAYS, 0, 1, 3 },
    { WEIR_BREAK_EVENT, "", NULL, WEIR_BREAK_ALWAYS, 0, 2, 1 },
  };
  g_autoptr (GArray) list = weir_breakpoint_list_new ();
  Desk desk;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WeirBreakpoint one = { .kind = cases[i].kind,
                             .what = g_strdup (cases[i].what),
                             .by = g_strdup (cases[i].by),
                             .test = cases[i].test,
                             .number = cases[i].number,
                             .at_least = cases[i].at_least,
                             .phase = -1 };

      g_array_append_val (list, one);
    }
  desk_init (&desk, list);
  play (&desk);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("case %u: %s by %s, test %d", i, cases[i].what, cases[i].by, cases[i].test);
      g_assert_cmpuint (count_of (&desk, i), ==, cases[i].met);
    }
  desk_clear (&desk);
}

/* What a hit says. */
static void
test_says (void)
{
  g_autoptr (GArray) list = list_of (WEIR_BREAK_COMPUTED, "ramp:slope", NULL);
  const WeirBreakHit *hit;
  Desk desk;

  desk_init (&desk, list);
  play (&desk);
  g_assert_cmpuint (desk.hits->len, ==, 3);
  hit = &g_array_index (desk.hits, WeirBreakHit, 0);
  g_assert_cmpuint (hit->index, ==, 0);
  g_assert_cmpuint (hit->count, ==, 1);
  g_assert_cmpuint (hit->entry.i, ==, entry_of (&desk, "ramp:slope").i);
  g_assert_cmpuint (hit->requested.i, ==, entry_of (&desk, "ramp:y").i);
  g_assert_true (hit->has_value && !hit->has_before);
  g_assert_cmpfloat (hit->value, ==, 3);
  g_assert_cmpfloat (hit->time, ==, 1);
  g_assert_cmpuint (hit->event, ==, 1);
  g_assert_cmpint (hit->phase, ==, WEIR_LOG_PHASE_OUTSIDE);
  hit = &g_array_index (desk.hits, WeirBreakHit, 2);
  g_assert_cmpuint (hit->count, ==, 3);
  g_assert_true (hit->has_before);
  g_assert_cmpfloat (hit->before, ==, 3);
  g_assert_cmpfloat (hit->value, ==, 10);
  g_assert_cmpfloat (hit->time, ==, 4);
  desk_clear (&desk);
}

/* Skipping, once, only counting, disabled, a phase that never comes. */
static void
test_when_it_pauses (void)
{
  static const struct {
    guint64 skips;
    gboolean is_once, only_counts, is_disabled;
    int phase;
    guint n_hits, n_met;
  } cases[] = {
    { 0, FALSE, FALSE, FALSE, -1, 3, 3 },
    { 2, FALSE, FALSE, FALSE, -1, 1, 3 },
    { 1, TRUE, FALSE, FALSE, -1, 1, 3 },
    { 0, TRUE, FALSE, FALSE, -1, 1, 3 },
    { 0, FALSE, TRUE, FALSE, -1, 0, 3 },
    { 0, FALSE, FALSE, TRUE, -1, 0, 0 },
    { 0, FALSE, FALSE, FALSE, WEIR_LOG_PHASE_OUTSIDE, 3, 3 },
    { 0, FALSE, FALSE, FALSE, WEIR_LOG_PHASE_PUBLISH, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) list = list_of (WEIR_BREAK_COMPUTED, "ramp:y", NULL);
      Desk desk;

      first (list)->skips = cases[i].skips;
      first (list)->is_once = cases[i].is_once;
      first (list)->only_counts = cases[i].only_counts;
      first (list)->is_disabled = cases[i].is_disabled;
      first (list)->phase = cases[i].phase;
      desk_init (&desk, list);
      play (&desk);
      g_assert_cmpuint (desk.hits->len, ==, cases[i].n_hits);
      g_assert_cmpuint (count_of (&desk, 0), ==, cases[i].n_met);
      desk_clear (&desk);
    }
}

/* Counters and flags are those of a context that nobody watches, with caching off for an entry and
 * as a whole. */
static void
test_leaves_no_trace (void)
{
  /* Not cached, slope is computed for each y, and once for itself; with caching off y is, too. */
  static const guint calls[] = { 3, 4, 5 };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (GArray) list = list_of (WEIR_BREAK_COMPUTED, "ramp:slope", NULL);
      WeirCounters shown[8], unwatched[8];
      Desk desk, plain;
      guint n;

      desk_init (&desk, list);
      desk_init (&plain, list);
      weir_context_set_watcher (plain.context, NULL, NULL);
      if (i == 1)
        {
          weir_context_set_entry_caching (desk.context, entry_of (&desk, "ramp:slope"), FALSE);
          weir_context_set_entry_caching (plain.context, entry_of (&plain, "ramp:slope"), FALSE);
        }
      weir_context_set_caching (desk.context, i != 2);
      weir_context_set_caching (plain.context, i != 2);
      slope_calls = 0;
      play (&desk);
      g_assert_cmpuint (count_of (&desk, 0), ==, slope_calls);
      g_assert_cmpuint (slope_calls, ==, calls[i]);
      play (&plain);
      n = weir_layout_get_n_entries (weir_system_get_layout (desk.system));
      g_assert_cmpuint (n, <=, G_N_ELEMENTS (shown));
      weir_context_read_counters (desk.context, shown);
      weir_context_read_counters (plain.context, unwatched);
      g_assert_cmpmem (shown, n * sizeof *shown, unwatched, n * sizeof *unwatched);
      g_assert_null (weir_context_dup_first_difference (desk.context, plain.context));
      desk_clear (&desk);
      desk_clear (&plain);
    }
}

/* Of the last four requests: hits are written H, misses M. */
static void
test_rate (void)
{
  g_autoptr (GArray) list = list_of (WEIR_BREAK_RATE, "ramp:y", NULL);
  static const struct {
    const char *requests;
    guint64 count;
  } parts[] = {
    { "MHHH", 0 }, /* 75 % */
    { "MM", 0 },   /* HHMM: half is not less than half */
    { "M", 1 },    /* HMMM */
    { "MMH", 1 },  /* low still */
    { "HHH", 1 },  /* HHHH */
    { "MM", 1 },   { "M", 2 },
  };
  double time = 0;
  Desk desk;

  first (list)->number = 50;
  first (list)->at_least = 4;
  desk_init (&desk, list);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      for (const char *request = parts[i].requests; *request != '\0'; request++)
        {
          if (*request == 'M')
            weir_context_set_time (desk.context, ++time);
          g_assert_cmpfloat (eval (&desk, "ramp:y"), ==, 3 * time);
        }
      g_assert_cmpuint (count_of (&desk, 0), ==, parts[i].count);
      g_assert_cmpuint (desk.hits->len, ==, parts[i].count);
    }
  desk_clear (&desk);
}

/* Of no request there is no rate. */
static void
test_rate_of_nothing (void)
{
  g_autoptr (GArray) list = list_of (WEIR_BREAK_RATE, "ramp:y", NULL);
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WeirSystem) system = wrapped_ramp_new ();
  g_autoptr (WeirBreakpoints)
      breakpoints = weir_breakpoints_new (weir_system_get_layout (system), list, errors);

  g_assert_cmpstr (g_ptr_array_index (errors, 0), ==,
                   "A rate is of 1 to 1000000 requests, not of 0");
}

/* --- Held entries ---------------------------------------------------------------------------- */

static void
test_frozen (void)
{
  g_autoptr (GArray) none = weir_breakpoint_list_new ();
  WeirEntry slope_entry;
  Desk desk;

  desk_init (&desk, none);
  slope_entry = entry_of (&desk, "ramp:slope");
  eval (&desk, "ramp:y");
  weir_context_set_entry_held (desk.context, slope_entry, TRUE);
  g_assert_cmpuint (weir_context_get_n_held (desk.context), ==, 1);
  weir_context_set_time (desk.context, 2);
  g_assert_cmpfloat (eval (&desk, "ramp:y"), ==, 6); /* reads it, up to date */
  set_k (&desk, 2);
  g_assert_null (weir_eval_entry (desk.system, desk.context, entry_of (&desk, "ramp:y")));
  g_assert_cmpstr (weir_context_get_failure (desk.context), ==,
                   "ramp:slope is held and out of date");
  g_assert_false (weir_context_is_up_to_date (desk.context, slope_entry));
  set_k (&desk, 3);
  weir_context_set_entry_held (desk.context, slope_entry, FALSE);
  g_assert_cmpfloat (eval (&desk, "ramp:y"), ==, 12);
  desk_clear (&desk);
}

/* --- As text --------------------------------------------------------------------------------- */

static void
test_text (void)
{
  g_autoptr (GArray) list = list_of (WEIR_BREAK_OUT_OF_DATE, "Gain \"A\":y, 'b'", "time"),
                     read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *again = NULL;
  WeirBreakpoint other = { .kind = WEIR_BREAK_COMPUTED,
                           .what = g_strdup ("p:time derivatives"),
                           .test = WEIR_BREAK_ABOVE,
                           .number = 0.1,
                           .element = 1,
                           .phase = WEIR_LOG_PHASE_TRIAL,
                           .skips = 7,
                           .at_least = 3,
                           .is_once = TRUE,
                           .only_counts = TRUE,
                           .is_disabled = TRUE };

  WeirBreakpoint rate = {
    .kind = WEIR_BREAK_RATE, .what = g_strdup ("p:y"), .number = 12.5, .at_least = 80, .phase = -1
  };

  g_array_append_val (list, other);
  g_array_append_val (list, rate);
  text = weir_breakpoint_list_to_text (list);
  read = weir_breakpoint_list_parse (text, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (read->len, ==, 3);
  g_assert_cmpfloat (g_array_index (read, WeirBreakpoint, 2).number, ==, 12.5);
  g_assert_cmpuint (g_array_index (read, WeirBreakpoint, 2).at_least, ==, 80);
  again = weir_breakpoint_list_to_text (read);
  g_assert_cmpstr (text, ==, again);
  g_assert_cmpstr (first (read)->what, ==, "Gain \"A\":y, 'b'");
  g_assert_cmpstr (first (read)->by, ==, "time");
  g_assert_cmpint (first (read)->phase, ==, -1);
  g_assert_cmpfloat (g_array_index (read, WeirBreakpoint, 1).number, ==, 0.1);
  g_assert_cmpint (g_array_index (read, WeirBreakpoint, 1).phase, ==, WEIR_LOG_PHASE_TRIAL);

  for (guint i = 0; i < 4; i++)
    {
      static const char *const wrong[] = {
        "nonsense", "[{'on': <'sometimes'>}]", "[{'what': <'a:y'>}]",
        "[{'on': <'computed'>, 'what': <'a:y'>, 'test': <'above'>, 'number': <'much'>}]"
      };
      g_autoptr (GError) why = NULL;
      g_autoptr (GArray) empty = weir_breakpoint_list_parse (wrong[i], &why);

      g_assert_cmpuint (empty->len, ==, 0);
      g_assert_nonnull (why);
    }
}

/* What a model does not have is said, and never met. */
static void
test_unknown (void)
{
  static const char *const what[] = { "ramp:y", "ramp:u", "swing:y", "ramp.k", "" };
  g_autoptr (WeirSystem) system = wrapped_ramp_new ();
  g_autoptr (GArray) list = weir_breakpoint_list_new ();
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func (g_free);
  WeirBreakpoints *breakpoints;

  for (guint i = 0; i < G_N_ELEMENTS (what); i++)
    {
      WeirBreakpoint one = { .kind = i < 4 ? WEIR_BREAK_COMPUTED : WEIR_BREAK_EVENT,
                             .what = g_strdup (what[i]),
                             .phase = -1 };

      g_array_append_val (list, one);
    }
  first (list)->test = WEIR_BREAK_ABOVE;
  first (list)->element = 1;
  breakpoints = weir_breakpoints_new (weir_system_get_layout (system), list, errors);
  g_assert_cmpuint (errors->len, ==, 5);
  g_assert_cmpstr (g_ptr_array_index (errors, 0), ==,
                   "ramp:y has 1 numbers; there is none numbered 1");
  g_assert_nonnull (strstr (g_ptr_array_index (errors, 1), "\"ramp:u\""));
  g_assert_nonnull (strstr (g_ptr_array_index (errors, 2), "swing"));
  g_assert_cmpstr (g_ptr_array_index (errors, 3), ==, "\"ramp.k\" is no value that is computed");
  g_assert_null (g_ptr_array_index (errors, 4));
  weir_breakpoints_free (breakpoints);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/breakpoints/counts", test_counts);
  g_test_add_func ("/sim/breakpoints/rate", test_rate);
  g_test_add_func ("/sim/breakpoints/rate-of-nothing", test_rate_of_nothing);
  g_test_add_func ("/sim/breakpoints/says", test_says);
  g_test_add_func ("/sim/breakpoints/when-it-pauses", test_when_it_pauses);
  g_test_add_func ("/sim/breakpoints/leaves-no-trace", test_leaves_no_trace);
  g_test_add_func ("/sim/breakpoints/held", test_frozen);
  g_test_add_func ("/sim/breakpoints/text", test_text);
  g_test_add_func ("/sim/breakpoints/unknown", test_unknown);
  return g_test_run ();
}
