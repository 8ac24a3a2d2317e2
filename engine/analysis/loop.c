/* Points, delays and updates of a model as one linear system. See loop.h.
 *
 * Everything that is cut is linearised at once: perturbed signals u, delays' outputs w and discrete
 * states d are inputs; the signals that drive what was cut, delays' inputs and updates are outputs.
 * What is not broken is joined again by elimination.
 */
#include "analysis/loop.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "analysis/linearize.h"
#include "base/status.h"
#include "base/text.h"
#include "system/evaluation/event.h"

/* --- What is cut ----------------------------------------------------------------------------- */

typedef struct {
  const char *path;
  char *driver;          /* what drives it, among the outputs; NULL: nothing does */
  WeirInputPlace signal; /* what that is known by: the first input that sees it */
  gboolean is_input;
  WeirPointKinds kinds;
  guint size;    /* elements */
  guint cut;     /* first element among the cut ones; G_MAXUINT: not cut */
  guint in, out; /* first input and output of the operating point */
  guint delay;   /* the one whose output it sees; G_MAXUINT: none */
  guint before;  /* the cut point at the output that drives it; G_MAXUINT: none */
} Point;

typedef struct {
  char *input, *output; /* paths */
  WeirInputPlace signal;
  double time; /* s */
  guint size;
  guint in, out; /* G_MAXUINT: a point stands at its output */
} Delay;

typedef struct {
  WeirSystem *root;
  WeirLayout *layout;
  GArray *points; /* Point */
  GArray *delays; /* Delay */
  WeirOperatingPoint *at;
  GPtrArray *notes;
  double error;

  /* Sizes: states, cut elements, delayed ones, discrete ones, perturbed, measured. */
  guint n, n_cut, n_late, n_discrete, n_in, n_out;
  WeirMatrix *whole; /* rows: xdot, measured, z, next; columns: x, d, w, delta */
} Joining;

static void
clear_point (gpointer data)
{
  g_free (((Point *) data)->driver);
}

static void
clear_delay (gpointer data)
{
  g_free (((Delay *) data)->input);
  g_free (((Delay *) data)->output);
}

static void
joining_clear (Joining *self)
{
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->delays, g_array_unref);
  g_clear_pointer (&self->at, weir_operating_point_free);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->whole, weir_matrix_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Joining, joining_clear)

static char *
dup_port_path (const WeirLayout *layout, WeirNode node, const char *port)
{
  g_autofree char *owner = weir_layout_dup_path (layout, node);

  return *owner != '\0' ? g_strconcat (owner, ".", port, NULL) : g_strdup (port);
}

static gboolean
find_port (const WeirLayout *layout, const char *path, WeirNode *node, WeirInput *in,
           WeirOutput *out, gboolean *is_input)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *owner = dot != NULL ? g_strndup (path, (gsize) (dot - path)) : g_strdup ("");
  const char *name = dot != NULL ? dot + 1 : path;

  if (!weir_layout_find_node (layout, owner, node))
    return FALSE;
  *is_input = !weir_layout_find_output (layout, *node, name, out);
  return !*is_input || weir_layout_find_input (layout, *node, name, in);
}

#define NOWHERE ((WeirInputPlace) { { G_MAXUINT32 }, { G_MAXUINT16 } })

static gboolean
is_same_place (WeirInputPlace a, WeirInputPlace b)
{
  return a.node.i == b.node.i && a.in.i == b.in.i;
}

/* What a signal is known by, whatever ports of diagrams it passes; NOWHERE: nothing sees it. */
static WeirInputPlace
find_signal (const WeirLayout *layout, WeirNode node, WeirOutput out)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (WeirInputPlace));

  weir_layout_list_readers (layout, node, out, places);
  return places->len > 0 ? g_array_index (places, WeirInputPlace, 0) : NOWHERE;
}

/* The output port that drives a leaf's input; NULL if none does. (transfer full) */
static char *
dup_driver (const WeirLayout *layout, WeirInputPlace reader, WeirInputPlace *signal)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (WeirInputPlace));

  for (guint32 i = 0; i < weir_layout_get_n_nodes (layout); i++)
    for (guint16 o = 0; o < weir_layout_get_n_outputs (layout, (WeirNode) { i }); o++)
      {
        g_array_set_size (places, 0);
        weir_layout_list_readers (layout, (WeirNode) { i }, (WeirOutput) { o }, places);
        *signal = places->len > 0 ? g_array_index (places, WeirInputPlace, 0) : NOWHERE;
        for (guint k = 0; k < places->len; k++)
          if (is_same_place (g_array_index (places, WeirInputPlace, k), reader))
            return dup_port_path (
                layout, (WeirNode) { i },
                weir_layout_get_output_name (layout, (WeirNode) { i }, (WeirOutput) { o }));
      }
  *signal = NOWHERE;
  return NULL;
}

static gboolean
add_point (Joining *self, const WeirAnalysisPoint *asked, GError **error)
{
  Point point = { .path = asked->path,
                  .kinds = asked->kinds,
                  .delay = G_MAXUINT,
                  .before = G_MAXUINT,
                  .cut = G_MAXUINT };
  WeirNode node;
  WeirInput in;
  WeirOutput out;

  if (!find_port (self->layout, asked->path, &node, &in, &out, &point.is_input))
    {
      weir_error_set (error, WEIR_ERROR_NOT_FOUND, "the model has no port \"%s\"", asked->path);
      return FALSE;
    }
  point.size = point.is_input ? weir_layout_get_input_size (self->layout, node, in)
                              : weir_layout_get_output_size (self->layout, node, out);
  if (point.is_input)
    point.driver = dup_driver (self->layout, (WeirInputPlace) { node, in }, &point.signal);
  else
    {
      point.driver = g_strdup (asked->path);
      point.signal = find_signal (self->layout, node, out);
    }
  for (guint i = 0; i < self->points->len; i++)
    {
      Point *other = &g_array_index (self->points, Point, i);

      if (!g_str_equal (other->path, asked->path))
        continue;
      other->kinds |= asked->kinds;
      g_free (point.driver);
      return TRUE;
    }
  g_array_append_val (self->points, point);
  return TRUE;
}

/* Leaves that delay their one input by a constant time. */
static void
find_delays (Joining *self)
{
  for (guint i = 0; i < weir_system_get_n_events (self->root); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (self->root, i);
      WeirInput in;
      WeirOutput out;
      Delay delay = { .in = G_MAXUINT };

      if (event.n_points == 0)
        continue;
      if (weir_layout_get_n_inputs (self->layout, event.node) != 1
          || !weir_layout_find_input (self->layout, event.node, "u", &in)
          || !weir_layout_find_output (self->layout, event.node, "y", &out))
        {
          g_autofree char *path = weir_layout_dup_path (self->layout, event.node);

          g_ptr_array_add (
              self->notes,
              g_strdup_printf (_ ("%s: what it delays is held at its present value"), path));
          continue;
        }
      delay.input = dup_port_path (self->layout, event.node, "u");
      delay.output = dup_port_path (self->layout, event.node, "y");
      delay.signal = find_signal (self->layout, event.node, out);
      delay.size = weir_layout_get_output_size (self->layout, event.node, out);
      delay.time = event.period * event.n_points;
      g_array_append_val (self->delays, delay);
    }
}

/* --- Linearising ----------------------------------------------------------------------------- */

static gboolean
is_cut (const Point *point)
{
  return (point->kinds & (WEIR_POINT_INPUT | WEIR_POINT_BREAK)) != 0;
}

/* Adds @path to @paths, whose signals have @n elements so far. Returns the first element. */
static guint
add_path (GPtrArray *paths, const char *path, guint size, guint *n)
{
  guint first = *n;

  g_ptr_array_add (paths, g_strdup (path));
  *n += size;
  return first;
}

static gboolean
sees (const Point *point, WeirInputPlace signal)
{
  return is_same_place (point->signal, signal) && !is_same_place (signal, NOWHERE);
}

/* Whether it cuts @signal for all that see it. */
static gboolean
cuts_all (const Point *point, WeirInputPlace signal)
{
  return is_cut (point) && !point->is_input && sees (point, signal);
}

/* What a point sees is a delay's output, or what another point leaves of it. */
static void
find_before (Joining *self, Point *point)
{
  for (guint k = 0; k < self->delays->len; k++)
    if (sees (point, g_array_index (self->delays, Delay, k).signal))
      point->delay = k;
  for (guint i = 0; i < self->points->len; i++)
    if (point->is_input && cuts_all (&g_array_index (self->points, Point, i), point->signal))
      point->before = i;
}

/* Delays' outputs first, then points at outputs, then at inputs: the last one that is given for an
 * input holds there. */
static void
add_inputs (Joining *self, GPtrArray *inputs, guint *n_inputs)
{
  for (guint k = 0; k < self->delays->len; k++)
    {
      Delay *delay = &g_array_index (self->delays, Delay, k);

      delay->in = 0;
      for (guint i = 0; i < self->points->len; i++)
        if (cuts_all (&g_array_index (self->points, Point, i), delay->signal))
          delay->in = G_MAXUINT;
      if (delay->in == 0)
        delay->in = add_path (inputs, delay->output, delay->size, n_inputs);
    }
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->points->len; i++)
      {
        Point *point = &g_array_index (self->points, Point, i);

        if (!is_cut (point) || point->is_input != (pass == 1))
          continue;
        point->cut = self->n_cut;
        self->n_cut += point->size;
        point->in = add_path (inputs, point->path, point->size, n_inputs);
      }
}

static gboolean
make_point (Joining *self, const WeirContext *context, GError **error)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  guint n_inputs = 0, n_outputs = 0;

  add_inputs (self, inputs, &n_inputs);
  for (guint i = 0; i < self->points->len; i++)
    {
      Point *point = &g_array_index (self->points, Point, i);

      find_before (self, point);
      point->out = add_path (outputs,
                             is_cut (point) && point->driver != NULL ? point->driver : point->path,
                             point->size, &n_outputs);
    }
  for (guint k = 0; k < self->delays->len; k++)
    {
      Delay *delay = &g_array_index (self->delays, Delay, k);

      delay->out = add_path (outputs, delay->input, delay->size, &n_outputs);
      self->n_late += delay->size;
    }
  self->at = weir_operating_point_new_sampled (self->root, context,
                                               (const char *const *) inputs->pdata,
                                               (const char *const *) outputs->pdata, error);
  if (self->at == NULL)
    return FALSE;
  self->n = weir_operating_point_get_n_states (self->at);
  self->n_discrete = weir_operating_point_get_n_inputs (self->at) - n_inputs;
  return TRUE;
}

/* All derivatives: rows xdot, outputs; columns x, inputs. (transfer full) */
static WeirMatrix *
differentiate (Joining *self, GError **error)
{
  guint n = self->n, m = weir_operating_point_get_n_inputs (self->at);
  guint p = weir_operating_point_get_n_outputs (self->at);
  g_autoptr (WeirMatrix) a = weir_matrix_new (n, n);
  g_autoptr (WeirMatrix) b = weir_matrix_new (n, m);
  g_autoptr (WeirMatrix) c = weir_matrix_new (p, n);
  g_autoptr (WeirMatrix) d = weir_matrix_new (p, m);
  g_autofree double *errors = g_new0 (double, (gsize) n + p + 1);
  WeirMatrix *whole;

  if (!weir_operating_point_differentiate (self->at, weir_operating_point_get_state (self->at),
                                           weir_operating_point_get_input (self->at), a->v, b->v,
                                           c->v, d->v, errors, self->notes, error))
    return NULL;
  whole = weir_matrix_new (n + p, n + m);
  weir_matrix_put (whole, 0, 0, a);
  weir_matrix_put (whole, 0, n, b);
  weir_matrix_put (whole, n, 0, c);
  weir_matrix_put (whole, n, n, d);
  for (guint i = 0; i < n + p; i++)
    {
      double size = 0;

      for (guint j = 0; j < n + m; j++)
        size = fmax (size, fabs (weir_matrix_get (whole, i, j)));
      if (size > 0)
        self->error = fmax (self->error, errors[i] / size);
    }
  return whole;
}

/* --- Joining --------------------------------------------------------------------------------- */

/* Where the columns x, d, w, delta of the joined matrix begin. */
static guint
discrete_column (const Joining *self)
{
  return self->n;
}

static guint
late_column (const Joining *self)
{
  return self->n + self->n_discrete;
}

static guint
input_column (const Joining *self)
{
  return self->n + self->n_discrete + self->n_late;
}

static guint
first_late (const Joining *self, guint delay)
{
  guint first = 0;

  for (guint k = 0; k < delay; k++)
    first += g_array_index (self->delays, Delay, k).size;
  return first;
}

/* A row of derivatives with the columns of cut signals apart: @free over x, d, w; @cut over u. */
static void
split_row (const Joining *self, const double *row, double *free, double *cut)
{
  guint n_inputs = weir_operating_point_get_n_inputs (self->at);

  memcpy (free, row, self->n * sizeof *row);
  memcpy (free + discrete_column (self), row + self->n + n_inputs - self->n_discrete,
          self->n_discrete * sizeof *row);
  for (guint k = 0; k < self->delays->len; k++)
    {
      const Delay *delay = &g_array_index (self->delays, Delay, k);

      for (guint e = 0; e < delay->size && delay->in != G_MAXUINT; e++)
        free[late_column (self) + first_late (self, k) + e] = row[self->n + delay->in + e];
    }
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);

      for (guint e = 0; e < point->size && point->cut != G_MAXUINT; e++)
        cut[point->cut + e] = row[self->n + point->in + e];
    }
}

/* What drives element @e of a point: its row over x, d, w, and u. */
static void
get_driver (const Joining *self, const WeirMatrix *raw, const Point *point, guint e, double *free,
            double *cut)
{
  memset (free, 0, input_column (self) * sizeof *free);
  memset (cut, 0, self->n_cut * sizeof *cut);
  if (point->before != G_MAXUINT)
    cut[g_array_index (self->points, Point, point->before).cut + e] = 1;
  else if (point->delay != G_MAXUINT)
    free[late_column (self) + first_late (self, point->delay) + e] = 1;
  else if (point->driver != NULL || !is_cut (point))
    split_row (self, &raw->v[(gsize) (self->n + point->out + e) * raw->columns], free, cut);
}

/* u over x, d, w, delta: (1 - K D)^-1 (K ... + delta), K what is not broken (@all: everything). */
static WeirMatrix *
solve_cuts (const Joining *self, const WeirMatrix *raw, gboolean all)
{
  guint width = input_column (self) + self->n_in, place = 0;
  g_autoptr (WeirMatrix) left = weir_matrix_identity (self->n_cut);
  g_autoptr (WeirMatrix) right = weir_matrix_new (self->n_cut, width);
  g_autofree double *free = g_new0 (double, input_column (self) + 1);
  g_autofree double *cut = g_new0 (double, self->n_cut + 1);

  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);
      gboolean is_joined = all || (point->kinds & WEIR_POINT_BREAK) == 0;

      for (guint e = 0; e < point->size && point->cut != G_MAXUINT; e++)
        {
          guint row = point->cut + e;

          get_driver (self, raw, point, e, free, cut);
          for (guint j = 0; j < self->n_cut && is_joined; j++)
            *weir_matrix_at (left, row, j) -= cut[j];
          for (guint j = 0; j < input_column (self) && is_joined; j++)
            *weir_matrix_at (right, row, j) = free[j];
          if ((point->kinds & WEIR_POINT_INPUT) != 0)
            *weir_matrix_at (right, row, input_column (self) + place++) = 1;
        }
    }
  return weir_matrix_solve (left, right);
}

/* A row over x, d, w and u becomes one over x, d, w, delta, in row @row of @joined. */
static void
join_row (const Joining *self, const double *free, const double *cut, const WeirMatrix *u,
          WeirMatrix *joined, guint row)
{
  for (guint j = 0; j < joined->columns; j++)
    {
      double sum = j < input_column (self) ? free[j] : 0;

      for (guint k = 0; k < self->n_cut; k++)
        sum += cut[k] * weir_matrix_get (u, k, j);
      *weir_matrix_at (joined, row, j) = sum;
    }
}

static void
join_raw_row (const Joining *self, const WeirMatrix *raw, guint from, const WeirMatrix *u,
              WeirMatrix *joined, guint row)
{
  g_autofree double *free = g_new0 (double, input_column (self) + 1);
  g_autofree double *cut = g_new0 (double, self->n_cut + 1);

  split_row (self, &raw->v[(gsize) from * raw->columns], free, cut);
  join_row (self, free, cut, u, joined, row);
}

/* The measurements of one point, from row @row on. Returns how many. */
static guint
join_measurements (const Joining *self, const WeirMatrix *raw, const Point *point,
                   const WeirMatrix *u, WeirMatrix *joined, guint row)
{
  g_autofree double *free = g_new0 (double, input_column (self) + 1);
  g_autofree double *cut = g_new0 (double, self->n_cut + 1);
  guint n = 0;

  for (guint e = 0; e < point->size && (point->kinds & WEIR_POINT_OUTPUT) != 0; e++)
    {
      get_driver (self, raw, point, e, free, cut);
      join_row (self, free, cut, u, joined, row + n++);
    }
  for (guint e = 0; e < point->size && (point->kinds & WEIR_POINT_AFTER) != 0; e++)
    {
      if (point->cut == G_MAXUINT)
        {
          get_driver (self, raw, point, e, free, cut);
          join_row (self, free, cut, u, joined, row + n++);
          continue;
        }
      for (guint j = 0; j < joined->columns; j++)
        *weir_matrix_at (joined, row + n, j) = weir_matrix_get (u, point->cut + e, j);
      n++;
    }
  return n;
}

static guint
count_measured (const Point *point)
{
  return point->size
         * (((point->kinds & WEIR_POINT_OUTPUT) != 0) + ((point->kinds & WEIR_POINT_AFTER) != 0));
}

/* Rows xdot, measured, z, next over x, d, w, delta. FALSE and @error at an algebraic loop. */
static gboolean
join (Joining *self, const WeirMatrix *raw, GError **error)
{
  guint n_updated = weir_operating_point_get_n_updates (self->at), n_next = 0, row;
  g_autoptr (WeirMatrix) u = solve_cuts (self, raw, FALSE);

  for (guint i = 0; i < n_updated; i++)
    n_next += weir_operating_point_get_update (self->at, i).size;
  if (u == NULL || weir_matrix_get_max (u) > 1e13)
    {
      weir_error_set (
          error, WEIR_ERROR_FAILED,
          "the points close an algebraic loop that has no solution here: what is measured "
          "follows the perturbation at once, with a gain of 1");
      return FALSE;
    }
  self->whole = weir_matrix_new (self->n + self->n_out + self->n_late + n_next, u->columns);
  for (row = 0; row < self->n; row++)
    join_raw_row (self, raw, row, u, self->whole, row);
  for (guint i = 0; i < self->points->len; i++)
    row += join_measurements (self, raw, &g_array_index (self->points, Point, i), u, self->whole,
                              row);
  for (guint k = 0; k < self->delays->len; k++)
    for (guint e = 0; e < g_array_index (self->delays, Delay, k).size; e++)
      join_raw_row (self, raw, self->n + g_array_index (self->delays, Delay, k).out + e, u,
                    self->whole, row++);
  for (guint i = 0; i < n_updated; i++)
    {
      WeirPointUpdate update = weir_operating_point_get_update (self->at, i);

      for (guint e = 0; e < update.size; e++)
        join_raw_row (self, raw, self->n + update.first_output + e, u, self->whole, row++);
    }
  return TRUE;
}

/* --- Names ----------------------------------------------------------------------------------- */

static char *
dup_element (const char *path, guint size, guint e)
{
  return size == 1 ? g_strdup (path) : g_strdup_printf ("%s[%u]", path, e);
}

static void
name_all (const Joining *self, WeirLoop *loop)
{
  guint n_inputs = weir_operating_point_get_n_inputs (self->at);

  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (loop->states, weir_operating_point_dup_state_name (self->at, i));
  for (guint i = n_inputs - self->n_discrete; i < n_inputs; i++)
    g_ptr_array_add (loop->states, g_strdup (weir_operating_point_get_input_name (self->at, i)));
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);
      gboolean is_both = (point->kinds & WEIR_POINT_OUTPUT) != 0
                         && (point->kinds & WEIR_POINT_AFTER) != 0;

      for (guint e = 0; e < point->size && (point->kinds & WEIR_POINT_INPUT) != 0; e++)
        g_ptr_array_add (loop->inputs, dup_element (point->path, point->size, e));
      for (guint e = 0; e < point->size && (point->kinds & WEIR_POINT_OUTPUT) != 0; e++)
        g_ptr_array_add (loop->outputs, dup_element (point->path, point->size, e));
      for (guint e = 0; e < point->size && (point->kinds & WEIR_POINT_AFTER) != 0; e++)
        {
          g_autofree char *name = dup_element (point->path, point->size, e);

          g_ptr_array_add (loop->outputs,
                           is_both ? g_strconcat (name, " after", NULL) : g_strdup (name));
        }
    }
}

/* What is perturbed and measured, at the point. */
static void
fill_values (const Joining *self, WeirLoop *loop)
{
  const double *x = weir_operating_point_get_state (self->at);
  const double *u = weir_operating_point_get_input (self->at);
  g_autofree double *y = g_new0 (double, weir_operating_point_get_n_outputs (self->at) + 1);
  guint in = 0, out = 0;

  loop->input_values = g_new0 (double, self->n_in + 1);
  loop->output_values = g_new0 (double, self->n_out + 1);
  if (!weir_operating_point_eval (self->at, x, u, NULL, y))
    return;
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = &g_array_index (self->points, Point, i);

      for (guint e = 0; e < point->size && (point->kinds & WEIR_POINT_INPUT) != 0; e++)
        loop->input_values[in++] = u[point->in + e];
      for (guint k = 0; k < count_measured (point); k++)
        loop->output_values[out++] = y[point->out + k % point->size];
    }
}

/* --- Sampled models: lifting ------------------------------------------------------------------ */

#define MOST_TICKS 10000
#define BEFORE -1. /* the updates of a tick, in place of seconds after them */

typedef struct {
  const Joining *joining;
  guint n_s;          /* x, d, w, queues, delta */
  guint queue, delta; /* where they begin */
  guint n_ticks;
  double tick;                  /* s */
  double *input_at, *output_at; /* by perturbation, measurement: s within a tick; or BEFORE */
  guint *memory;                /* by delayed element: the first place of its queue */
  guint *late;                  /* by delayed element: whole ticks */
  double *rest;                 /* by delayed element: s within a tick */
  WeirMatrix *phi; /* n_s rows: what the state is by now; columns: state at the start, all inputs */
  WeirMatrix *out; /* measured, tick by tick */
  WeirMatrix *flow; /* the generator of what goes on between ticks */
} Lifting;

static guint
get_late_size (const Joining *self, guint element, double *time)
{
  guint first = 0;

  *time = 0;
  for (guint k = 0; k < self->delays->len; k++)
    {
      const Delay *delay = &g_array_index (self->delays, Delay, k);

      if (element < first + delay->size)
        {
          *time = delay->time;
          return k;
        }
      first += delay->size;
    }
  return 0;
}

/* Replaces row @to of what is by the combination @row of x, d, w, delta. */
static void
combine (const Lifting *self, const double *row, double *result)
{
  const Joining *joining = self->joining;

  memset (result, 0, self->phi->columns * sizeof *result);
  for (guint j = 0; j < input_column (joining) + joining->n_in; j++)
    {
      guint state = j < input_column (joining) ? j : self->delta + j - input_column (joining);

      for (guint k = 0; row[j] != 0 && k < self->phi->columns; k++)
        result[k] += row[j] * weir_matrix_get (self->phi, state, k);
    }
}

static void
set_row (Lifting *self, guint state, const double *values)
{
  memcpy (&self->phi->v[(gsize) state * self->phi->columns], values,
          self->phi->columns * sizeof *values);
}

static void
copy_row (Lifting *self, guint to, guint from)
{
  memmove (&self->phi->v[(gsize) to * self->phi->columns],
           &self->phi->v[(gsize) from * self->phi->columns], self->phi->columns * sizeof (double));
}

/* Inputs of a tick come in, and outputs are taken: those whose time within it is @at. */
static void
exchange (Lifting *self, guint tick, double at)
{
  const Joining *joining = self->joining;
  guint n_in = joining->n_in;
  g_autofree double *row = g_new0 (double, self->phi->columns);

  for (guint i = 0; i < n_in; i++)
    if (self->input_at[i] == at)
      {
        memset (row, 0, self->phi->columns * sizeof *row);
        row[self->n_s + tick * n_in + i] = 1;
        set_row (self, self->delta + i, row);
      }
  for (guint i = 0; i < joining->n_out; i++)
    if (self->output_at[i] == at)
      combine (self, &joining->whole->v[(gsize) (joining->n + i) * joining->whole->columns],
               &self->out->v[(gsize) (tick * joining->n_out + i) * self->out->columns]);
}

static gboolean
fires (const WeirPointUpdate *update, double tick, guint k)
{
  double n = (k * tick - update->offset) / update->period;

  return fabs (n - round (n)) < 1e-6;
}

static void
update (Lifting *self, guint tick)
{
  const Joining *joining = self->joining;
  guint row = joining->n + joining->n_out + joining->n_late;
  guint first_group = weir_operating_point_get_n_inputs (joining->at) - joining->n_discrete;
  g_autoptr (WeirMatrix) next = weir_matrix_new (joining->n_discrete, self->phi->columns);
  g_autofree gboolean *is_new = g_new0 (gboolean, joining->n_discrete + 1);

  for (guint i = 0; i < weir_operating_point_get_n_updates (joining->at); i++)
    {
      WeirPointUpdate event = weir_operating_point_get_update (joining->at, i);
      guint place = event.first_input - first_group;

      for (guint e = 0; e < event.size; e++, row++)
        if (fires (&event, self->tick, tick))
          {
            combine (self, &joining->whole->v[(gsize) row * joining->whole->columns],
                     &next->v[(gsize) (place + e) * next->columns]);
            is_new[place + e] = TRUE;
          }
    }
  for (guint e = 0; e < joining->n_discrete; e++)
    if (is_new[e])
      set_row (self, discrete_column (joining) + e, &next->v[(gsize) e * next->columns]);
}

/* Delays of whole ticks give what they took in so many ticks ago. */
static void
give_delayed (Lifting *self)
{
  const Joining *joining = self->joining;

  for (guint e = 0; e < joining->n_late; e++)
    if (self->rest[e] == 0)
      copy_row (self, late_column (joining) + e, self->memory[e] + self->late[e] - 1);
}

/* All take in what is there from this tick on, held perturbations included. */
static void
take_in (Lifting *self)
{
  const Joining *joining = self->joining;
  g_autofree double *row = g_new0 (double, self->phi->columns);

  for (guint e = 0; e < joining->n_late; e++)
    {
      guint size = self->late[e] + (self->rest[e] > 0);

      for (guint k = size; k-- > 1;)
        copy_row (self, self->memory[e] + k, self->memory[e] + k - 1);
      combine (
          self,
          &joining->whole->v[(gsize) (joining->n + joining->n_out + e) * joining->whole->columns],
          row);
      set_row (self, self->memory[e], row);
    }
}

static void
advance (Lifting *self, double time)
{
  g_autoptr (WeirMatrix) turn = weir_matrix_exp (self->flow, time);
  WeirMatrix *next = weir_matrix_times (turn, self->phi);

  weir_matrix_free (self->phi);
  self->phi = next;
}

/* From a tick to the next, with what delays give in between. */
static void
advance_tick (Lifting *self, guint tick)
{
  const Joining *joining = self->joining;
  double done = 0;

  for (;;)
    {
      double next = self->tick;

      for (guint e = 0; e < joining->n_late; e++)
        if (self->rest[e] > done)
          next = fmin (next, self->rest[e]);
      advance (self, next - done);
      if (next == self->tick)
        return;
      for (guint e = 0; e < joining->n_late; e++)
        if (self->rest[e] == next)
          copy_row (self, late_column (joining) + e, self->memory[e] + self->late[e]);
      exchange (self, tick, next);
      done = next;
    }
}

static void
lifting_clear (Lifting *self)
{
  g_clear_pointer (&self->phi, weir_matrix_free);
  g_clear_pointer (&self->out, weir_matrix_free);
  g_clear_pointer (&self->flow, weir_matrix_free);
  g_clear_pointer (&self->memory, g_free);
  g_clear_pointer (&self->late, g_free);
  g_clear_pointer (&self->rest, g_free);
  g_clear_pointer (&self->input_at, g_free);
  g_clear_pointer (&self->output_at, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lifting, lifting_clear)

static double
find_common (double a, double b, double smallest)
{
  while (b > smallest)
    {
      double rest = fmod (a, b);

      if (b - rest < smallest)
        rest = 0;
      a = b;
      b = rest;
    }
  return a;
}

/* The largest time that all periods and offsets are multiples of, and how many make a common
 * period. FALSE if that are too many. */
static gboolean
find_ticks (const Joining *self, double *tick, guint *n_ticks)
{
  guint n = weir_operating_point_get_n_updates (self->at);
  double first = weir_operating_point_get_update (self->at, 0).period, common = 1;
  double offset = weir_operating_point_get_update (self->at, 0).offset;

  *tick = first;
  for (guint i = 1; i < n; i++)
    {
      WeirPointUpdate event = weir_operating_point_get_update (self->at, i);

      *tick = find_common (*tick, event.period, 1e-9 * first);
      if (fabs (event.offset - offset) > 1e-9 * first)
        *tick = find_common (*tick, fabs (event.offset - offset), 1e-9 * first);
    }
  for (guint i = 0; i < n; i++)
    {
      double parts = round (weir_operating_point_get_update (self->at, i).period / *tick);

      common = common / find_common (common, parts, 0.5) * parts;
      if (!(common <= MOST_TICKS))
        return FALSE;
    }
  *n_ticks = (guint) common;
  return TRUE;
}

/* How long delayed element @e waits: whole ticks, and the rest of one. Rests that differ by
 * rounding are one. */
static void
measure_delay (Lifting *self, guint e)
{
  double time, ticks;

  get_late_size (self->joining, e, &time);
  ticks = time / self->tick;
  self->late[e] = (guint) floor (fmin (ticks, MOST_TICKS + 1.) + 1e-9);
  self->rest[e] = ticks - self->late[e] > 1e-9 ? time - self->late[e] * self->tick : 0;
  for (guint k = 0; k < e; k++)
    if (fabs (self->rest[k] - self->rest[e]) < 1e-9 * self->tick)
      self->rest[e] = self->rest[k];
}

/* Whether @row, over x, d, w and delta, changes at other times than ticks. */
static gboolean
moves_within_ticks (const Lifting *self, const double *row)
{
  const Joining *joining = self->joining;
  double largest = 0, moving = 0;

  for (guint j = 0; j < joining->whole->columns; j++)
    {
      guint late = j - late_column (joining), input = j - input_column (joining);
      gboolean is_late = j >= late_column (joining) && j < input_column (joining);

      largest = fmax (largest, fabs (row[j]));
      if (j < joining->n || (is_late && self->rest[late] > 0)
          || (j >= input_column (joining) && self->input_at[input] > 0))
        moving = fmax (moving, fabs (row[j]));
    }
  return moving > 1e-12 * largest;
}

static gboolean
place_delays (Lifting *self, GError **error)
{
  const Joining *joining = self->joining;

  self->delta = self->queue = input_column (joining);
  for (guint e = 0; e < joining->n_late; e++)
    {
      const double *row =
          &joining->whole->v[(gsize) (joining->n + joining->n_out + e) * joining->whole->columns];
      double time;
      guint delay = get_late_size (joining, e, &time);

      if (moves_within_ticks (self, row))
        {
          weir_error_set (error, WEIR_ERROR_INVALID,
                          "%s is a delay of a signal that moves between the samples of the model; "
                          "exactly, only delays of held signals are known there: put a Zero-Order "
                          "Hold before it, or linearise a model without sampled blocks",
                          g_array_index (joining->delays, Delay, delay).input);
          return FALSE;
        }
      self->memory[e] = self->delta;
      self->delta += self->late[e] + (self->rest[e] > 0);
      if (self->late[e] > MOST_TICKS)
        {
          weir_error_set (error, WEIR_ERROR_INVALID, "%s holds more than %d samples",
                          g_array_index (joining->delays, Delay, delay).input, MOST_TICKS);
          return FALSE;
        }
    }
  self->n_s = self->delta + joining->n_in;
  return TRUE;
}

/* When within a tick element @e of @point is perturbed and measured: a signal that a delay brings
 * in between changes by then, another held one after the updates, and one that moves is looked at
 * before them. @u: with all wires joined. */
static double
find_time (Lifting *self, const WeirMatrix *raw, const WeirMatrix *u, const Point *point, guint e)
{
  const Joining *joining = self->joining;
  g_autoptr (WeirMatrix) row = weir_matrix_new (1, u->columns);
  g_autofree double *free = g_new0 (double, input_column (joining) + 1);
  g_autofree double *cut = g_new0 (double, joining->n_cut + 1);
  double moving = 0, held = 0, at = BEFORE;
  gboolean is_mixed = FALSE;

  get_driver (joining, raw, point, e, free, cut);
  join_row (joining, free, cut, u, row, 0);
  for (guint j = 0; j < input_column (joining); j++)
    if (j < joining->n)
      moving = fmax (moving, fabs (row->v[j]));
    else
      held = fmax (held, fabs (row->v[j]));
  if (held == 0 || moving > 1e-12 * held)
    return BEFORE;
  for (guint j = joining->n; j < input_column (joining); j++)
    {
      double change = j < late_column (joining) ? 0 : self->rest[j - late_column (joining)];

      if (fabs (row->v[j]) <= 1e-12 * held)
        continue;
      is_mixed |= at != BEFORE && at != change;
      at = change;
    }
  if (!is_mixed)
    return at;
  g_ptr_array_add (joining->notes,
                   g_strdup_printf (_ ("%s changes at several times between the samples of the "
                                       "model, by delays: perturbed and measured at the samples "
                                       "alone, its loop has other margins than where one of its "
                                       "parts is alone"),
                                    point->path));
  return 0;
}

static void
find_times (Lifting *self, const WeirMatrix *raw)
{
  const Joining *joining = self->joining;
  g_autoptr (WeirMatrix) u = solve_cuts (joining, raw, TRUE);
  guint in = 0, out = 0;

  self->memory = g_new0 (guint, joining->n_late + 1);
  self->late = g_new0 (guint, joining->n_late + 1);
  self->rest = g_new0 (double, joining->n_late + 1);
  self->input_at = g_new0 (double, joining->n_in + 1);
  self->output_at = g_new0 (double, joining->n_out + 1);
  for (guint e = 0; e < joining->n_late; e++)
    measure_delay (self, e);
  for (guint i = 0; i < joining->points->len; i++)
    {
      const Point *point = &g_array_index (joining->points, Point, i);
      guint n_measured = count_measured (point);

      for (guint e = 0; e < point->size; e++)
        {
          double at = u != NULL ? find_time (self, raw, u, point, e) : BEFORE;

          if ((point->kinds & WEIR_POINT_INPUT) != 0)
            self->input_at[in++] = at;
          for (guint k = e; k < n_measured; k += point->size)
            self->output_at[out + k] = at;
        }
      out += n_measured;
    }
}

/* @names: of the states, which were continuous and discrete ones. */
static void
rename_states (const Lifting *self, guint n_kept, const guint *kept, GPtrArray *names)
{
  g_autoptr (GPtrArray) old = g_ptr_array_new_with_free_func (g_free);

  while (names->len > 0)
    g_ptr_array_insert (old, 0, g_ptr_array_steal_index (names, names->len - 1));
  for (guint i = 0; i < n_kept; i++)
    g_ptr_array_add (names, g_strdup (kept[i] < old->len       ? old->pdata[kept[i]]
                                      : kept[i] >= self->delta ? _ ("held perturbation")
                                                               : _ ("delayed signal")));
}

/* Drops what is held beyond a tick and that nothing reads by then. */
static WeirLinear *
finish_lifting (Lifting *self, GPtrArray *names)
{
  const Joining *joining = self->joining;
  guint n = self->n_s, m = joining->n_in * self->n_ticks, n_kept = 0;
  guint p = joining->n_out * self->n_ticks;
  g_autofree guint *kept = g_new (guint, n + 1);
  WeirMatrix *a, *b, *c, *d;
  WeirLinear *linear;

  for (guint j = 0; j < n; j++)
    {
      gboolean is_read = j < joining->n;

      for (guint i = 0; i < n && !is_read; i++)
        is_read = weir_matrix_get (self->phi, i, j) != 0;
      for (guint i = 0; i < p && !is_read; i++)
        is_read = weir_matrix_get (self->out, i, j) != 0;
      if (is_read)
        kept[n_kept++] = j;
    }
  a = weir_matrix_new (n_kept, n_kept);
  b = weir_matrix_new (n_kept, m);
  c = weir_matrix_new (p, n_kept);
  d = weir_matrix_part (self->out, 0, n, p, m);
  for (guint i = 0; i < n_kept; i++)
    {
      for (guint j = 0; j < n_kept; j++)
        *weir_matrix_at (a, i, j) = weir_matrix_get (self->phi, kept[i], kept[j]);
      for (guint j = 0; j < m; j++)
        *weir_matrix_at (b, i, j) = weir_matrix_get (self->phi, kept[i], n + j);
      for (guint k = 0; k < p; k++)
        *weir_matrix_at (c, k, i) = weir_matrix_get (self->out, k, kept[i]);
    }
  rename_states (self, n_kept, kept, names);
  linear = weir_linear_new (a, b, c, d, 0, NULL);
  linear->n_inputs = joining->n_in;
  linear->n_outputs = joining->n_out;
  linear->n_slots = self->n_ticks;
  linear->period = self->n_ticks * self->tick;
  return linear;
}

static WeirLinear *
lift (const Joining *joining, const WeirMatrix *raw, WeirLoop *loop, GError **error)
{
  g_auto (Lifting) self = { .joining = joining };

  if (!find_ticks (joining, &self.tick, &self.n_ticks))
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "the rates of the model repeat only after more than %d ticks; choose periods "
                      "that are multiples of each other",
                      MOST_TICKS);
      return NULL;
    }
  find_times (&self, raw);
  if (!place_delays (&self, error))
    return NULL;
  self.phi = weir_matrix_new (self.n_s, self.n_s + joining->n_in * self.n_ticks);
  self.out = weir_matrix_new (joining->n_out * self.n_ticks, self.phi->columns);
  self.flow = weir_matrix_new (self.n_s, self.n_s);
  for (guint i = 0; i < self.n_s; i++)
    *weir_matrix_at (self.phi, i, i) = 1;
  for (guint i = 0; i < joining->n; i++)
    for (guint j = 0; j < joining->whole->columns; j++)
      *weir_matrix_at (self.flow, i,
                       j < self.queue
                           ? j
                           : self.delta + j - self.queue) = weir_matrix_get (joining->whole, i, j);
  for (guint tick = 0; tick < self.n_ticks; tick++)
    {
      exchange (&self, tick, BEFORE);
      update (&self, tick);
      give_delayed (&self);
      exchange (&self, tick, 0);
      take_in (&self);
      advance_tick (&self, tick);
    }
  loop->input_at = g_steal_pointer (&self.input_at);
  loop->output_at = g_steal_pointer (&self.output_at);
  return finish_lifting (&self, loop->states);
}

/* --- The whole ------------------------------------------------------------------------------- */

static WeirLinear *
make_continuous (const Joining *self)
{
  guint n = self->n, w = late_column (self), u = input_column (self);
  WeirMatrix *b = weir_matrix_new (n, self->n_in + self->n_late);
  WeirMatrix *c = weir_matrix_part (self->whole, n, 0, self->n_out + self->n_late, n);
  WeirMatrix *d = weir_matrix_new (self->n_out + self->n_late, self->n_in + self->n_late);
  g_autofree double *times = g_new0 (double, self->n_late + 1);

  for (guint e = 0; e < self->n_late; e++)
    get_late_size (self, e, &times[e]);
  for (guint i = 0; i < n + self->n_out + self->n_late; i++)
    for (guint j = 0; j < self->n_in + self->n_late; j++)
      {
        double value = weir_matrix_get (self->whole, i,
                                        j < self->n_in ? u + j : w + j - self->n_in);

        if (i < n)
          *weir_matrix_at (b, i, j) = value;
        else
          *weir_matrix_at (d, i - n, j) = value;
      }
  return weir_linear_new (weir_matrix_part (self->whole, 0, 0, n, n), b, c, d, self->n_late, times);
}

/* What changes at other times than periodic updates keeps its value. */
static void
note_held (Joining *self)
{
  for (guint i = 0; i < weir_system_get_n_events (self->root); i++)
    {
      WeirDeclaredEvent event = weir_system_get_event (self->root, i);
      g_autofree char *path = NULL;

      if (event.action == WEIR_ACTION_PUBLISH || event.action == WEIR_ACTION_BREAK
          || event.n_points > 0 || event.trigger == WEIR_TRIGGER_INITIALIZATION
          || event.trigger == WEIR_TRIGGER_SIDES
          || (event.trigger == WEIR_TRIGGER_PERIODIC
              && event.action == WEIR_ACTION_DISCRETE_UPDATE))
        continue;
      path = weir_layout_dup_path (self->layout, event.node);
      g_ptr_array_add (self->notes,
                       g_strdup_printf (_ ("%s: what its events change is held"), path));
    }
}

WeirLoop *
weir_loop_new (WeirSystem *root, const WeirContext *context, const WeirAnalysisPoint *points,
               guint n_points, GError **error)
{
  g_auto (Joining) self = { .root = root,
                            .layout = weir_system_get_layout (root),
                            .points = g_array_new (FALSE, TRUE, sizeof (Point)),
                            .delays = g_array_new (FALSE, TRUE, sizeof (Delay)),
                            .notes = g_ptr_array_new_with_free_func (g_free) };
  g_autoptr (WeirMatrix) raw = NULL;
  g_autoptr (WeirLoop) loop = NULL;

  g_array_set_clear_func (self.points, clear_point);
  g_array_set_clear_func (self.delays, clear_delay);
  for (guint i = 0; i < n_points; i++)
    if (!add_point (&self, &points[i], error))
      return NULL;
  for (guint i = 0; i < self.points->len; i++)
    {
      const Point *point = &g_array_index (self.points, Point, i);

      self.n_in += (point->kinds & WEIR_POINT_INPUT) != 0 ? point->size : 0;
      self.n_out += count_measured (point);
    }
  find_delays (&self);
  if (!make_point (&self, context, error))
    return NULL;
  raw = differentiate (&self, error);
  if (raw == NULL || !join (&self, raw, error))
    return NULL;
  note_held (&self);
  loop = g_new0 (WeirLoop, 1);
  loop->inputs = g_ptr_array_new_with_free_func (g_free);
  loop->outputs = g_ptr_array_new_with_free_func (g_free);
  loop->states = g_ptr_array_new_with_free_func (g_free);
  loop->notes = g_ptr_array_ref (self.notes);
  loop->error = self.error;
  name_all (&self, loop);
  fill_values (&self, loop);
  loop->linear = weir_operating_point_get_n_updates (self.at) > 0 ? lift (&self, raw, loop, error)
                                                                  : make_continuous (&self);
  return loop->linear != NULL ? g_steal_pointer (&loop) : NULL;
}

void
weir_loop_free (WeirLoop *self)
{
  if (self == NULL)
    return;
  weir_linear_free (self->linear);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->states);
  g_ptr_array_unref (self->notes);
  g_free (self->input_values);
  g_free (self->output_values);
  g_free (self->input_at);
  g_free (self->output_at);
  g_free (self);
}
