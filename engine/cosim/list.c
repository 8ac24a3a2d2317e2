/* The list in which the units stand, the schedule, and what these make each of them wait for. See
 * cosim.h. What is changed here is planned before the next step begins.
 */
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "cosim/cosim-private.h"

WeirStepSchedulingType
weir_cosim_get_step_scheduling_type (const WeirCosim *self)
{
  return self->type;
}

gboolean
weir_cosim_set_step_scheduling_type (WeirCosim *self, WeirStepSchedulingType type, GError **error)
{
  if (weir_step_scheduling_type_get_name (type) == NULL)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "there is no schedule of units with number %d; there are 0 (full), 1 "
                      "(cascading) and 2 (iterated)",
                      (int) type);
      return FALSE;
    }
  if (type != self->type)
    self->is_planned = FALSE;
  self->type = type;
  return TRUE;
}

guint
weir_cosim_get_at (const WeirCosim *self, guint k)
{
  return self->list[k];
}

gboolean
weir_cosim_set_list (WeirCosim *self, const guint *list, GError **error)
{
  g_autofree guint64 *seen = g_new0 (guint64, weir_bits_n_words (self->n + 1));

  for (guint k = 0; k <= self->n; k++)
    {
      guint who = list[k] == WEIR_COSIM_REST ? self->n : list[k];

      if (who > self->n || (list[k] == self->n) || weir_bit (seen, who))
        {
          weir_error_set (
              error, WEIR_ERROR_INVALID,
              "place %u of the list of units has %s; each of the %u units, and the rest "
              "of the model, must be there once",
              k + 1,
              list[k] == WEIR_COSIM_REST ? weir_phrase (N_ ("the rest again"))
              : list[k] < self->n        ? self->units[list[k]]->path
                                         : weir_phrase (N_ ("no unit of the model")),
              self->n);
          return FALSE;
        }
      weir_bit_set (seen, who);
    }
  memcpy (self->list, list, (self->n + 1) * sizeof *list);
  self->is_planned = FALSE;
  return TRUE;
}

static guint
get_place (const WeirCosim *self, guint who)
{
  for (guint k = 0; k <= self->n; k++)
    if (self->list[k] == who)
      return k;
  g_return_val_if_reached (0);
}

gboolean
weir_cosim_feeds (const WeirCosim *self, guint a, guint b)
{
  if (a == WEIR_COSIM_REST)
    return b != WEIR_COSIM_REST && self->units[b]->from_rest;
  if (b == WEIR_COSIM_REST)
    return self->units[a]->fed->len > 0;
  return weir_bit (self->units[b]->units, a);
}

gboolean
weir_cosim_precedes (const WeirCosim *self, guint a, guint b)
{
  return (b == WEIR_COSIM_REST ? weir_cosim_feeds (self, a, b)
                               : weir_participant_awaits (self->units[b], a))
         && get_place (self, a) < get_place (self, b);
}

/* Steps under way read what is planned here, so they end first. */
void
weir_cosim_plan (WeirCosim *self)
{
  g_autofree guint *place = g_new (guint, self->n + 1);

  for (guint k = 0; k <= self->n; k++)
    place[self->list[k] == WEIR_COSIM_REST ? self->n : self->list[k]] = k;
  for (guint i = 0; i < self->n; i++)
    weir_participant_plan (self->units[i], place);
  self->is_planned = TRUE;
  self->planned_type = self->type;
}
