/* Masters: who makes them, and the names of schedules. See master.h. */
#include "sim/master.h"

static WeirMasterFunc maker;

static const char *const names[] = {
  [WEIR_STEP_SCHEDULING_FULL_PARALLEL] = "full",
  [WEIR_STEP_SCHEDULING_CASCADING_PARALLEL] = "cascading",
  [WEIR_STEP_SCHEDULING_ITERATED] = "iterated",
};

const char *
weir_step_scheduling_type_get_name (WeirStepSchedulingType type)
{
  return (guint) type < G_N_ELEMENTS (names) ? names[type] : NULL;
}

gboolean
weir_step_scheduling_type_find (const char *name, WeirStepSchedulingType *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i], name))
      {
        *type = (WeirStepSchedulingType) i;
        return TRUE;
      }
  return FALSE;
}

void
weir_master_set_maker (WeirMasterFunc make)
{
  g_atomic_pointer_set (&maker, make);
}

WeirMasterFunc
weir_master_get_maker (void)
{
  return g_atomic_pointer_get (&maker);
}

void
weir_master_free (WeirMaster *self)
{
  if (self != NULL)
    self->master_class->free (self);
}
