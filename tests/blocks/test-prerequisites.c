/* The declared prerequisites of every block are exact: a change of a source makes a result out of
 * date if and only if it can change it.
 *
 * Every source of a block is changed from many random states. A result that stays up to date must
 * be the same, bit for bit, when computed afresh; one that goes out of date must differ in at least
 * one trial. Values are multiples of a quarter, so that comparisons meet equality too.
 */
#include "../seeds.h"
#include "block-fixture.h"
#include "every-block.h"
#include "system/context/context-private.h"

#define N_TRIALS 2400 /* a switch minds its threshold in one of 200 */

static double
random_value (double minimum, double maximum)
{
  double low = isfinite (minimum) ? minimum : -2.0;
  double high = isfinite (maximum) ? maximum : MAX (2.0, low + 2.0);

  return low + 0.25 * g_rand_int_range (test_rand, 1, (gint) (4.0 * (high - low)) + 1);
}

static double
random_parameter (const WeirBlockType *type, const char *name)
{
  for (guint i = 0; i < type->n_parameters; i++)
    if (g_strcmp0 (type->parameters[i].tunable, name) == 0)
      return random_value (type->parameters[i].minimum, type->parameters[i].maximum);
  return random_value (-INFINITY, INFINITY); /* a parameter of an Equations block */
}

static WeirOrigin
origin_of (const WeirLayout *layout, WeirSource source)
{
  if (source.i == WEIR_SOURCE_TIME)
    return (WeirOrigin) { .kind = WEIR_ORIGIN_TIME };
  for (guint16 t = WEIR_TICKET_TIME + 1; t <= WEIR_TICKET_LAST_COMMON; t++)
    if (source.i == weir_source_of_common ((WeirTicket) { t }).i)
      return (WeirOrigin) { .kind = WEIR_ORIGIN_COMMON, .index = t };
  return weir_layout_describe_source (layout, source);
}

/* Where the source's value is kept, and how many doubles it has; 0: it is not of one kind alone. */
static double *
find_values (WeirContext *context, WeirOrigin origin, guint *size)
{
  const WeirLayout *layout = context->layout;
  const WeirNodeInfo *info = &layout->nodes[0];
  double *state = context->arena + layout->arena.state + info->state_offset;

  switch (origin.kind)
    {
    case WEIR_ORIGIN_Q:
      *size = info->shape->nq;
      return state;
    case WEIR_ORIGIN_V:
      *size = info->shape->nv;
      return state + info->shape->nq;
    case WEIR_ORIGIN_Z:
      *size = info->shape->nz;
      return state + info->shape->nq + info->shape->nv;
    case WEIR_ORIGIN_GROUP:
      *size = weir_shape_group (info->shape, origin.index)->size;
      return context->arena + layout->group_slots[origin.index];
    case WEIR_ORIGIN_TIME:
    case WEIR_ORIGIN_COMMON:
    case WEIR_ORIGIN_XC:
    case WEIR_ORIGIN_PARAMETER:
    case WEIR_ORIGIN_FIXED:
    case WEIR_ORIGIN_ENTRY:
    default:
      *size = 0;
      return NULL;
    }
}

/* Gives one source new random values, in one change event. FALSE if there is nothing to change. */
static gboolean
change (const WeirBlockType *type, WeirContext *context, WeirSource source)
{
  const WeirLayout *layout = context->layout;
  const WeirShape *shape = layout->nodes[0].shape;
  WeirOrigin origin = origin_of (layout, source);
  double values[64];
  double *slot;
  guint size;

  if (origin.kind == WEIR_ORIGIN_TIME)
    weir_context_set_time (context, random_value (-INFINITY, INFINITY));
  else if (origin.kind == WEIR_ORIGIN_COMMON)
    weir_context_set_common (context, (WeirTicket) { (guint16) origin.index },
                             g_rand_double_range (test_rand, 1e-9, 1e-3));
  else if (origin.kind == WEIR_ORIGIN_PARAMETER)
    {
      const WeirVectorDecl *decl = weir_shape_parameter (shape, origin.index);

      for (guint i = 0; i < decl->size; i++)
        values[i] = random_parameter (type, decl->name);
      weir_context_set_parameter (context, WEIR_ROOT, (WeirParameter) { (guint16) origin.index },
                                  values);
    }
  else if (origin.kind == WEIR_ORIGIN_FIXED)
    {
      for (guint i = 0; i < weir_shape_input (shape, origin.index)->size; i++)
        values[i] = random_value (-INFINITY, INFINITY);
      weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { (guint16) origin.index }, values);
    }
  else
    {
      slot = find_values (context, origin, &size);
      if (size == 0)
        return FALSE;
      for (guint i = 0; i < size; i++)
        slot[i] = random_value (-INFINITY, INFINITY);
      weir_context_note (context, source);
    }
  return TRUE;
}

/* Declared wrongly, or not a function of its inputs, on purpose. */
static const char *const faulty[] = { "CautiousGain", "ForgetfulSum", "HiddenMemory", NULL };

static void
check_source (const Case *c, const WeirBlockType *type, WeirSystem *system, WeirSource source)
{
  WeirLayout *layout = weir_system_get_layout (system);
  guint32 origin = origin_of (layout, source).kind;
  guint n_entries = weir_layout_get_n_entries (layout);
  g_autofree gboolean *goes_stale = g_new0 (gboolean, n_entries);
  g_autofree gboolean *differs = g_new0 (gboolean, n_entries);
  g_autoptr (WeirContext) context = weir_system_create_context (system);

  for (guint trial = 0; trial < N_TRIALS; trial++)
    {
      g_autoptr (WeirContext) before = NULL;

      for (guint s = WEIR_N_JOINT_SOURCES; s < layout->n_sources; s++)
        change (type, context, (WeirSource) { s });
      change (type, context, (WeirSource) { WEIR_SOURCE_TIME });
      for (guint e = 0; e < n_entries; e++)
        g_assert_nonnull (weir_eval_entry (system, context, (WeirEntry) { e }));
      before = weir_context_clone (context);
      if (!change (type, context, source))
        return;
      for (guint e = 0; e < n_entries; e++)
        {
          WeirEntry entry = { e };
          gboolean is_stale = !weir_context_is_up_to_date (context, entry);
          gsize size = weir_layout_get_entry (layout, entry).size * sizeof (double);
          double afresh[64];
          gboolean is_different;

          g_assert_cmpint (weir_calc_entry (system, context, entry, afresh), ==, WEIR_OK);
          is_different = memcmp (afresh, weir_context_peek (before, entry), size) != 0;
          if (is_different && !is_stale)
            g_error ("%s: %s omits a prerequisite (source kind %u)", c->type,
                     weir_layout_get_entry (layout, entry).name, origin);
          goes_stale[e] |= is_stale;
          differs[e] |= is_different;
        }
    }
  for (guint e = 0; e < n_entries; e++)
    {
      const char *name = weir_layout_get_entry (layout, (WeirEntry) { e }).name;

      if (goes_stale[e] && !differs[e])
        g_error ("%s: %s declares a prerequisite that never matters (source kind %u)", c->type,
                 name, origin);
    }
}

static void
test_exact (gconstpointer data)
{
  const Case *c = data;
  const WeirBlockType *type = weir_registry_find (c->type);
  g_autoptr (WeirSystem) system = fixture_build (c->type, c->pairs, c->sizes);
  WeirLayout *layout = weir_system_get_layout (system);

  get_test_seed (64);
  check_source (c, type, system, (WeirSource) { WEIR_SOURCE_TIME });
  check_source (c, type, system, (WeirSource) { WEIR_SOURCE_ACCURACY });
  for (guint s = WEIR_N_JOINT_SOURCES; s < layout->n_sources; s++)
    check_source (c, type, system, (WeirSource) { s });
}

/* Every type that builds a leaf is among the cases. */
static void
test_all_types (void)
{
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      gboolean is_covered = type->build == NULL || g_strv_contains (faulty, type->name);

      for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
        is_covered |= strcmp (cases[k].type, type->name) == 0;
      if (!is_covered)
        g_error ("%s is not tested: every-block.h has no case of it", type->name);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/prerequisites/all-types", test_all_types);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/blocks/prerequisites/%s/%u", cases[i].type, i);

      g_test_add_data_func (path, &cases[i], test_exact);
    }
  return g_test_run ();
}
