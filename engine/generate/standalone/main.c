/* Runs the model up to the time given and prints what is recorded, as comma-separated values. */
#include "the_model.h"
#include "weir-simulator.h"

#include <stdio.h>
#include <stdlib.h>

static WeirStatus
print_row (WeirContext *context, void *data)
{
  double *values = data;
  char text[40];

  if (context->system->record (context, values) != WEIR_OK)
    return WEIR_FAILED;
  *weir_write_number (context->now, text) = '\0';
  (void) fputs (text, stdout);
  for (guint i = 0; i < context->system->n_columns; i++)
    {
      *weir_write_number (values[i], text) = '\0';
      (void) putchar (',');
      (void) fputs (text, stdout);
    }
  (void) putchar ('\n');
  return WEIR_OK;
}

static int
run (TheModel *model, double stop_time)
{
  WeirContext *context = &model->context;
  double *values = calloc (context->system->n_columns + 1u, sizeof *values);
  WeirSimulator *simulator = weir_simulator_make (context, &the_model_settings, print_row, values);
  int ok = 0;

  if (values != NULL && simulator != NULL)
    {
      (void) fputs ("time", stdout);
      for (guint i = 0; i < context->system->n_columns; i++)
        (void) printf (",%s", context->system->columns[i]);
      (void) putchar ('\n');
      ok = weir_simulator_begin (simulator) && weir_simulator_advance (simulator, stop_time);
      if (!ok)
        (void) fprintf (stderr, "%s: %s\n", context->system->name,
                        weir_simulator_get_error (simulator));
    }
  weir_simulator_destroy (simulator);
  free (values);
  return ok ? 0 : 3;
}

int
main (int argc, char **argv)
{
  static TheModel model;
  char *end = NULL;
  double stop_time = argc == 2 ? strtod (argv[1], &end) : 0;

  if (argc != 2 || end == argv[1] || *end != '\0' || !isfinite (stop_time))
    {
      (void) fprintf (stderr, "usage: %s STOP-TIME\n", argv[0]);
      return 2;
    }
  the_model_init (&model);
  return run (&model, stop_time);
}
