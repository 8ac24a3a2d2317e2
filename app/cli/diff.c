/* `weir diff`: what differs between two models, by block. */
#include "cli/cli-private.h"

#include "model/tree/difference.h"

WeirExit
weir_cli_diff (int argc, char **argv)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) a = NULL;
  g_autoptr (WeirModel) b = NULL;
  g_autoptr (GPtrArray) differences = NULL;

  if (!weir_cli_parse (
          &argc, &argv, "A B",
          "Prints what differs, one line each: \"-\" only in A, \"+\" only in B, \"~\" in both "
          "but not the same.\nIds, order, positions and colours do not count, nor how a "
          "number is written.\nExit status: 0 no difference, 1 differences, or a file cannot "
          "be read.",
          NULL, 2, 2))
    return WEIR_EXIT_USAGE;
  a = weir_cli_read (argv[1], diagnostics);
  b = weir_cli_read (argv[2], diagnostics);
  if (a == NULL || b == NULL)
    return WEIR_EXIT_MODEL;
  differences = weir_model_list_differences (a, b);
  for (guint i = 0; i < differences->len; i++)
    {
      g_autofree char *line = weir_difference_to_string (g_ptr_array_index (differences, i));

      weir_cli_say ("%s\n", line);
    }
  return differences->len == 0 ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}
