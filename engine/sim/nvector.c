/* Weir's operations for SUNDIALS vectors. See sundials-private.h; compiled with -O3. */
#include "sim/sundials-private.h"

#include <math.h>

#include "numerics/vector.h"

#define N(v) ((gsize) NV_LENGTH_S (v))
#define DATA(v) (NV_DATA_S (v))
#define MAX_VECTORS 32 /* of one combination; CVODE's longest history has 13 */

static void
linear_sum (realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z)
{
  weir_vector_linear_sum (N (x), a, DATA (x), b, DATA (y), DATA (z));
}

static void
set_constant (realtype c, N_Vector z)
{
  double *out = DATA (z);

  for (gsize i = 0; i < N (z); i++)
    out[i] = c;
}

/* Defines an element-wise operation of one or two vectors. */
#define ELEMENTWISE_1(name, expression)                                                            \
  static void name (N_Vector vx, N_Vector vz)                                                      \
  {                                                                                                \
    const double *px = DATA (vx);                                                                  \
    double *pz = DATA (vz);                                                                        \
    gsize n = N (vx);                                                                              \
    _Pragma ("GCC ivdep") for (gsize i = 0; i < n; i++)                                            \
    {                                                                                              \
      double x = px[i];                                                                            \
      pz[i] = (expression);                                                                        \
    }                                                                                              \
  }

#define ELEMENTWISE_2(name, expression)                                                            \
  static void name (N_Vector vx, N_Vector vy, N_Vector vz)                                         \
  {                                                                                                \
    const double *px = DATA (vx), *py = DATA (vy);                                                 \
    double *pz = DATA (vz);                                                                        \
    gsize n = N (vx);                                                                              \
    _Pragma ("GCC ivdep") for (gsize i = 0; i < n; i++)                                            \
    {                                                                                              \
      double x = px[i], y = py[i];                                                                 \
      pz[i] = (expression);                                                                        \
    }                                                                                              \
  }

ELEMENTWISE_1 (absolute, fabs (x))
ELEMENTWISE_1 (inverse, 1.0 / x)
ELEMENTWISE_2 (product, x *y)
ELEMENTWISE_2 (quotient, x / y)

static void
scale (realtype c, N_Vector vx, N_Vector vz)
{
  const double *x = DATA (vx);
  double *z = DATA (vz);
  gsize n = N (vx);

#pragma GCC ivdep
  for (gsize i = 0; i < n; i++)
    z[i] = c * x[i];
}

static void
add_constant (N_Vector vx, realtype b, N_Vector vz)
{
  const double *x = DATA (vx);
  double *z = DATA (vz);
  gsize n = N (vx);

#pragma GCC ivdep
  for (gsize i = 0; i < n; i++)
    z[i] = x[i] + b;
}

static realtype
dot_product (N_Vector x, N_Vector y)
{
  return weir_vector_dot (N (x), DATA (x), DATA (y));
}

static realtype
max_norm (N_Vector x)
{
  return weir_vector_max_norm (N (x), DATA (x));
}

static realtype
wrms_norm (N_Vector x, N_Vector w)
{
  return weir_vector_wrms_norm (N (x), DATA (x), DATA (w));
}

static realtype
weighted_l2_norm (N_Vector x, N_Vector w)
{
  return sqrt (weir_vector_weighted_square_sum (N (x), DATA (x), DATA (w)));
}

/* z = sum of c[j] x[j]; z may be x[0]. */
static int
linear_combination (int m, realtype *c, N_Vector *x, N_Vector z)
{
  const double *terms[MAX_VECTORS];

  if (m < 1 || m > MAX_VECTORS)
    return -1;
  for (int j = 0; j < m; j++)
    terms[j] = DATA (x[j]);
  weir_vector_combine (N (z), NULL, (guint) m, c, terms, DATA (z));
  return 0;
}

/* z[j] = a[j] x + y[j] */
static int
scale_add_multi (int m, realtype *a, N_Vector x, N_Vector *y, N_Vector *z)
{
  for (int j = 0; j < m; j++)
    weir_vector_linear_sum (N (x), a[j], DATA (x), 1.0, DATA (y[j]), DATA (z[j]));
  return 0;
}

N_Vector
weir_nvector_new (gsize n, double *data, SUNContext context)
{
  N_Vector v = N_VMake_Serial ((sunindextype) n, data, context);

  if (v == NULL)
    return NULL;
  v->ops->nvlinearsum = linear_sum;
  v->ops->nvconst = set_constant;
  v->ops->nvprod = product;
  v->ops->nvdiv = quotient;
  v->ops->nvscale = scale;
  v->ops->nvabs = absolute;
  v->ops->nvinv = inverse;
  v->ops->nvaddconst = add_constant;
  v->ops->nvdotprod = dot_product;
  v->ops->nvmaxnorm = max_norm;
  v->ops->nvwrmsnorm = wrms_norm;
  v->ops->nvwl2norm = weighted_l2_norm;
  v->ops->nvlinearcombination = linear_combination;
  v->ops->nvscaleaddmulti = scale_add_multi;
  return v;
}
