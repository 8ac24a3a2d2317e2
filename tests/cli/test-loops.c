/* Loops, responses, norms and controllers by weir linearize: numbers of closed forms, and of
 * 40-digit arithmetic where there is none; python-control 0.10 and SLICOT agree in the digits
 * given.
 */
#include "model-file.h"
#include "mass-chain.h"

#include <glib/gstdio.h>
#include <math.h>

/* --- Models ---------------------------------------------------------------------------------- */

#define TF(id, name, numerator, denominator)                                                       \
  "<block id=\"" id "\" type=\"TransferFunction\" name=\"" name "\" x=\"0\" y=\"0\">"              \
  "<parameter name=\"numerator\" value=\"" numerator "\"/>"                                        \
  "<parameter name=\"denominator\" value=\"" denominator "\"/></block>"
#define BLOCK(id, type, name, parameter, value)                                                    \
  "<block id=\"" id "\" type=\"" type "\" name=\"" name "\" x=\"0\" y=\"0\">"                      \
  "<parameter name=\"" parameter "\" value=\"" value "\"/></block>"
#define WIRE(id, from, to) "<wire id=\"" id "\" from=\"" from "\" to=\"" to "\"/>"
#define REFERENCE                                                                                  \
  "<block id=\"1\" type=\"Constant\" name=\"R\" x=\"0\" y=\"0\"/>" BLOCK (                         \
      "2", "Sum", "E", "signs", "+-") WIRE ("91", "1.y", "2.in1")
/* Negative feedback around a transfer function P. */
#define LOOP(numerator, denominator)                                                               \
  REFERENCE TF ("3", "P", numerator, denominator) WIRE ("92", "2.y", "3.u")                        \
      WIRE ("93", "3.y", "2.in2")
/* The same with a delay D behind it. */
#define DELAYED(numerator, denominator, delay)                                                     \
  REFERENCE TF ("3", "P", numerator, denominator)                                                  \
      BLOCK ("4", "TransportDelay", "D", "delay", delay) WIRE ("92", "2.y", "3.u")                 \
          WIRE ("93", "3.y", "4.u") WIRE ("94", "4.y", "2.in2")
/* @u: what drives it, a number for each input. */
#define STATE_SPACE(u, a, b, c, d)                                                                 \
  BLOCK ("9", "Constant", "U", "value", u)                                                         \
  "<block id=\"1\" type=\"StateSpace\" name=\"P\" x=\"0\" y=\"0\"><parameter name=\"a\" "          \
  "value=\"" a "\"/><parameter name=\"b\" value=\"" b "\"/><parameter name=\"c\" value=\"" c       \
  "\"/><parameter name=\"d\" value=\"" d "\"/></block>" WIRE ("99", "9.y", "1.u")
#define HELD(period)                                                                               \
  BLOCK ("9", "Constant", "U", "value", "0")                                                       \
  BLOCK ("1", "ZeroOrderHold", "S", "period", period) WIRE ("99", "9.y", "1.u")
/* h = 0.1; PID 4 + .2 / (z - 1) + 20 (z - 1) / z before 1 / (s (s + 1)). */
#define SAMPLED                                                                                    \
  REFERENCE BLOCK (                                                                                \
      "3", "ZeroOrderHold", "S", "period",                                                         \
      "0.1") "<block id=\"4\" type=\"DiscreteTransferFunction\" name=\"C\" x=\"0\" y=\"0\">"       \
             "<parameter name=\"numerator\" value=\"[24, -43.8, 20]\"/>"                           \
             "<parameter name=\"denominator\" value=\"[1, -1, 0]\"/>"                              \
             "<parameter name=\"period\" value=\"0.1\"/></block>" TF ("5", "P", "1", "[1, 1, 0]")  \
                 WIRE ("92", "2.y", "3.u") WIRE ("93", "3.y", "4.u") WIRE ("94", "4.y", "5.u")     \
                     WIRE ("95", "5.y", "2.in2")

/* What is expected in the row @at of those that begin with @row. */
typedef struct {
  const char *row; /* "gain_margin," */
  guint at;
  guint column; /* from 0, the first being words */
  double value, tolerance;
} Expected;

#define MOST 12

typedef struct {
  const char *name, *diagram, *options; /* parted by blanks */
  Expected expected[MOST];
} Case;

#define OMEGA(figure, value)                                                                       \
  {                                                                                                \
    figure ",", 0, 1, value, 2e-9 * (1 + value)                                                    \
  }
#define FIGURE(figure, value)                                                                      \
  {                                                                                                \
    figure ",", 0, 2, value, 5e-8                                                                  \
  }

/* The same plant; what is sampled reaches it 0.04 s later. */
#define COMPUTING                                                                                  \
  REFERENCE BLOCK ("3", "ZeroOrderHold", "S", "period", "0.1")                                     \
      BLOCK ("4", "Gain", "C", "gain", "1.5") BLOCK ("5", "TransportDelay", "D", "delay", "0.04")  \
          TF ("6", "P", "1", "[1, 1, 0]") WIRE ("92", "2.y", "3.u") WIRE ("93", "3.y", "4.u")      \
              WIRE ("94", "4.y", "5.u") WIRE ("95", "5.y", "6.u") WIRE ("96", "6.y", "2.in2")

static const Case cases[] = {
  /* scipy: expm of the plant, B split where the delayed value arrives. */
  { "computing delay",
    COMPUTING,
    "--loop P.y --margins",
    { FIGURE ("phase_margin", 38.5309390456), OMEGA ("phase_margin", 1.0394673932),
      FIGURE ("gain_margin", 7.5463246967) } },
  { "computing delay, at a held signal",
    COMPUTING,
    "--loop C.y --margins",
    { FIGURE ("phase_margin", 38.5309390456), OMEGA ("phase_margin", 1.0394673932),
      FIGURE ("gain_margin", 7.5463246967) } },
  /* One loop has one margin, wherever it is opened. */
  { "computing delay, behind it",
    COMPUTING,
    "--loop D.y --margins",
    { FIGURE ("phase_margin", 38.5309390456), OMEGA ("phase_margin", 1.0394673932),
      FIGURE ("gain_margin", 7.5463246967) } },
  { "computing delay, at the plant",
    COMPUTING,
    "--loop P.u --margins",
    { FIGURE ("phase_margin", 38.5309390456), OMEGA ("phase_margin", 1.0394673932),
      FIGURE ("gain_margin", 7.5463246967) } },
  { "p1",
    LOOP ("1", "[1, 3, 2, 0]"),
    "--loop P.y --margins",
    { OMEGA ("gain_margin", 1.4142135624),
      FIGURE ("gain_margin", 6),
      OMEGA ("phase_margin", .4457479596),
      FIGURE ("phase_margin", 53.41078618),
      { "sensitivity_peak,", 0, 1, .7263093, 1e-6 },
      FIGURE ("sensitivity_peak", 1.568380747),
      { "complementary_peak,", 0, 1, .4350342, 1e-6 },
      FIGURE ("complementary_peak", 1.112929070),
      FIGURE ("bandwidth", .7966234885),
      FIGURE ("bandwidth_3db", .7960873673),
      FIGURE ("encirclements", 0),
      FIGURE ("stable", 1) } },
  { "p1 poles",
    LOOP ("1", "[1, 3, 2, 0]"),
    "--complementary P.y --poles",
    { { "pole,", 0, 1, -.3376410214, 1e-9 },
      { "pole,", 0, 2, .5622795121, 1e-9 },
      { "pole,", 2, 1, -2.324717957, 1e-9 } } },
  { "p1 locus",
    LOOP ("1", "[1, 3, 2, 0]"),
    "--loop P.y --rlocus",
    { { "break,", 0, 1, .3849001795, 1e-9 }, { "break,", 0, 3, -.4226497308, 1e-9 } } },
  { "p1 gain 8",
    LOOP ("8", "[1, 3, 2, 0]"),
    "--loop P.y --margins",
    { FIGURE ("encirclements", 2), FIGURE ("stable", 0), FIGURE ("gain_margin", .75) } },
  { "p0 step",
    LOOP ("[1, 5, 5]", "[1, 1.65, 5, 6.5, 2]"),
    "--input P.u --output P.y --step-response",
    { FIGURE ("rise_time", 3.843416801),
      { "settling_time,", 0, 2, 27.98008554, 1e-8 },
      FIGURE ("peak", 2.687824729),
      { "peak,", 0, 1, 8.083924, 1e-6 } } },
  { "p1 step",
    LOOP ("1", "[1, 3, 2, 0]"),
    "--loop P.y --step-response",
    { FIGURE ("rise_time", 2.677341281),
      FIGURE ("settling_time", 12.35949783),
      FIGURE ("peak", 1.144619094),
      { "peak,", 0, 1, 6.077677, 1e-6 } } },
  { "p2 step",
    LOOP ("4", "[1, 2, 4]"),
    "--input P.u --output P.y --step-response",
    { FIGURE ("overshoot", 16.30335348), OMEGA ("overshoot", 1.813799364),
      FIGURE ("rise_time", .8187864737), FIGURE ("settling_time", 4.038174487) } },
  /* 4 / (s (s + 2)) closed is the same; of it there is a bandwidth. */
  { "p2 closed",
    LOOP ("4", "[1, 2, 0]"),
    "--loop P.y --margins",
    { FIGURE ("bandwidth", 2.544039299),
      FIGURE ("complementary_peak", 1.154700538),
      { "complementary_peak,", 0, 1, 1.4142135624, 1e-6 } } },
  { "p2 impulse",
    LOOP ("4", "[1, 2, 4]"),
    "--input P.u --output P.y --impulse-response",
    /* It begins with b / a2 = 0; the first row is at 0. */
    { { "response,", 0, 1, 0, 1e-15 }, { "response,", 0, 2, 0, 1e-15 } } },
  { "p3 step",
    LOOP ("[-2, 2]", "[1, 3, 2]"),
    "--input P.u --output P.y --step-response",
    { FIGURE ("undershoot", 100. / 3), OMEGA ("undershoot", .4054651081),
      FIGURE ("rise_time", 2.419939812), FIGURE ("settling_time", 5.294546095) } },
  { "p6 step",
    LOOP ("1", "[1, 4, 6, 4, 1]"),
    "--input P.u --output P.y --step-response",
    { FIGURE ("rise_time", 4.936013505), FIGURE ("settling_time", 9.084115382) } },
  { "p2",
    LOOP ("4", "[1, 2, 4]"),
    "--input P.u --output P.y --norms",
    { { "hinf,", 0, 1, 1.4142135624, 1e-6 }, FIGURE ("hinf", 1.154700538) } },
  { "p2 at 3",
    LOOP ("4", "[1, 2, 4]"),
    "--input P.u --output P.y --bode --frequencies 3",
    { { "P.y,P.u,", 0, 3, .5121475197, 1e-9 }, { "P.y,P.u,", 0, 4, -129.8055711, 1e-7 } } },
  { "p3",
    LOOP ("[-2, 2]", "[1, 3, 2]"),
    "--loop P.y --margins",
    { FIGURE ("gain_margin", 1.5), OMEGA ("gain_margin", 2.2360679775) } },
  { "p3 times 1.2",
    LOOP ("[-2.4, 2.4]", "[1, 3, 2]"),
    "--loop P.y --margins",
    { FIGURE ("phase_margin", 40.45908308), OMEGA ("phase_margin", 1.326649916) } },
  { "p4",
    DELAYED ("2", "[1, 1]", "1"),
    "--loop D.y --margins",
    { FIGURE ("phase_margin", 20.76079882), OMEGA ("phase_margin", 1.7320508076),
      FIGURE ("gain_margin", 1.130913167), OMEGA ("gain_margin", 2.028757838),
      FIGURE ("delay_margin", .2091995762), FIGURE ("sensitivity_peak", 9.051201713),
      FIGURE ("encirclements", 0), FIGURE ("stable", 1) } },
  { "p4 within",
    DELAYED ("2", "[1, 1]", "1"),
    "--loop P.u --margins",
    { FIGURE ("phase_margin", 20.76079882), FIGURE ("gain_margin", 1.130913167) } },
  { "p4 phase",
    DELAYED ("2", "[1, 1]", "1"),
    "--loop D.y --bode --frequencies [0.1,100]",
    /* -w - atan w, in degrees. */
    { { "D.y,D.y,", 0, 4, -11.44017108881, 1e-8 }, { "D.y,D.y,", 1, 4, -5819.00501261, 1e-6 } } },
  { "p4b at its reader",
    DELAYED ("1", "[2, 0]", "1"),
    "--loop E.in2 --margins",
    { FIGURE ("gain_margin", 3.1415926536), FIGURE ("phase_margin", 61.35211024) } },
  /* A disturbance behind P is there for the reader at E too: T (s) = L / (1 + L), at DC 1/2. */
  { "two points on a wire",
    LOOP ("1", "[1, 1]"),
    "--input P.y --output E.in2 --bode --frequencies 1e-9",
    { { "E.in2,P.y,", 0, 3, 1, 1e-9 } } },
  { "a point before another",
    LOOP ("2", "[1, 1]"),
    "--perturb P.y --sensitivity E.in2 --bode --frequencies 1e-9",
    { { "E.in2,P.y,", 0, 3, 1. / 3, 1e-9 }, { "E.in2,E.in2,", 0, 3, 1. / 3, 1e-9 } } },
  { "p4b",
    DELAYED ("1", "[2, 0]", "1"),
    "--loop D.y --margins",
    { FIGURE ("gain_margin", 3.1415926536), FIGURE ("phase_margin", 61.35211024),
      FIGURE ("sensitivity_peak", 1.590490233), FIGURE ("stable", 1) } },
  { "p4b, gain 4",
    DELAYED ("4", "[2, 0]", "1"),
    "--loop D.y --margins",
    { FIGURE ("encirclements", 2), FIGURE ("stable", 0) } },
  { "p5",
    LOOP ("100", "[1, 0.1, 100]"),
    "--input P.u --output P.y --norms",
    { { "hinf,", 0, 1, 9.999749997, 1e-6 },
      { "hinf,", 0, 2, 100.0012500, 5e-8 },
      FIGURE ("h2", 22.36067977) } },
  { "p5b",
    LOOP ("0.1", "[1, 0.02, 1, 0]"),
    "--loop P.y --margins",
    { { "gain_crossing,", 0, 2, 89.88303320, 1e-7 },
      { "gain_crossing,", 0, 1, .1010310429, 1e-9 },
      { "gain_crossing,", 1, 2, 79.67601729, 1e-7 },
      { "gain_crossing,", 1, 1, .9466098226, 1e-9 },
      { "gain_crossing,", 2, 2, -77.36939439, 1e-7 },
      { "gain_crossing,", 2, 1, 1.045620664, 1e-9 },
      FIGURE ("gain_margin", .2),
      OMEGA ("gain_margin", 1),
      FIGURE ("stable", 0) } },
  { "p6",
    LOOP ("2", "[1, 4, 6, 4, 1]"),
    "--loop P.y --margins",
    { FIGURE ("gain_margin", 2), OMEGA ("gain_margin", 1), FIGURE ("phase_margin", 48.93960104),
      OMEGA ("phase_margin", .6435942529) } },
  { "p6 hankel",
    LOOP ("1", "[1, 4, 6, 4, 1]"),
    "--input P.u --output P.y --norms",
    { { "hankel,", 0, 2, .7000403425, 1e-8 },
      { "hankel,", 1, 2, .2353442534, 1e-8 },
      { "hankel,", 2, 2, .0377569077, 1e-8 },
      { "hankel,", 3, 2, .0024529968, 1e-8 } } },
  { "p7",
    STATE_SPACE ("[0,0]", "[-1,0,0,0;0,-1,0,0;0,0,-5,0;0,0,0,-5]", "[1,0;0,1;1,0;0,1]",
                 "[1.25,1.25,-1.25,-1.25;-1.25,2.5,11.25,-2.5]", "[0,0;0,0]"),
    "--input P.u --output P.y --norms",
    { FIGURE ("hinf", 2.618033989), { "hinf,", 0, 1, 0, 1e-3 }, FIGURE ("h2", 3.354101966) } },
  { "p7 zero",
    STATE_SPACE ("[0,0]", "[-1,0,0,0;0,-1,0,0;0,0,-5,0;0,0,0,-5]", "[1,0;0,1;1,0;0,1]",
                 "[1.25,1.25,-1.25,-1.25;-1.25,2.5,11.25,-2.5]", "[0,0;0,0]"),
    "--input P.u --output P.y --poles",
    { { "zero,", 0, 1, .5, 1e-9 } } },
  { "p7b",
    STATE_SPACE ("[0,0]", "[0,0,1,0;0,0,0,1;-2,1,-0.1,0;1,-2,0,-0.1]", "[0,0;0,0;1,0;0,1]",
                 "[1,0,0,0;0,1,0,0]", "[0,0;0,0]"),
    "--input P.u --output P.y --norms",
    { FIGURE ("hinf", 10.01252349), { "hinf,", 0, 1, .9974968672, 1e-6 } } },
  { "p7c",
    STATE_SPACE ("[0,0]",
                 "[-0.015873015873015872,0,0.02564102564102564,0;0,-0.01098901098901099,0,0."
                 "017857142857142856;0,0,-0.02564102564102564,0;0,0,0,-0.017857142857142856]",
                 "[0.43,0;0,0.34;0,0.66;0.57,0]", "[1,0,0,0;0,1,0,0]", "[0,0;0,0]"),
    "--input P.u --output P.y --poles",
    { { "zero,", 0, 1, .01279576448, 1e-10 }, { "zero,", 1, 1, -.05629393297, 1e-10 } } },
  { "p9",
    SAMPLED,
    "--loop P.y --margins",
    { { "phase_margin,", 0, 2, 56.73676, 1e-5 },
      OMEGA ("phase_margin", 2.294351313),
      { "gain_margin,", 0, 2, 8.878075321, 1e-8 },
      { "gain_margin,", 0, 1, 15.44792109, 1e-7 },
      FIGURE ("stable", 1) } },
  { "p9 at the controller",
    SAMPLED,
    "--loop C.y --margins",
    { { "phase_margin,", 0, 2, 56.73676, 1e-5 },
      { "gain_margin,", 0, 2, 8.878075321, 1e-8 },
      FIGURE ("stable", 1) } },
  { "p9 poles",
    SAMPLED,
    "--complementary P.y --poles",
    { { "pole,", 0, 1, .8942886873, 1e-8 },
      { "pole,", 0, 2, .0722512516, 1e-8 },
      { "pole,", 2, 1, .8659123388, 1e-8 },
      { "pole,", 3, 1, .1342496718, 1e-8 } } },
  { "p9 numerator",
    HELD ("0.1") TF ("2", "P", "1", "[1, 1, 0]") WIRE ("3", "1.y", "2.u"),
    "--input S.u --output P.y --transfer-function",
    { { "numerator,1,", 0, 2, .004837418036, 1e-12 },
      { "numerator,0,", 0, 2, .00467884016, 1e-11 },
      { "denominator,1,", 0, 2, -1.904837418036, 1e-12 } } },
  { "p9 plant",
    SAMPLED,
    "--input P.u --output P.y --bode --frequencies 5",
    /* |.004837418036 z + .00467884016| / |(z - 1) (z - exp (-.1))|, z = exp (.5 i). */
    { { "P.y,P.u,", 0, 3, 0.038805762337, 1e-9 } } },
  { "p10",
    STATE_SPACE ("0", "[0,1;0,0]", "[0;1]", "[1,0]", "0"),
    "--input P.u --output P.y --lqr 1",
    { { "K,P.u,P.z[0],", 0, 3, 1, 1e-9 }, { "K,P.u,P.z[1],", 0, 3, 1.7320508076, 1e-9 } } },
  { "p10 sampled",
    BLOCK ("9", "Constant", "U", "value", "0")
        WIRE ("99", "9.y", "1.u") "<block id=\"1\" type=\"DiscreteStateSpace\" name=\"P\" x=\"0\" "
                                  "y=\"0\"><parameter name=\"a\" "
                                  "value=\"[1,0.1;0,1]\"/><parameter name=\"b\" "
                                  "value=\"[0.005;0.1]\"/><parameter name=\"c\" "
                                  "value=\"[1,0]\"/><parameter name=\"d\" value=\"0\"/><parameter "
                                  "name=\"period\" value=\"0.1\"/>"
                                  "</block>",
    "--input P.u --output P.y --lqr 1",
    { { "K,", 0, 3, .9170745631, 1e-9 },
      { "K,", 1, 3, 1.635596185, 1e-9 },
      { "X,", 0, 3, 17.83493132, 1e-7 } } },
  { "p10 kalman",
    STATE_SPACE ("0", "[0,1;0,0]", "[0;1]", "[1,0]", "0"),
    "--input P.u --output P.y --kalman [0,1] --weight 0.01",
    { { "L,P.z[0],", 0, 3, 4.472135955, 1e-8 }, { "L,P.z[1],", 0, 3, 10, 1e-8 } } },
  { "p10 place",
    STATE_SPACE ("0", "[0,1;0,0]", "[0;1]", "[1,0]", "0"),
    "--input P.u --output P.y --place [-1,2,-1,-2]",
    { { "K,P.u,P.z[0],", 0, 3, 5, 1e-12 }, { "K,P.u,P.z[1],", 0, 3, 2, 1e-12 } } },
  { "p11",
    LOOP ("[6, 6]", "[1, 4, -5]"),
    "--loop P.y --margins",
    { { "gain_margin,", 0, 2, 5.0 / 6, 1e-9 },
      { "gain_margin,", 0, 1, 0, 1e-12 },
      FIGURE ("phase_margin", 112.8853805),
      OMEGA ("phase_margin", 3.31662479),
      FIGURE ("encirclements", -1),
      FIGURE ("stable", 1),
      FIGURE ("unstable_open", 1) } },
  { "p12",
    LOOP ("1", "[1, 0, 1, 0]"),
    "--complementary P.y --poles",
    { { "pole,", 0, 1, .3411639019, 1e-9 },
      { "pole,", 0, 2, 1.161541400, 1e-9 },
      { "pole,", 2, 1, -.6823278038, 1e-9 } } },
  { "p12 turns",
    LOOP ("1", "[1, 0, 1, 0]"),
    "--loop P.y --margins",
    { FIGURE ("encirclements", 2), FIGURE ("stable", 0) } },
  { "p13",
    HELD ("0.5") TF ("2", "P", "1", "[1, 0, 1]") WIRE ("3", "1.y", "2.u"),
    "--input S.u --output P.y --poles",
    /* a1 = -1.755165124 = -2 cos .5; zero -1. */
    { { "pole,", 0, 1, 1.755165124 / 2, 1e-9 }, { "zero,", 0, 1, -1, 1e-9 } } },
  { "p13 coefficients",
    HELD ("0.5") TF ("2", "P", "1", "[1, 0, 1]") WIRE ("3", "1.y", "2.u"),
    "--input S.u --output P.y --transfer-function",
    { { "numerator,1,", 0, 2, .1224174381, 5e-11 },
      { "numerator,0,", 0, 2, .1224174381, 5e-11 },
      { "denominator,1,", 0, 2, -1.755165124, 5e-10 } } },
  /* The same of the continuous system, sampled for itself. */
  { "p13 hold",
    LOOP ("1", "[1, 0, 1]"),
    "--input P.u --output P.y --sampled 0.5 --transfer-function",
    { { "numerator,1,", 0, 2, .1224174381, 5e-11 },
      { "denominator,1,", 0, 2, -1.755165124, 5e-10 } } },
  { "p13 tustin",
    LOOP ("1", "[1, 1]"),
    "--input P.u --output P.y --sampled 0.1 --sampling tustin",
    { { "pole,", 0, 1, 19. / 21, 1e-14 } } },
  { "p13 ramp",
    LOOP ("1", "[1, 1]"),
    "--input P.u --output P.y --sampled 0.1 --sampling ramp --matrices",
    { { "D,", 0, 3, .04837418036, 5e-12 } } },
  { "p13 prewarped",
    LOOP ("1", "[1, 1]"),
    "--input P.u --output P.y --sampled 0.5 --sampling tustin --prewarp 2",
    { { "pole,", 0, 1, .5709052699, 5e-11 } } },
  /* Where it is exact: 1 / (1 + 2 i). */
  { "p13 prewarped, there",
    LOOP ("1", "[1, 1]"),
    "--input P.u --output P.y --sampled 0.5 --sampling tustin --prewarp 2 --nyquist --frequencies "
    "2",
    { { "P.y,P.u,", 0, 3, .2, 1e-14 }, { "P.y,P.u,", 0, 4, -.4, 1e-14 } } },
  { "p13 delay, coefficients",
    HELD ("1") BLOCK ("2", "TransportDelay", "D", "delay", "0.25") TF ("3", "P", "1", "[1, 1]")
        WIRE ("4", "1.y", "2.u") WIRE ("5", "2.y", "3.u"),
    "--input S.u --output P.y --transfer-function",
    { { "numerator,1,", 0, 2, .5276334473, 5e-11 },
      { "numerator,0,", 0, 2, .1044871116, 5e-11 } } },
  { "p13 gain",
    HELD ("0.5") TF ("2", "P", "1", "[1, 0, 1]") WIRE ("3", "1.y", "2.u"),
    "--input S.u --output P.y --nyquist --frequencies 3.141592653589793",
    /* b (z + 1) / (z^2 + a1 z + 1) at z = i: b (1 + i) / (a1 i). */
    { { "P.y,S.u,", 0, 3, .1224174381 / -1.755165124, 1e-9 },
      { "P.y,S.u,", 0, 4, .1224174381 / 1.755165124, 1e-9 } } },
  { "p13 delay",
    HELD ("1") BLOCK ("2", "TransportDelay", "D", "delay", "0.25") TF ("3", "P", "1", "[1, 1]")
        WIRE ("4", "1.y", "2.u") WIRE ("5", "2.y", "3.u"),
    "--input S.u --output P.y --nyquist --frequencies 1e-9",
    /* (b0 + b1) / (1 - exp (-1)) = 1 at z = 1 */
    { { "P.y,S.u,", 0, 3, (.5276334473 + .1044871116) / 0.63212055883, 1e-8 } } },
  { "p13 delay, half rate",
    HELD ("1") BLOCK ("2", "TransportDelay", "D", "delay", "0.25") TF ("3", "P", "1", "[1, 1]")
        WIRE ("4", "1.y", "2.u") WIRE ("5", "2.y", "3.u"),
    "--input S.u --output P.y --nyquist --frequencies 3.141592653589793",
    /* (b0 z + b1) / (z (z - exp (-1))) at z = -1 */
    { { "P.y,S.u,", 0, 3, (.1044871116 - .5276334473) / 1.36787944117, 1e-8 } } },
  { "two rates",
    BLOCK ("1", "ZeroOrderHold", "A", "period", "0.1")
        BLOCK ("2", "ZeroOrderHold", "B", "period", "0.2") BLOCK ("3", "Gain", "H", "gain", "-0.5")
            BLOCK ("4", "Sum", "E", "signs", "+-") BLOCK (
                "5", "Gain", "K", "gain",
                "5") "<block id=\"6\" type=\"Integrator\" name=\"X\" x=\"0\" y=\"0\"/>" WIRE ("11",
                                                                                              "6.y",
                                                                                              "1.u")
                WIRE ("12", "6.y", "2.u") WIRE ("13", "2.y", "3.u") WIRE ("14", "3.y", "4.in1")
                    WIRE ("15", "1.y", "4.in2") WIRE ("16", "4.y", "5.u") WIRE ("17", "5.y", "6.u"),
    "--complementary X.y --poles",
    { { "pole,-", 0, 1, -.125, 1e-9 } } },
  { "matrices of a loop",
    LOOP ("4", "[1, 2, 4]"),
    "--loop P.y --matrices",
    /* Companion form: x2' = -4 x1 - 2 x2 + u. */
    { { "A,P.z[1],P.z[0],", 0, 3, -4, 1e-12 },
      { "A,P.z[1],P.z[1],", 0, 3, -2, 1e-12 },
      { "C,P.y,P.z[0],", 0, 3, -4, 1e-12 },
      { "D,P.y,P.y,", 0, 3, 0, 1e-12 } } },
  { "p14",
    LOOP ("1", "[1, 2, 1]"),
    "--input P.u --output P.y --norms",
    { { "hankel,", 0, 2, .6035533906, 1e-9 }, { "hankel,", 1, 2, .1035533906, 1e-9 } } },
  { "amigo pi",
    DELAYED ("1", "[2, 1]", "1"),
    "--input P.u --output D.y --tune amigo-pi",
    { { "kp,", 0, 2, .4055555556, 1e-9 }, { "ti,", 0, 2, 1.835714286, 1e-9 } } },
  { "amigo pid",
    DELAYED ("1", "[2, 1]", "1"),
    "--input P.u --output D.y --tune amigo-pid",
    { { "kp,", 0, 2, 1.1, 1e-9 },
      { "ti,", 0, 2, 1.666666667, 1e-9 },
      { "td,", 0, 2, .4347826087, 1e-9 } } },
  { "simc pi",
    LOOP ("1", "[6.4e-5, 0.009984, 0.25792, 1.248, 1]"),
    "--input P.u --output P.y --tune simc --pi",
    { { "kp,", 0, 2, 3.716, 1e-3 }, { "ti,", 0, 2, 1.1, 1e-6 } } },
  { "simc pid",
    LOOP ("1", "[6.4e-5, 0.009984, 0.25792, 1.248, 1]"),
    "--input P.u --output P.y --tune simc",
    { { "kp,", 0, 2, 17.857, 1e-3 }, { "ti,", 0, 2, .224, 1e-6 }, { "td,", 0, 2, .22, 1e-6 } } },
  /* Ti = -1 / (w tan (angle)), kp = cos (angle) / |P|, angle = PM - 180 - arg P. */
  { "margin pi",
    LOOP ("1", "[1, 3, 2, 0]"),
    "--input P.u --output P.y --tune margin-pi --crossover 0.3 --phase-margin 50",
    { { "kp,", 0, 2, .612496120523, 1e-10 },
      { "ti,", 0, 2, 12.642969521811, 1e-9 },
      { "td,", 0, 2, 0, 1e-15 } } },
  { "ultimate",
    LOOP ("1", "[1, 3, 3, 1]"),
    "--loop P.y --tune ultimate-pid",
    { { "kp,", 0, 2, 0.6 * 8, 1e-8 },
      { "ti,", 0, 2, 3.627598728 / 2, 1e-8 },
      { "td,", 0, 2, 3.627598728 / 8, 1e-8 } } },
};

static double
find (const char *csv, const Expected *expected)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  guint at = 0;

  for (guint i = 1; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], expected->row) && at++ == expected->at)
      {
        g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);

        g_assert_cmpuint (g_strv_length (fields), >, expected->column);
        return g_ascii_strtod (fields[expected->column], NULL);
      }
  g_test_message ("no row %s %u in %s", expected->row, expected->at, csv);
  return (double) NAN;
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *with_csv = g_strconcat (c->options, " --csv", NULL);
  g_auto (GStrv) options = g_strsplit (with_csv, " ", -1);
  g_auto (Outcome) outcome = model_run ("linearize", c->diagram, (const char *const *) options);

  g_test_message ("%s%s", outcome.err, outcome.out);
  g_assert_cmpint (outcome.status, ==, 0);
  for (guint i = 0; i < MOST && c->expected[i].row != NULL; i++)
    {
      double value = find (outcome.out, &c->expected[i]);

      g_test_message ("%s %u: %.12g, off by %.2g", c->expected[i].row, c->expected[i].at, value,
                      value - c->expected[i].value);
      g_assert_cmpfloat_with_epsilon (value, c->expected[i].value, c->expected[i].tolerance);
    }
}

/* A wall, ten masses 1, springs 1 and dampers .05 beside them; force and position at the free end.
 */
static void
test_chain (void)
{
  g_autoptr (GString) a = g_string_new (NULL);
  g_autoptr (GString) b = g_string_new (NULL);
  g_autoptr (GString) c = g_string_new (NULL);
  g_autofree char *diagram = NULL;
  const char *norms[] = { "--input", "P.u", "--output", "P.y", "--norms", "--csv", NULL };
  const char *poles[] = { "--input", "P.u", "--output", "P.y", "--poles", "--csv", NULL };
  const char *slow[] = { "--input",       "P.u",  "--output", "P.y", "--bode",
                         "--frequencies", "1e-6", "--csv",    NULL };
  const Expected hinf = { "hinf,", 0, 2, 1134.680162, 2e-6 },
                 at = { "hinf,", 0, 1, .149457286, 1e-7 };
  const Expected h2 = { "h2,", 0, 2, 26.994443, 1e-6 }, dc = { "P.y,", 0, 3, 10, 1e-6 };
  const Expected first = { "pole,", 0, 1, -.0005584586887, 1e-11 };
  const Expected first_turn = { "pole,", 0, 2, .1494591438, 5e-11 };
  const Expected last = { "pole,", 19, 1, -.09777864029, 1e-9 };
  const Expected last_turn = { "pole,", 18, 2, 1.97524301, 5e-9 };
  const Expected all[] = { hinf, at, h2 };

  write_mass_chain (a, b, c);
  diagram = g_strdup_printf (STATE_SPACE ("0", "%s", "%s", "%s", "0"), a->str, b->str, c->str);
  {
    g_auto (Outcome) by_norm = model_run ("linearize", diagram, norms);
    g_auto (Outcome) by_pole = model_run ("linearize", diagram, poles);
    g_auto (Outcome) by_gain = model_run ("linearize", diagram, slow);

    g_test_message ("%s%s%s", by_norm.err, by_norm.out, by_pole.out);
    for (guint i = 0; i < G_N_ELEMENTS (all); i++)
      g_assert_cmpfloat_with_epsilon (find (by_norm.out, &all[i]), all[i].value, all[i].tolerance);
    g_assert_cmpfloat_with_epsilon (find (by_pole.out, &first), first.value, first.tolerance);
    g_assert_cmpfloat_with_epsilon (find (by_pole.out, &last), last.value, last.tolerance);
    g_assert_cmpfloat_with_epsilon (find (by_pole.out, &first_turn), first_turn.value,
                                    first_turn.tolerance);
    g_assert_cmpfloat_with_epsilon (find (by_pole.out, &last_turn), last_turn.value,
                                    last_turn.tolerance);
    g_assert_cmpfloat_with_epsilon (find (by_gain.out, &dc), dc.value, dc.tolerance);
  }
}

/* What cannot be given is said in a sentence, and no margin is made up. */
static void
test_sentences (void)
{
  static const struct {
    const char *diagram, *options;
    int status;
    const char *sentence, *no_row;
  } told[] = {
    { LOOP ("0.5", "[1, 1]"), "--loop P.y --margins", 0,
      "|L| crosses 1 nowhere: there is no phase margin and no delay margin", "gain_crossing" },
    { LOOP ("0.5", "[1, 1]"), "--loop P.y --margins", 0,
      "L crosses the negative real axis nowhere: there is no gain margin", "phase_crossing" },
    { LOOP ("8", "[1, 3, 2, 0]"), "--loop P.y --margins", 0,
      "the closed loop is unstable, with 2 poles", NULL },
    { LOOP ("[6, 6]", "[1, 4, -5]"), "--loop P.y --margins", 0,
      "the open loop is unstable, with 1 pole to the right; the closed loop is stable", NULL },
    { LOOP ("[6, 6]", "[1, 4, -5]"), "--loop P.y --margins", 0, "the gain may fall to 0.83333",
      NULL },
    { REFERENCE BLOCK ("3", "Gain", "G", "gain", "-1") WIRE ("92", "2.y", "3.u")
          WIRE ("93", "3.y", "2.in2"),
      "--sensitivity G.y --margins", 3, "algebraic loop", NULL },
    { LOOP ("1", "[1, 1]"), "--loop P.x --margins", 2, "the model has no port \"P.x\"", NULL },
    { DELAYED ("1", "[1, 1]", "1"), "--loop P.y --rlocus", 3, "there are delays", NULL },
    { REFERENCE BLOCK ("3", "Saturation", "G", "upper", "1") WIRE ("92", "2.y", "3.u")
          TF ("4", "P", "1", "[1, 1]") WIRE ("93", "3.y", "4.u") WIRE ("94", "4.y", "2.in2"),
      "--loop P.y --margins", 0, "has a kink or jump", NULL },
    { REFERENCE BLOCK ("3", "ZeroOrderHold", "S", "period", "0.1") TF ("5", "P", "1", "[1, 1, 0]")
          BLOCK ("6", "TransportDelay", "D", "delay", "0.3") WIRE ("92", "2.y", "3.u")
              WIRE ("93", "3.y", "5.u") WIRE ("94", "5.y", "6.u") WIRE ("95", "6.y", "2.in2"),
      "--loop D.y --margins", 2, "D.u is a delay of a signal that moves between the samples",
      NULL },
    { COMPUTING BLOCK ("7", "TransportDelay", "F", "delay", "0.1") WIRE ("97", "5.y", "7.u"),
      "--loop P.y --margins", 2, "F.u is a delay of a signal that moves between the samples",
      NULL },
    { COMPUTING BLOCK ("7", "Sum", "B", "signs", "++") WIRE ("97", "5.y", "7.in1")
          WIRE ("98", "3.y", "7.in2"),
      "--input E.in1 --output B.y --margins", 0, "B.y changes at several times between the samples",
      NULL },
    { LOOP ("1", "[1, 3, 2, 0]"),
      "--input P.u --output P.y --tune margin-pi --crossover 1 --phase-margin 60", 3,
      "a PI controller would have to turn the phase forward", NULL },
    { LOOP ("1", "[1, 3, 2, 0]"), "--input P.u --output P.y --tune margin-pid --crossover 1", 3,
      "--crossover W (rad/s) and --phase-margin DEGREES", NULL },
    { LOOP ("1", "[1, 3, 2, 0]"), "--loop P.y --margins --crossover 1", 2, "add --tune RULE",
      NULL },
    { LOOP ("8", "[1, 3, 2, 0]"), "--loop P.y --step-response", 0,
      "the response does not come to rest", "rise_time" },
    { DELAYED ("1", "[1, 1]", "1"), "--loop D.y --impulse-response", 3,
      "straight through the delays", NULL },
    { DELAYED ("1", "[1, 1]", "1"), "--loop D.y --transfer-function", 3,
      "there are delays or several rates", NULL },
    { DELAYED ("1", "[1, 1]", "1"), "--loop D.y --sampled 0.1", 3, "put a ZeroOrderHold before",
      NULL },
    { SAMPLED, "--loop P.y --sampled 0.1", 3, "the model is sampled between these points", NULL },
    { LOOP ("1", "[1, -2]"), "--input P.u --output P.y --sampled 1 --sampling tustin", 3,
      "Tustin's rule has no value for a pole", NULL },
    { LOOP ("1", "[1, 1]"), "--loop P.y --sampled 0", 2, "a time above 0 is needed", NULL },
    { LOOP ("1", "[1, 1]"), "--loop P.y --sampled 1 --sampling euler", 2,
      "the ways are hold, ramp and tustin", NULL },
    { LOOP ("1", "[1, 1]"), "--loop P.y --prewarp 1", 2, "add it", NULL },
    { LOOP ("1", "[1, 1]"), "--loop P.y --sampled 1 --sampling tustin --prewarp 4", 2,
      "below half the rate", NULL },
    { LOOP ("1", "[1, 1]"), "--loop P.y --margins --dark", 2, "--dark is how a picture looks",
      NULL },
    { LOOP ("1", "[1, 3, 2, 0]"), "--input P.u --output P.y --tune margin-p", 3,
      "amigo-pid, margin-pi, margin-pid", NULL },
    { BLOCK ("1", "Constant", "U", "value", "1") TF ("3", "P", "1", "[1, 0]")
          WIRE ("91", "1.y", "3.u"),
      "--input P.u --output P.y --trim", 3, "--trim: no operating point was found", NULL },
    { REFERENCE BLOCK ("3", "Gain", "G", "gain", "0") WIRE ("92", "2.y", "3.u")
          WIRE ("93", "3.y", "2.in2"),
      "--loop G.y --margins", 0, "the signal is constant", "gain_crossing" },
    { STATE_SPACE ("0", "[1,0;0,-1]", "[0;1]", "[1,0]", "0"), "--input P.u --output P.y --lqr 1", 3,
      "no input stabilises all states", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      g_autofree char *with_csv = g_strconcat (told[i].options, " --csv", NULL);
      g_auto (GStrv) options = g_strsplit (with_csv, " ", -1);
      g_auto (Outcome)
          outcome = model_run ("linearize", told[i].diagram, (const char *const *) options);

      g_test_message ("%s%s", outcome.err, outcome.out);
      g_assert_cmpint (outcome.status, ==, told[i].status);
      g_assert_nonnull (strstr (outcome.err, told[i].sentence));
      g_assert_true (told[i].no_row == NULL || strstr (outcome.out, told[i].no_row) == NULL);
    }
}

/* Points that are saved with the model, and words that are none. */
static void
test_saved (void)
{
  const char *options[] = { "--margins", "--csv", NULL };
#define POINTED(words)                                                                             \
  REFERENCE                                                                                        \
  "<block id=\"3\" type=\"TransferFunction\" name=\"P\" x=\"0\" y=\"0\">"                          \
  "<meta name=\"analysis-points\" of=\"y\" value=\"" words "\"/>"                                  \
  "<parameter name=\"denominator\" value=\"[1, 3, 2, 0]\"/></block>" WIRE ("92", "2.y", "3.u")     \
      WIRE ("93", "3.y", "2.in2")
  g_auto (Outcome) found = model_run ("linearize", POINTED ("output break input"), options);
  g_auto (Outcome) refused = model_run ("linearize", POINTED ("output brake"), options);
  g_auto (Outcome) none = model_run ("linearize", LOOP ("1", "[1, 1]"), options);
  const Expected margin = { "gain_margin,", 0, 2, 6, 1e-9 };

  g_test_message ("%s%s%s", found.err, refused.err, none.err);
  g_assert_cmpint (found.status, ==, 0);
  g_assert_cmpfloat_with_epsilon (find (found.out, &margin), margin.value, margin.tolerance);
  g_assert_cmpint (refused.status, ==, 2);
  g_assert_nonnull (strstr (refused.err, "the analysis point at P.y is \"output brake\""));
  g_assert_cmpint (none.status, ==, 2);
  g_assert_nonnull (strstr (none.err, "no points are chosen"));
}

/* A controller for margins has them: what is printed is put into the block, and the loop is asked
 * what it has there. Of the sampled one the plant is what the block sees, with its hold. */
static void
test_margins_met (void)
{
#define CONTROLLED(type, period)                                                                   \
  REFERENCE "<block id=\"4\" type=\"" type "\" name=\"C\" x=\"0\" y=\"0\">" period                 \
            "</block>" TF ("3", "P", "1", "[1, 3, 2, 0]") WIRE ("92", "2.y", "4.u")                \
                WIRE ("93", "4.y", "3.u") WIRE ("94", "3.y", "2.in2")
  static const struct {
    const char *diagram, *plant[2], *rule;
    double crossover, margin, tolerance;
  } table[] = {
    { CONTROLLED ("PID", ""), { "--input=P.u", "--output=P.y" }, "margin-pid", 1, 60, 1e-6 },
    { CONTROLLED ("PID", ""), { "--input=P.u", "--output=P.y" }, "margin-pi", 0.3, 50, 1e-6 },
    { CONTROLLED ("DiscretePID", "<parameter name=\"period\" value=\"0.1\"/>"),
      { "--input=C.y", "--output=P.y" },
      "margin-pid",
      1,
      55,
      1e-6 },
  };
#undef CONTROLLED

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *crossover = g_strdup_printf ("--crossover=%g", table[i].crossover);
      g_autofree char *margin = g_strdup_printf ("--phase-margin=%g", table[i].margin);
      const char *tuning[] = { table[i].plant[0], table[i].plant[1],
                               "--tune",          table[i].rule,
                               crossover,         margin,
                               "--csv",           NULL };
      g_auto (Outcome) tuned = model_run ("linearize", table[i].diagram, tuning);
      const Expected kp = { "kp,", 0, 2, 0, 0 }, ti = { "ti,", 0, 2, 0, 0 },
                     td = { "td,", 0, 2, 0, 0 }, n = { "n,", 0, 2, 0, 0 },
                     at = { "phase_margin,", 0, 1, 0, 0 }, of = { "phase_margin,", 0, 2, 0, 0 };
      double gain = find (tuned.out, &kp), rest = find (tuned.out, &td) * gain;
      g_autofree char *p = g_strdup_printf ("C.p=%.17g", gain);
      g_autofree char *integral = g_strdup_printf ("C.i=%.17g", gain / find (tuned.out, &ti));
      g_autofree char *d = g_strdup_printf ("C.d=%.17g", rest);
      g_autofree char *filter = g_strdup_printf ("C.n=%.17g",
                                                 rest > 0 ? find (tuned.out, &n) : 100);
      const char *asking[] = { "--set", p,        "--set", integral,    "--set", d,   "--set",
                               filter,  "--loop", "P.y",   "--margins", "--csv", NULL };
      g_auto (Outcome) asked = model_run ("linearize", table[i].diagram, asking);

      g_test_message ("%s%s%s%s", tuned.err, tuned.out, asked.err, asked.out);
      g_assert_cmpint (tuned.status, ==, 0);
      g_assert_cmpint (asked.status, ==, 0);
      g_assert_cmpfloat_with_epsilon (find (asked.out, &at), table[i].crossover,
                                      table[i].tolerance);
      g_assert_cmpfloat_with_epsilon (find (asked.out, &of), table[i].margin, table[i].tolerance);
    }
}

/* A file has what would be printed, in the form that its name says. */
static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-loops-XXXXXX", NULL);
  g_autofree char *csv = g_build_filename (folder, "abcd.csv", NULL);
  g_autofree char *other = g_build_filename (folder, "abcd.txt", NULL);
  g_autofree char *text = NULL;
  const char *printing[] = { "--input", "P.u", "--output", "P.y", "--csv", NULL };
  const char *writing[] = { "--input", "P.u", "--output", "P.y", "--out", csv, NULL };
  const char *refused[] = { "--input", "P.u", "--output", "P.y", "--out", other, NULL };
  g_auto (Outcome) printed = model_run ("linearize", LOOP ("4", "[1, 2, 4]"), printing);
  g_auto (Outcome) written = model_run ("linearize", LOOP ("4", "[1, 2, 4]"), writing);
  g_auto (Outcome) wrong = model_run ("linearize", LOOP ("4", "[1, 2, 4]"), refused);

  g_assert_cmpint (written.status, ==, 0);
  g_assert_cmpstr (written.out, ==, "");
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, printed.out);
  g_assert_nonnull (strstr (text, "A,"));
  g_assert_cmpint (wrong.status, ==, 2);
  g_assert_nonnull (strstr (wrong.err, "end in .csv, .json, .mat"));
  g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
  g_unlink (csv);
  g_rmdir (folder);
}

/* The numbers of a variable in a MAT file, by hand: the tag, flags, sizes and the name before them.
 */
static const double *
find_in_mat (const guint8 *bytes, gsize size, const char *name, guint32 sizes[2])
{
  for (gsize at = 128; at + 56 <= size;)
    {
      const guint32 *words = (const guint32 *) (gconstpointer) (bytes + at);
      gsize n_name = words[11], n_padded = (n_name + 7) & ~(gsize) 7;

      if (n_name == strlen (name) && memcmp (bytes + at + 48, name, n_name) == 0)
        {
          memcpy (sizes, words + 8, 2 * sizeof *sizes);
          return (const double *) (gconstpointer) (bytes + at + 48 + n_padded + 8);
        }
      at += 8 + words[1];
    }
  g_assert_not_reached ();
}

/* 4 / (s^2 + 2 s + 4) as a MAT file, of ports and between points: C (s - A)^-1 B + D at s = 1 is 4
 * /
 * 7. Not of what else there is. */
static void
test_mat (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-loops-XXXXXX", NULL);
  g_autofree char *mat = g_build_filename (folder, "abcd.mat", NULL);
  const char *of_ports[] = { "--input", "P.u", "--output", "P.y", "--out", mat, NULL };
  const char *of_points[] = { "--loop", "P.y", "--matrices", "--out", mat, NULL };
  const char *refused[] = { "--loop", "P.y", "--margins", "--out", mat, NULL };
  const char *const *ways[] = { of_ports, of_points };
  g_auto (Outcome) wrong = model_run ("linearize", LOOP ("4", "[1, 2, 4]"), refused);

  g_assert_cmpint (wrong.status, ==, 2);
  g_assert_nonnull (strstr (wrong.err, "a MAT file is of the matrices alone"));
  g_assert_false (g_file_test (mat, G_FILE_TEST_EXISTS));
  for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
    {
      g_auto (Outcome) written = model_run ("linearize", LOOP ("4", "[1, 2, 4]"), ways[k]);
      g_autofree char *bytes = NULL;
      gsize size = 0;
      guint32 sizes[2];
      const double *a, *b, *c;
      double determinant, x[2];

      g_test_message ("%s%s", written.err, written.out);
      g_assert_cmpint (written.status, ==, 0);
      g_assert_true (g_file_get_contents (mat, &bytes, &size, NULL));
      a = find_in_mat ((const guint8 *) bytes, size, "A", sizes);
      g_assert_cmpuint (sizes[0], ==, 2);
      g_assert_cmpuint (sizes[1], ==, 2);
      b = find_in_mat ((const guint8 *) bytes, size, "B", sizes);
      g_assert_cmpuint (sizes[1], ==, 1);
      c = find_in_mat ((const guint8 *) bytes, size, "C", sizes);
      g_assert_cmpuint (sizes[0], ==, 1);
      /* Columns one after the other. */
      determinant = (1 - a[0]) * (1 - a[3]) - a[1] * a[2];
      x[0] = ((1 - a[3]) * b[0] + a[2] * b[1]) / determinant;
      x[1] = (a[1] * b[0] + (1 - a[0]) * b[1]) / determinant;
      g_assert_cmpfloat_with_epsilon (c[0] * x[0] + c[1] * x[1]
                                          + *find_in_mat ((const guint8 *) bytes, size, "D", sizes),
                                      4 / 7., 1e-9);
      g_assert_cmpfloat (*find_in_mat ((const guint8 *) bytes, size, "Ts", sizes), ==, 0);
      g_unlink (mat);
    }
  g_rmdir (folder);
}

/* A step that an integral brings back to 0 has no way to be a part of: no overshoot by rounding. */
static void
test_back_to_zero (void)
{
#define PID_LOOP                                                                                   \
  REFERENCE                                                                                        \
  "<block id=\"4\" type=\"PID\" name=\"C\" x=\"0\" y=\"0\"><parameter name=\"p\" value=\"60\"/>"   \
  "<parameter name=\"i\" value=\"20\"/><parameter name=\"d\" value=\"25\"/>"                       \
  "<parameter name=\"n\" value=\"200\"/></block>" TF ("3", "P", "1.7", "[0.0137, 1.3, 0.7, 0.1]")  \
      WIRE ("92", "2.y", "4.u") WIRE ("93", "4.y", "3.u") WIRE ("94", "3.y", "2.in2")
  const char *options[] = { "--sensitivity", "P.y", "--step-response", "--csv", NULL };
  const Expected end = { "final_value,", 0, 2, 0, 0 }, peak = { "peak,", 0, 2, 1, 1e-12 };
  g_auto (Outcome) found = model_run ("linearize", PID_LOOP, options);
#undef PID_LOOP

  g_test_message ("%s%.400s", found.err, found.out);
  g_assert_cmpint (found.status, ==, 0);
  g_assert_cmpfloat (find (found.out, &end), ==, 0);
  g_assert_cmpfloat_with_epsilon (find (found.out, &peak), peak.value, peak.tolerance);
  g_assert_nonnull (strstr (found.out, "\novershoot,,\n"));
  g_assert_nonnull (strstr (found.out, "\nrise_time,,\n"));
}

/* A source that is freed is shown where it was found: x' = u - x at x = 3, and x^2 of slope 6. */
static void
test_trim_source (void)
{
  const char *options[] = { "--input", "U.y",    "--output", "Q.y",    "--trim", "--free",
                            "U.y",     "--hold", "X=3",      "--json", NULL };
  g_auto (Outcome) found = model_run (
      "linearize",
      BLOCK ("1", "Constant", "U", "value", "0")
          TF ("2", "X", "1",
              "[1, 1]") "<block id=\"3\" type=\"Product\" name=\"Q\" x=\"0\" y=\"0\"/>" WIRE ("91",
                                                                                              "1.y",
                                                                                              "2.u")
              WIRE ("92", "2.y", "3.in1") WIRE ("93", "2.y", "3.in2"),
      options);

  g_test_message ("%s%s", found.err, found.out);
  g_assert_cmpint (found.status, ==, 0);
  g_assert_nonnull (strstr (found.out, "{\"name\": \"X\", \"value\": 3, "));
  g_assert_nonnull (strstr (found.out, "{\"name\": \"U.y\", \"value\": 3}"));
  g_assert_nonnull (strstr (found.out, "\"C\": [[6]]"));
}

/* --- Pictures --------------------------------------------------------------------------------- */

static gboolean
has_bytes (const char *file, const char *bytes)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  return g_file_get_contents (file, &text, &length, NULL)
         && g_strstr_len (text, (gssize) length, bytes) != NULL;
}

/* Each of them, in each format; the same bytes each time; dark ones are others. */
static void
test_pictures (void)
{
  static const struct {
    const char *what, *name, *begins;
  } pictures[] = {
    { "--bode", "bode.svg", "<svg" },
    { "--nyquist", "nyquist.png", "PNG" },
    { "--nichols", "nichols.SVG", "<svg" },
    { "--rlocus", "rlocus.pdf", "%PDF" },
    { "--poles", "poles.svg", "<svg" },
    { "--step-response", "step.svg", "<svg" },
    { "--impulse-response", "impulse.png", "PNG" },
  };
  g_autofree char *folder = g_dir_make_tmp ("weir-pictures-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autofree char *file = g_build_filename (folder, pictures[i].name, NULL);
      g_autofree char *first = NULL, *second = NULL, *dark = NULL;
      gsize n_first = 0, n_second = 0, n_dark = 0;
      const char *options[] = { "--loop", "P.y", pictures[i].what, "--out", file, NULL, NULL };
      g_auto (Outcome) drawn = model_run ("linearize", LOOP ("1", "[1, 3, 2, 0]"), options);

      g_test_message ("%s: %s%s", pictures[i].what, drawn.err, drawn.out);
      g_assert_cmpint (drawn.status, ==, 0);
      g_assert_cmpstr (drawn.out, ==, "");
      g_assert_true (has_bytes (file, pictures[i].begins));
      g_assert_true (g_file_get_contents (file, &first, &n_first, NULL));
      {
        g_auto (Outcome) again = model_run ("linearize", LOOP ("1", "[1, 3, 2, 0]"), options);

        g_assert_cmpint (again.status, ==, 0);
      }
      g_assert_true (g_file_get_contents (file, &second, &n_second, NULL));
      g_assert_cmpmem (first, n_first, second, n_second);
      options[5] = "--dark";
      {
        g_auto (Outcome) other = model_run ("linearize", LOOP ("1", "[1, 3, 2, 0]"), options);

        g_assert_cmpint (other.status, ==, 0);
      }
      g_assert_true (g_file_get_contents (file, &dark, &n_dark, NULL));
      g_assert_false (n_dark == n_first && memcmp (dark, first, n_first) == 0);
      if (g_getenv ("WEIR_PICTURES") == NULL)
        g_unlink (file);
    }
  if (g_getenv ("WEIR_PICTURES") == NULL)
    g_rmdir (folder);
}

/* What no picture is made of, and a file that is the model. */
static void
test_no_pictures (void)
{
  static const struct {
    const char *diagram, *options;
    int status;
    const char *sentence;
  } told[] = {
    { LOOP ("1", "[1, 3, 2, 0]"), "--loop P.y --margins --out margins.svg", 2,
      "pictures are of --bode" },
    { LOOP ("1", "[1, 3, 2, 0]"), "--out matrices.png", 2, "pictures are of --bode" },
    { LOOP ("1", "[1, 3, 2, 0]"), "--loop P.y --bode --csv --out bode.svg", 2,
      "it is not of --csv or --json" },
    { LOOP ("1", "[1, 3, 2, 0]"), "--loop P.y --bode --frequencies 1 --out bode.svg", 2,
      "a picture has its own" },
    { DELAYED ("1", "[1, 1]", "1"), "--loop D.y --rlocus --out locus.svg", 3,
      "There are delays or several rates in the loop" },
    { LOOP ("1", "[1, 3, 2, 0]"),
      "--input P.u --input E.in1 --output P.y --bode --out /nowhere/bode.svg", 3,
      "a picture is of one input and one output" },
    { LOOP ("1", "[1, 3, 2, 0]"), "--loop P.y --bode --out /nowhere/bode.svg", 3, "/nowhere" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      g_auto (GStrv) options = g_strsplit (told[i].options, " ", -1);
      g_auto (Outcome)
          outcome = model_run ("linearize", told[i].diagram, (const char *const *) options);

      g_test_message ("%s%s", outcome.err, outcome.out);
      g_assert_cmpint (outcome.status, ==, told[i].status);
      g_assert_nonnull (strstr (outcome.err, told[i].sentence));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/cli/loops/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/cli/loops/back-to-zero", test_back_to_zero);
  g_test_add_func ("/cli/loops/chain", test_chain);
  g_test_add_func ("/cli/loops/file", test_file);
  g_test_add_func ("/cli/loops/mat", test_mat);
  g_test_add_func ("/cli/loops/margins-met", test_margins_met);
  g_test_add_func ("/cli/loops/no-pictures", test_no_pictures);
  g_test_add_func ("/cli/loops/pictures", test_pictures);
  g_test_add_func ("/cli/loops/saved", test_saved);
  g_test_add_func ("/cli/loops/sentences", test_sentences);
  g_test_add_func ("/cli/loops/trim-source", test_trim_source);
  return g_test_run ();
}
