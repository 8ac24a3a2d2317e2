/* Sets of joined pins, and the networks that they connect. */
#include "network/network-private.h"

#include "base/phrase.h"
#include "base/text.h"

#include <string.h>

/* --- Sets ------------------------------------------------------------------------------------ */

/* By path, then in the order of the part's pins. */
static int
compare_pins (gconstpointer a, gconstpointer b, gpointer data)
{
  const WeirNetworks *self = data;
  const WeirNetworkTerminal *x = weir_networks_get_terminal (self, *(const guint32 *) a);
  const WeirNetworkTerminal *y = weir_networks_get_terminal (self, *(const guint32 *) b);

  if (x->part != y->part)
    return strcmp (weir_networks_get_part (self, x->part)->path,
                   weir_networks_get_part (self, y->part)->path);
  return (int) x->pin - (int) y->pin;
}

static guint *
dup_sorted_pins (WeirNetworks *self, guint *n)
{
  g_autoptr (GArray) pins = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < self->terminals->len; i++)
    if (weir_networks_get_terminal (self, i)->part != G_MAXUINT)
      g_array_append_val (pins, i);
  g_array_sort_with_data (pins, compare_pins, self);
  *n = pins->len;
  return (guint *) (gpointer) g_array_free (g_steal_pointer (&pins), FALSE);
}

static void
find_sets (WeirNetworks *self)
{
  guint n;
  g_autofree guint32 *pins = dup_sorted_pins (self, &n);
  g_autofree guint *of_top = g_new (guint, self->terminals->len + 1);

  memset (of_top, 0xff, (self->terminals->len + 1) * sizeof *of_top);
  self->set_of = g_new (guint, self->terminals->len + 1);
  for (guint i = 0; i < n; i++)
    {
      guint32 top = weir_networks_find_top (self, pins[i]);
      const WeirNetworkTerminal *terminal = weir_networks_get_terminal (self, pins[i]);
      WeirNetworkSet *set;

      if (of_top[top] == G_MAXUINT)
        {
          WeirNetworkSet fresh = { g_array_new (FALSE, FALSE, sizeof (guint32)), terminal->domain,
                                   FALSE, self->sets->len };

          of_top[top] = self->sets->len;
          g_array_append_val (self->sets, fresh);
        }
      self->set_of[pins[i]] = of_top[top];
      set = &g_array_index (self->sets, WeirNetworkSet, of_top[top]);
      g_array_append_val (set->pins, pins[i]);
      set->is_reference = set->is_reference
                          || weir_networks_get_part (self, terminal->part)->part->reference
                                 == terminal->pin;
    }
  for (guint32 i = 0; i < self->terminals->len; i++)
    self->set_of[i] = of_top[weir_networks_find_top (self, i)];
}

static WeirNetworkSet *
get_set (WeirNetworks *self, guint i)
{
  return &g_array_index (self->sets, WeirNetworkSet, i);
}

static guint
find_first_set (WeirNetworks *self, guint set)
{
  while (get_set (self, set)->potential != set)
    set = get_set (self, set)->potential;
  return set;
}

/* Parts whose pins have one potential make sets share theirs: the first set's. */
static void
find_potentials (WeirNetworks *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      const WeirNetworkPart *part = weir_networks_get_part (self, i);
      const guint *equal = part->part->equal;
      guint a, b;

      if (equal[0] == WEIR_NO_PIN)
        continue;
      a = find_first_set (self, self->set_of[part->first_terminal + equal[0]]);
      b = find_first_set (self, self->set_of[part->first_terminal + equal[1]]);
      get_set (self, MAX (a, b))->potential = MIN (a, b);
    }
  for (guint i = 0; i < self->sets->len; i++)
    {
      WeirNetworkSet *set = get_set (self, i);

      set->potential = find_first_set (self, i);
      get_set (self, set->potential)->is_reference |= set->is_reference;
    }
}

/* A set is of one domain: LIN01. */
static gboolean
check_domains (const WeirNetworks *self, WeirDiagnostics *diagnostics)
{
  gboolean are_right = TRUE;

  for (guint32 i = 0; i < self->terminals->len; i++)
    {
      const WeirNetworkTerminal *terminal = weir_networks_get_terminal (self, i);
      const WeirNetworkPart *part = terminal->part != G_MAXUINT
                                        ? weir_networks_get_part (self, terminal->part)
                                        : NULL;
      const WeirNetworkTerminal *first;
      const WeirNetworkSet *set;

      if (terminal->domain == NULL || self->set_of[i] == G_MAXUINT)
        continue;
      set = &g_array_index (self->sets, WeirNetworkSet, self->set_of[i]);
      if (set->domain == terminal->domain)
        continue;
      first = weir_networks_get_terminal (self, g_array_index (set->pins, guint32, 0));
      are_right = FALSE;
      if (part == NULL)
        {
          weir_diagnostics_add (
              diagnostics, WEIR_SEVERITY_ERROR, "LIN01", terminal->path, terminal->block, 0,
              terminal->line,
              N_ ("This pin is %s, but it is joined with pin '%s' of %s, which is %s; lines join "
                  "pins of one kind."),
              weir_phrase (terminal->domain->name), weir_networks_get_pin_spec (self, first)->name,
              weir_networks_get_part (self, first->part)->path, weir_phrase (set->domain->name));
          continue;
        }
      weir_diagnostics_add (
          diagnostics, WEIR_SEVERITY_ERROR, "LIN01", part->path, part->block, 0, part->line,
          N_ ("Pin '%s' is %s, but it is joined with pin '%s' of %s, which is %s; lines join pins "
              "of one kind."),
          weir_networks_get_pin_spec (self, terminal)->name, weir_phrase (terminal->domain->name),
          weir_networks_get_pin_spec (self, first)->name,
          weir_networks_get_part (self, first->part)->path, weir_phrase (set->domain->name));
    }
  return are_right;
}

/* --- Networks -------------------------------------------------------------------------------- */

static guint
find_above (guint *above, guint i)
{
  while (above[i] != i)
    i = above[i] = above[above[i]];
  return i;
}

static int
compare_parts (gconstpointer a, gconstpointer b, gpointer data)
{
  return strcmp (weir_networks_get_part (data, *(const guint *) a)->path,
                 weir_networks_get_part (data, *(const guint *) b)->path);
}

/* Parts that sets connect, each network in order of path. */
static void
find_networks (WeirNetworks *self)
{
  g_autofree guint *above = g_new (guint, self->parts->len + 1);
  g_autofree guint *network_of = g_new (guint, self->parts->len + 1);
  g_autofree guint *order = g_new (guint, self->parts->len + 1);

  for (guint i = 0; i < self->parts->len; i++)
    above[i] = order[i] = i;
  memset (network_of, 0xff, (self->parts->len + 1) * sizeof *network_of);
  for (guint i = 0; i < self->sets->len; i++)
    {
      const GArray *pins = g_array_index (self->sets, WeirNetworkSet, i).pins;
      guint32 first = g_array_index (pins, guint32, 0);
      guint top = find_above (above, weir_networks_get_terminal (self, first)->part);

      for (guint j = 1; j < pins->len; j++)
        {
          guint32 pin = g_array_index (pins, guint32, j);
          guint part = find_above (above, weir_networks_get_terminal (self, pin)->part);

          above[part] = top;
        }
    }
  g_qsort_with_data (order, (int) self->parts->len, sizeof *order, compare_parts, self);
  for (guint i = 0; i < self->parts->len; i++)
    {
      guint top = find_above (above, order[i]);

      if (network_of[top] == G_MAXUINT)
        {
          network_of[top] = self->networks->len;
          g_ptr_array_add (self->networks, g_array_new (FALSE, FALSE, sizeof (guint)));
        }
      g_array_append_val ((GArray *) g_ptr_array_index (self->networks, network_of[top]), order[i]);
      g_array_index (self->parts, WeirNetworkPart, order[i]).network = network_of[top];
    }
}

gboolean
weir_networks_split (WeirNetworks *self, WeirDiagnostics *diagnostics)
{
  find_sets (self);
  find_potentials (self);
  find_networks (self);
  return check_domains (self, diagnostics);
}
