/* Writing studies: the same bytes for the same study, and reading them gives it again. */
#include "study/study.h"

#include <math.h>

#include "numerics/number.h"

static void
put_text (GString *xml, const char *attribute, const char *text)
{
  g_autofree char *escaped = text != NULL ? g_markup_escape_text (text, -1) : NULL;

  if (text != NULL)
    g_string_append_printf (xml, " %s=\"%s\"", attribute, escaped);
}

static void
put_number (GString *xml, const char *attribute, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value))
    put_text (xml, attribute, weir_number_to_text (value, text));
}

static void
put_count (GString *xml, const char *attribute, guint64 count)
{
  g_string_append_printf (xml, " %s=\"%" G_GUINT64_FORMAT "\"", attribute, count);
}

static void
put_numbers (GString *xml, const char *attribute, const double *values, guint n)
{
  g_string_append_printf (xml, " %s=\"", attribute);
  for (guint i = 0; i < n; i++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (xml, "%s%s", i > 0 ? " " : "", weir_number_to_text (values[i], text));
    }
  g_string_append_c (xml, '"');
}

static void
put_parameter (GString *xml, const WeirStudyParameter *p)
{
  g_string_append (xml, "    <parameter");
  put_text (xml, "path", p->path);
  put_text (xml, "name", p->name);
  if (p->distribution != WEIR_DISTRIBUTION_UNIFORM)
    put_text (xml, "distribution", weir_distribution_get_name (p->distribution));
  put_number (xml, "from", p->from);
  put_number (xml, "to", p->to);
  put_number (xml, "mean", p->mean);
  put_number (xml, "deviation", p->deviation);
  put_number (xml, "mode", p->mode);
  put_number (xml, "middle", p->middle);
  if (p->n > 0)
    put_count (xml, "n", p->n);
  if (p->values != NULL)
    put_numbers (xml, "values", p->values, p->n_values);
  g_string_append (xml, "/>\n");
}

/* What a search is after: one that was given up has nothing of it in a file. */
static void
put_goals (GString *xml, const WeirStudy *self)
{
  gboolean is_fit = self->method == WEIR_POINTS_FIT;

  if (!weir_study_is_search (self))
    return;
  if (self->objective.figure != NULL && !is_fit)
    {
      g_string_append (xml, "    <objective");
      put_text (xml, "figure", self->objective.figure);
      put_text (xml, "goal", self->objective.is_largest ? "largest" : "least");
      g_string_append (xml, "/>\n");
    }
  for (guint i = 0; i < self->constraints->len && !is_fit; i++)
    {
      const WeirStudyConstraint *c = &g_array_index (self->constraints, WeirStudyConstraint, i);

      g_string_append (xml, "    <constraint");
      put_text (xml, "figure", c->figure);
      put_number (xml, "from", c->from);
      put_number (xml, "to", c->to);
      g_string_append (xml, "/>\n");
    }
  if (self->measured != NULL && is_fit)
    {
      g_string_append (xml, "    <measured");
      put_text (xml, "file", self->measured);
      g_string_append (xml, "/>\n");
    }
  for (guint i = 0; i < self->matches->len && is_fit; i++)
    {
      const WeirStudyMatch *match = &g_array_index (self->matches, WeirStudyMatch, i);

      g_string_append (xml, "    <match");
      put_text (xml, "port", match->port);
      put_text (xml, "column", match->column);
      put_number (xml, "deviation", match->deviation);
      g_string_append (xml, "/>\n");
    }
}

static void
put_points (GString *xml, const WeirStudy *self)
{
  guint n = self->parameters->len;

  g_string_append (xml, "  <points");
  put_text (xml, "method", weir_points_method_get_name (self->method));
  if (self->n > 0)
    put_count (xml, "n", self->n);
  if (self->method == WEIR_POINTS_MORRIS)
    put_count (xml, "levels", self->levels);
  if (self->method == WEIR_POINTS_LOCAL || self->method == WEIR_POINTS_FIT)
    put_number (xml, "step", self->step);
  if ((self->method == WEIR_POINTS_SOBOL || self->method == WEIR_POINTS_INDICES)
      && !self->is_shifted)
    put_text (xml, "shift", "none");
  if (weir_study_is_search (self))
    {
      put_count (xml, "starts", self->starts);
      put_number (xml, "tolerance", self->tolerance);
    }
  if (self->method == WEIR_POINTS_OPTIMISE)
    put_text (xml, "algorithm", weir_algorithm_get_name (self->algorithm));
  g_string_append (xml, ">\n");
  for (guint i = 0; i < n; i++)
    put_parameter (xml, weir_study_get_parameter (self, i));
  for (guint i = 0; i < self->correlations->len; i++)
    {
      WeirStudyCorrelation c = g_array_index (self->correlations, WeirStudyCorrelation, i);

      g_string_append (xml, "    <correlation");
      put_text (xml, "of", weir_study_get_parameter (self, c.a)->name);
      put_text (xml, "with", weir_study_get_parameter (self, c.b)->name);
      put_number (xml, "value", c.value);
      g_string_append (xml, "/>\n");
    }
  for (guint i = 0; self->method == WEIR_POINTS_LIST && n > 0 && i < self->points->len; i += n)
    {
      g_string_append (xml, "    <point");
      put_numbers (xml, "values", &g_array_index (self->points, double, i), n);
      g_string_append (xml, "/>\n");
    }
  put_goals (xml, self);
  g_string_append (xml, "  </points>\n");
}

static void
put_figure (GString *xml, const WeirStudyFigure *figure)
{
  g_string_append (xml, "    <figure");
  put_text (xml, "name", figure->name);
  if (figure->kind != WEIR_FIGURE_EXPRESSION)
    put_text (xml, "what", weir_figure_kind_names[figure->kind]);
  put_text (xml, "of", figure->port);
  put_text (xml, "is", figure->expression);
  put_number (xml, "from", figure->from);
  put_number (xml, "to", figure->to);
  put_number (xml, "initial", figure->initial);
  put_number (xml, "final", figure->final);
  put_number (xml, "band", figure->band);
  g_string_append (xml, "/>\n");
}

GBytes *
weir_study_write_bytes (const WeirStudy *self)
{
  GString *xml = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<study");

  put_count (xml, "version", WEIR_STUDY_VERSION);
  put_text (xml, "model", self->model);
  if (self->seed != 0)
    put_count (xml, "seed", self->seed);
  g_string_append (xml, ">\n");
  if (self->title != NULL)
    {
      g_autofree char *title = g_markup_escape_text (self->title, -1);

      g_string_append_printf (xml, "  <title>%s</title>\n", title);
    }
  for (guint i = 0; i < self->settings->len; i++)
    {
      const WeirStudySetting *setting = &g_array_index (self->settings, WeirStudySetting, i);

      g_string_append (xml, "  <setting");
      put_text (xml, "name", setting->name);
      put_text (xml, "value", setting->value);
      g_string_append (xml, "/>\n");
    }
  put_points (xml, self);
  g_string_append (xml, "  <keep>\n");
  for (guint i = 0; i < self->signals->len; i++)
    {
      g_string_append (xml, "    <signal");
      put_text (xml, "port", weir_study_get_signal (self, i)->port);
      g_string_append (xml, "/>\n");
    }
  for (guint i = 0; i < self->figures->len; i++)
    put_figure (xml, weir_study_get_figure (self, i));
  g_string_append (xml, "  </keep>\n</study>\n");
  return g_string_free_to_bytes (xml);
}
