/* Studies as values: making, freeing and changing them. See study.h.
 *
 * A study that is being changed need not make sense yet; whether it does is seen where what was
 * written of it is read again.
 */
#include "study/study.h"

#include <math.h>
#include <string.h>

/* --- Life ------------------------------------------------------------------------------------ */

static void
clear_parameter (gpointer data)
{
  WeirStudyParameter *p = data;

  g_free (p->path);
  g_free (p->name);
  g_free (p->values);
}

static void
clear_setting (gpointer data)
{
  WeirStudySetting *setting = data;

  g_free (setting->name);
  g_free (setting->value);
}

static void
clear_signal (gpointer data)
{
  g_free (((WeirStudySignal *) data)->port);
}

static void
clear_figure (gpointer data)
{
  WeirStudyFigure *figure = data;

  g_free (figure->name);
  g_free (figure->port);
  g_free (figure->expression);
}

static void
clear_constraint (gpointer data)
{
  g_free (((WeirStudyConstraint *) data)->figure);
}

static void
clear_match (gpointer data)
{
  WeirStudyMatch *match = data;

  g_free (match->port);
  g_free (match->column);
}

static GArray *
new_list (gsize size, GDestroyNotify clear)
{
  GArray *list = g_array_new (FALSE, TRUE, (guint) size);

  g_array_set_clear_func (list, clear);
  return list;
}

WeirStudy *
weir_study_new (void)
{
  WeirStudy *self = g_new0 (WeirStudy, 1);

  self->settings = new_list (sizeof (WeirStudySetting), clear_setting);
  self->parameters = new_list (sizeof (WeirStudyParameter), clear_parameter);
  self->correlations = new_list (sizeof (WeirStudyCorrelation), NULL);
  self->points = new_list (sizeof (double), NULL);
  self->constraints = new_list (sizeof (WeirStudyConstraint), clear_constraint);
  self->matches = new_list (sizeof (WeirStudyMatch), clear_match);
  self->signals = new_list (sizeof (WeirStudySignal), clear_signal);
  self->figures = new_list (sizeof (WeirStudyFigure), clear_figure);
  weir_study_set_method (self, WEIR_POINTS_LATIN_HYPERCUBE);
  return self;
}

void
weir_study_free (WeirStudy *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->settings);
  g_array_unref (self->parameters);
  g_array_unref (self->correlations);
  g_array_unref (self->points);
  g_array_unref (self->constraints);
  g_array_unref (self->matches);
  g_array_unref (self->signals);
  g_array_unref (self->figures);
  weir_sobol_clear (&self->sobol);
  g_free (self->mix);
  g_free (self->objective.figure);
  g_free (self->measured);
  g_free (self->file);
  g_free (self->model);
  g_free (self->title);
  g_free (self);
}

static void
copy_list (GArray *to, const GArray *from)
{
  g_array_append_vals (to, from->data, from->len);
}

WeirStudy *
weir_study_copy (const WeirStudy *self)
{
  WeirStudy *copy = weir_study_new ();
  const WeirStudy lists = *copy;

  *copy = *self;
  copy->file = g_strdup (self->file);
  copy->model = g_strdup (self->model);
  copy->title = g_strdup (self->title);
  copy->measured = g_strdup (self->measured);
  copy->objective.figure = g_strdup (self->objective.figure);
  copy->sobol = (WeirSobol) { 0 };
  copy->mix = NULL;
  copy_list (copy->settings = lists.settings, self->settings);
  for (guint i = 0; i < copy->settings->len; i++)
    {
      WeirStudySetting *setting = &g_array_index (copy->settings, WeirStudySetting, i);

      setting->name = g_strdup (setting->name);
      setting->value = g_strdup (setting->value);
    }
  copy_list (copy->parameters = lists.parameters, self->parameters);
  for (guint i = 0; i < copy->parameters->len; i++)
    {
      WeirStudyParameter *p = &g_array_index (copy->parameters, WeirStudyParameter, i);

      p->path = g_strdup (p->path);
      p->name = g_strdup (p->name);
      p->values = g_memdup2 (p->values, p->n_values * sizeof (double));
    }
  copy_list (copy->correlations = lists.correlations, self->correlations);
  copy_list (copy->points = lists.points, self->points);
  copy_list (copy->constraints = lists.constraints, self->constraints);
  for (guint i = 0; i < copy->constraints->len; i++)
    {
      WeirStudyConstraint *c = &g_array_index (copy->constraints, WeirStudyConstraint, i);

      c->figure = g_strdup (c->figure);
    }
  copy_list (copy->matches = lists.matches, self->matches);
  for (guint i = 0; i < copy->matches->len; i++)
    {
      WeirStudyMatch *match = &g_array_index (copy->matches, WeirStudyMatch, i);

      match->port = g_strdup (match->port);
      match->column = g_strdup (match->column);
    }
  copy_list (copy->signals = lists.signals, self->signals);
  for (guint i = 0; i < copy->signals->len; i++)
    {
      WeirStudySignal *signal = &g_array_index (copy->signals, WeirStudySignal, i);

      signal->port = g_strdup (signal->port);
    }
  copy_list (copy->figures = lists.figures, self->figures);
  for (guint i = 0; i < copy->figures->len; i++)
    {
      WeirStudyFigure *figure = &g_array_index (copy->figures, WeirStudyFigure, i);

      figure->name = g_strdup (figure->name);
      figure->port = g_strdup (figure->port);
      figure->expression = g_strdup (figure->expression);
    }
  return copy;
}

/* --- Names ----------------------------------------------------------------------------------- */

gboolean
weir_study_is_name (const char *text)
{
  if (!g_ascii_isalpha (text[0]) && text[0] != '_')
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && *text != '_')
      return FALSE;
  return TRUE;
}

char *
weir_study_dup_end (const char *path)
{
  const char *dot = strrchr (path, '.');
  char *name = g_strdup (dot != NULL ? dot + 1 : path);
  gsize length = strlen (name);

  if (length > 0 && name[length - 1] == ']')
    name[--length] = '\0';
  return g_strdelimit (name, "[]-: (),", '_');
}

static gboolean
is_taken (const WeirStudy *self, const char *name)
{
  for (guint i = 0; i < self->parameters->len; i++)
    if (strcmp (weir_study_get_parameter (self, i)->name, name) == 0)
      return TRUE;
  for (guint i = 0; i < self->figures->len; i++)
    if (strcmp (weir_study_get_figure (self, i)->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* @wanted as far as it can be a name, with a number where it is taken. */
static char *
dup_free_name (const WeirStudy *self, const char *wanted, const char *otherwise)
{
  g_autofree char *base = weir_study_dup_end (wanted);
  char *name;

  g_strdelimit (base, "-", '_');
  if (!weir_study_is_name (base))
    {
      g_free (base);
      base = g_strdup (otherwise);
    }
  name = g_strdup (base);
  for (guint i = 2; is_taken (self, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s_%u", base, i);
    }
  return name;
}

/* --- Points ---------------------------------------------------------------------------------- */

#define USUAL_POINTS 100
#define USUAL_VALUES 11 /* of each parameter, where they are counted out */

static gboolean
counts_values (const WeirStudy *self)
{
  return self->method == WEIR_POINTS_GRID || self->method == WEIR_POINTS_ONE_AT_A_TIME;
}

gboolean
weir_study_is_counted (const WeirStudy *self)
{
  return self->method != WEIR_POINTS_LIST && self->method != WEIR_POINTS_CORNERS
         && self->method != WEIR_POINTS_LOCAL;
}

void
weir_study_set_method (WeirStudy *self, WeirPointsMethod method)
{
  gboolean is_search;

  self->method = method;
  is_search = weir_study_is_search (self);
  self->levels = MAX (self->levels, 4);
  self->step = is_search ? 1e-4 : 1e-3;
  self->is_shifted = method == WEIR_POINTS_SOBOL || method == WEIR_POINTS_INDICES;
  self->starts = MAX (self->starts, 1);
  self->tolerance = method == WEIR_POINTS_FIT ? 1e-8 : 1e-6;
  if (!weir_study_is_counted (self) || counts_values (self))
    self->n = 0;
  else if (self->n == 0)
    self->n = USUAL_POINTS;
  for (guint i = 0; i < self->parameters->len; i++)
    {
      WeirStudyParameter *p = &g_array_index (self->parameters, WeirStudyParameter, i);

      if (!counts_values (self))
        p->n = 0;
      else if (p->n == 0)
        p->n = USUAL_VALUES;
    }
}

guint64
weir_study_get_count (const WeirStudy *self)
{
  if (!counts_values (self))
    return self->n;
  for (guint i = 0; i < self->parameters->len; i++)
    if (weir_study_get_parameter (self, i)->values == NULL)
      return weir_study_get_parameter (self, i)->n;
  return USUAL_VALUES;
}

void
weir_study_set_count (WeirStudy *self, guint64 n)
{
  if (!counts_values (self))
    self->n = n;
  for (guint i = 0; i < self->parameters->len && counts_values (self); i++)
    g_array_index (self->parameters, WeirStudyParameter, i).n = (guint) MIN (n, G_MAXINT32);
}

/* --- Parameters ------------------------------------------------------------------------------ */

guint
weir_study_add_parameter (WeirStudy *self, const char *path, double from, double to)
{
  WeirStudyParameter p = {
    .path = g_strdup (path),
    .name = dup_free_name (self, path, "p"),
    .from = from,
    .to = to,
    .mean = NAN,
    .deviation = NAN,
    .mode = NAN,
    .middle = NAN,
    .n = counts_values (self) ? (guint) MIN (weir_study_get_count (self), G_MAXINT32) : 0,
  };

  g_array_append_val (self->parameters, p);
  g_array_set_size (self->points, 0); /* they were points of fewer parameters */
  return self->parameters->len - 1;
}

void
weir_study_remove_parameter (WeirStudy *self, guint i)
{
  g_return_if_fail (i < self->parameters->len);

  for (guint k = self->correlations->len; k-- > 0;)
    {
      WeirStudyCorrelation *c = &g_array_index (self->correlations, WeirStudyCorrelation, k);

      if (c->a == i || c->b == i)
        g_array_remove_index (self->correlations, k);
      else
        {
          c->a -= c->a > i;
          c->b -= c->b > i;
        }
    }
  g_array_remove_index (self->parameters, i);
  g_array_set_size (self->points, 0);
}

/* --- What is kept ---------------------------------------------------------------------------- */

const char *const weir_figure_kind_names[WEIR_N_FIGURES] = {
  [WEIR_FIGURE_MAXIMUM] = "maximum",
  [WEIR_FIGURE_MINIMUM] = "minimum",
  [WEIR_FIGURE_MEAN] = "mean",
  [WEIR_FIGURE_RMS] = "rms",
  [WEIR_FIGURE_DEVIATION] = "deviation",
  [WEIR_FIGURE_INTEGRAL] = "integral",
  [WEIR_FIGURE_INITIAL] = "initial",
  [WEIR_FIGURE_FINAL] = "final",
  [WEIR_FIGURE_PEAK] = "peak",
  [WEIR_FIGURE_PEAK_TIME] = "peak-time",
  [WEIR_FIGURE_OVERSHOOT] = "overshoot",
  [WEIR_FIGURE_UNDERSHOOT] = "undershoot",
  [WEIR_FIGURE_RISE_TIME] = "rise-time",
  [WEIR_FIGURE_SETTLING_TIME] = "settling-time",
  [WEIR_FIGURE_MEDIAN] = "median",
  [WEIR_FIGURE_PERIOD] = "period",
  [WEIR_FIGURE_EXPRESSION] = "expression",
};

guint
weir_study_add_figure (WeirStudy *self, WeirFigureKind kind, const char *port)
{
  WeirStudyFigure figure = {
    .name = dup_free_name (self, weir_figure_kind_names[kind], "figure"),
    .kind = kind,
    .port = g_strdup (port),
    .from = -INFINITY,
    .to = INFINITY,
    .initial = NAN,
    .final = NAN,
    .band = NAN,
  };

  g_array_append_val (self->figures, figure);
  return self->figures->len - 1;
}

void
weir_study_change_figure (WeirStudy *self, guint i, WeirFigureKind kind, const char *port)
{
  WeirStudyFigure *figure = &g_array_index (self->figures, WeirStudyFigure, i);
  char *before = g_strdup (figure->port);

  g_return_if_fail (figure->kind != WEIR_FIGURE_EXPRESSION);

  figure->kind = kind;
  if (g_strcmp0 (before, port) != 0)
    {
      g_free (figure->port);
      figure->port = g_strdup (port);
    }
  g_free (before);
}

void
weir_study_remove_figure (WeirStudy *self, guint i)
{
  g_autofree char *name = g_strdup (weir_study_get_figure (self, i)->name);

  if (g_strcmp0 (self->objective.figure, name) == 0)
    g_clear_pointer (&self->objective.figure, g_free);
  for (guint k = self->constraints->len; k-- > 0;)
    if (strcmp (g_array_index (self->constraints, WeirStudyConstraint, k).figure, name) == 0)
      g_array_remove_index (self->constraints, k);
  g_array_remove_index (self->figures, i);
}

void
weir_study_set_objective (WeirStudy *self, guint figure, gboolean is_largest)
{
  g_free (self->objective.figure);
  self->objective.figure = g_strdup (weir_study_get_figure (self, figure)->name);
  self->objective.place = figure;
  self->objective.is_largest = is_largest;
}

static gboolean
keeps_signal (const WeirStudy *self, const char *port)
{
  for (guint i = 0; i < self->signals->len; i++)
    if (strcmp (weir_study_get_signal (self, i)->port, port) == 0)
      return TRUE;
  return FALSE;
}

void
weir_study_keep_signals (WeirStudy *self, gboolean keeps)
{
  if (!keeps)
    g_array_set_size (self->signals, 0);
  for (guint i = 0; i < self->figures->len && keeps; i++)
    {
      WeirStudySignal signal = { g_strdup (weir_study_get_figure (self, i)->port), 0 };

      if (signal.port != NULL && !keeps_signal (self, signal.port))
        g_array_append_val (self->signals, signal);
      else
        g_free (signal.port);
    }
}
