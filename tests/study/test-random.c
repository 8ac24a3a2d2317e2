/* Random models and random edits of them: what the cache of runs gives is what a run gives. Each
 * model is run with the cache, edited at one parameter, and run again with all hits made anew: no
 * bit may differ, whatever was hit.
 */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "../seeds.h"
#include "study/run.h"

/* %s: a random number. */
typedef struct {
  const char *type;
  const char *inputs[3];
  const char *parameters[3]; /* without a limit to their sign */
  gboolean is_state;         /* its output does not depend on its input at the same instant */
} Kind;

static const Kind kinds[] = {
  { "Integrator", { "u" }, { "initial" }, TRUE },
  { "Lag", { "u" }, { "gain", "initial" }, TRUE },
  { "UnitDelay", { "u" }, { "initial" }, TRUE },
  { "Gain", { "u" }, { "gain" }, FALSE },
  { "Bias", { "u" }, { NULL }, FALSE },
  { "Sum", { "in1", "in2" }, { NULL }, FALSE },
  { "Product", { "in1", "in2" }, { NULL }, FALSE },
  { "Saturation", { "u" }, { NULL }, FALSE },
  { "Relay", { "u" }, { "on", "off" }, FALSE },
  { "ZeroOrderHold", { "u" }, { "initial" }, FALSE },
  { "Sine", { NULL }, { "amplitude", "frequency", "phase" }, FALSE },
  { "Step", { NULL }, { "before", "after" }, FALSE },
  { "Constant", { NULL }, { "value" }, FALSE },
  { "UniformRandom", { NULL }, { "maximum" }, FALSE },
  { "Abs", { "u" }, { NULL }, FALSE },
};

#define MOST_BLOCKS 12

typedef struct {
  guint n;
  const Kind *kinds[MOST_BLOCKS];
  double values[MOST_BLOCKS][3];
  guint from[MOST_BLOCKS][2];
} Model;

/* How many names there are. */
static guint
count (const char *const *names, guint most)
{
  guint n = 0;

  while (n < most && names[n] != NULL)
    n++;
  return n;
}

static const Kind *
find_kind (const char *type)
{
  const Kind *kind = kinds;

  while (strcmp (kind->type, type) != 0)
    kind++;
  return kind;
}

/* Half of them are algebra with a parameter. Without algebraic loops: what passes on at once sees
 * states and those before it. */
static void
make_model (GRand *rand, Model *model)
{
  model->n = (guint) g_rand_int_range (rand, 4, MOST_BLOCKS + 1);
  for (guint b = 0; b < model->n; b++)
    {
      model->kinds[b] = b < 2 ? &kinds[10 + b]
                        : g_rand_boolean (rand)
                            ? find_kind (g_rand_int_range (rand, 0, 3) > 0 ? "Gain" : "Constant")
                            : &kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))];
      for (guint k = 0; k < 3; k++)
        model->values[b][k] = (double) g_rand_int_range (rand, 1, 9) / 4;
    }
  for (guint b = 0; b < model->n; b++)
    for (guint k = 0; k < count (model->kinds[b]->inputs, 2); k++)
      do
        model->from[b][k] = (guint) g_rand_int_range (rand, 0, (gint32) model->n);
      while (!model->kinds[b]->is_state && model->from[b][k] >= b
             && !model->kinds[model->from[b][k]]->is_state);
}

static void
write_model (const Model *model, const char *path)
{
  g_autoptr (GString)
      text = g_string_new ("<weir version='1'><settings><setting name='stop-time' value='0.7'/>"
                           "<setting name='record-interval' value='0.05'/></settings><diagram>");
  guint id = 100;

  for (guint b = 0; b < model->n; b++)
    {
      const Kind *kind = model->kinds[b];

      g_string_append_printf (text, "<block id='%u' type='%s' name='b%u' x='0' y='0'>", b + 1,
                              kind->type, b);
      for (guint k = 0; k < count (kind->parameters, 3); k++)
        g_string_append_printf (text, "<parameter name='%s' value='%g'/>", kind->parameters[k],
                                model->values[b][k]);
      g_string_append (text, "</block>");
    }
  for (guint b = 0; b < model->n; b++)
    for (guint k = 0; k < count (model->kinds[b]->inputs, 2); k++)
      g_string_append_printf (text, "<wire id='%u' from='%u.y' to='%u.%s'/>", id++,
                              model->from[b][k] + 1, b + 1, model->kinds[b]->inputs[k]);
  g_string_append (text, "</diagram></weir>");
  g_file_set_contents (path, text->str, -1, NULL);
}

/* A source's amplitude or level is varied, two ports are kept, and a third as it went if
 * @keeps_signal. */
static void
write_study (GRand *rand, const Model *model, gboolean keeps_signal, const char *path)
{
  g_autofree char *signal = g_strdup_printf ("<signal port='b%d.y'/>",
                                             g_rand_int_range (rand, 0, (gint32) model->n));
  g_autofree char *text = g_strdup_printf (
      "<study version='1' model='m.weir'><points method='list'>"
      "<parameter path='b%d.%s' name='p'/><point values='1'/><point values='1.5'/></points><keep>"
      "%s<figure name='f' what='final' of='b%d.y'/>"
      "<figure name='g' what='mean' of='b%d.y'/><figure name='h' is='f + p'/></keep></study>",
      0, model->kinds[0]->parameters[0], keeps_signal ? signal : "",
      g_rand_int_range (rand, 0, (gint32) model->n), g_rand_int_range (rand, 0, (gint32) model->n));

  g_file_set_contents (path, text, -1, NULL);
}

/* Which block was changed. */
static guint
change_one (GRand *rand, Model *model)
{
  guint b;

  do
    b = (guint) g_rand_int_range (rand, 1, (gint32) model->n);
  while (model->kinds[b]->parameters[0] == NULL);
  model->values[b][g_rand_int_range (rand, 0, (gint32) count (model->kinds[b]->parameters, 3))] +=
      0.5;
  return b;
}

typedef struct {
  char *folder, *model, *study, *results, *cache;
} Paths;

static gboolean
put_point (const WeirPointResult *result, gpointer figures)
{
  gsize size = 0;
  gconstpointer signals = result->signals != NULL ? g_bytes_get_data (result->signals, &size)
                                                  : NULL;

  g_byte_array_append (figures, (const guint8 *) &result->status, sizeof result->status);
  g_byte_array_append (figures, (const guint8 *) result->figures, 3 * sizeof (double));
  if (size > 0)
    g_byte_array_append (figures, signals, (guint) size);
  return TRUE;
}

/* @forgotten: (nullable) a leaf that is left out of the keys. @figures: (nullable) (out) of both
 * points. */
static WeirStudyProgress
run_study (const Paths *paths, WeirRunCache *cache, double share, const char *forgotten,
           GByteArray *figures)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirStudy) study = weir_study_read_file (paths->study, diagnostics);
  g_autoptr (WeirStudySubject) subject = study != NULL ? weir_study_subject_new (study, diagnostics)
                                                       : NULL;
  g_autoptr (WeirStudyStore) store = NULL;
  g_autoptr (GError) error = NULL;
  WeirStudyRunOptions options;
  WeirStudyProgress progress;

  if (subject == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  if (forgotten != NULL)
    weir_run_plan_forget_leaf (weir_study_subject_change_plan (subject), forgotten);
  g_unlink (paths->results);
  store = weir_study_store_new (paths->results, study, NULL, &error);
  g_assert_no_error (error);
  weir_study_run_options_init (&options, study);
  options.threads = 1;
  options.cache = cache;
  options.verified_share = share;
  weir_study_run (study, subject, store, &options, &progress, &error);
  g_assert_no_error (error);
  if (figures != NULL)
    weir_study_store_foreach (store, 0, 1, TRUE, put_point, figures, NULL);
  return progress;
}

static void
open_paths (Paths *paths)
{
  *paths = (Paths) { .folder = g_dir_make_tmp ("weir-random-XXXXXX", NULL) };
  paths->model = g_build_filename (paths->folder, "m.weir", NULL);
  paths->study = g_build_filename (paths->folder, "s.weirstudy", NULL);
  paths->results = g_build_filename (paths->folder, "r.results", NULL);
  paths->cache = g_build_filename (paths->folder, "runs.db", NULL);
}

static void
close_paths (Paths *paths)
{
  g_unlink (paths->model);
  g_unlink (paths->study);
  g_unlink (paths->results);
  g_unlink (paths->cache);
  g_rmdir (paths->folder);
  g_free (paths->folder);
  g_free (paths->model);
  g_free (paths->study);
  g_free (paths->results);
  g_free (paths->cache);
}

static void
test_edits (void)
{
  Paths paths;
  guint32 seed = get_test_seed (81);
  guint n = g_test_quick () ? 15 : 1000;
  guint64 n_verified = 0, n_made = 0, n_failed = 0;
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GError) error = NULL;
  WeirRunCache *cache;

  open_paths (&paths);
  cache = weir_run_cache_new (paths.cache, 0, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      Model model;
      WeirStudyProgress progress;

      make_model (rand, &model);
      write_model (&model, paths.model);
      write_study (rand, &model, g_rand_boolean (rand), paths.study);
      run_study (&paths, cache, 0, NULL, NULL);
      for (guint edit = 0; edit < 2; edit++)
        {
          change_one (rand, &model);
          write_model (&model, paths.model);
          progress = run_study (&paths, cache, 1, NULL, NULL);
          if (progress.n_differing > 0)
            g_error ("seed %u, model %u in %s: a hit gives other bits", seed, i, paths.folder);
          n_verified += progress.n_verified;
          n_made += progress.n_computed - progress.n_verified;
          n_failed += progress.n_failed;
        }
    }
  g_test_message ("seed %u: %u models, %" G_GUINT64_FORMAT " hits verified, %" G_GUINT64_FORMAT
                  " runs made, %" G_GUINT64_FORMAT " failed",
                  seed, n, n_verified, n_made, n_failed);
  g_assert_cmpuint (n_verified, >, n / 4);
  g_assert_cmpuint (n_made, >, n / 4);
  weir_run_cache_free (cache);
  close_paths (&paths);
}

static gboolean
is_same (const GByteArray *a, const GByteArray *b)
{
  return a->len == b->len && memcmp (a->data, b->data, a->len) == 0;
}

/* What is kept of both points where every run is made. (transfer full) */
static GByteArray *
make_runs (const Paths *paths)
{
  GByteArray *figures = g_byte_array_new ();

  run_study (paths, NULL, 0, NULL, figures);
  return figures;
}

typedef struct {
  guint n_models, n_planted, n_anew, n_wrong, n_told, n_right;
} Omissions;

/* A leaf is left out of the keys, and a value of it is changed. Where what is kept follows from
 * that value, which runs without a cache say, the omission matters, and the cache gives a wrong
 * hit: making hits again has to tell. But where signals are kept, or several points share a run,
 * what is algebra behind the run is worked out anew whatever the key says, and nothing is wrong.
 * With the leaf in its place the cache is right. */
static void
plant (GRand *rand, const Paths *paths, Omissions *seen)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirRunCache) cache = NULL;
  g_autoptr (GByteArray) before = NULL, after = NULL;
  g_autoptr (GByteArray) known = g_byte_array_new (), whole = g_byte_array_new ();
  g_autofree char *leaf = NULL;
  WeirStudyProgress progress;
  Model model, changed;

  make_model (rand, &model);
  changed = model;
  leaf = g_strdup_printf ("b%u", change_one (rand, &changed));
  write_study (rand, &model, g_rand_boolean (rand), paths->study);
  write_model (&model, paths->model);
  before = make_runs (paths);
  write_model (&changed, paths->model);
  after = make_runs (paths);
  seen->n_models++;
  if (is_same (before, after))
    return;

  cache = weir_run_cache_new (paths->cache, 0, &error);
  g_assert_no_error (error);
  write_model (&model, paths->model);
  run_study (paths, cache, 0, NULL, NULL);
  run_study (paths, cache, 0, leaf, NULL);
  write_model (&changed, paths->model);
  progress = run_study (paths, cache, 0, leaf, known);
  if (progress.n_worked_out == 2 && is_same (known, after))
    seen->n_anew++;
  else
    {
      seen->n_planted++;
      seen->n_wrong += !is_same (known, after);
      seen->n_told += run_study (paths, cache, 1, leaf, NULL).n_differing > 0;
      run_study (paths, cache, 0, NULL, whole);
      seen->n_right += is_same (whole, after);
    }
  g_clear_pointer (&cache, weir_run_cache_free);
  g_unlink (paths->cache);
}

static void
test_omissions (void)
{
  Paths paths;
  Omissions seen = { 0 };
  guint32 seed = get_test_seed (82);
  guint n = g_test_quick () ? 25 : 1000;
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  open_paths (&paths);
  while (seen.n_planted < n)
    {
      plant (rand, &paths, &seen);
      if (seen.n_wrong < seen.n_planted || seen.n_told < seen.n_planted
          || seen.n_right < seen.n_planted)
        g_error ("seed %u, model %u in %s: of %u omissions %u gave wrong hits and %u were told; "
                 "without them %u hits were right",
                 seed, seen.n_models, paths.folder, seen.n_planted, seen.n_wrong, seen.n_told,
                 seen.n_right);
    }
  g_test_message ("seed %u: in %u models %u omissions that matter, all gave wrong hits, all told, "
                  "without them all were right; beside them %u whose leaf was worked out anew",
                  seed, seen.n_models, seen.n_planted, seen.n_anew);
  close_paths (&paths);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/study/random/edits", test_edits);
  g_test_add_func ("/study/random/omissions", test_omissions);
  return g_test_run ();
}
