/* Models of tests/data/regress, each by the real program with default settings: what is refused, in
 * which words; what a run ends with; and, where it is accepted, that it runs as well without cache.
 *
 * Expected numbers are the closed forms that stand beside them, where there is more to them than
 * reading the model. */
#include "program.h"

typedef struct {
  double time;
  const char *column;
  double value, tolerance;
} Number;

typedef struct {
  const char *file;
  int check, run; /* exit codes */
  const char *sentence;
  Number numbers[3]; /* of the last rows of their times */
  const char *options[2];
} Case;

static const Case cases[] = {
  /* Refused. */
  { "arr_size", 1, 1,
    "error[EQ07]: E: Model: line 3: a matrix product of size 2 x 2 and size 3 does not exist." },
  { "boundary", 1, 1,
    "error[EQ09]: E: Model: line 2: x(0) is a value at a fixed time: this is a boundary-value "
    "problem, which Weir does not solve. Conditions at the start are written initial x = ..." },
  { "c12_cyc_par", 1, 1,
    "error[PAR01]: E: Model: line 1: parameters depend on each other in a cycle: a -> b -> a." },
  { "c12_par_var", 1, 1,
    "error[PAR01]: E: Model: line 1: the value of a reads x, which is not declared as parameter or "
    "constant." },
  { "c13_bound_init", 1, 1,
    "error[INI02]: E: Initialization: 1 condition too many: b, x; with the others line 4 misses by "
    "1; b is computed from other parameters in line 1, so take its initial value away." },
  { "c14_solve", 1, 1,
    "error[PAR07]: E: Model: line 1: the parameter a has no value, and there is no 'a' in the "
    "model's variables; write parameter a = ..." },
  { "c15_ev_timeless", 1, 1,
    "error[EQ01]: E: Model: line 3, column 1: this 'end' closes nothing: a when or for that has "
    "something behind its ':' ends with that line." },
  { "c16_par_only", 1, 1,
    "error[EQ03]: E: Model: line 3 contains no unknown: it is a condition on parameters." },
  { "c17_delay", 1, 1,
    "error[EQ08]: E: Model: line 1: the time of delay(x, y) has no bound, as y changes; give the "
    "longest time, as in delay(x, y, 10)." },
  { "c17_delayneg", 1, 1,
    "error[EQ08]: E: Model: line 1: the time of a delay must be more than 0 s, but that of x is -1 "
    "s; nobody knows the future." },
  { "c22_mod_par", 1, 1,
    "error[EQ01]: E: Model: line 5, column 1: this 'end' closes nothing: a when or for that has "
    "something behind its ':' ends with that line." },
  { "c23_nopre", 1, 1,
    "error[EQ01]: E: Model: line 5, column 1: this 'end' closes nothing: a when or for that has "
    "something behind its ':' ends with that line." },
  { "c23_nopre2", 1, 1,
    "error[EQ01]: E: Model: line 4, column 1: this 'end' closes nothing: a when or for that has "
    "something behind its ':' ends with that line." },
  { "c24_undeclared", 1, 1,
    "error[EQ01]: E: Model: line 4, column 1: this 'end' closes nothing: a when or for that has "
    "something behind its ':' ends with that line." },
  { "c25_noguess", 1, 1,
    "error[INI01]: E: Initialization: no solution was found from y = 0: they are dependent there "
    "(singular); line 2 is off by 0.75. Give another guess." },
  { "c3_t_as_var", 1, 1,
    "error[EQ01]: E: Model: line 1, column 11: expected a name, but 't' is a word of the "
    "language." },
  { "c4_t_unknown", 1, 1,
    "error[EQ03]: E: Model: line 1 contains no unknown: it is a condition on time." },
  { "c6_D_other", 1, 1,
    "error[EQ01]: E: Model: line 1, column 1: D takes 1 argument, but 2 are given." },
  { "c7_twice_D", 1, 1, "error[EQ04]: E: Model: D(x) is defined twice: in line 1 and in line 2." },
  { "c8_cyc", 1, 1,
    "error[EQ05]: E: Model: y and z are only determined up to a common constant by lines 1 and "
    "2." },
  { "c8_twice_y", 1, 1, "error[EQ04]: E: Model: y is defined twice: in line 1 and in line 2." },
  { "d22_mod_par", 1, 1,
    "error[EQ08]: E: Model: line 4: k is a parameter and cannot be assigned to." },
  { "d23_nopre", 1, 1,
    "error[EQ08]: E: Model: line 3: n is on both sides of an assignment; did you mean pre(n)?" },
  { "d24_undecl", 1, 1,
    "error[EQ02]: E: Model: line 3: 'zz' is neither an input, a parameter nor defined, and there "
    "is no 'zz' in the model's variables; add 'input zz', 'parameter zz = ...' or an equation." },
  { "d_assign_circ", 1, 1,
    "error[EQ08]: E: Model: line 3: the assignments read each other in a cycle; use pre()." },
  { "d_complexname", 1, 1,
    "error[EQ02]: E: Model: line 1: the name x.y has a dot; names here have none." },
  { "d_two_when_same", 1, 1,
    "error[EQ08]: E: Model: lines 3 and 4 assign to x under the same condition; it has one new "
    "value, so leave one of them out." },
  { "d_when_alg", 1, 1,
    "error[EQ03]: E: Model: 1 equation too many: the value of x in line 2 follows from its "
    "derivative already; what holds at the start alone is written with 'initial'." },
  { "dotted", 1, 1,
    "error[EQ02]: E: Model: line 3: the name x.y has a dot; names here have none." },
  { "dupinput", 1, 1, "error[EQ04]: E: Model: u is defined twice in line 1." },
  { "ext4", 1, 1,
    "error[EQ10]: Base: Model: line 1: extends Derived: they extend each other in a cycle: Base -> "
    "Derived -> Base." },
  { "ext5", 1, 1,
    "error[EQ10]: Derived: Model: line 1: extends Nope: there is no block 'Nope' in the model." },
  { "ext6", 1, 1,
    "error[EQ02]: Derived: Model: line 1: 'Base.x' is neither an input, a parameter nor defined, "
    "and there is no 'Base.x' in the model's variables; what another block computes comes by a "
    "wire to an input, whose name has no dot." },
  { "ext7", 1, 1,
    "error[EQ01]: Derived: Model: line 1, column 1: there is no function 'connect'; did you mean "
    "'convert'?" },
  { "extra_eq", 1, 1,
    "error[EQ03]: E: Model: 1 equation too many: lines 1, 2 and 3 determine x and y more than "
    "once." },
  { "jump_bad", 1, 1,
    "error[EQ01]: E: Model: line 4, column 1: this 'end' closes nothing: a when or for that has "
    "something behind its ':' ends with that line." },
  { "nl2", 1, 1,
    "error[INI01]: E: Initialization: no solution was found from x = 2: no step brings them "
    "closer; line 2 is off by 1. Give another guess." },
  { "noise_alg", 1, 1,
    "error[EQ08]: E: Model: line 1: brownian w needs steps; add a line such as 'noise 0.001'." },
  { "noise_bad", 1, 1,
    "error[EQ08]: E: Model: line 1: brownian w needs steps; add a line such as 'noise 0.001'." },
  { "noise_prod", 1, 1,
    "error[EQ08]: E: Model: line 2: w may only stand as a term with a factor, as in D(x) ~ -x + "
    "2*w." },
  { "opt", 1, 1,
    "error[EQ09]: E: Model: line 1: 'minimize' belongs to an optimisation problem, which Weir does "
    "not solve; it solves equations, such as that the derivative of a cost is 0." },
  { "over_init", 1, 1,
    "error[INI02]: E: Initialization: 1 condition too many: x, y; with the others line 4 misses by "
    "-3." },
  { "pend", 1, 1,
    "error[EQ01]: E: Model: line 7, column 12: expected an operator or the end of the line, but "
    "found ','; the decimal sign is '.'." },
  { "posshift", 1, 1,
    "error[EQ08]: E: Model: line 2: x(k+1) is in the future; write x(k) ~ f(x(k-1))." },
  { "sing", 1, 1,
    "error[EQ05]: E: Model: x and y are not determined by lines 1 and 2: these equations are "
    "dependent (singular)." },
  { "st0", 1, 1,
    "error[PAR01]: S.E: Model: line 1: the value of k reads g, which is not declared as parameter "
    "or constant." },
  { "st5", 1, 1,
    "error[PAR03]: S: Initialization: there is no 'E.k' in S; a value at the start is named like "
    "block.initial, or block.Initial(x) where the block has equations." },
  { "st6", 1, 1, "error[PAR01]: Variable a: these define each other: a = b, b = a." },
  { "st7", 1, 1,
    "error[EQ02]: S.E: Model: line 1 of what is given at the start: 'nope' is neither an input, a "
    "parameter nor defined, and there is no 'nope' in S, the model's variables; add 'input nope', "
    "'parameter nope = ...' or an equation." },
  { "unk", 1, 1,
    "error[EQ02]: E: Model: line 1: 'y' is neither an input, a parameter nor defined, and there is "
    "no 'y' in the model's variables; add 'input y', 'parameter y = ...' or an equation." },
  { "solver-two-numbers", 1, 1,
    "error[SET01]: The setting 'solver' is '1,5', but must be one of auto, dormand-prince, "
    "bogacki-shampine, dop853, cvode-adams, cvode-bdf, ida, radau, arkode-dirk, rk4, heun, euler, "
    "semi-implicit-euler." },
  { "eqn-bigarr2", 1, 1,
    "error[EQ07]: b1: Model: line 3: the equations have more than 1000000 operands in all; give "
    "what many of them share a name, as in s ~ sum(x), or use several blocks." },
  { "escape-c1", 1, 1,
    "error[NET09]: \\u009b31mred\\u009b0m: The name '\\u009b31mred\\u009b0m' contains a line break "
    "or tab." },
  { "forged-line", 1, 1,
    "error[NET09]: x\\n/home/me/good.weir:7: error[NET01]: plant: forged line: The name "
    "'x\\n/home/me/good.weir:7: error[NET01]: plant: forged line' contains a '.', which separates "
    "the names of a path." },
  { "rtl", 1, 1,
    "error[NET09]: a\\u202etxt.exe: The name 'a\\u202etxt.exe' contains a '.', which separates the "
    "names of a path." },
  { "solver-name-in-file", 1, 1,
    "error[SET01]: The setting 'solver' is 'ri4', but must be one of auto, dormand-prince, "
    "bogacki-shampine, dop853, cvode-adams, cvode-bdf, ida, radau, arkode-dirk, rk4, heun, euler, "
    "semi-implicit-euler." },
  /* Accepted, and ended where it says. */
  { "assert", 0, 3,
    "no step is small enough for the model to have a value at t = 1 s: E:time derivatives cannot "
    "be computed at t = 1 s: x went below (the assertion of line 3 does not hold)." },
  { "d_chatter", 0, 3,
    "E: 1001 zero crossings (E:differences of relations) within 1.02e-11 s at t = 0.5 s: the model "
    "chatters, sliding along a switching surface, or its events pile up towards an instant (Zeno). "
    "Give the block some hysteresis or a state of rest." },
  { "d_jump", 0, 3,
    "the derivatives cannot be computed at t = 0 s: E:time derivatives cannot be computed at t = 0 "
    "s: The rate of a jump is negative (the assertion of line 3 does not hold)." },
  /* 3 sqrt (2 / g) */
  { "d_zeno", 0, 3,
    "E: 38 zero crossings (E:conditions of when) within 0.903 s at t = 1.35457 s: the model "
    "chatters, sliding along a switching surface, or its events pile up towards an instant (Zeno). "
    "Give the block some hysteresis or a state of rest." },
  { "sqrt", 0, 3,
    "the derivatives cannot be computed at t = 0 s: the derivative of E.x cannot be computed at t "
    "= 0 s: Line 1: sqrt(-1) has no value." },
  /* 9 sqrt (2 / g): it comes to rest there. */
  { "ball-zeno-falls-through", 0, 3,
    "E: zero is crossed (E:conditions of when) and the event stops what crosses it or sends it "
    "back, but it goes on at t = 4.06371 s: the way back is too short to be seen, where events "
    "pile up" },
  { "friction-block-cannot-stick", 0, 3,
    "F: the event at t = 15.708 s failed: it should stick, but does not know what it is to hold: "
    "connect the force that acts on the body to the input \"force\"" },
  /* Run. */
  /* ln (cosh (3)): near 0 s, the difference of t and tanh (t) is rounding's. */
  { "equal-to-rounding", 0, 0, NULL, .numbers = { { 3, "I.y", 2.309328504577785, 1e-5 } } },
  /* exp (-4) */
  { "apA", 0, 0, NULL, .numbers = { { 2, "E.x", 0.01831563888873418, 1e-06 } } },
  /* exp (-4) */
  { "apB", 0, 0, NULL, .numbers = { { 2, "E.x", 0.01831563888873418, 1e-06 } } },
  /* exp (-4) */
  { "apC", 0, 0, NULL, .numbers = { { 2, "E.x", 0.01831563888873418, 1e-06 } } },
  /* exp (-4) */
  { "apD", 0, 0, NULL, .numbers = { { 2, "E.x", 0.01831563888873418, 1e-06 } } },
  /* exp (-6) */
  { "apE", 0, 0, NULL, .numbers = { { 2, "E.x", 0.0024787521766663585, 1e-06 } } },
  /* D(x) = 2 D(x) + 3 */
  { "c21_D_rhs", 0, 0, NULL, .numbers = { { 2, "E.x", -5.0, 1e-09 }, { 2, "E.y", -3.0, 1e-09 } } },
  { "c25_noinit", 0, 0,
    "warning[INI03]: E: Initialization: x has no initial value and starts at 0; write 'initial x = "
    "...'.",
    .numbers = { { 2, "E.x", 0.0, 0 } } },
  { "c8_cyc2", 0, 0, NULL, .numbers = { { 2, "E.y", -5.0, 0 } } },
  { "c9_units", 0, 0,
    "warning[EQ06]: E: Model: line 3: the sides are in m/s and kg, which are of different kinds.",
    .numbers = { { 2, "E.x", 5.0, 1e-09 } } },
  /* a = 5 */
  { "d14_solve", 0, 0, NULL, .numbers = { { 2, "E.x", 22026.465794806718, 0.2202646579480672 } } },
  /* True from the start, so that it never becomes true. */
  { "d15_ev_timeless", 0, 0,
    "warning[INI03]: E: Initialization: y has no initial value and starts at 0; write 'initial y = "
    "...'.",
    .numbers = { { 2, "E.x", 1.0, 0 }, { 2, "E.y", 0.0, 0 } } },
  { "d23_ok", 0, 0,
    "warning[INI03]: E: Initialization: n has no initial value and starts at 0; write 'initial n = "
    "...'.",
    .numbers = { { 2, "E.n", 1.0, 0 }, { 2, "E.x", 2.0, 1e-09 } } },
  /* cos (1) - 1, by the method of steps */
  { "d_delayok", 0, 0, NULL, .numbers = { { 2, "E.x", -0.45969769413186023, 1e-06 } } },
  /* True from the start, too. */
  { "d_eventstart", 0, 0,
    "warning[INI03]: E: Initialization: n has no initial value and starts at 0; write 'initial n = "
    "...'.",
    .numbers = { { 2, "E.n", 0.0, 0 } } },
  /* Ticks at 0, 0.5, 1 and 1.5 s; what is seen at 2 s is before the tick there. */
  { "d_everyzero", 0, 0,
    "warning[INI03]: E: Initialization: n has no initial value and starts at 0; write 'initial n = "
    "...'.",
    .numbers = { { 2, "E.n", 4.0, 0 } } },
  /* 3 (exp (-2) - 1) */
  { "d_initial_par", 0, 0, NULL, .numbers = { { 2, "E.z", -2.593994150290162, 1e-06 } } },
  { "d_k", 0, 0,
    "warning[INI03]: E: Initialization: z has no initial value and starts at 0; write 'initial z = "
    "...'.",
    .numbers = { { 2, "E.z", 4.0, 0 } } },
  { "d_k0", 0, 0, NULL, .numbers = { { 2, "E.z", 11.0, 0 } } },
  /* The stationary deviation is 0.3 / sqrt (2); five of them. */
  { "d_noise", 0, 0, NULL, .numbers = { { 2, "E.x", 0.0, 1.07 } } },
  /* The deviation of y is sqrt (2); five of them. */
  { "d_noise2", 0, 0, NULL, .numbers = { { 2, "E.y", 0.0, 7.1 } } },
  /* exp (-2) */
  { "d_over_outer", 0, 0, NULL, .numbers = { { 2, "E.x", 0.1353352832366127, 1e-06 } } },
  /* The fourth order method of Runge and Kutta on a'' = -g cos (a), with steps of 5e-6 s. */
  { "d_pend", 0, 0, NULL,
    .numbers = { { 2, "E.x", 0.793566195343296, 2e-5 },
                 { 2, "E.y", -0.6084839304438251, 2e-5 },
                 { 2, "E.T", -17.907682072961773, 6e-4 } } },
  /* 1 / (1 + 9 t) */
  { "d_reorder_a", 0, 0, NULL,
    .numbers = { { 2, "E.x", 0.05263157894736842, 1e-07 },
                 { 2, "E.y", 0.15789473684210525, 3e-07 },
                 { 2, "E.z", 0.024930747922437674, 1e-06 } } },
  /* 1 / (1 + 9 t) */
  { "d_reorder_b", 0, 0, NULL,
    .numbers = { { 2, "E.x", 0.05263157894736842, 1e-07 },
                 { 2, "E.y", 0.15789473684210525, 3e-07 },
                 { 2, "E.z", 0.024930747922437674, 1e-06 } } },
  { "d_steady", 0, 0, NULL, .numbers = { { 2, "E.x", 2.0, 1e-12 } } },
  /* i exp (-2 i) */
  { "d_sum_lin", 0, 0, NULL,
    .numbers = { { 2, "E.x[0]", 0.1353352832366127, 1e-06 },
                 { 2, "E.x[1]", 0.03663127777746836, 2e-06 },
                 { 2, "E.x[2]", 0.0074362565299990755, 3e-06 } } },
  { "disc", 0, 0, NULL, .numbers = { { 2, "E.n", 8.0, 0 }, { 2, "E.x", 2.0, 1e-09 } } },
  { "empty", 0, 0, NULL },
  /* exp (-2), exp (-5) */
  { "ext1", 0, 0, NULL,
    .numbers = { { 1, "Base.x", 0.1353352832366127, 1e-06 },
                 { 1, "Derived.x", 0.006737946999085467, 1e-06 },
                 { 1, "Derived.y", 0.013475893998170934, 2e-06 } } },
  /* 7 exp (-2) */
  { "ext2", 0, 0, NULL, .numbers = { { 1, "Derived.x", 0.9473469826562889, 1e-06 } } },
  /* 7 exp (-2) */
  { "ext3", 0, 0, NULL, .numbers = { { 1, "Derived.x", 0.9473469826562889, 1e-06 } } },
  /* Rising zeros of sin (13 pi t): at 2 k / 13 s, k = 1 to 64. */
  { "hits", 0, 0, NULL, .numbers = { { 10, "Hits.count", 64.0, 0 }, { 10, "Int.y", 0.0, 1e-06 } } },
  /* The condition also becomes true right after 0. */
  { "hits2", 0, 0, NULL, .numbers = { { 2, "E.x", 0.0, 1e-06 }, { 2, "E.n", 13.0, 0 } } },
  /* 3 exp (-2) */
  { "initial_alg", 0, 0, NULL, .numbers = { { 2, "E.x", 0.4060058497098381, 1e-06 } } },
  /* The deviations of y = w(2) and ln x = w(2) - 1 are sqrt (2); five of them. */
  { "ito", 0, 0, NULL, .numbers = { { 2, "E.y", 0.0, 7.1 } } },
  /* A Poisson process at 5 /s: 10000 within five deviations of 100. */
  { "jmp", 0, 0, NULL, .numbers = { { 2000, "E.n", 10000.0, 500.0 } },
    .options = { "--until", "2000" } },
  /* 20 / pi */
  { "k_abs", 0, 0, NULL, .numbers = { { 10, "Int.y", 6.366197723675814, 1e-06 } } },
  /* Half of each of 65 periods. */
  { "k_cmp", 0, 0, NULL, .numbers = { { 10, "Int.y", 5.0, 1e-06 } } },
  /* An odd function of a sine over 65 periods. */
  { "k_dz", 0, 0, NULL, .numbers = { { 10, "Int.y", 0.0, 1e-06 } } },
  /* An odd function of a sine over 65 periods. */
  { "k_q", 0, 0, NULL, .numbers = { { 10, "Int.y", 0.0, 1e-06 } } },
  /* Half of each of 65 periods. */
  { "k_relay", 0, 0, NULL, .numbers = { { 10, "Int.y", 5.0, 1e-06 } } },
  /* An odd function of a sine over 65 periods. */
  { "k_sat", 0, 0, NULL, .numbers = { { 10, "Int.y", 0.0, 1e-06 } } },
  /* An odd function of a sine over 65 periods. */
  { "k_sign", 0, 0, NULL, .numbers = { { 10, "Int.y", 0.0, 1e-06 } } },
  { "nl", 0, 0, NULL, .numbers = { { 2, "E.x", 3.0, 1e-09 }, { 2, "E.y", 1.0, 1e-09 } } },
  /* exp (-2) */
  { "nl3", 0, 0, NULL, .numbers = { { 2, "E.x", 0.1353352832366127, 1e-06 } } },
  { "over_init_ok", 0, 0,
    "warning[INI02]: E: Initialization: 1 condition too many: x, y; they agree.",
    .numbers = { { 2, "E.x", 0.1353352832366127, 1e-06 },
                 { 2, "E.y", 0.2706705664732254, 1e-06 } } },
  { "st1", 0, 0, NULL, .numbers = { { 1, "S.E.x", -1.0, 1e-09 } } },
  /* A Subsystem's own g hides the model's. */
  { "st2", 0, 0, NULL, .numbers = { { 1, "S.E.x", -4.0, 1e-09 } } },
  { "st3", 0, 0, NULL, .numbers = { { 1, "S.E.x", 8.0, 1e-09 } } },
  /* What is outside overrides what is inside. */
  { "st4", 0, 0, NULL, .numbers = { { 1, "S.E.x", 18.0, 1e-09 } } },
  { "unusedpar", 0, 0, NULL, .numbers = { { 2, "E.y", 1.0, 0 } } },
  /* exp (-3) */
  { "arkode-last-step", 0, 0, NULL, .numbers = { { 3, "E.w", 0.049787068367863944, 1e-06 } },
    .options = { "--solver", "arkode-dirk" } },
  /* i = cos (2 t) and 2 w' = i - w: w = (cos (2 t) + 4 sin (2 t) - exp (-t / 2)) / 17 */
  { "capacitor-on-source i2", 0, 0, NULL,
    .numbers = { { 3, "E.i", 0.960170286650366, 1e-06 },
                 { 3, "E.w", -0.02238952154669219, 1e-06 } } },
  /* S = sin (pi t) / 3 */
  { "ida-linear-loop", 0, 0, NULL, .numbers = { { 2, "I.y", 0.0, 1e-05 } },
    .options = { "--solver", "ida" } },
  { "ida-sine-integrator", 0, 0, NULL, .numbers = { { 2, "I.y", 0.0, 1e-05 } },
    .options = { "--solver", "ida" } },
  /* x' = -1.5 x */
  { "loop-vector-initial-Lag", 0, 0, NULL,
    .numbers = { { 1, "A.y[0]", 0.22313016014842982, 1e-06 },
                 { 1, "A.y[1]", 0.44626032029685964, 2e-06 } } },
  /* Both tick at 0.15 s, where the second takes in what the first holds since 0.1 s. */
  { "min_dec", 0, 0, NULL,
    .numbers = { { 0.165, "ZeroOrderHold3.y", 0.3894183423086505, 1e-12 },
                 { 6, "ZeroOrderHold3.y", -0.03317921654755682, 1e-12 } },
    .options = { "--every", "0.005" } },
  /* The reference solution of the Test Set for IVP Solvers. */
  { "orego-arkode-dirk", 0, 0, NULL,
    .numbers = { { 360, "E.y1", 1.000814870318523, 1e-05 },
                 { 360, "E.y2", 1228.178521549917, 0.01 },
                 { 360, "E.y3", 132.0554942846706, 0.002 } },
    .options = { "--solver", "arkode-dirk" } },
  /* The sum of (-t)^n / (n! 2^(n (n - 1) / 2)). */
  { "pantograph-delay-t-over-2", 0, 0, NULL,
    .numbers = { { 4, "E.y", -0.17482793294352428, 2e-06 } } },
  /* DOP853 at 1e-12 by scipy. */
  { "rectifier-pulses-missed", 0, 0, NULL, .numbers = { { 0.1, "E.v", 3.64370891, 4e-05 } } },
  /* |u| with u = sin (2 pi t) + 0.3 |u|: at 0.25 s 1 / 0.7, at 0.75 s -1 / 1.3. */
  { "audit-loop-abs", 0, 0, NULL,
    .numbers = { { 0.25, "b2.y", 1.4285714285714286, 1e-09 },
                 { 0.75, "b2.y", -0.7692307692307692, 1e-09 } },
    .options = { "--every", "0.25" } },
  { "audit-loop-gain", 0, 0, NULL, .numbers = { { 1, "b2.y", 2.0, 1e-12 } } },
  { "audit-loop-sign", 0, 0, NULL, .numbers = { { 1, "b2.y", 2.0, 0 } } },
  /* The zero is on the pole: what goes in comes out. */
  { "dzpk-0.5-0.5-1", 0, 0, NULL,
    .numbers = { { 0.25, "b7.y", 1.0, 1e-12 }, { 0.75, "b7.y", -1.0, 1e-12 } },
    .options = { "--every", "0.25" } },
  /* The zero is on the pole: what goes in comes out. */
  { "dzpk-2-2-1", 0, 0, NULL,
    .numbers = { { 0.25, "b7.y", 1.0, 1e-12 }, { 0.75, "b7.y", -1.0, 1e-12 } },
    .options = { "--every", "0.25" } },
  /* 10000 within five deviations of 100; 1e8 of them in 0.1 s are a long run, no endless one. */
  { "eqn-jump1e9", 0, 0, NULL, .numbers = { { 1e-05, "b1.n", 10001.0, 500.0 } },
    .options = { "--until", "1e-5" } },
  /* exp (-0.1) */
  { "eqn-k", 0, 0,
    "warning[INI03]: b1: Initialization: z has no initial value and starts at 0; write 'initial z "
    "= ...'.",
    .numbers = { { 0.1, "b1.x", 0.9048374180359595, 1e-06 }, { 0.1, "b1.z", 1.0, 1e-09 } } },
  { "eqn-past1", 0, 0, NULL,
    .numbers = { { 0.1, "b1.x", 0.9, 1e-09 }, { 0.1, "b1.past1", 1.0, 0 } } },
  { "eqn-relations", 0, 0, NULL,
    .numbers = { { 0.1, "b1.x", 0.1, 1e-09 }, { 0.1, "b1.relations", 1.0, 0 } } },
};

/* The file's place, for g_autofree. */
static char *
dup_path (const char *name)
{
  g_autofree char *file = g_strconcat (name, ".weir", NULL);

  return g_test_build_filename (G_TEST_DIST, "data", "regress", file, NULL);
}

static double
find_number (const char *file, const Csv *csv, const Number *number)
{
  double found = NAN;
  guint column = 0;

  while (csv->header[column] != NULL && strcmp (csv->header[column], number->column) != 0)
    column++;
  if (csv->header[column] == NULL)
    g_error ("%s: there is no column %s", file, number->column);
  for (guint row = 0; row < csv->rows->len; row++)
    if (fabs (csv_value (csv, row, 0) - number->time) <= 1e-12 * number->time)
      found = csv_value (csv, row, column);
  return found;
}

static void
assert_outcome (const Case *self, const char *command, const Outcome *outcome, int status,
                const char *sentence)
{
  g_autofree char *all = g_strconcat (outcome->out, outcome->err, NULL);

  if (outcome->status != status)
    g_error ("%s %s: expected the status %d, found %d and \"%.600s\"", command, self->file, status,
             outcome->status, all);
  if (sentence != NULL && strstr (all, sentence) == NULL)
    g_error ("%s %s: expected \"%s\", found \"%.600s\"", command, self->file, sentence, all);
}

static void
test_case (gconstpointer data)
{
  const Case *self = data;
  g_autofree char *path = dup_path (self->file);
  g_auto (Outcome) check = weir (ARGUMENTS ("check", path));
  gboolean is_logging = g_strcmp0 (self->options[0], "--every") == 0;
  const char *option = is_logging ? NULL : self->options[0];
  g_auto (Outcome)
      run = self->numbers[0].column != NULL
                ? weir (ARGUMENTS ("run", path, "--log", "*", self->options[0], self->options[1]))
                : weir (ARGUMENTS ("run", path));
  g_auto (Outcome) verify = weir (ARGUMENTS ("verify", path, option, self->options[1]));
  g_auto (Outcome) audit = weir (ARGUMENTS ("audit", path, option, self->options[1]));

  assert_outcome (self, "check", &check, self->check, self->run != 3 ? self->sentence : NULL);
  assert_outcome (self, "run", &run, self->run, self->sentence);
  assert_outcome (self, "verify", &verify, self->run,
                  self->run == 0 ? ": identical" : self->sentence);
  assert_outcome (self, "audit", &audit, self->run,
                  self->run == 0 ? "declarations hold" : self->sentence);
  if (self->run == 0)
    {
      g_auto (Csv) csv = csv_parse (run.out);

      for (guint i = 0; i < G_N_ELEMENTS (self->numbers) && self->numbers[i].column != NULL; i++)
        {
          const Number *number = &self->numbers[i];
          double found = find_number (self->file, &csv, number);

          if (!(fabs (found - number->value) <= number->tolerance))
            g_error ("%s: %s at %g s is %.17g, expected %.17g within %g", self->file,
                     number->column, number->time, found, number->value, number->tolerance);
        }
    }
}

/* Every file there has its line above. */
static void
test_all_are_listed (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "data", "regress", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      gboolean is_listed = FALSE;

      n++;
      for (guint i = 0; i < G_N_ELEMENTS (cases) && !is_listed; i++)
        is_listed = g_str_has_prefix (name, cases[i].file)
                    && strcmp (name + strlen (cases[i].file), ".weir") == 0;
      if (!is_listed)
        g_error ("%s is not in the list", name);
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (cases));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/cli/regress/", cases[i].file, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/cli/regress/all-are-listed", test_all_are_listed);
  return g_test_run ();
}
