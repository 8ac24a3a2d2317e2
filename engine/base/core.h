/* Which core a thread runs on. Of libc alone, for programs without GLib too. */
#pragma once

#include <sched.h>
#include <stdbool.h>

/* If this thread runs on @core (as sched_getcpu() has said to another), it goes to any other that
 * it may use. A kernel that takes sleeping cores for busy ones, as one within a virtual machine
 * may, wakes a thread where its waker runs, and both then take turns. Two or three calls of the
 * system; FALSE: it need not, or could not. */
static inline bool
weir_core_leave (int core)
{
  cpu_set_t all, others;

  if (core < 0 || sched_getcpu () != core || sched_getaffinity (0, sizeof all, &all) != 0)
    return false;
  others = all;
  CPU_CLR (core, &others);
  if (CPU_COUNT (&others) == 0 || sched_setaffinity (0, sizeof others, &others) != 0)
    return false;
  return sched_setaffinity (0, sizeof all, &all) == 0;
}
