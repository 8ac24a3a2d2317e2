/* Controllers of states put into the model, from the linear system between its points. See
 * analysis-page-private.h.
 *
 * An observer (StateSpace, or DiscreteStateSpace) sees what drives the plant and what is measured
 * of it, and a matrix of gains feeds its states back. What comes is added to what drives the plant;
 * or takes its place where the wire is opened. Away from zero, the values of the operating point
 * are taken from what the observer sees. A sampled observer takes in at a tick what drove the plant
 * up to it and what was measured at the tick before: that is held one tick.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "blocks/types/block-type.h"
#include "gui/pages/analysis-page-private.h"
#include "gui/pages/analysis-wiring.h"
#include "linear/sampling.h"
#include "paint/ground/geometry.h"

#define GAP 60.    /* between what is put in, and from what is there */
#define ROOM 20.   /* about a block among others */
#define SMALL 1e-9 /* below it, the operating point is zero */

/* --- What is typed ---------------------------------------------------------------------------- */

static WeirMatrix *
parse_weight (const char *name, const char *text, guint n, GError **error)
{
  guint rows = 0, columns = 0;
  g_autofree double *values = weir_matrix_parse (text, &rows, &columns, NULL);
  WeirMatrix *weight = values != NULL ? weir_weight_new (values, rows * columns, n) : NULL;

  if (weight == NULL)
    g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                 /* Translators: a field's name, what is typed there, how many numbers. */
                 _ ("%s, “%s”: one number, %u on the diagonal, or a whole matrix is expected"),
                 name, text, n);
  return weight;
}

static double complex *
parse_poles (const char *name, const char *text, guint n, GError **error)
{
  guint rows = 0, columns = 0;
  g_autofree double *values = weir_matrix_parse (text, &rows, &columns, NULL);
  double complex *poles = values != NULL ? weir_poles_new (values, rows * columns, n) : NULL;

  if (poles == NULL)
    g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                 _ ("%s, “%s”: %u poles are expected, or as many pairs of real and imaginary part"),
                 name, text, n);
  return poles;
}

static WeirController *
make_controller (const WeirLinear *plant, const WeirDesignTexts *texts, GError **error)
{
  guint n = plant->a->rows;
  g_autoptr (WeirMatrix) q = NULL;
  g_autoptr (WeirMatrix) r = NULL;
  g_autoptr (WeirMatrix) w = NULL;
  g_autoptr (WeirMatrix) v = NULL;
  g_autofree double complex *loop_poles = NULL;
  g_autofree double complex *observer_poles = NULL;
  WeirControllerWish wish = { .by_poles = texts->by_poles };

  if (texts->by_poles)
    {
      loop_poles = parse_poles (_ ("Poles of the loop"), texts->states, n, error);
      observer_poles = loop_poles != NULL ? parse_poles (_ ("Poles of the observer"),
                                                         texts->disturbances, n, error)
                                          : NULL;
      if (observer_poles == NULL)
        return NULL;
    }
  else
    {
      q = parse_weight (_ ("Weights of the states"), texts->states, n, error);
      r = q == NULL
              ? NULL
              : parse_weight (_ ("Weights of the inputs"), texts->inputs, plant->n_inputs, error);
      w = r == NULL
              ? NULL
              : parse_weight (_ ("Disturbances of the states"), texts->disturbances, n, error);
      v = w == NULL
              ? NULL
              : parse_weight (_ ("Noise of the outputs"), texts->noise, plant->n_outputs, error);
      if (v == NULL)
        return NULL;
    }
  wish.q = q;
  wish.r = r;
  wish.w = w;
  wish.v = v;
  wish.loop_poles = loop_poles;
  wish.observer_poles = observer_poles;
  return weir_controller_new (plant, &wish, error);
}

/* --- What is put in --------------------------------------------------------------------------- */

typedef struct {
  WeirWiring wiring;
  const WeirController *controller;
  const WeirLoop *loop;
  const gboolean *is_cut;     /* by input */
  double left, right, bottom; /* of what is there */
} Placing;

static gboolean
look_at_block (WeirBlock *block, gpointer data)
{
  Placing *self = data;
  g_autoptr (WeirBlockShape) shape = weir_block_shape_new (block);

  self->left = fmin (self->left, shape->box.x);
  self->right = fmax (self->right, shape->box.x + shape->box.width);
  self->bottom = fmax (self->bottom, shape->box.y + shape->box.height);
  return TRUE;
}

/* "[1, 2; 3, 4]". (transfer full) */
static char *
dup_matrix (const WeirMatrix *m, double factor)
{
  GString *text = g_string_new ("[");
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < m->rows; i++)
    for (guint j = 0; j < m->columns; j++)
      g_string_append_printf (
          text, "%s%s",
          j > 0   ? ", "
          : i > 0 ? "; "
                  : "",
          g_ascii_dtostr (number, sizeof number, factor * weir_matrix_get (m, i, j) + 0.));
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static guint32
add_observer (Placing *self, WeirPoint at)
{
  const WeirLinear *plant = self->controller->plant;
  g_autoptr (WeirMatrix) a = weir_controller_make_a (self->controller);
  g_autoptr (WeirMatrix) b = weir_controller_make_b (self->controller);
  g_autoptr (WeirMatrix) c = weir_matrix_identity (a->rows);
  g_autofree char *a_text = dup_matrix (a, 1), *b_text = dup_matrix (b, 1);
  g_autofree char *c_text = dup_matrix (c, 1);
  char period[G_ASCII_DTOSTR_BUF_SIZE];
  const char *const parameters[] = {
    "a", a_text, "b", b_text, "c", c_text, plant->period > 0 ? "period" : NULL, period, NULL
  };

  g_ascii_dtostr (period, sizeof period, plant->period);
  return weir_wiring_add (&self->wiring, plant->period > 0 ? "DiscreteStateSpace" : "StateSpace",
                          "Observer", at, TRUE, parameters);
}

/* A place of one's own, and whether something is there. */
typedef struct {
  WeirPoint at;
  double size;
  gboolean is_taken;
} Room;

static gboolean
look_for_room (WeirBlock *block, gpointer data)
{
  Room *room = data;
  g_autoptr (WeirBlockShape) shape = weir_block_shape_new (block);

  room->is_taken |= room->at.x < shape->box.x + shape->box.width + ROOM
                    && room->at.x + room->size + ROOM > shape->box.x
                    && room->at.y < shape->box.y + shape->box.height + ROOM
                    && room->at.y + room->size + ROOM > shape->box.y;
  return !room->is_taken;
}

/* Right of what drives the signal, or below that. */
static WeirPoint
find_room (const Placing *self, guint input)
{
  WeirWireEnd from = weir_wiring_find_source (&self->wiring, self->loop->inputs->pdata[input]);
  WeirBlock *block = weir_diagram_find_block (self->wiring.diagram, from.block);
  Room room = { .at = { self->left - GAP, self->bottom - GAP }, .size = 40 };

  if (block != NULL)
    {
      g_autoptr (WeirBlockShape) shape = weir_block_shape_new (block);

      room.at = (WeirPoint) { shape->box.x + shape->box.width + ROOM + 1,
                              shape->box.y + shape->box.height / 2 - room.size / 2 };
    }
  for (guint i = 0; i < 100; i++)
    {
      room.is_taken = FALSE;
      weir_diagram_foreach_block (self->wiring.diagram, look_for_room, &room);
      if (!room.is_taken)
        break;
      room.at.y += room.size / 2;
    }
  return room.at;
}

/* @now: where the signal is after what is added. */
static void
drive (Placing *self, guint input, guint32 from, const char *output, WeirWireEnd *now)
{
  const char *path = self->loop->inputs->pdata[input];
  const char *const nothing[] = { NULL };
  guint32 sum;
  WeirPoint at = find_room (self, input);

  sum = weir_wiring_add (&self->wiring, self->is_cut[input] ? "Gain" : "Sum",
                         self->is_cut[input] ? "Drive" : "Drive Sum", at, FALSE, nothing);
  if (self->is_cut[input])
    {
      weir_wiring_divert (&self->wiring, path, sum);
      weir_wiring_connect (&self->wiring, from, output, sum, "u");
    }
  else
    {
      weir_wiring_connect_end (&self->wiring, weir_wiring_divert (&self->wiring, path, sum), sum,
                               "in1");
      weir_wiring_connect (&self->wiring, from, output, sum, "in2");
    }
  *now = (WeirWireEnd) { sum, "y", { 0, 0 }, 0 };
}

/* The gains, and one output of them for each input of the plant. */
static void
add_feedback (Placing *self, guint32 observer, WeirPoint at, WeirWireEnd *driven)
{
  guint m = self->controller->plant->n_inputs;
  g_autofree char *gain = dup_matrix (self->controller->k, -1);
  g_autoptr (GString) sizes = g_string_new ("[");
  const char *const parameters[] = { "gain", gain, NULL };
  guint32 feedback = weir_wiring_add (&self->wiring, "MatrixGain", "State Feedback", at, TRUE,
                                      parameters);
  guint32 parts;

  weir_wiring_connect (&self->wiring, observer, "y", feedback, "u");
  if (m == 1)
    {
      drive (self, 0, feedback, "y", &driven[0]);
      return;
    }
  for (guint i = 0; i < m; i++)
    g_string_append (sizes, i > 0 ? ", 1" : "1");
  g_string_append_c (sizes, ']');
  parts = weir_wiring_add (&self->wiring, "Demux", "Drives", (WeirPoint) { at.x - GAP, at.y }, TRUE,
                           (const char *const[]) { "sizes", sizes->str, NULL });
  weir_wiring_connect (&self->wiring, feedback, "y", parts, "u");
  for (guint i = 0; i < m; i++)
    {
      g_autofree char *output = g_strdup_printf ("out%u", i + 1);

      drive (self, i, parts, g_intern_string (output), &driven[i]);
    }
}

/* What is measured: of a wire that is driven anew too. */
static WeirWireEnd
find_measured (Placing *self, const char *name, const WeirWireEnd *driven)
{
  for (guint i = 0; i < self->loop->inputs->len; i++)
    if (g_str_equal (self->loop->inputs->pdata[i], name))
      return driven[i];
  return weir_wiring_find_source (&self->wiring, name);
}

/* Drives and measurements as one vector, less what they are at the operating point. */
static guint32
add_inputs (Placing *self, WeirPoint at, const WeirWireEnd *driven)
{
  const WeirLinear *plant = self->controller->plant;
  guint m = plant->n_inputs, p = plant->n_outputs, mux, sum, middle;
  g_autofree char *count = g_strdup_printf ("%u", m + p);
  g_autofree double *values = g_new0 (double, m + p + 1);
  g_autofree char *text = NULL;
  double largest = 0;

  mux = weir_wiring_add (&self->wiring, "Mux", "Seen", at, TRUE,
                         (const char *const[]) { "inputs", count, NULL });
  for (guint i = 0; i < m + p; i++)
    {
      g_autofree char *port = g_strdup_printf ("in%u", i + 1);
      WeirWireEnd from = i < m ? driven[i]
                               : find_measured (self, self->loop->outputs->pdata[i - m], driven);
      char period[G_ASCII_DTOSTR_BUF_SIZE];
      WeirPoint place = { at.x + GAP, at.y + 50. * i };

      values[i] = i < m ? self->loop->input_values[i] : self->loop->output_values[i - m];
      largest = fmax (largest, fabs (values[i]));
      if (i >= m && plant->period > 0)
        {
          guint32 held;

          g_ascii_dtostr (period, sizeof period, plant->period);
          held = weir_wiring_add (&self->wiring, "ZeroOrderHold", "Held", place, TRUE,
                                  (const char *const[]) { "period", period, NULL });
          weir_wiring_connect_end (&self->wiring, from, held, "u");
          from = (WeirWireEnd) { held, "y", { 0, 0 }, 0 };
        }
      weir_wiring_connect_end (&self->wiring, from, mux, g_intern_string (port));
    }
  if (largest < SMALL)
    return mux;
  text = weir_value_to_string (values, m + p);
  middle = weir_wiring_add (&self->wiring, "Constant", "Operating Point",
                            (WeirPoint) { at.x - GAP - 20, at.y + GAP + 30 }, FALSE,
                            (const char *const[]) { "value", text, NULL });
  sum = weir_wiring_add (&self->wiring, "Sum", "From There", (WeirPoint) { at.x - GAP, at.y }, TRUE,
                         (const char *const[]) { "signs", "+-", NULL });
  weir_wiring_connect (&self->wiring, mux, "y", sum, "in1");
  weir_wiring_connect (&self->wiring, middle, "y", sum, "in2");
  return sum;
}

/* --- The whole -------------------------------------------------------------------------------- */

/* FALSE and @error: the points are not what blocks can be wired to. */
static gboolean
check_points (Placing *self, GError **error)
{
  const GPtrArray *each[] = { self->loop->inputs, self->loop->outputs };

  for (guint k = 0; k < G_N_ELEMENTS (each); k++)
    for (guint i = 0; i < each[k]->len; i++)
      if (strchr (each[k]->pdata[i], '[') != NULL || strchr (each[k]->pdata[i], ' ') != NULL
          || !weir_wiring_has_port (&self->wiring, each[k]->pdata[i]))
        {
          g_set_error (error, WEIR_ERROR, WEIR_ERROR_INVALID,
                       _ ("%s: a controller is put between signals of one element in one diagram, "
                          "each marked at one place"),
                       (char *) each[k]->pdata[i]);
          return FALSE;
        }
  return TRUE;
}

static WeirLinear *
make_plant (const WeirLoop *loop, double period)
{
  g_autoptr (WeirLinear) pruned = weir_linear_prune (loop->linear);

  return period > 0 && pruned->period == 0 && pruned->n_delays == 0
             ? weir_linear_sample (pruned, WEIR_SAMPLING_HOLD, period, 0)
             : g_steal_pointer (&pruned);
}

GPtrArray *
weir_design_list_states (const WeirLoop *loop)
{
  g_autoptr (GArray) kept = weir_linear_list_on_the_way (loop->linear);
  GPtrArray *names = g_ptr_array_new_null_terminated (kept->len, g_free, TRUE);

  for (guint i = 0; i < kept->len; i++)
    g_ptr_array_add (names, g_strdup (loop->states->pdata[g_array_index (kept, guint, i)]));
  return names;
}

WeirController *
weir_design_make_controller (const WeirLoop *loop, const WeirDesignTexts *texts, GError **error)
{
  g_autoptr (WeirLinear) plant = make_plant (loop, texts->period);

  return make_controller (plant, texts, error);
}

WeirPatch *
weir_design_make_patch (WeirModel *model, const WeirLinearAnswer *answer,
                        const WeirLinearQuestion *asked, const WeirDesignTexts *texts,
                        GError **error)
{
  const WeirLoop *loop = answer->loop;
  g_autoptr (WeirController) controller = weir_design_make_controller (loop, texts, error);
  g_autofree gboolean *is_cut = g_new0 (gboolean, loop->inputs->len + 1);
  g_autofree WeirWireEnd *driven = g_new0 (WeirWireEnd, loop->inputs->len + 1);
  Placing self = { .controller = controller,
                   .loop = loop,
                   .is_cut = is_cut,
                   .left = INFINITY,
                   .right = -INFINITY,
                   .bottom = -INFINITY };
  WeirPatch *patch = NULL;
  guint32 observer, seen;
  WeirPoint at;

  if (controller == NULL)
    return NULL;
  for (guint i = 0; i < loop->inputs->len; i++)
    for (guint k = 0; k < asked->n_points; k++)
      if (g_str_equal (asked->points[k].path, loop->inputs->pdata[i]))
        is_cut[i] = (asked->points[k].kinds & WEIR_POINT_BREAK) != 0;
  if (!weir_wiring_init (&self.wiring, model, loop->inputs->pdata[0]))
    {
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_NOT_FOUND, _ ("%s: there is no block to add to"),
                   (char *) loop->inputs->pdata[0]);
      return NULL;
    }
  if (check_points (&self, error))
    {
      weir_diagram_foreach_block (self.wiring.diagram, look_at_block, &self);
      at = (WeirPoint) { self.right - 4 * GAP, self.bottom + GAP };
      observer = add_observer (&self, at);
      add_feedback (&self, observer, (WeirPoint) { at.x - 3 * GAP, at.y }, driven);
      seen = add_inputs (&self, (WeirPoint) { at.x + 4 * GAP, at.y }, driven);
      weir_wiring_connect (&self.wiring, seen, "y", observer, "u");
      patch = weir_wiring_finish (&self.wiring);
    }
  weir_wiring_clear (&self.wiring);
  return patch;
}
