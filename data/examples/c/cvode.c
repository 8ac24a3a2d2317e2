/* Integrates a model with CVODE, which is told nothing of Weir but one function.
 *
 *   cc cvode.c -o cvode $(pkg-config --cflags --libs weir-0) \
 *     -lsundials_cvode -lsundials_nvecserial -lsundials_sunnonlinsolfixedpoint
 *   ./cvode pendulum.weir 2.5
 *
 * Prints the states at that time, one a line.
 */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <weir/ode.h>

static int
rhs (realtype t, N_Vector x, N_Vector xdot, void *ode)
{
  return weir_ode_rhs (t, N_VGetArrayPointer (x), N_VGetArrayPointer (xdot), ode);
}

int
main (int argc, char **argv)
{
  char message[500];
  SUNNonlinearSolver fixed_point;
  SUNContext sundials;
  realtype t;
  N_Vector x;
  WeirOde *ode;
  void *cvode;
  int flag;

  if (argc != 3)
    {
      fprintf (stderr, "usage: %s MODEL TIME\n", argv[0]);
      return 2;
    }
  ode = weir_ode_open (argv[1], message, sizeof message);
  if (ode == NULL)
    {
      fprintf (stderr, "%s\n", message);
      return 1;
    }
  SUNContext_Create (NULL, &sundials);
  x = N_VNew_Serial ((sunindextype) weir_ode_get_n (ode), sundials);
  t = weir_ode_get_start (ode, N_VGetArrayPointer (x));
  cvode = CVodeCreate (CV_ADAMS, sundials);
  CVodeInit (cvode, rhs, t, x);
  CVodeSStolerances (cvode, 1e-10, 1e-12);
  fixed_point = SUNNonlinSol_FixedPoint (x, 0, sundials);
  CVodeSetNonlinearSolver (cvode, fixed_point);
  CVodeSetUserData (cvode, ode);
  CVodeSetMaxNumSteps (cvode, 100000);
  flag = CVode (cvode, strtod (argv[2], NULL), x, &t, CV_NORMAL);
  for (size_t i = 0; flag >= 0 && i < weir_ode_get_n (ode); i++)
    printf ("%s %.17g\n", weir_ode_get_name (ode, i), N_VGetArrayPointer (x)[i]);
  if (flag < 0)
    fprintf (stderr, "CVODE gave up at t = %g: %s\n", t,
             weir_ode_get_failure (ode) != NULL ? weir_ode_get_failure (ode)
                                                : "no reason of the model's");
  SUNNonlinSolFree (fixed_point);
  CVodeFree (&cvode);
  N_VDestroy (x);
  SUNContext_Free (&sundials);
  weir_ode_close (ode);
  return flag < 0 ? 3 : 0;
}
