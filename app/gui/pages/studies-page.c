/* WeirStudiesPage: many runs of the model with other values: which parameters vary between which
 * ends, which figures are kept, pictures and a table of what came of it. What is selected in the
 * table is lit up in the pictures, and the other way round; a point can be given to the model, or
 * opened as a run of its own.
 *
 * What is asked for is a study, as files have it (studies-files.c), made in a thread (study-job.h);
 * runs that are known to the cache of runs are not made again. Thread: *main*.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cache/cache-figures.h"
#include "gui/pages/studies-page-private.h"
#include "widgets/pieces.h"
#include "widgets/reveal.h"

#define PROGRESS_MS 200
#define LOOK_US (G_USEC_PER_SEC / 2) /* between two looks at what there is by now */
#define LOOK_PART 20                 /* a look takes at most one part of so many of the time */
#define ROOM 360                     /* pixels of height, for pictures */
#define VERIFIED 0.1                 /* of the known runs, where that is asked for */

G_DEFINE_FINAL_TYPE (WeirStudiesPage, weir_studies_page, WEIR_TYPE_PAGE)

static WeirModel *
get_model (WeirStudiesPage *self)
{
  return weir_document_get_model (self->parent.document);
}

void
weir_studies_page_say (WeirStudiesPage *self, const char *text)
{
  gtk_label_set_text (self->status, text);
}

/* @format: with %s for the number. */
static char *
dup_point_text (const char *format, guint64 point)
{
  g_autofree char *number = weir_cache_format_count (point);
  GString *text = g_string_new (format);

  g_string_replace (text, "%s", number, 1);
  return g_string_free (text, FALSE);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* What is lit up, in words, after what there is to be seen. */
static void
show_words (WeirStudiesPage *self)
{
  const char *chosen = weir_study_picture_view_get_chosen_words (self->picture);
  g_autofree char *words = NULL, *found = NULL;
  gboolean has_two = gtk_widget_get_visible (GTK_WIDGET (self->beside));

  if (self->is_filling || self->done == NULL)
    return;
  found = weir_study_say_search (self->done, (const char *const *) self->titles);
  words = g_strconcat (found, found[0] != '\0' ? "\n\n" : "",
                       weir_study_picture_view_get_words (self->picture), has_two ? "\n\n" : "",
                       has_two ? weir_study_picture_view_get_words (self->beside) : "",
                       chosen[0] != '\0' ? "\n\n" : "", chosen, NULL);
  gtk_label_set_text (self->words, words);
}

static void
draw (WeirStudiesPage *self)
{
  const gboolean *chosen = weir_study_points_get_chosen (self->rows);

  if (self->is_filling || self->done == NULL)
    return;
  weir_study_picture_view_set_chosen (self->picture, chosen);
  if (gtk_widget_get_visible (GTK_WIDGET (self->beside)))
    weir_study_picture_view_set_chosen (self->beside, chosen);
  show_words (self);
}

static void
fill_pictures (WeirStudiesPage *self)
{
  self->is_filling = TRUE;
  weir_study_picture_view_set_job (self->picture, self->done, (const char *const *) self->titles,
                                   FALSE);
  weir_study_picture_view_set_job (self->beside, self->done, (const char *const *) self->titles,
                                   TRUE);
  self->is_filling = FALSE;
}

static void
two_toggled (WeirStudiesPage *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->beside), gtk_toggle_button_get_active (self->two));
  draw (self);
}

/* --- Lighting up ------------------------------------------------------------------------------ */

/* So that the first of them is seen. */
static void
scroll_to (WeirStudiesPage *self, guint position)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->table)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

/* @chosen: by row of the job. What is selected is what is lit up. */
static void
choose_rows (WeirStudiesPage *self, const gboolean *chosen)
{
  gint64 first;

  weir_study_points_choose (self->rows, chosen);
  first = weir_study_points_find_chosen (self->rows);
  if (first >= 0)
    scroll_to (self, (guint) first);
}

static void
brushed (WeirStudiesPage *self, const WeirChartBox *box, WeirChartBrush how,
         WeirStudyPictureView *picture)
{
  guint n = self->done != NULL ? weir_study_job_get_n_rows (self->done) : 0;
  g_autofree gboolean *chosen = NULL, *found = g_new0 (gboolean, n + 1);
  gboolean takes_away = how == WEIR_CHART_BRUSH_TOGGLE;

  if (n == 0)
    return;
  chosen = g_memdup2 (weir_study_points_get_chosen (self->rows), n * sizeof *chosen);
  if (box != NULL)
    weir_study_picture_view_find (picture, box, found);
  for (guint i = 0; i < n; i++)
    takes_away = takes_away && (!found[i] || chosen[i]);
  for (guint i = 0; i < n; i++)
    if (how == WEIR_CHART_BRUSH_ONLY)
      chosen[i] = found[i];
    else
      chosen[i] = takes_away ? chosen[i] && !found[i] : chosen[i] || found[i];
  choose_rows (self, chosen);
}

/* --- Applying a point ------------------------------------------------------------------------- */

/* The point, if just one is selected. (transfer full) (nullable) */
static WeirStudyPoint *
dup_selected (WeirStudiesPage *self)
{
  const gboolean *chosen = weir_study_points_get_chosen (self->rows);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows)), n_chosen = 0;

  for (guint i = 0; i < n && n_chosen < 2; i++)
    n_chosen += chosen[i] ? 1 : 0;
  return n_chosen == 1 ? g_list_model_get_item (G_LIST_MODEL (self->rows),
                                                (guint) weir_study_points_find_chosen (self->rows))
                       : NULL;
}

static const WeirStudyRow *
get_row_of (const WeirStudyPoint *point)
{
  return weir_study_job_get_row (weir_study_point_get_job (point),
                                 weir_study_point_get_row (point));
}

/* Each parameter is an edit of the model as those before it left it; together they are one step. */
static void
apply_clicked (WeirStudiesPage *self)
{
  g_autoptr (WeirStudyPoint) point = dup_selected (self);
  const WeirStudyRow *row = point != NULL ? get_row_of (point) : NULL;
  WeirDocument *document = self->parent.document;
  g_autoptr (GError) error = NULL;

  if (row == NULL)
    return;
  weir_host_enter_typed (self->parent.host);
  weir_document_end_merge (document);
  for (guint i = 0; i < weir_study_job_get_study (weir_study_point_get_job (point))->parameters->len
                    && error == NULL;
       i++)
    {
      g_autoptr (WeirPatch) patch = weir_study_subject_create_edit (
          weir_study_job_get_subject (weir_study_point_get_job (point)), i, row->values,
          get_model (self), &error);

      if (patch != NULL)
        weir_document_edit (document, patch, _ ("Apply Point of a Study"), "study-point", &error);
    }
  weir_document_end_merge (document);
  if (error != NULL)
    weir_host_toast (self->parent.host, weir_error_say (error));
  else
    {
      g_autofree char *text = dup_point_text (_ ("The model has the values of point %s"), row->i);

      weir_host_offer_undo (self->parent.host, text);
    }
}

/* The model is called after the point too. (transfer full) */
static WeirModel *
title_model (WeirModel *model, guint64 i)
{
  const char *before = weir_model_get_title (model);
  g_autofree char *number = weir_cache_format_count (i);
  /* Translators: the title of a model, and the number of a point. */
  g_autofree char *title = before[0] != '\0' ? g_strdup_printf (_ ("%s, point %s"), before, number)
                                             : g_strdup_printf (_ ("Point %s"), number);
  g_autoptr (WeirPatch) patch = weir_patch_new ();

  weir_patch_set_title (patch, title);
  return weir_model_apply (model, patch, NULL, NULL);
}

/* A model of its own with the values of the point and the settings of the study, which runs as any
 * other: its state, its cache and its plots are there to look into. */
static void
open_clicked (WeirStudiesPage *self)
{
  g_autoptr (WeirStudyPoint) point = dup_selected (self);
  g_autoptr (WeirModel) model = NULL, titled = NULL;
  g_autoptr (GError) error = NULL;

  if (point == NULL)
    return;
  model = weir_study_subject_create_model (
      weir_study_job_get_subject (weir_study_point_get_job (point)), get_row_of (point)->values,
      &error);
  if (model == NULL)
    {
      weir_host_toast (self->parent.host, weir_error_say (error));
      return;
    }
  titled = title_model (model, get_row_of (point)->i);
  weir_runner_run (weir_host_get_runner (weir_host_open_model (self->parent.host, titled)));
}

static void
selection_changed (WeirStudiesPage *self)
{
  g_autoptr (WeirStudyPoint) point = dup_selected (self);

  gtk_widget_set_sensitive (self->apply, point != NULL);
  gtk_widget_set_sensitive (self->open, point != NULL);
  draw (self);
}

/* --- Making runs ------------------------------------------------------------------------------ */

/* "1 200 of 10 000 points, 40 s left"; a search may end before. */
static char *
dup_remaining (const WeirStudyProgress *progress)
{
  g_autofree char *ended = weir_cache_format_count (progress->n_ended);
  g_autofree char *all = weir_cache_format_count (progress->n);
  double left = weir_study_progress_get_left (progress);
  g_autofree char *time = NULL;

  if (isnan (left))
    /* Translators: numbers of points. */
    return g_strdup_printf (_ ("%s of %s points"), ended, all);
  time = g_strdup_printf ("%.0f", ceil (left < 120 ? left : left / 60));
  /* Translators: numbers of points, and of seconds or minutes. */
  return g_strdup_printf (left < 120 ? _ ("%s of %s points, at most %s s left")
                                     : _ ("%s of %s points, at most %s min left"),
                          ended, all, time);
}

static void look (WeirStudiesPage *self);

static gboolean
show_progress (gpointer data)
{
  WeirStudiesPage *self = data;
  g_autofree char *text = NULL;
  WeirStudyProgress progress;

  weir_study_job_get_progress (self->job, &progress);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 progress.n > 0 ? (double) progress.n_ended / (double) progress.n
                                                : 0);
  if (progress.n_ended > 0)
    {
      text = dup_remaining (&progress);
      weir_studies_page_say (self, text);
    }
  look (self);
  return G_SOURCE_CONTINUE;
}

static void
set_busy (WeirStudiesPage *self, gboolean is_busy)
{
  gtk_button_set_label (GTK_BUTTON (self->run), is_busy ? _ ("_Stop") : _ ("_Make Runs"));
  gtk_widget_set_visible (self->progress, is_busy);
  weir_studies_export_update (self);
  g_clear_handle_id (&self->source, g_source_remove);
  if (is_busy)
    self->source = g_timeout_add (PROGRESS_MS, show_progress, self);
}

/* @format: with %s for @a, and for @b; in which there may be any. */
static void
append_sentence (GString *text, const char *format, const char *a, const char *b)
{
  const char *const pieces[] = { a, b };
  const char *place;

  g_string_append (text, g_str_has_suffix (text->str, ".") ? " " : ". ");
  for (guint i = 0;
       i < G_N_ELEMENTS (pieces) && pieces[i] != NULL && (place = strstr (format, "%s")) != NULL;
       i++)
    {
      g_string_append_len (text, format, place - format);
      g_string_append (text, pieces[i]);
      format = place + strlen ("%s");
    }
  g_string_append (text, format);
}

/* Why runs were not known. */
static void
tell_misses (GString *text, const WeirStudyProgress *progress)
{
  static const char *const reasons[WEIR_N_RUN_PARTS + 1] = {
    [WEIR_RUN_PART_PROGRAM] = N_ ("%s were not known: the program or its libraries are others."),
    [WEIR_RUN_PART_PROCESSOR] = N_ ("%s were not known: the processor is of another class."),
    [WEIR_RUN_PART_STRUCTURE] = N_ ("%s were not known: the model's structure is another."),
    [WEIR_RUN_PART_SETTINGS] = N_ ("%s were not known: run settings are others."),
    [WEIR_RUN_PART_SIGNALS] = N_ ("%s were not known: other signals are recorded."),
    [WEIR_RUN_PART_VALUES] = N_ ("%s were not known: other values in the model, %s."),
    [WEIR_N_RUN_PARTS] = N_ ("%s points are new."),
  };

  for (guint part = 0; part <= WEIR_N_RUN_PARTS; part++)
    if (progress->n_missed[part] > 0)
      {
        g_autofree char *count = weir_cache_format_count (progress->n_missed[part]);

        append_sentence (text, _ (reasons[part]), count,
                         part == WEIR_RUN_PART_VALUES ? progress->changed : NULL);
      }
}

/* Of all rows, whenever they were run. @first: (out) (nullable) (transfer none) */
static guint
count_failed (const WeirStudyJob *job, const WeirStudyRow **first)
{
  guint n = 0;

  *first = NULL;
  for (guint i = 0; i < weir_study_job_get_n_rows (job); i++)
    {
      const WeirStudyRow *row = weir_study_job_get_row (job, i);

      if (row->status == WEIR_POINT_FAILED && n++ == 0)
        *first = row;
    }
  return n;
}

/* Why the first of those that failed did. */
static void
tell_failure (GString *text, const WeirStudyRow *row)
{
  g_autofree char *number = weir_cache_format_count (row->i);
  g_autofree char *reason = g_strdup (row->reason);

  if (g_str_has_suffix (reason, "."))
    reason[strlen (reason) - 1] = '\0';
  /* Translators: the number of a point, and a sentence. */
  append_sentence (text, _ ("Point %s failed: %s."), number, reason);
}

static void
tell_end (WeirStudiesPage *self, WeirStudyJob *job)
{
  const WeirStudyRow *first_failed;
  guint n_failed = count_failed (job, &first_failed);
  const char *uncached = weir_study_job_get_subject (job) != NULL
                             ? weir_study_subject_get_uncached_reason (
                                 weir_study_job_get_subject (job))
                             : NULL;
  const WeirStudySearch *search;
  WeirStudyProgress progress;
  g_autofree char *all = NULL, *computed = NULL, *cached = NULL, *failed = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  weir_study_job_get_progress (job, &progress);
  search = weir_study_job_get_search (job);
  all = weir_cache_format_count (progress.n_ended);
  computed = weir_cache_format_count (progress.n_computed);
  cached = weir_cache_format_count (progress.n_cached + progress.n_worked_out + progress.n_kept);
  failed = weir_cache_format_count (MAX (n_failed, progress.n_failed));
  /* Translators: numbers of points: all, those whose runs were made, those whose runs were known,
   * those that failed. */
  g_string_append_printf (text, _ ("%s points: %s computed, %s from the cache, %s failed"), all,
                          computed, cached, failed);
  if (first_failed != NULL && first_failed->reason != NULL)
    tell_failure (text, first_failed);
  if (self->uses_cache && uncached != NULL)
    append_sentence (text, _ ("Runs are not cached: %s."), _ (uncached), NULL);
  tell_misses (text, &progress);
  if (progress.seconds_saved >= 0.01)
    {
      g_autofree char *seconds = g_strdup_printf ("%.3g", progress.seconds_saved);

      append_sentence (text, _ ("The cache saved %s s."), seconds, NULL);
    }
  if (progress.n_verified > 0)
    {
      g_autofree char *verified = weir_cache_format_count (progress.n_verified);
      g_autofree char *differing = weir_cache_format_count (progress.n_differing);

      append_sentence (text, _ ("%s known runs were made again, %s differ."), verified, differing);
    }
  for (guint i = 0; search != NULL && i < search->warnings->len; i++)
    {
      g_autofree char *warning = weir_message_translate (search->warnings->pdata[i]);

      append_sentence (text, _ ("Warning: %s."), warning, NULL);
    }
  weir_studies_page_say (self, text->str);
}

static void
take_titles (WeirStudiesPage *self)
{
  const WeirStudy *study = weir_study_job_get_study (self->done);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_null_terminated (1, NULL, TRUE);

  for (guint i = 0; i < study->figures->len; i++)
    g_ptr_array_add (titles,
                     weir_studies_form_dup_figure_title (self, weir_study_get_figure (study, i)));
  g_strfreev (self->titles);
  self->titles = (GStrv) g_ptr_array_steal (titles, NULL);
}

/* Points of the job in place of those of the last. */
static void
show_job (WeirStudiesPage *self, WeirStudyJob *job)
{
  g_clear_pointer (&self->done, weir_study_job_unref);
  self->done = weir_study_job_ref (job);
  if (!gtk_widget_get_visible (self->results))
    weir_host_ask_room (self->parent.host, WEIR_DOCK_BOTTOM, ROOM);
  gtk_toggle_button_set_active (self->previews, FALSE);
  gtk_widget_set_visible (self->results, TRUE);
  take_titles (self);
  fill_pictures (self);
  weir_studies_table_fill_columns (self);
  weir_study_points_show (self->rows, job);
  selection_changed (self);
}

/* Points that have ended since; what that takes is a small part of the time. */
static void
look (WeirStudiesPage *self)
{
  gboolean is_shown = self->done == self->job;
  gint64 start = g_get_monotonic_time ();
  guint n_before = is_shown ? weir_study_job_get_n_rows (self->job) : 0;

  if (start < self->next_look || weir_study_picture_view_is_busy (self->picture)
      || weir_study_picture_view_is_busy (self->beside)
      || weir_study_job_look (self->job) == n_before)
    return;
  if (is_shown)
    {
      weir_study_points_follow (self->rows);
      draw (self);
    }
  else
    show_job (self, self->job);
  self->next_look = start + MAX (LOOK_US, LOOK_PART * (g_get_monotonic_time () - start));
}

/* Rows are in their order by now; what was found, or what was lit up before, is lit up. @before: by
 * row as they came, @n_before of them. */
static void
show_end (WeirStudiesPage *self, const gboolean *before, guint n_before)
{
  guint n = weir_study_job_get_n_rows (self->done);
  g_autofree gboolean *chosen = g_new0 (gboolean, n + 1);
  gint64 best = weir_study_job_get_best (self->done);
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      guint place = weir_study_job_get_place (self->done, i);

      chosen[i] = place < n_before && before[place];
      any = any || chosen[i];
    }
  if (best >= 0 && !any)
    chosen[best] = TRUE;
  weir_study_points_show (self->rows, self->done);
  choose_rows (self, chosen);
  weir_reveal (self->all, self->results, 0);
}

static void
ended (GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirStudiesPage *self = WEIR_STUDIES_PAGE (source);
  g_autoptr (WeirStudyJob) job = g_steal_pointer (&self->job);
  g_autofree gboolean *chosen = NULL;
  g_autoptr (GError) error = NULL;
  guint n_chosen = 0;
  gboolean is_whole;

  if (job != NULL && self->done == job)
    {
      n_chosen = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
      chosen = g_memdup2 (weir_study_points_get_chosen (self->rows), n_chosen * sizeof *chosen);
    }
  is_whole = weir_study_job_finish (result, &error);
  if (self->parent.host == NULL || job == NULL)
    return;
  set_busy (self, FALSE);
  if (is_whole || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    tell_end (self, job);
  else
    weir_studies_page_say (self, weir_error_say (error));
  if (weir_study_job_get_n_rows (job) == 0)
    return;
  if (self->done != job)
    show_job (self, job);
  show_end (self, chosen, n_chosen);
  weir_studies_export_update (self);
}

/* What is asked for; results stay where it is what its file says. */
static WeirStudyJob *
create_job (WeirStudiesPage *self)
{
  GFile *model = weir_document_get_file (self->parent.document);
  g_autofree char *path = self->file != NULL ? g_file_get_path (self->file) : NULL;
  g_autofree char *beside = model != NULL ? g_file_get_path (model) : NULL;
  g_autofree char *name = NULL, *text = NULL, *results = NULL;
  g_autoptr (GBytes) bytes = NULL;
  WeirStudyJob *job;

  if (self->draft->model == NULL)
    g_object_get (self->parent.document, "title", &self->draft->model, NULL);
  bytes = weir_study_write_bytes (self->draft);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  name = path != NULL ? g_strdup (path)
                      : g_strconcat (beside != NULL ? beside : "model", "study", NULL);
  job = weir_study_job_new (text, name, get_model (self));
  if (path != NULL && g_bytes_equal (bytes, self->saved))
    {
      path[strlen (path) - strlen (".weirstudy")] = '\0';
      results = g_strconcat (path, ".results", NULL);
      weir_study_job_set_results (job, results);
    }
  return job;
}

static void
make_runs (WeirStudiesPage *self, double verified)
{
  weir_host_enter_typed (self->parent.host);
  if (self->job != NULL || !weir_studies_form_enter (self, TRUE))
    return;
  weir_studies_page_say (self, "");
  self->job = create_job (self);
  weir_study_job_set_caching (self->job, self->uses_cache, verified);
  set_busy (self, TRUE);
  self->next_look = g_get_monotonic_time () + LOOK_US;
  weir_study_job_run (self->job, self, ended);
}

static void
run_clicked (WeirStudiesPage *self)
{
  if (self->job != NULL)
    weir_study_job_cancel (self->job);
  else
    make_runs (self, 0);
}

/* A part of the runs that are known is made again, and every bit compared. */
static void
verify (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  make_runs (data, VERIFIED);
}

static void
switch_cache (GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirStudiesPage *self = data;

  self->uses_cache = g_variant_get_boolean (value);
  g_simple_action_set_state (action, value);
  weir_host_set_enabled (self->parent.host, "study-verify", self->uses_cache);
}

/* --- Points before they are run --------------------------------------------------------------- */

static gboolean
show_points (gpointer data)
{
  WeirStudiesPage *self = data;

  self->preview_source = 0;
  weir_studies_form_enter (self, FALSE);
  weir_study_preview_show (self->preview, self->draft, get_model (self));
  return G_SOURCE_REMOVE;
}

void
weir_studies_page_preview (WeirStudiesPage *self)
{
  if (gtk_toggle_button_get_active (self->previews) && self->preview_source == 0)
    self->preview_source = g_idle_add (show_points, self);
}

/* In place of what came of the last ones. */
static void
previews_toggled (WeirStudiesPage *self)
{
  gboolean previews = gtk_toggle_button_get_active (self->previews);

  if (previews)
    {
      show_points (self);
      weir_host_ask_room (self->parent.host, WEIR_DOCK_BOTTOM, ROOM);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->preview), previews);
  gtk_widget_set_visible (self->results, !previews && self->done != NULL);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
document_changed (WeirStudiesPage *self, WeirAspects aspects)
{
  if ((aspects & ~(WeirAspects) WEIR_ASPECTS_OF_LOOKS) != 0
      && gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      weir_studies_form_offer_ports (self);
      weir_studies_page_preview (self);
    }
}

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "study-verify", .activate = verify },
    { .name = "study-cache", .state = "true", .change_state = switch_cache },
  };
  WeirStudiesPage *self = WEIR_STUDIES_PAGE (object);

  G_OBJECT_CLASS (weir_studies_page_parent_class)->constructed (object);
  self->uses_cache = TRUE;
  weir_studies_form_init (self);
  weir_studies_history_init (self);
  weir_studies_choose_init (self);
  weir_studies_files_init (self);
  weir_studies_export_init (self);
  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  weir_studies_table_init (self);
  g_signal_connect_object (self->rows, "selection-changed", G_CALLBACK (selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (weir_studies_form_offer_ports), NULL);
  g_signal_connect_object (self->parent.document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
dispose (GObject *object)
{
  WeirStudiesPage *self = WEIR_STUDIES_PAGE (object);

  if (self->job != NULL)
    weir_study_job_cancel (self->job);
  g_clear_pointer (&self->job, weir_study_job_unref);
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->done, weir_study_job_unref);
  g_clear_handle_id (&self->preview_source, g_source_remove);
  weir_studies_history_clear (self);
  weir_studies_form_clear (self);
  g_clear_pointer (&self->wanted, g_strfreev);
  g_clear_object (&self->file);
  g_clear_pointer (&self->saved, g_bytes_unref);
  g_clear_pointer (&self->titles, g_strfreev);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (weir_studies_page_parent_class)->dispose (object);
}

static void
weir_studies_page_class_init (WeirStudiesPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  WEIR_PAGE_CLASS (klass)->ready = weir_studies_choose_ready;
  WEIR_PAGE_CLASS (klass)->open = weir_studies_files_open;
  WEIR_PAGE_CLASS (klass)->has_unsaved = weir_studies_files_has_unsaved;
  WEIR_PAGE_CLASS (klass)->ask_about_loss = weir_studies_files_ask_about_loss;
  g_type_ensure (WEIR_TYPE_STUDY_PICTURE_VIEW);
  g_type_ensure (WEIR_TYPE_STUDY_PREVIEW);
  weir_set_template (klass, "studies-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, run);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, add);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, apply);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, variations);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, methods);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, points);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, figures);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, add_figure);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, keeps);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, name);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, progress);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, status);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, results);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, picture);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, beside);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, two);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, previews);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, preview);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, open);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, all);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, words);
  gtk_widget_class_bind_template_child (widget_class, WeirStudiesPage, table);
  gtk_widget_class_bind_template_callback (widget_class, run_clicked);
  gtk_widget_class_bind_template_callback (widget_class, apply_clicked);
  gtk_widget_class_bind_template_callback (widget_class, open_clicked);
  gtk_widget_class_bind_template_callback (widget_class, brushed);
  gtk_widget_class_bind_template_callback (widget_class, show_words);
  gtk_widget_class_bind_template_callback (widget_class, two_toggled);
  gtk_widget_class_bind_template_callback (widget_class, previews_toggled);
}

static void
weir_studies_page_init (WeirStudiesPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
