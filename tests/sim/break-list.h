/* Lists of breakpoints, for their tests. */
#pragma once

#include "models.h"
#include "sim/breakpoint.h"

/* (transfer full): the caller adds more. */
static inline GArray *
list_of (WeirBreakKind kind, const char *what, const char *by)
{
  GArray *list = weir_breakpoint_list_new ();
  WeirBreakpoint one = { .kind = kind, .what = g_strdup (what), .by = g_strdup (by), .phase = -1 };

  g_array_append_val (list, one);
  return list;
}

static inline WeirBreakpoint *
first (GArray *list)
{
  return &g_array_index (list, WeirBreakpoint, 0);
}
