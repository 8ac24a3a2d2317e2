/* Auditing an FMU, above all for model exchange. See audit.h. */
#include "fmi/audit.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sync.h"
#include "fmi/leaf-private.h"

#define N_POINTS 6
#define SECONDS 5 /* for all of it */
#define MAX_UPDATES 100
#define MAX_VALUES (1 << 16)

/* A known, or an unknown: a variable, and where its values are among those of its kind. */
typedef struct {
  guint variable; /* WEIR_FMU_NONE: time */
  guint first, size;
  const WeirFmuUnknown *declared; /* of an unknown; NULL: nothing is said of it */
} Item;

typedef struct {
  const WeirFmuDescription *d;
  const WeirFmuStart *starts;
  guint n_starts;
  WeirFmuInstance *instance;
  gint64 end;                                 /* monotonic, us */
  GArray *states, *inputs;                    /* Item */
  GArray *derivatives, *outputs, *indicators; /* Item */
  GArray *output_places;                      /* WeirFmuPlaceOfValue, by type */
  GArray *output_refs;                        /* guint32 */
  guint n_x, n_u, n_z, n_y;
  guint8 *are_found; /* by unknown (derivatives, outputs, indicators) and known (time, states,
                        inputs) */
  GArray *edges;     /* WeirFmuEdge */
} Audit;

typedef struct {
  double t, *x, *u;
} Point;

/* --- Verdict --------------------------------------------------------------------------------- */

WeirFmuVerdict *
weir_fmu_verdict_new (void)
{
  WeirFmuVerdict *self = g_new0 (WeirFmuVerdict, 1);

  self->n_refs = 1;
  self->repeats = self->ignores_order = self->restores = TRUE;
  return self;
}

void
weir_fmu_verdict_unref (WeirFmuVerdict *self)
{
  if (self == NULL || !weir_sync_drop (self, &self->n_refs))
    return;
  g_free ((WeirFmuEdge *) self->edges);
  g_free (self);
}

/* --- What there is --------------------------------------------------------------------------- */

static const WeirFmuUnknown *
find_declared (const WeirFmuDescription *d, WeirFmuUnknowns list, guint v)
{
  for (guint i = 0; i < d->n_unknowns[list]; i++)
    if (d->unknowns[list][i].variable == v)
      return &d->unknowns[list][i];
  return NULL;
}

static gboolean
is_state (const Audit *self, guint v)
{
  guint alias = self->d->variables[v].alias_of;

  for (guint i = 0; i < self->states->len; i++)
    {
      guint state = g_array_index (self->states, Item, i).variable;

      if (state == v || state == alias)
        return TRUE;
    }
  return FALSE;
}

static void
add_item (const Audit *self, GArray *items, guint v, guint *n, const WeirFmuUnknown *declared)
{
  Item item = { v, *n, (guint) self->d->variables[v].size, declared };

  *n += item.size;
  g_array_append_val (items, item);
}

static int
compare_types (gconstpointer a, gconstpointer b, gpointer data)
{
  const WeirFmuVariable *variables = data;
  guint left = ((const Item *) a)->variable, right = ((const Item *) b)->variable;
  int difference = (int) variables[left].traits.type - (int) variables[right].traits.type;

  return difference != 0 ? difference : (left > right) - (left < right);
}

static void
list_outputs (Audit *self)
{
  const WeirFmuDescription *d = self->d;
  guint n = 0;

  for (guint v = 0; v < d->n_variables; v++)
    if (d->variables[v].causality == WEIR_FMU_OUTPUT
        && (weir_fmu_leaf_has (d, &d->variables[v])
            || weir_fmu_leaf_has_text_port (&d->variables[v]))
        && !is_state (self, v))
      add_item (self, self->outputs, v, &n, find_declared (d, WEIR_FMU_OUTPUTS, v));
  g_array_sort_with_data (self->outputs, compare_types, (gpointer) d->variables);
  for (guint i = 0; i < self->outputs->len; i++)
    {
      Item *item = &g_array_index (self->outputs, Item, i);
      const WeirFmuVariable *variable = &d->variables[item->variable];
      WeirFmuPlaceOfValue place = { .type = variable->traits.type,
                                    .reference = variable->reference,
                                    .size = item->size,
                                    .first = self->n_y };

      item->first = self->n_y;
      self->n_y += item->size;
      g_array_append_val (self->output_places, place);
      g_array_append_val (self->output_refs, place.reference);
    }
}

static void
list_items (Audit *self)
{
  const WeirFmuDescription *d = self->d;
  guint n = 0;

  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_DERIVATIVES]; i++)
    {
      const WeirFmuUnknown *unknown = &d->unknowns[WEIR_FMU_DERIVATIVES][i];

      add_item (self, self->states, d->variables[unknown->variable].derivative_of, &self->n_x,
                NULL);
      add_item (self, self->derivatives, unknown->variable, &n, unknown);
    }
  for (guint v = 0; v < d->n_variables; v++)
    if (d->variables[v].causality == WEIR_FMU_INPUT && weir_fmu_leaf_has (d, &d->variables[v])
        && d->variables[v].variability == WEIR_FMU_CONTINUOUS
        && d->variables[v].traits.type == WEIR_FMU_FLOAT64)
      add_item (self, self->inputs, v, &self->n_u, NULL);
  for (guint i = 0; i < d->n_unknowns[WEIR_FMU_EVENT_INDICATORS]; i++)
    add_item (self, self->indicators, d->unknowns[WEIR_FMU_EVENT_INDICATORS][i].variable,
              &self->n_z, &d->unknowns[WEIR_FMU_EVENT_INDICATORS][i]);
  self->n_z = (guint) d->n_indicators;
  list_outputs (self);
}

static guint
count_values (const Audit *self)
{
  return self->n_x + self->n_y + self->n_z;
}

static guint
count_knowns (const Audit *self)
{
  return 1 + self->states->len + self->inputs->len;
}

/* --- Evaluation ------------------------------------------------------------------------------ */

enum { DERIVATIVES = 1, OUTPUTS = 2, INDICATORS = 4, ALL = 7 };

static gboolean
evaluate (Audit *self, const Point *point, guint what, double *values)
{
  WeirFmuEvaluation e = { .time = point->t,
                          .x = self->n_x > 0 ? point->x : NULL,
                          .u = self->n_u > 0 ? point->u : NULL,
                          .xdot = (what & DERIVATIVES) && self->n_x > 0 ? values : NULL,
                          .z = (what & INDICATORS) && self->n_z > 0 ? values + self->n_x + self->n_y
                                                                    : NULL };

  return weir_fmu_leaf_get (
      self->instance, (const WeirFmuPlaceOfValue *) (gpointer) self->output_places->data,
      (const guint32 *) (gpointer) self->output_refs->data,
      what & OUTPUTS ? self->output_places->len : 0, &e, values + self->n_x, NULL);
}

static gboolean
is_over (const Audit *self)
{
  return weir_fmu_instance_is_lost (self->instance) || g_get_monotonic_time () > self->end;
}

/* --- Points ---------------------------------------------------------------------------------- */

/* How much a variable may well change. */
static double
find_scale (const Audit *self, guint v, double value)
{
  double nominal = self->d->variables[v].traits.nominal;

  return isfinite (nominal) && nominal != 0 ? fabs (nominal) : MAX (fabs (value), 1);
}

static double
clamp (const Audit *self, guint v, double value)
{
  const WeirFmuTraits *traits = &self->d->variables[v].traits;

  if (traits->min > value)
    value = traits->min;
  return traits->max < value ? traits->max : value;
}

static void
vary_items (const Audit *self, const GArray *items, GRand *random, double *values)
{
  for (guint i = 0; i < items->len; i++)
    {
      const Item *item = &g_array_index (items, Item, i);

      for (guint k = 0; k < item->size; k++)
        values[item->first + k] = clamp (
            self, item->variable,
            values[item->first + k]
                + find_scale (self, item->variable, values[item->first + k])
                      * g_rand_double_range (random, -1, 1));
    }
}

static void
copy_point (const Audit *self, Point *to, const Point *from)
{
  to->t = from->t;
  memcpy (to->x, from->x, self->n_x * sizeof *to->x);
  memcpy (to->u, from->u, self->n_u * sizeof *to->u);
}

/* --- What is found --------------------------------------------------------------------------- */

static gboolean
is_declared (const Audit *self, const Item *unknown, guint known)
{
  const WeirFmuUnknown *declared = unknown->declared;

  if (declared == NULL || declared->dependencies == NULL)
    return TRUE;
  for (guint i = 0; i < declared->n_dependencies; i++)
    {
      guint v = declared->dependencies[i];
      guint alias = self->d->variables[v].alias_of;

      if (known == WEIR_FMU_NONE
              ? self->d->variables[v].causality == WEIR_FMU_INDEPENDENT
              : v == known || alias == known || v == self->d->variables[known].alias_of)
        return TRUE;
    }
  return FALSE;
}

/* @k: number of the known; @i: of the unknown, among all. */
static void
note_edge (Audit *self, const Item *unknown, guint i, guint known, guint k)
{
  guint8 *is_found = &self->are_found[i * count_knowns (self) + k];
  WeirFmuEdge edge = { unknown->variable, known };

  if (*is_found || is_declared (self, unknown, known))
    return;
  *is_found = TRUE;
  g_array_append_val (self->edges, edge);
}

/* The unknowns that differ depend on the known. */
static void
note_differences (Audit *self, const double *a, const double *b, guint known, guint k)
{
  const GArray *lists[] = { self->derivatives, self->outputs, self->indicators };
  const guint from[] = { 0, self->n_x, self->n_x + self->n_y };
  guint i = 0;

  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (guint n = 0; n < lists[list]->len; n++, i++)
      {
        const Item *item = &g_array_index (lists[list], Item, n);
        guint first = from[list] + item->first;

        if (memcmp (a + first, b + first, item->size * sizeof *a) != 0)
          note_edge (self, item, i, known, k);
      }
}

/* Changes what stands at @place of @moved, which is the point of @values. */
static void
try_known (Audit *self, const double *values, guint known, guint k, double *place,
           const Point *moved, double *other)
{
  static const double sizes[] = { 0x1p-10, 1, -0.75 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) && !is_over (self); i++)
    {
      double was = *place;
      double scale = known == WEIR_FMU_NONE ? 1 : find_scale (self, known, was);

      *place = known == WEIR_FMU_NONE ? was + fabs (sizes[i])
                                      : clamp (self, known, was + sizes[i] * scale);
      if (*place != was && evaluate (self, moved, ALL, other))
        note_differences (self, values, other, known, k);
      *place = was;
    }
}

static void
try_knowns (Audit *self, const Point *base, const double *values, Point *moved, double *other)
{
  const GArray *lists[] = { self->states, self->inputs };
  guint k = 1;

  copy_point (self, moved, base);
  try_known (self, values, WEIR_FMU_NONE, 0, &moved->t, moved, other);
  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (guint n = 0; n < lists[list]->len; n++, k++)
      {
        const Item *item = &g_array_index (lists[list], Item, n);
        double *at = (list == 0 ? moved->x : moved->u) + item->first;

        for (guint e = 0; e < item->size; e++)
          try_known (self, values, item->variable, k, at + e, moved, other);
      }
}

/* Its own word: a factor that is not zero. */
static void
ask_derivatives (Audit *self, const Point *point, double *values)
{
  const GArray *unknowns[] = { self->derivatives, self->outputs };
  const GArray *knowns[] = { self->states, self->inputs };
  guint k = 1;

  if (!self->d->modes[WEIR_FMU_MODEL_EXCHANGE].has_directional_derivatives
      || !evaluate (self, point, ALL, values))
    return;
  for (guint list = 0; list < G_N_ELEMENTS (knowns); list++)
    for (guint n = 0; n < knowns[list]->len; n++, k++)
      {
        guint known = g_array_index (knowns[list], Item, n).variable, i = 0;

        for (guint other = 0; other < G_N_ELEMENTS (unknowns); other++)
          for (guint m = 0; m < unknowns[other]->len; m++, i++)
            {
              const Item *unknown = &g_array_index (unknowns[other], Item, m);
              const WeirFmuVariable *variable = &self->d->variables[unknown->variable];
              double seed = 1, factor = 0;

              if (variable->traits.type != WEIR_FMU_FLOAT64 || variable->size != 1
                  || self->d->variables[known].size != 1 || is_declared (self, unknown, known)
                  || is_over (self))
                continue;
              if (weir_fmu_instance_differentiate (self->instance, &variable->reference, 1,
                                                   &self->d->variables[known].reference, 1, &seed,
                                                   1, &factor, 1, NULL)
                  != WEIR_FMU_DONE)
                return;
              if (factor != 0)
                note_edge (self, unknown, i, known, k);
            }
      }
}

/* --- Whether it can be relied on ------------------------------------------------------------- */

static gboolean
is_same (const Audit *self, const double *a, const double *b)
{
  return memcmp (a, b, count_values (self) * sizeof *a) == 0;
}

/* The same again, after another point; in this order and in others. */
static void
try_again (Audit *self, const Point *base, const double *values, const Point *elsewhere,
           double *other, WeirFmuVerdict *verdict)
{
  if (!evaluate (self, elsewhere, ALL, other))
    return;
  if (evaluate (self, base, ALL, other) && !is_same (self, values, other))
    verdict->repeats = FALSE;
  if (!verdict->repeats || !evaluate (self, elsewhere, ALL, other)
      || !evaluate (self, base, INDICATORS, other) || !evaluate (self, base, OUTPUTS, other)
      || !evaluate (self, base, DERIVATIVES, other))
    return;
  if (!is_same (self, values, other))
    verdict->ignores_order = FALSE;
}

/* Its states after saving, going elsewhere, and restoring. */
static void
try_restoring (Audit *self, const Point *base, const Point *elsewhere, double *values,
               double *other, WeirFmuVerdict *verdict)
{
  g_autofree double *x = g_new (double, self->n_x + 1);
  g_autoptr (WeirFmuState) saved = NULL;

  if (!self->d->modes[WEIR_FMU_MODEL_EXCHANGE].can_get_and_set_state
      || !evaluate (self, base, ALL, values)
      || (saved = weir_fmu_instance_save (self->instance, NULL)) == NULL
      || !evaluate (self, elsewhere, ALL, other)
      || !weir_fmu_instance_restore (self->instance, saved, NULL))
    return;
  if (self->n_x > 0 && weir_fmu_instance_get_states (self->instance, x, NULL)
      && memcmp (x, base->x, self->n_x * sizeof *x) != 0)
    verdict->restores = FALSE;
  if (evaluate (self, base, ALL, other) && verdict->repeats && !is_same (self, values, other))
    verdict->restores = FALSE;
}

/* --- All of it ------------------------------------------------------------------------------- */

static gboolean
set_starts (Audit *self, GError **error)
{
  for (guint i = 0; i < self->n_starts; i++)
    {
      guint v = weir_fmu_description_find (self->d, self->starts[i].variable);
      const WeirFmuVariable *variable = &self->d->variables[v];
      WeirFmuPlaceOfValue place = { .type = variable->traits.type,
                                    .reference = variable->reference,
                                    .size = 1 };

      if (!weir_fmu_leaf_set (self->instance, &place, 1, self->starts[i].values, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
begin (Audit *self, const char *folder, const char *name, Point *base, GError **error)
{
  const WeirFmuDescription *d = self->d;
  const WeirFmuModeInfo *mode = &d->modes[WEIR_FMU_MODEL_EXCHANGE];
  g_autofree guint32 *inputs = g_new (guint32, self->inputs->len + 1);
  WeirFmuOptions options = weir_fmu_default_options;
  WeirFmuUpdate update = { .is_update_needed = TRUE };
  WeirFmuBinary binary = {
    .folder = folder,
    .name = name,
    .identifier = mode->identifier,
    .token = d->token,
    .version = (guint) d->version,
    .mode = WEIR_FMU_MODEL_EXCHANGE,
    .n_states = self->n_x,
    .n_indicators = self->n_z,
    .inputs = inputs,
    .n_inputs = self->inputs->len,
    .n_input_values = self->n_u,
    .can_save = mode->can_get_and_set_state,
    .can_differentiate = mode->has_directional_derivatives,
  };

  for (guint i = 0; i < self->inputs->len; i++)
    {
      const Item *item = &g_array_index (self->inputs, Item, i);
      const WeirFmuVariable *variable = &d->variables[item->variable];

      inputs[i] = variable->reference;
      for (guint k = 0; k < item->size && variable->start != NULL && variable->n_start > 0; k++)
        base->u[item->first + k] = variable->start[variable->n_start == variable->size ? k : 0];
    }
  base->t = isfinite (d->experiment.start_time) ? d->experiment.start_time : 0;
  options.limit = WEIR_FMU_AUDIT_LIMIT;
  self->instance = weir_fmu_instance_new (&binary, &options, error);
  if (self->instance == NULL || !set_starts (self, error)
      || !weir_fmu_instance_enter_initialization (self->instance, base->t, INFINITY, 0, error)
      || !weir_fmu_instance_exit_initialization (self->instance, error))
    return FALSE;
  for (guint i = 0; i < MAX_UPDATES && update.is_update_needed && !update.terminates; i++)
    if (!weir_fmu_instance_update_discrete (self->instance, &update, error))
      return FALSE;
  if (update.terminates)
    {
      weir_error_set (error, WEIR_ERROR_FAILED, "%s: the FMU ends at once.", name);
      return FALSE;
    }
  return weir_fmu_instance_enter_continuous_mode (self->instance, error)
         && (self->n_x == 0 || weir_fmu_instance_get_states (self->instance, base->x, error));
}

static void
look (Audit *self, Point *base, WeirFmuVerdict *verdict)
{
  guint n = count_values (self) + 1;
  g_autofree double *values = g_new0 (double, n);
  g_autofree double *other = g_new0 (double, n);
  g_autofree double *x = g_new0 (double, 3 * (self->n_x + 1));
  g_autofree double *u = g_new0 (double, 3 * (self->n_u + 1));
  Point at[3];
  GRand *random = g_rand_new_with_seed (1); /* the same points each time */

  for (guint i = 0; i < 3; i++)
    {
      at[i] = (Point) { base->t, x + i * (self->n_x + 1), u + i * (self->n_u + 1) };
      copy_point (self, &at[i], base);
    }
  for (guint i = 0; i < N_POINTS && !is_over (self); i++)
    {
      copy_point (self, &at[0], base);
      at[0].t = base->t + i * 0.37;
      if (i > 0)
        {
          vary_items (self, self->states, random, at[0].x);
          vary_items (self, self->inputs, random, at[0].u);
        }
      copy_point (self, &at[1], &at[0]);
      at[1].t += 0.11;
      vary_items (self, self->states, random, at[1].x);
      vary_items (self, self->inputs, random, at[1].u);
      if (!evaluate (self, &at[0], ALL, values))
        continue;
      verdict->n_points++;
      try_again (self, &at[0], values, &at[1], other, verdict);
      if (verdict->repeats && evaluate (self, &at[0], ALL, values))
        try_knowns (self, &at[0], values, &at[2], other);
    }
  if (!is_over (self))
    try_restoring (self, &at[0], &at[1], values, other, verdict);
  if (!is_over (self))
    ask_derivatives (self, &at[0], values);
  g_rand_free (random);
}

static WeirFmuVerdict *
make_verdict (Audit *self, const char *folder, const char *name, GError **error)
{
  g_autoptr (WeirFmuVerdict) verdict = weir_fmu_verdict_new ();
  g_autofree double *x = NULL, *u = NULL;
  Point base;

  list_items (self);
  if (count_values (self) > MAX_VALUES || count_knowns (self) > MAX_VALUES)
    {
      weir_error_set (error, WEIR_ERROR_FAILED, "%s: the FMU is too large to be audited.", name);
      return NULL;
    }
  x = g_new0 (double, self->n_x + 1);
  u = g_new0 (double, self->n_u + 1);
  self->are_found = g_new0 (
      guint8, (gsize) (self->derivatives->len + self->outputs->len + self->indicators->len + 1)
                  * count_knowns (self));
  base = (Point) { 0, x, u };
  if (self->d->modes[WEIR_FMU_MODEL_EXCHANGE].is_offered)
    {
      if (!begin (self, folder, name, &base, error))
        return NULL;
      look (self, &base, verdict);
    }
  verdict->repeats_steps = weir_fmu_audit_steps (self->d, folder, name, self->starts,
                                                 self->n_starts);
  verdict->n_edges = self->edges->len;
  verdict->edges = g_memdup2 (self->edges->data, self->edges->len * sizeof (WeirFmuEdge));
  return g_steal_pointer (&verdict);
}

WeirFmuVerdict *
weir_fmu_audit (const WeirFmuDescription *description, const char *folder, const char *name,
                const WeirFmuStart *starts, guint n_starts, GError **error)
{
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (GArray) derivatives = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (GArray) indicators = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (WeirFmuPlaceOfValue));
  g_autoptr (GArray) refs = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (WeirFmuEdge));
  Audit self = { .d = description,
                 .starts = starts,
                 .n_starts = n_starts,
                 .end = g_get_monotonic_time () + SECONDS * G_USEC_PER_SEC,
                 .states = states,
                 .inputs = inputs,
                 .derivatives = derivatives,
                 .outputs = outputs,
                 .indicators = indicators,
                 .output_places = places,
                 .output_refs = refs,
                 .edges = edges };
  WeirFmuVerdict *verdict = make_verdict (&self, folder, name, error);

  weir_fmu_instance_free (self.instance);
  g_free (self.are_found);
  return verdict;
}
