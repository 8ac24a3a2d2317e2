/* The tables. Sources: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.1
 * and II.5; Bogacki & Shampine, Appl. Math. Lett. 2 (1989); Dormand & Prince, J. Comp. Appl. Math.
 * 6 (1980), with the continuous extension of Shampine, Math. Comp. 46 (1986).
 */
#include "sim/butcher.h"

static const WeirButcherTable tables[] = {
  {
      .name = "euler",
      .n_stages = 1,
      .order = 1,
      .b = { 1 },
      /* Slopes at both ends, which the step did not follow, would bend what stands still. */
      .n_dense = 1,
      .dense = { { 1 } },
  },
  {
      .name = "heun",
      .n_stages = 2,
      .order = 2,
      .c = { 0, 1 },
      .a = { { 0 }, { 1 } },
      .b = { 0.5, 0.5 },
  },
  {
      .name = "rk4",
      .n_stages = 4,
      .order = 4,
      .c = { 0, 0.5, 0.5, 1 },
      .a = { { 0 }, { 0.5 }, { 0, 0.5 }, { 0, 0, 1 } },
      .b = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 },
  },
  {
      .name = "bogacki-shampine",
      .n_stages = 4,
      .order = 3,
      .error_order = 2,
      .first_same_as_last = TRUE,
      .c = { 0, 1.0 / 2, 3.0 / 4, 1 },
      .a = { { 0 }, { 1.0 / 2 }, { 0, 3.0 / 4 }, { 2.0 / 9, 1.0 / 3, 4.0 / 9 } },
      .b = { 2.0 / 9, 1.0 / 3, 4.0 / 9, 0 },
      .e = { 2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8 },
  },
  {
      .name = "dormand-prince",
      .n_stages = 7,
      .order = 5,
      .error_order = 4,
      .first_same_as_last = TRUE,
      .c = { 0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1 },
      .a = { { 0 },
             { 1.0 / 5 },
             { 3.0 / 40, 9.0 / 40 },
             { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
             { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
             { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
             { 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 } },
      .b = { 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0 },
      .e = { 71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
             -1.0 / 40 },
      .n_dense = 4,
      .dense = { { 1, -8048581381.0 / 2820520608, 8663915743.0 / 2820520608,
                   -12715105075.0 / 11282082432 },
                 { 0 },
                 { 0, 131558114200.0 / 32700410799, -68118460800.0 / 10900136933,
                   87487479700.0 / 32700410799 },
                 { 0, -1754552775.0 / 470086768, 14199869525.0 / 1410260304,
                   -10690763975.0 / 1880347072 },
                 { 0, 127303824393.0 / 49829197408, -318862633887.0 / 49829197408,
                   701980252875.0 / 199316789632 },
                 { 0, -282668133.0 / 205662961, 2019193451.0 / 616988883,
                   -1453857185.0 / 822651844 },
                 { 0, 40617522.0 / 29380423, -110615467.0 / 29380423, 69997945.0 / 29380423 } },
  },
};

guint
weir_butcher_get_n (void)
{
  return G_N_ELEMENTS (tables);
}

const WeirButcherTable *
weir_butcher_get (guint i)
{
  return &tables[i];
}

const WeirButcherTable *
weir_butcher_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_str_equal (tables[i].name, name))
      return &tables[i];
  return NULL;
}
