/* The row of the command line's start: from the caller's wish to the program's end, with nothing to
 * do but say its version. The reference is a program that loads libweir and ends.
 */
#include "bench.h"

#include <spawn.h>
#include <sys/wait.h>

static void
start (gpointer data, guint64 n)
{
  char *const arguments[] = { data, (char *) "--version", NULL };
  posix_spawn_file_actions_t actions;

  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", 1 /* O_WRONLY */, 0);
  while (n-- > 0)
    {
      pid_t process;
      int status = 1;

      if (posix_spawn (&process, data, &actions, NULL, arguments, NULL) != 0
          || waitpid (process, &status, 0) != process || status != 0)
        g_error ("%s does not start, or fails", (const char *) data);
    }
  posix_spawn_file_actions_destroy (&actions);
}

static void
measure_start (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  BenchVariant variants[] = { { .run = start, .data = (gpointer) WEIR_BENCH_CLI },
                              { .run = start, .data = (gpointer) WEIR_BENCH_LOADER } };

  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value *= 1e-6;
  result->best_value *= 1e-6;
  result->reference *= 1e-6;
  result->best_reference *= 1e-6;
}

const BenchRow bench_start_rows[] = {
  { "cli-start", "weir --version, against loading libweir", "ms", BENCH_RATIO_AT_MOST, 1.2,
    measure_start, 0 },
  { NULL },
};
