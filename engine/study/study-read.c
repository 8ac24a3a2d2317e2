/* Reading studies. See study.h.
 *
 * Each element names its attributes in one table; what is missing, misspelt or no number is one
 * sentence with its line. What a method or a figure needs besides is checked where its element
 * ends.
 */
#include "study/study.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/phrase.h"
#include "base/status.h"
#include "base/text.h"
#include "base/xml.h"

#define MOST_ATTRIBUTES 12
#define MOST_PARAMETERS 1000
#define MOST_THINGS 100000 /* figures, signals, settings, correlations */
#define MOST_NUMBERS 10000000

typedef struct {
  const char *element, *parent;
  const char *attributes[MOST_ATTRIBUTES + 1]; /* with a ! those that must be there */
} Form;

static const Form forms[] = {
  { "study", NULL, { "!version", "!model", "seed" } },
  { "title", "study", { NULL } },
  { "setting", "study", { "!name", "!value" } },
  { "points",
    "study",
    { "!method", "n", "levels", "step", "shift", "starts", "tolerance", "algorithm" } },
  { "parameter",
    "points",
    { "!path", "name", "distribution", "from", "to", "mean", "deviation", "mode", "middle", "n",
      "values" } },
  { "correlation", "points", { "!of", "!with", "!value" } },
  { "point", "points", { "!values" } },
  { "objective", "points", { "!figure", "goal" } },
  { "constraint", "points", { "!figure", "from", "to" } },
  { "measured", "points", { "!file" } },
  { "match", "points", { "!port", "!column", "deviation" } },
  { "keep", "study", { NULL } },
  { "signal", "keep", { "!port" } },
  { "figure", "keep", { "!name", "what", "of", "is", "from", "to", "initial", "final", "band" } },
};

typedef struct {
  WeirXml xml;
  WeirStudy *study;
  const Form *open[8];
  guint depth;
  gboolean has_points;
  GString *text; /* of the open title; or NULL */
} Reading;

/* --- Words ----------------------------------------------------------------------------------- */

static const char *const methods[WEIR_N_POINTS] = {
  [WEIR_POINTS_LIST] = "list",
  [WEIR_POINTS_GRID] = "grid",
  [WEIR_POINTS_ONE_AT_A_TIME] = "one-at-a-time",
  [WEIR_POINTS_CORNERS] = "corners",
  [WEIR_POINTS_RANDOM] = "random",
  [WEIR_POINTS_LATIN_HYPERCUBE] = "latin-hypercube",
  [WEIR_POINTS_SOBOL] = "sobol",
  [WEIR_POINTS_LOCAL] = "local",
  [WEIR_POINTS_MORRIS] = "morris",
  [WEIR_POINTS_INDICES] = "indices",
  [WEIR_POINTS_OPTIMISE] = "optimise",
  [WEIR_POINTS_FIT] = "fit",
};

static const char *const algorithms[WEIR_N_ALGORITHMS] = {
  [WEIR_ALGORITHM_USUAL] = "usual",
  [WEIR_ALGORITHM_BOBYQA] = "bobyqa",
  [WEIR_ALGORITHM_COBYLA] = "cobyla",
  [WEIR_ALGORITHM_SBPLX] = "sbplx",
  [WEIR_ALGORITHM_NELDER_MEAD] = "nelder-mead",
  [WEIR_ALGORITHM_CRS] = "crs",
  [WEIR_ALGORITHM_ISRES] = "isres",
  [WEIR_ALGORITHM_DIRECT] = "direct",
};

static const char *const distributions[WEIR_N_DISTRIBUTIONS] = {
  [WEIR_DISTRIBUTION_UNIFORM] = "uniform",       [WEIR_DISTRIBUTION_LOG_UNIFORM] = "log-uniform",
  [WEIR_DISTRIBUTION_NORMAL] = "normal",         [WEIR_DISTRIBUTION_LOG_NORMAL] = "log-normal",
  [WEIR_DISTRIBUTION_TRIANGULAR] = "triangular", [WEIR_DISTRIBUTION_EXPONENTIAL] = "exponential",
  [WEIR_DISTRIBUTION_WEIBULL] = "weibull",
};

const char *
weir_points_method_get_name (WeirPointsMethod method)
{
  return methods[method];
}

const char *
weir_algorithm_get_name (WeirAlgorithm algorithm)
{
  return algorithms[algorithm];
}

const char *
weir_distribution_get_name (WeirDistribution distribution)
{
  return distributions[distribution];
}

/* --- Attributes ------------------------------------------------------------------------------ */

static void fail (Reading *r, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
fail (Reading *r, const char *format, ...)
{
  g_autoptr (WeirMessage) text = NULL;
  va_list args;

  if (r->xml.code != NULL)
    return;
  va_start (args, format);
  text = weir_message_new_valist (format, args);
  va_end (args);
  weir_xml_fail (&r->xml, "STU01", weir_xml_get_line (&r->xml), "%s.",
                 weir_message_get_text (text));
}

static const char *
get (Reading *r, const char *attribute)
{
  return weir_xml_get_attribute (&r->xml, attribute);
}

static gboolean
parse_number (const char *text, double *number)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*number);
}

static double
get_number (Reading *r, const char *attribute, double otherwise)
{
  const char *text = get (r, attribute);
  double number = otherwise;

  if (text != NULL && !parse_number (text, &number))
    fail (r, N_ ("%s of <%s> must be a number, but is \"%.60s\""), attribute,
          r->open[r->depth - 1]->element, text);
  return number;
}

static guint64
get_count (Reading *r, const char *attribute, guint64 otherwise, guint64 most)
{
  const char *text = get (r, attribute);
  guint64 count = otherwise;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 0, most, &count, NULL))
    fail (r, N_ ("%s of <%s> must be a whole number up to %llu, but is \"%.60s\""), attribute,
          r->open[r->depth - 1]->element, (unsigned long long) most, text);
  return count;
}

/* Which of @names the attribute is. */
static guint
get_word (Reading *r, const char *attribute, const char *const *names, guint n, guint otherwise)
{
  const char *text = get (r, attribute);
  g_autoptr (GString) all = NULL;

  if (text == NULL)
    return otherwise;
  all = g_string_new (names[0]);
  for (guint i = 0; i < n; i++)
    {
      if (strcmp (names[i], text) == 0)
        return i;
      if (i > 0)
        g_string_append_printf (all, ", %s", names[i]);
    }
  fail (r, N_ ("%s of <%s> is \"%.60s\", but must be one of %s"), attribute,
        r->open[r->depth - 1]->element, text, all->str);
  return otherwise;
}

/* Adds the numbers of a list; how many there are. */
static guint
get_numbers (Reading *r, const char *attribute, GArray *numbers)
{
  const char *text = get (r, attribute);
  g_auto (GStrv) parts = g_strsplit_set (text, " ,\t\n", -1);
  guint n = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      double number;

      if (parts[i][0] == '\0')
        continue;
      if (!parse_number (parts[i], &number))
        fail (r, N_ ("%s of <%s> must be numbers, but one is \"%.60s\""), attribute,
              r->open[r->depth - 1]->element, parts[i]);
      else if (numbers->len >= MOST_NUMBERS)
        fail (r, N_ ("the study lists more than %d numbers"), MOST_NUMBERS);
      else
        g_array_append_val (numbers, number);
      n++;
    }
  return n;
}

/* --- Elements -------------------------------------------------------------------------------- */

static gboolean
find_parameter (const WeirStudy *study, const char *name, guint *i)
{
  for (*i = 0; *i < study->parameters->len; ++*i)
    if (strcmp (weir_study_get_parameter (study, *i)->name, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_figure (const WeirStudy *study, const char *name)
{
  for (guint i = 0; i < study->figures->len; i++)
    if (strcmp (weir_study_get_figure (study, i)->name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
check_name (Reading *r, const char *name)
{
  guint i;

  if (!weir_study_is_name (name))
    fail (r,
          N_ ("\"%.60s\" cannot be a name in expressions: letters, digits and _ make one; give "
              "another with name"),
          name);
  else if (find_parameter (r->study, name, &i) || has_figure (r->study, name))
    fail (r, N_ ("\"%s\" is given twice; give each parameter and figure a name of its own"), name);
}

static void
need (Reading *r, const WeirStudyParameter *p, double value, const char *attribute,
      const char *what)
{
  if (isnan (value))
    fail (r, N_ ("%s needs the attribute \"%s\": %s"), p->path, attribute, what);
}

static void
check_distribution (Reading *r, const WeirStudyParameter *p)
{
  const char *name = distributions[p->distribution];

  switch (p->distribution)
    {
    case WEIR_DISTRIBUTION_UNIFORM:
    case WEIR_DISTRIBUTION_LOG_UNIFORM:
    case WEIR_DISTRIBUTION_TRIANGULAR:
      need (r, p, p->from, "from", name);
      need (r, p, p->to, "to", name);
      if (p->from >= p->to)
        fail (r, N_ ("%s is from %g to %g: the second must be the larger"), p->path, p->from,
              p->to);
      if (p->distribution == WEIR_DISTRIBUTION_LOG_UNIFORM && p->from <= 0)
        fail (r, N_ ("%s is %s from %g: that must be above 0"), p->path, name, p->from);
      if (p->distribution != WEIR_DISTRIBUTION_TRIANGULAR)
        break;
      need (r, p, p->mode, "mode", name);
      if (p->mode < p->from || p->mode > p->to)
        fail (r, N_ ("the mode %g of %s is not between its ends"), p->mode, p->path);
      break;
    case WEIR_DISTRIBUTION_NORMAL:
    case WEIR_DISTRIBUTION_LOG_NORMAL:
    case WEIR_DISTRIBUTION_WEIBULL:
      need (r, p, p->mean, "mean", name);
      need (r, p, p->deviation, "deviation", name);
      if (p->deviation <= 0)
        fail (r, N_ ("the deviation of %s is %g, but must be above 0"), p->path, p->deviation);
      break;
    case WEIR_DISTRIBUTION_EXPONENTIAL:
      need (r, p, p->mean, "mean", name);
      if (p->mean <= 0)
        fail (r, N_ ("the mean of %s is %g, but must be above 0"), p->path, p->mean);
      break;
    case WEIR_N_DISTRIBUTIONS:
    default:
      break;
    }
}

/* What the method takes of a parameter. */
static void
check_parameter (Reading *r, const WeirStudyParameter *p)
{
  switch (r->study->method)
    {
    case WEIR_POINTS_GRID:
    case WEIR_POINTS_ONE_AT_A_TIME:
      if (p->values != NULL)
        break;
      need (r, p, p->from, "from", weir_phrase (N_ ("or values")));
      need (r, p, p->to, "to", weir_phrase (N_ ("or values")));
      if (p->n == 0)
        fail (r, N_ ("%s needs the attribute \"n\": how many values from %g to %g"), p->path,
              p->from, p->to);
      if (p->distribution == WEIR_DISTRIBUTION_LOG_UNIFORM && (p->from <= 0 || p->to <= 0))
        fail (r, N_ ("%s is log-uniform from %g to %g: both must be above 0"), p->path, p->from,
              p->to);
      break;
    case WEIR_POINTS_OPTIMISE:
    case WEIR_POINTS_FIT:
      if (p->distribution != WEIR_DISTRIBUTION_UNIFORM
          && p->distribution != WEIR_DISTRIBUTION_LOG_UNIFORM)
        fail (
            r,
            N_ ("%s is %s, but a search takes its ends: uniform, or log-uniform for its logarithm"),
            p->path, distributions[p->distribution]);
      check_distribution (r, p);
      break;
    case WEIR_POINTS_CORNERS:
      need (r, p, p->from, "from", weir_phrase (N_ ("one end")));
      need (r, p, p->to, "to", weir_phrase (N_ ("the other end")));
      break;
    case WEIR_POINTS_RANDOM:
    case WEIR_POINTS_LATIN_HYPERCUBE:
    case WEIR_POINTS_SOBOL:
    case WEIR_POINTS_MORRIS:
    case WEIR_POINTS_INDICES:
      check_distribution (r, p);
      break;
    case WEIR_POINTS_LIST:
    case WEIR_POINTS_LOCAL:
    case WEIR_N_POINTS:
    default:
      break;
    }
}

static void
read_parameter (Reading *r)
{
  const char *name = get (r, "name");
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  WeirStudyParameter p = {
    .path = g_strdup (get (r, "path")),
    .name = name != NULL ? g_strdup (name) : weir_study_dup_end (get (r, "path")),
    .distribution = get_word (r, "distribution", distributions, WEIR_N_DISTRIBUTIONS, 0),
    .from = get_number (r, "from", NAN),
    .to = get_number (r, "to", NAN),
    .mean = get_number (r, "mean", NAN),
    .deviation = get_number (r, "deviation", NAN),
    .mode = get_number (r, "mode", NAN),
    .middle = get_number (r, "middle", NAN),
    .n = (guint) get_count (r, "n", 0, G_MAXINT32),
    .line = weir_xml_get_line (&r->xml),
  };

  check_name (r, p.name);
  if (r->study->points->len > 0)
    fail (r, N_ ("parameters stand before the points that are listed"));
  if (get (r, "values") != NULL)
    {
      p.n_values = get_numbers (r, "values", values);
      p.values = (double *) g_array_steal (values, NULL);
    }
  g_array_append_val (r->study->parameters, p);
  if (r->study->parameters->len > MOST_PARAMETERS)
    fail (r, N_ ("the study varies more than %d parameters"), MOST_PARAMETERS);
  if (p.values == NULL && get (r, "values") != NULL)
    fail (r, N_ ("values of %s are none"), p.path);
  check_parameter (r, &p);
}

static void
read_correlation (Reading *r)
{
  WeirStudyCorrelation c = { .value = get_number (r, "value", 0) };
  const char *ends[] = { get (r, "of"), get (r, "with") };
  guint *places[] = { &c.a, &c.b };

  for (guint i = 0; i < 2; i++)
    if (!find_parameter (r->study, ends[i], places[i]))
      fail (r, N_ ("no parameter before this line is called \"%.60s\""), ends[i]);
  if (c.a == c.b)
    fail (r, N_ ("\"%.60s\" cannot be correlated with itself"), ends[0]);
  if (fabs (c.value) >= 1)
    fail (r, N_ ("a correlation must be between -1 and 1, but is %g"), c.value);
  if (r->study->method != WEIR_POINTS_RANDOM && r->study->method != WEIR_POINTS_LATIN_HYPERCUBE
      && r->study->method != WEIR_POINTS_SOBOL)
    fail (r, N_ ("method %s has no correlations; random, latin-hypercube and sobol do"),
          methods[r->study->method]);
  g_array_append_val (r->study->correlations, c);
}

static void
read_point (Reading *r)
{
  guint n = r->study->parameters->len;
  guint given;

  if (r->study->method != WEIR_POINTS_LIST)
    fail (r, N_ ("method %s lists no points; list does"), methods[r->study->method]);
  given = get_numbers (r, "values", r->study->points);
  if (given != n)
    fail (r,
          N_ ("a point has a value for each of the %u parameters before it, but this one has %u"),
          n, given);
}

/* FALSE: the element is of another method. */
static gboolean
check_method (Reading *r, WeirPointsMethod method)
{
  if (r->study->method == method)
    return TRUE;
  fail (r, N_ ("method %s has no <%s>; %s does"), methods[r->study->method],
        r->open[r->depth - 1]->element, methods[method]);
  return FALSE;
}

static void
read_objective (Reading *r)
{
  static const char *const goals[] = { "least", "largest" };
  WeirStudyObjective *objective = &r->study->objective;

  if (!check_method (r, WEIR_POINTS_OPTIMISE))
    return;
  if (objective->figure != NULL)
    {
      fail (r, N_ ("a study has one <objective>; make a figure of several with is"));
      return;
    }
  objective->figure = g_strdup (get (r, "figure"));
  objective->is_largest = get_word (r, "goal", goals, G_N_ELEMENTS (goals), 0) == 1;
  objective->line = weir_xml_get_line (&r->xml);
}

static void
read_constraint (Reading *r)
{
  WeirStudyConstraint c = {
    .figure = g_strdup (get (r, "figure")),
    .from = get_number (r, "from", -INFINITY),
    .to = get_number (r, "to", INFINITY),
    .line = weir_xml_get_line (&r->xml),
  };

  g_array_append_val (r->study->constraints, c);
  check_method (r, WEIR_POINTS_OPTIMISE);
  if (!isfinite (c.from) && !isfinite (c.to))
    fail (r, N_ ("the constraint of %.60s needs the attribute \"from\", \"to\" or both"), c.figure);
  if (c.from > c.to)
    fail (r, N_ ("the constraint of %.60s is from %g to %g: the second must not be the smaller"),
          c.figure, c.from, c.to);
}

static void
read_match (Reading *r)
{
  WeirStudyMatch match = {
    .port = g_strdup (get (r, "port")),
    .column = g_strdup (get (r, "column")),
    .deviation = get_number (r, "deviation", NAN),
    .line = weir_xml_get_line (&r->xml),
  };

  g_array_append_val (r->study->matches, match);
  check_method (r, WEIR_POINTS_FIT);
  if (match.deviation <= 0)
    fail (r, N_ ("the deviation of %.60s is %g, but must be above 0"), match.column,
          match.deviation);
}

static void
read_measured (Reading *r)
{
  if (!check_method (r, WEIR_POINTS_FIT))
    return;
  if (r->study->measured != NULL)
    fail (r, N_ ("a study has one file of what was measured"));
  g_free (r->study->measured);
  r->study->measured = g_strdup (get (r, "file"));
  r->study->measured_line = weir_xml_get_line (&r->xml);
}

/* What searches say of themselves. */
static void
read_search (Reading *r)
{
  WeirStudy *study = r->study;

  if (!weir_study_is_search (study))
    {
      if (get (r, "starts") != NULL || get (r, "tolerance") != NULL || get (r, "algorithm") != NULL)
        fail (r, N_ ("method %s has no starts, tolerance or algorithm; optimise and fit do"),
              methods[study->method]);
      return;
    }
  if (get (r, "n") == NULL)
    study->n = study->method == WEIR_POINTS_FIT ? 500 : 1000;
  study->starts = (guint) get_count (r, "starts", 1, 10000);
  study->tolerance = get_number (r, "tolerance", study->method == WEIR_POINTS_FIT ? 1e-8 : 1e-6);
  study->step = get_number (r, "step", 1e-4);
  study->algorithm = get_word (r, "algorithm", algorithms, WEIR_N_ALGORITHMS, WEIR_ALGORITHM_USUAL);
  if (study->n == 0 || study->starts == 0)
    fail (r, N_ ("a search needs points and starts: n and starts of <points> must be above 0"));
  if (!(study->tolerance > 0) || study->tolerance >= 1)
    fail (r, N_ ("tolerance of <points> must be above 0 and below 1, but is %g"), study->tolerance);
  if (study->method == WEIR_POINTS_FIT && get (r, "algorithm") != NULL)
    fail (r, N_ ("method fit has one algorithm, least squares; optimise has several"));
}

static void
read_points (Reading *r)
{
  const char *shift = get (r, "shift");
  WeirStudy *study = r->study;
  gboolean needs_n;

  if (r->has_points)
    fail (r, N_ ("a study has one element <points>"));
  r->has_points = TRUE;
  study->method = get_word (r, "method", methods, WEIR_N_POINTS, 0);
  study->n = get_count (r, "n", 0, WEIR_STUDY_MOST_POINTS);
  study->levels = (guint) get_count (r, "levels", 4, 1000);
  study->step = get_number (r, "step", 1e-3);
  study->is_shifted = (study->method == WEIR_POINTS_SOBOL || study->method == WEIR_POINTS_INDICES)
                      && g_strcmp0 (shift, "none") != 0;
  study->line = weir_xml_get_line (&r->xml);
  if (shift != NULL && strcmp (shift, "none") != 0 && strcmp (shift, "random") != 0)
    fail (r, N_ ("shift of <points> is \"%.60s\", but must be random or none"), shift);
  if (study->levels < 2 || study->levels % 2 != 0)
    fail (r, N_ ("levels of <points> must be even, but are %u"), study->levels);
  if (!(study->step > 0))
    fail (r, N_ ("step of <points> must be above 0, but is %g"), study->step);
  needs_n = study->method == WEIR_POINTS_RANDOM || study->method == WEIR_POINTS_LATIN_HYPERCUBE
            || study->method == WEIR_POINTS_SOBOL || study->method == WEIR_POINTS_MORRIS
            || study->method == WEIR_POINTS_INDICES;
  if (needs_n && get (r, "n") == NULL)
    fail (r, N_ ("method %s needs the attribute \"n\""), methods[study->method]);
  read_search (r);
}

static void
read_figure (Reading *r)
{
  const char *of = get (r, "of"), *is = get (r, "is");
  WeirStudyFigure figure = {
    .name = g_strdup (get (r, "name")),
    .kind = get_word (r, "what", weir_figure_kind_names, WEIR_FIGURE_EXPRESSION,
                      WEIR_FIGURE_EXPRESSION),
    .port = g_strdup (of),
    .expression = g_strdup (is),
    .from = get_number (r, "from", -INFINITY),
    .to = get_number (r, "to", INFINITY),
    .initial = get_number (r, "initial", NAN),
    .final = get_number (r, "final", NAN),
    .band = get_number (r, "band", NAN),
    .line = weir_xml_get_line (&r->xml),
  };

  check_name (r, figure.name);
  g_array_append_val (r->study->figures, figure);
  if (is != NULL ? get (r, "what") != NULL || of != NULL : get (r, "what") == NULL || of == NULL)
    fail (r, N_ ("figure %s needs either what and of, a figure of a signal, or is, an expression"),
          figure.name);
  if (figure.from >= figure.to)
    fail (r, N_ ("figure %s is from %g s to %g s: the second must be the later"), figure.name,
          figure.from, figure.to);
}

static void
read_study (Reading *r)
{
  r->study->model = g_strdup (get (r, "model"));
  r->study->seed = get_count (r, "seed", 0, G_MAXINT64);
  if (r->study->model[0] == '\0')
    fail (r, N_ ("model of <study> must name a file"));
}

static void
read_element (Reading *r, const char *name)
{
  WeirStudy *study = r->study;

  if (strcmp (name, "study") == 0)
    read_study (r);
  else if (strcmp (name, "title") == 0)
    r->text = g_string_new (NULL);
  else if (strcmp (name, "setting") == 0)
    {
      WeirStudySetting setting = { g_strdup (get (r, "name")), g_strdup (get (r, "value")),
                                   weir_xml_get_line (&r->xml) };

      g_array_append_val (study->settings, setting);
    }
  else if (strcmp (name, "points") == 0)
    read_points (r);
  else if (strcmp (name, "parameter") == 0)
    read_parameter (r);
  else if (strcmp (name, "correlation") == 0)
    read_correlation (r);
  else if (strcmp (name, "point") == 0)
    read_point (r);
  else if (strcmp (name, "objective") == 0)
    read_objective (r);
  else if (strcmp (name, "constraint") == 0)
    read_constraint (r);
  else if (strcmp (name, "measured") == 0)
    read_measured (r);
  else if (strcmp (name, "match") == 0)
    read_match (r);
  else if (strcmp (name, "signal") == 0)
    {
      WeirStudySignal signal = { g_strdup (get (r, "port")), weir_xml_get_line (&r->xml) };

      g_array_append_val (study->signals, signal);
    }
  else if (strcmp (name, "figure") == 0)
    read_figure (r);
  if (study->settings->len + study->signals->len + study->figures->len + study->correlations->len
          + study->constraints->len + study->matches->len
      > MOST_THINGS)
    fail (r, N_ ("the study has more than %d elements"), MOST_THINGS);
}

/* --- The stream ------------------------------------------------------------------------------ */

static const Form *
find_form (Reading *r, const char *name)
{
  const char *parent = r->depth > 0 ? r->open[r->depth - 1]->element : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (strcmp (forms[i].element, name) == 0 && g_strcmp0 (forms[i].parent, parent) == 0)
      return &forms[i];
  if (parent == NULL)
    fail (r, N_ ("the file is no study: it begins with <%.60s>"), name);
  else
    fail (r, N_ ("there is no <%.60s> in <%s>"), name, parent);
  return NULL;
}

static void
check_attributes (Reading *r, const Form *form, const char *const *attributes, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint k = 0;

      while (form->attributes[k] != NULL
             && strcmp (form->attributes[k] + (form->attributes[k][0] == '!'), attributes[5 * i])
                    != 0)
        k++;
      if (form->attributes[k] == NULL)
        fail (r, N_ ("<%s> has no attribute \"%.60s\""), form->element, attributes[5 * i]);
    }
  for (guint k = 0; form->attributes[k] != NULL; k++)
    if (form->attributes[k][0] == '!' && get (r, form->attributes[k] + 1) == NULL)
      fail (r, N_ ("<%s> needs the attribute \"%s\""), form->element, form->attributes[k] + 1);
}

static void
check_version (Reading *r)
{
  const char *version = get (r, "version");

  if (g_strcmp0 (version, G_STRINGIFY (WEIR_STUDY_VERSION)) != 0 && version != NULL)
    fail (r, N_ ("the study has format version %.30s, but this program reads version %d"), version,
          WEIR_STUDY_VERSION);
}

static void
note_start (gpointer data, const char *name, G_GNUC_UNUSED const char *uri,
            const char *const *attributes, guint n_attributes)
{
  Reading *r = data;
  const Form *form = find_form (r, name);

  if (form == NULL)
    return;
  r->open[r->depth++] = form; /* forms are no deeper than this */
  if (r->depth == 1)
    check_version (r);
  if (r->xml.code == NULL)
    check_attributes (r, form, attributes, n_attributes);
  if (r->xml.code == NULL)
    read_element (r, name);
}

static void
note_end (gpointer data, G_GNUC_UNUSED const char *name)
{
  Reading *r = data;

  if (r->depth > 0)
    r->depth--;
  if (r->text == NULL)
    return;
  g_free (r->study->title);
  r->study->title = g_string_free (g_steal_pointer (&r->text), FALSE);
}

static void
note_text (gpointer data, const char *text, gsize length)
{
  Reading *r = data;

  if (r->text != NULL)
    {
      g_string_append_len (r->text, text, (gssize) length);
      return;
    }
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isspace (text[i]))
      {
        fail (r, N_ ("there is text outside of any element that has some"));
        return;
      }
}

/* --- The whole ------------------------------------------------------------------------------- */

static void
find_figure (Reading *r, const char *name, guint *place, int line)
{
  for (*place = 0; *place < r->study->figures->len; ++*place)
    if (strcmp (weir_study_get_figure (r->study, *place)->name, name) == 0)
      return;
  weir_xml_fail (&r->xml, "STU01", line, "The study keeps no figure \"%.60s\"; add it to <keep>.",
                 name);
}

/* The signal that a match is of is kept: it is added where it is not. */
static void
keep_match (Reading *r, WeirStudyMatch *match)
{
  GArray *signals = r->study->signals;
  WeirStudySignal added = { NULL, match->line };

  for (match->signal = 0; match->signal < signals->len; match->signal++)
    if (strcmp (weir_study_get_signal (r->study, match->signal)->port, match->port) == 0)
      return;
  added.port = g_strdup (match->port);
  g_array_append_val (signals, added);
}

/* What a search needs of what stands before and after its goals. */
static void
finish_search (Reading *r)
{
  WeirStudy *study = r->study;

  if (study->parameters->len == 0)
    weir_xml_fail (&r->xml, "STU01", study->line, "A search needs parameters.");
  else if (study->method == WEIR_POINTS_FIT && study->n < 2 * study->parameters->len + 2)
    weir_xml_fail (&r->xml, "STU01", study->line,
                   "A fit of %u parameters needs at least %u points a start; give it more with n.",
                   study->parameters->len, 2 * study->parameters->len + 2);
  else if (study->method == WEIR_POINTS_OPTIMISE && study->objective.figure == NULL)
    weir_xml_fail (&r->xml, "STU01", study->line, "The search needs an <objective>.");
  else if (study->method == WEIR_POINTS_FIT
           && (study->measured == NULL || study->matches->len == 0))
    weir_xml_fail (&r->xml, "STU01", study->line,
                   "The fit needs <measured>, a file, and a <match> of a signal with its column.");
  if (r->xml.code == NULL && study->constraints->len > 0
      && (study->algorithm == WEIR_ALGORITHM_CRS || study->algorithm == WEIR_ALGORITHM_DIRECT))
    weir_xml_fail (&r->xml, "STU01", study->line,
                   "Algorithm %s keeps no constraints; isres is global and does.",
                   algorithms[study->algorithm]);
  if (r->xml.code == NULL && study->objective.figure != NULL)
    find_figure (r, study->objective.figure, &study->objective.place, study->objective.line);
  for (guint i = 0; r->xml.code == NULL && i < study->constraints->len; i++)
    {
      WeirStudyConstraint *c = &g_array_index (study->constraints, WeirStudyConstraint, i);

      find_figure (r, c->figure, &c->place, c->line);
    }
  for (guint i = 0; r->xml.code == NULL && i < study->matches->len; i++)
    {
      WeirStudyMatch *match = &g_array_index (study->matches, WeirStudyMatch, i);

      if (study->matches->len > 1 && isnan (match->deviation))
        weir_xml_fail (&r->xml, "STU01", match->line,
                       "Where several signals are matched, each needs the attribute "
                       "\"deviation\", by which it is weighed.");
      else
        keep_match (r, match);
    }
}

static void
finish (Reading *r)
{
  g_autoptr (GError) error = NULL;
  int line = 0;

  if (r->xml.code == NULL && weir_study_is_search (r->study))
    finish_search (r);
  if (r->xml.code == NULL && !r->has_points)
    weir_xml_fail (&r->xml, "STU01", 0, "The study has no element <points>.");
  if (r->xml.code == NULL && r->study->signals->len + r->study->figures->len == 0)
    weir_xml_fail (&r->xml, "STU01", 0,
                   "The study keeps nothing of its runs; name signals or figures in <keep>.");
  if (r->xml.code == NULL && !weir_study_prepare (r->study, &line, &error))
    weir_xml_fail (&r->xml, "STU02", line, "%s.", weir_error_get_text (error));
}

WeirStudy *
weir_study_read_bytes (GBytes *bytes, const char *name, WeirDiagnostics *diagnostics)
{
  static const WeirXmlHandlers handlers = { note_start, note_end, note_text, NULL };
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  Reading r = { .study = weir_study_new () };

  r.xml = (WeirXml) { .handlers = &handlers,
                      .data = &r,
                      .stream = stream,
                      .limit = weir_file_get_limit (WEIR_FILE_STUDY) };
  weir_xml_read (&r.xml);
  finish (&r);
  if (r.text != NULL)
    g_string_free (r.text, TRUE);
  if (r.xml.code != NULL)
    {
      weir_diagnostics_add_message (diagnostics, WEIR_SEVERITY_ERROR, r.xml.code, "", 0, 0,
                                    r.xml.line, g_steal_pointer (&r.xml.sentence));
      weir_diagnostics_set_file (diagnostics, name);
      g_clear_pointer (&r.study, weir_study_free);
    }
  else
    r.study->file = g_strdup (name);
  weir_xml_clear (&r.xml);
  return r.study;
}

WeirStudy *
weir_study_read_file (const char *path, WeirDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_STUDY, &error);

  if (bytes != NULL)
    return weir_study_read_bytes (bytes, path, diagnostics);
  weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FIL01", "", 0, 0, 0, "%s.",
                        weir_error_get_text (error));
  weir_diagnostics_set_file (diagnostics, path);
  return NULL;
}
