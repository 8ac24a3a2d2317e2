/* Reference numbers of linear analysis, each read from the table of the page Analysis: one window,
 * one model file after the other. They are of closed forms, or of 40-digit arithmetic where there
 * is none (python-control 0.10 and SLICOT agree in the digits given).
 */
#include "analysis-table.h"
#include "../cli/mass-chain.h"

#include <glib/gstdio.h>

/* --- Models ---------------------------------------------------------------------------------- */

#define POINT(words) "<meta name=\"analysis-points\" of=\"y\" value=\"" words "\"/>"
#define LOOPED POINT ("output break input")
#define PARAMETER(name, value) "<parameter name=\"" name "\" value=\"" value "\"/>"
#define BLOCK(id, type, name, inside)                                                              \
  "<block id=\"" id "\" type=\"" type "\" name=\"" name "\" x=\"" id "20\" y=\"80\">" inside       \
  "</block>"
#define WIRE(id, from, to) "<wire id=\"" id "\" from=\"" from "\" to=\"" to "\"/>"
#define TF(id, name, point, numerator, denominator)                                                \
  BLOCK (id, "TransferFunction", name,                                                             \
         point PARAMETER ("numerator", numerator) PARAMETER ("denominator", denominator))
#define DRIVEN(value, point) BLOCK ("1", "Constant", "U", point PARAMETER ("value", value))
#define REFERENCE                                                                                  \
  DRIVEN ("1", "")                                                                                 \
  BLOCK ("2", "Sum", "E", PARAMETER ("signs", "+-")) WIRE ("91", "1.y", "2.in1")
/* Negative feedback around a transfer function, and around one with a delay behind it. */
#define LOOP(numerator, denominator)                                                               \
  REFERENCE TF ("3", "P", LOOPED, numerator, denominator) WIRE ("92", "2.y", "3.u")                \
      WIRE ("93", "3.y", "2.in2")
#define DELAYED(numerator, denominator, delay)                                                     \
  REFERENCE TF ("3", "P", "", numerator, denominator)                                              \
      BLOCK ("4", "TransportDelay", "D", LOOPED PARAMETER ("delay", delay))                        \
          WIRE ("92", "2.y", "3.u") WIRE ("93", "3.y", "4.u") WIRE ("94", "4.y", "2.in2")
/* What lies between U and Y. */
#define PLAIN(numerator, denominator)                                                              \
  DRIVEN ("0", POINT ("input"))                                                                    \
  TF ("2", "Y", POINT ("output"), numerator, denominator) WIRE ("91", "1.y", "2.u")
#define STATE_SPACE(u, a, b, c, d)                                                                 \
  DRIVEN (u, POINT ("input"))                                                                      \
  BLOCK ("2", "StateSpace", "Y",                                                                   \
         POINT ("output") PARAMETER ("a", a) PARAMETER ("b", b) PARAMETER ("c", c)                 \
             PARAMETER ("d", d))                                                                   \
  WIRE ("91", "1.y", "2.u")
#define HELD(period, numerator, denominator)                                                       \
  DRIVEN ("0", POINT ("input"))                                                                    \
  BLOCK ("2", "ZeroOrderHold", "S", PARAMETER ("period", period))                                  \
  TF ("3", "Y", POINT ("output"), numerator, denominator)                                          \
  WIRE ("91", "1.y", "2.u") WIRE ("92", "2.y", "3.u")
/* A PID block before a plant with a delay. */
#define CONTROLLED(value, numerator, denominator, delay)                                           \
  DRIVEN (value, "")                                                                               \
  BLOCK ("2", "Sum", "E", PARAMETER ("signs", "+-"))                                               \
  BLOCK ("3", "PID", "C", PARAMETER ("i", "1"))                                                    \
  TF ("4", "P", "", numerator, denominator)                                                        \
  BLOCK ("5", "TransportDelay", "D", LOOPED PARAMETER ("delay", delay))                            \
  WIRE ("91", "1.y", "2.in1")                                                                      \
  WIRE ("92", "2.y", "3.u")                                                                        \
  WIRE ("93", "3.y", "4.u") WIRE ("94", "4.y", "5.u") WIRE ("95", "5.y", "2.in2")
#define UNDELAYED(value, numerator, denominator)                                                   \
  DRIVEN (value, "")                                                                               \
  BLOCK ("2", "Sum", "E", PARAMETER ("signs", "+-"))                                               \
  BLOCK ("3", "PID", "C", PARAMETER ("i", "1"))                                                    \
  TF ("4", "P", LOOPED, numerator, denominator)                                                    \
  WIRE ("91", "1.y", "2.in1")                                                                      \
  WIRE ("92", "2.y", "3.u") WIRE ("93", "3.y", "4.u") WIRE ("94", "4.y", "2.in2")

#define FREQUENCY "Frequency at which the table reads the response (rad/s)"
#define SAMPLE_TIME "Sample time (s)"
#define WAY "How steps are made"
#define PREWARP "Frequency at which Tustin’s rule is exact (rad/s)"
#define CONTROLLER_TIME "Sample time of the controller (s); 0: continuous"

/* --- What is expected ------------------------------------------------------------------------- */

/* The @k-th number of the @at-th row of that name; or @text is in it. */
typedef struct {
  const char *name;
  guint at, k;
  double value, tolerance;
  const char *text;
} Expected;

#define MOST 24

typedef struct {
  const char *name, *look, *diagram;
  const char *action, *target; /* taken first; nullable */
  const char *fields[6];       /* tooltip and text, tooltip and text, ...: filled in then */
  Expected expected[MOST];     /* the first is waited for */
} System;

static const System continuous[] = {
  { "p0", "step between start 0", PLAIN ("[1, 5, 5]", "[1, 1.65, 5, 6.5, 2]"),
    .expected = { { "Rise time", 0, 0, 3.843416801, 5e-10 },
                  { "Settling time (2 %)", 0, 0, 27.98008554, 5e-9 },
                  { "Peak", 0, 0, 2.687824729, 5e-10 },
                  { "Time of the peak", 0, 0, 8.083924, 5e-7 } } },
  { "p1", "locus open start 0", LOOP ("1", "[1, 3, 2, 0]"),
    .expected = { { "Gain margin", 0, 0, 6, 1e-9 },
                  { "Gain margin", 0, 1, 1.41421356237, 1e-9 },
                  { "Phase margin", 0, 0, 53.41078618, 5e-9 },
                  { "Phase margin", 0, 1, .4457479596, 5e-11 },
                  { "Sensitivity peak", 0, 0, 1.568380747, 5e-10 },
                  { "Sensitivity peak", 0, 1, .7263093, 5e-7 },
                  { "Complementary peak", 0, 0, 1.112929070, 5e-10 },
                  { "Complementary peak", 0, 1, .4350342, 5e-7 },
                  { "Bandwidth (1/√2)", 0, 0, .7966234885, 5e-11 },
                  { "Bandwidth (−3 dB)", 0, 0, .7960873673, 5e-11 },
                  { "Turns about −1", 0, 0, 0, 1e-12 },
                  { "Rise time", 0, 0, 2.677341281, 5e-10 },
                  { "Settling time (2 %)", 0, 0, 12.35949783, 5e-9 },
                  { "Peak", 0, 0, 1.144619094, 5e-10 },
                  { "Time of the peak", 0, 0, 6.077677, 5e-7 },
                  { "Closed-loop poles", 0, 0, -.3376410214, 5e-11 },
                  { "Closed-loop poles", 0, 1, .5622795121, 5e-11 },
                  { "Closed-loop pole", 0, 0, -2.324717957, 5e-10 },
                  { "Branches meet", 0, 0, -.4226497308, 5e-11 },
                  { "Branches meet", 0, 2, .3849001795, 5e-11 } } },
  { "p1, gain 8", "bode open start 0", LOOP ("8", "[1, 3, 2, 0]"),
    .expected = { { "Gain margin", 0, 0, .75, 1e-10 }, { "Turns about −1", 0, 0, 2, 1e-12 } } },
  { "p2", "bode between start 0", PLAIN ("4", "[1, 2, 4]"), .fields = { FREQUENCY, "3" },
    .expected = { { "Overshoot", 0, 0, 16.30335348, 5e-9 },
                  { "Time of the peak", 0, 0, 1.813799364, 5e-10 },
                  { "Rise time", 0, 0, .8187864737, 5e-11 },
                  { "Settling time (2 %)", 0, 0, 4.038174487, 5e-10 },
                  { "Largest gain, H∞", 0, 0, 1.154700538, 5e-10 },
                  { "Largest gain, H∞", 0, 1, 1.4142135624, 1e-6 },
                  { "Value", 0, 0, .5121475197, 5e-11 },
                  { "Value", 0, 1, -129.8055711, 5e-8 } } },
  { "p2, closed", "bode open start 0", LOOP ("4", "[1, 2, 0]"), .fields = { FREQUENCY, "" },
    .expected = { { "Complementary peak", 0, 0, 1.154700538, 5e-10 },
                  { "Complementary peak", 0, 1, 1.4142135624, 1e-6 },
                  { "Bandwidth (1/√2)", 0, 0, 2.544039299, 5e-10 } } },
  { "p3, step", "step between start 0", PLAIN ("[-2, 2]", "[1, 3, 2]"),
    .expected = { { "Undershoot", 0, 0, 100. / 3, 1e-8 },
                  { "Time of the undershoot", 0, 0, .405465108108, 1e-9 },
                  { "Rise time", 0, 0, 2.419939812, 5e-10 },
                  { "Settling time (2 %)", 0, 0, 5.294546095, 5e-10 } } },
  { "p3", "bode open start 0", LOOP ("[-2, 2]", "[1, 3, 2]"),
    .expected = { { "Gain margin", 0, 0, 1.5, 1e-9 },
                  { "Gain margin", 0, 1, 2.2360679775, 1e-9 } } },
  { "p3, times 1.2", "bode open start 0", LOOP ("[-2.4, 2.4]", "[1, 3, 2]"),
    .expected = { { "Phase margin", 0, 0, 40.45908308, 5e-9 },
                  { "Phase margin", 0, 1, 1.326649916, 5e-10 } } },
  { "p4", "bode open start 0", DELAYED ("2", "[1, 1]", "1"),
    .expected = { { "Gain margin", 0, 0, 1.130913167, 5e-10 },
                  { "Gain margin", 0, 1, 2.028757838, 5e-10 },
                  { "Phase margin", 0, 0, 20.76079882, 5e-9 },
                  { "Phase margin", 0, 1, 1.73205080757, 1e-9 },
                  { "Delay margin", 0, 0, .2091995762, 5e-11 },
                  { "Sensitivity peak", 0, 0, 9.051201713, 5e-10 } } },
  { "p4b", "bode open start 0", DELAYED ("1", "[2, 0]", "1"),
    .expected = { { "Gain margin", 0, 0, 3.14159265359, 1e-9 },
                  { "Phase margin", 0, 0, 61.35211024, 5e-9 },
                  { "Sensitivity peak", 0, 0, 1.590490233, 5e-10 } } },
  { "p5", "bode between start 0", PLAIN ("100", "[1, 0.1, 100]"),
    .expected = { { "Largest gain, H∞", 0, 0, 100.0012500, 5e-8 },
                  { "Largest gain, H∞", 0, 1, 9.999749997, 5e-7 },
                  { "Norm H₂", 0, 0, 22.360679775, 5e-9 } } },
  { "p5b", "bode open start 0", LOOP (".1", "[1, .02, 1, 0]"),
    .expected = { { "Gain margin", 0, 0, .2, 1e-10 },
                  { "Gain margin", 0, 1, 1, 1e-9 },
                  { "Gain crossing: phase margin", 0, 0, 89.88303320, 5e-9 },
                  { "Gain crossing: phase margin", 0, 1, .1010310429, 5e-11 },
                  { "Gain crossing: phase margin", 1, 0, 79.67601729, 5e-9 },
                  { "Gain crossing: phase margin", 1, 1, .9466098226, 5e-11 },
                  { "Gain crossing: phase margin", 2, 0, -77.36939439, 5e-9 },
                  { "Gain crossing: phase margin", 2, 1, 1.045620664, 5e-10 },
                  { "Unstable poles, closed", 0, 0, 2, 1e-12 } } },
  { "p6", "bode open start 0", LOOP ("2", "[1, 4, 6, 4, 1]"),
    .expected = { { "Gain margin", 0, 0, 2, 1e-9 },
                  { "Gain margin", 0, 1, 1, 1e-9 },
                  { "Phase margin", 0, 0, 48.93960104, 5e-9 },
                  { "Phase margin", 0, 1, .6435942529, 5e-11 } } },
  { "p6, plain", "step between start 0", PLAIN ("1", "[1, 4, 6, 4, 1]"),
    .expected = { { "Hankel singular value", 0, 0, .7000403425, 5e-11 },
                  { "Hankel singular value", 1, 0, .2353442534, 5e-11 },
                  { "Hankel singular value", 2, 0, .0377569077, 5e-11 },
                  { "Hankel singular value", 3, 0, .0024529968, 5e-11 },
                  { "Rise time", 0, 0, 4.936013505, 5e-10 },
                  { "Settling time (2 %)", 0, 0, 9.084115382, 5e-10 } } },
  { "p7", "bode between start 0",
    STATE_SPACE ("[0,0]", "[-1,0,0,0;0,-1,0,0;0,0,-5,0;0,0,0,-5]", "[1,0;0,1;1,0;0,1]",
                 "[1.25,1.25,-1.25,-1.25;-1.25,2.5,11.25,-2.5]", "[0,0;0,0]"),
    .expected = { { "Largest gain, H∞", 0, 0, 2.618033989, 5e-10 },
                  { "Largest gain, H∞", 0, 1, 0, 1e-3 },
                  { "Norm H₂", 0, 0, 3.354101966, 5e-10 },
                  { "Transmission zero", 0, 0, .5, 1e-10 } } },
  { "p7b", "bode between start 0",
    STATE_SPACE ("[0,0]", "[0,0,1,0;0,0,0,1;-2,1,-0.1,0;1,-2,0,-0.1]", "[0,0;0,0;1,0;0,1]",
                 "[1,0,0,0;0,1,0,0]", "[0,0;0,0]"),
    .expected = { { "Largest gain, H∞", 0, 0, 10.01252349, 5e-9 },
                  { "Largest gain, H∞", 0, 1, .9974968672, 1e-7 } } },
  { "p7c", "bode between start 0",
    STATE_SPACE ("[0,0]",
                 "[-0.015873015873015872,0,0.02564102564102564,0;0,-0.01098901098901099,0,0."
                 "017857142857142856;0,0,-0.02564102564102564,0;0,0,0,-0.017857142857142856]",
                 "[0.43,0;0,0.34;0,0.66;0.57,0]", "[1,0,0,0;0,1,0,0]", "[0,0;0,0]"),
    .expected = { { "Transmission zero", 0, 0, .01279576448, 5e-12 },
                  { "Transmission zero", 1, 0, -.05629393297, 5e-12 } } },
  { "p11", "nyquist open start 0", LOOP ("[6, 6]", "[1, 4, -5]"),
    .expected = { { "Gain margin", 0, 0, 5. / 6, 1e-10 },
                  { "Gain margin", 0, 1, 0, 1e-12 },
                  { "Phase margin", 0, 0, 112.8853805, 5e-8 },
                  { "Phase margin", 0, 1, 3.31662479036, 1e-9 },
                  { "Turns about −1", 0, 0, -1, 1e-12 },
                  { "Unstable poles, open", 0, 0, 1, 1e-12 },
                  { "Unstable poles, closed", 0, 0, 0, 1e-12 } } },
  { "p12", "nyquist open start 0", LOOP ("1", "[1, 0, 1, 0]"),
    .expected = { { "Closed-loop poles", 0, 0, .3411639019, 5e-11 },
                  { "Closed-loop poles", 0, 1, 1.161541400, 5e-10 },
                  { "Closed-loop pole", 0, 0, -.6823278038, 5e-11 },
                  { "Turns about −1", 0, 0, 2, 1e-12 } } },
  { "p14", "bode between start 0", PLAIN ("1", "[1, 2, 1]"),
    .expected = { { "Hankel singular value", 0, 0, .60355339059, 1e-10 },
                  { "Hankel singular value", 1, 0, .10355339059, 1e-10 } } },
};

static const System sampled[] = {
  { "p9", "bode open start 0",
    REFERENCE BLOCK ("3", "ZeroOrderHold", "S", PARAMETER ("period", "0.1"))
        BLOCK ("4", "DiscreteTransferFunction", "C",
               PARAMETER ("numerator", "[24, -43.8, 20]") PARAMETER ("denominator", "[1, -1, 0]")
                   PARAMETER ("period", "0.1")) TF ("5", "P", LOOPED, "1", "[1, 1, 0]")
            WIRE ("92", "2.y", "3.u") WIRE ("93", "3.y", "4.u") WIRE ("94", "4.y", "5.u")
                WIRE ("95", "5.y", "2.in2"),
    .expected = { { "Phase margin", 0, 0, 56.73676, 5e-6 },
                  { "Phase margin", 0, 1, 2.294351313, 5e-10 },
                  { "Gain margin", 0, 0, 8.878075321, 5e-10 },
                  { "Gain margin", 0, 1, 15.44792109, 5e-9 },
                  { "Closed-loop poles", 0, 0, .8942886873, 5e-11 },
                  { "Closed-loop poles", 0, 1, .0722512516, 5e-11 },
                  { "Closed-loop pole", 0, 0, .8659123388, 5e-11 },
                  { "Closed-loop pole", 1, 0, .1342496718, 5e-11 } } },
  { "p9, plant", "bode between start 0", HELD ("0.1", "1", "[1, 1, 0]"),
    .expected = { { "Transfer function", .text = "(0.004837418036 z + 0.00467884016)" } } },
  { "p13", "bode between start 0", HELD ("0.5", "1", "[1, 0, 1]"),
    .expected = { { "Transfer function", .text = "0.1224174381 z + 0.1224174381)" },
                  { "Transfer function", .text = "z^2 - 1.755165124 z + 1)" } } },
  { "p13, delay", "bode between start 0",
    DRIVEN ("0", POINT ("input")) BLOCK ("2", "ZeroOrderHold", "S", PARAMETER ("period", "1"))
        BLOCK ("3", "TransportDelay", "D", PARAMETER ("delay", "0.25"))
            TF ("4", "Y", POINT ("output"), "1", "[1, 1]") WIRE ("91", "1.y", "2.u")
                WIRE ("92", "2.y", "3.u") WIRE ("93", "3.y", "4.u"),
    .expected = { { "Transfer function", .text = "(0.5276334473 z + 0.1044871116)" } } },
  { "two rates", "poles closed start 0",
    BLOCK ("1", "ZeroOrderHold", "A", PARAMETER ("period", "0.1"))
        BLOCK ("2", "ZeroOrderHold", "B", PARAMETER ("period", "0.2"))
            BLOCK ("3", "Gain", "H", PARAMETER ("gain", "-0.5"))
                BLOCK ("4", "Sum", "E", PARAMETER ("signs", "+-"))
                    BLOCK ("5", "Gain", "K", PARAMETER ("gain", "5"))
                        BLOCK ("6", "Integrator", "X", LOOPED) WIRE ("11", "6.y", "1.u")
                            WIRE ("12", "6.y", "2.u") WIRE ("13", "2.y", "3.u")
                                WIRE ("14", "3.y", "4.in1") WIRE ("15", "1.y", "4.in2")
                                    WIRE ("16", "4.y", "5.u") WIRE ("17", "5.y", "6.u"),
    .expected = { { "Pole", .value = -.125, .tolerance = 1e-10 } } },
  /* From here on what is continuous is looked at in steps. */
  { "p13, ramp", "bode between start 0", PLAIN ("1", "[1, 1]"), "look-sampled",
    .fields = { SAMPLE_TIME, "0.1", WAY, "1" },
    .expected = { { "Transfer function", .text = "(0.04837418036 z" } } },
  { "p13, tustin", "poles between start 0", PLAIN ("2", "[1, 1]"), "look-sampled",
    .fields = { SAMPLE_TIME, "0.1", WAY, "2" },
    .expected = { { "Pole", .value = 19. / 21, .tolerance = 1e-11 } } },
  { "p13, prewarped", "poles between start 0", PLAIN ("3", "[1, 1]"), "look-sampled",
    .fields = { SAMPLE_TIME, "0.5", WAY, "2", PREWARP, "2" },
    .expected = { { "Pole", .value = .5709052699, .tolerance = 5e-11 } } },
  { "p13, hold", "bode between start 0", PLAIN ("1", "[1, 0, 1]"), "look-sampled",
    .fields = { SAMPLE_TIME, "0.5", WAY, "0" },
    .expected = { { "Transfer function", .text = "0.1224174381 z + 0.1224174381)" },
                  { "Transfer function", .text = "z^2 - 1.755165124 z + 1)" } } },
};

static const System designed[] = {
  { "p10", "poles between start 0", STATE_SPACE ("0", "[0,1;0,0]", "[0;1]", "[1,0]", "0"), "design",
    "lqr", .fields = { "Disturbances of the states", "[0, 1]" },
    .expected = { { "L, Y.z[0] ← Y.y", 0, 0, 4.472135955, 5e-10 },
                  { "L, Y.z[1] ← Y.y", 0, 0, 10, 1e-9 },
                  { "K, U.y ← Y.z[0]", 0, 0, 1, 1e-10 },
                  { "K, U.y ← Y.z[1]", 0, 0, 1.73205080757, 1e-10 } } },
  { "p10, in steps", "poles between start 0", STATE_SPACE ("0", "[0,1;0,0]", "[0;1]", "[1,0]", "0"),
    "design", "lqr", .fields = { CONTROLLER_TIME, "0.1" },
    .expected = { { "K, U.y ← Y.z[0]", 0, 0, .9170745631, 5e-11 },
                  { "K, U.y ← Y.z[1]", 0, 0, 1.635596185, 5e-10 },
                  { "Cost of a start at Y.z[0] = 1", 0, 0, 17.83493132, 5e-9 } } },
  { "p14, relay", "bode open start 0", UNDELAYED ("0", "1", "[1, 3, 3, 1]"), "tune", "relay-pid",
    .expected = { { "Period", 0, 0, 3.679750671, 1e-6 },
                  { "Amplitude", 0, 0, .1630614834, 1e-5 },
                  { "Ultimate gain Ku", 0, 0, 7.80834, 5e-4 } } },
  { "amigo pi", "bode open start 0", CONTROLLED ("1", "1", "[2, 1]", "1"), "tune", "amigo-pi",
    .expected = { { "Ti", 0, 0, 1.835714286, 5e-10 }, { "Kp", 0, 0, .4055555556, 5e-11 } } },
  { "amigo pid", "bode open start 0", CONTROLLED ("1", "1", "[2, 1]", "1"), "tune", "amigo-pid",
    .expected = { { "Td", 0, 0, .4347826087, 5e-11 },
                  { "Ti", 0, 0, 1.666666667, 5e-10 },
                  { "Kp", 0, 0, 1.1, 1e-10 } } },
  { "simc pi", "bode open start 0", UNDELAYED ("1", "1", "[6.4e-5, 0.009984, 0.25792, 1.248, 1]"),
    "tune", "simc-pi", .expected = { { "Kp", 0, 0, 3.716, 5e-4 }, { "Ti", 0, 0, 1.1, 1e-6 } } },
  { "simc pid", "bode open start 0", UNDELAYED ("1", "1", "[6.4e-5, 0.009984, 0.25792, 1.248, 1]"),
    "tune", "simc-pid",
    .expected = { { "Kp", 0, 0, 17.857, 5e-4 },
                  { "Ti", 0, 0, .224, 1e-6 },
                  { "Td", 0, 0, .22, 1e-6 } } },
};

/* --- Reading ---------------------------------------------------------------------------------- */

static gboolean
is_met (WeirEditor *editor, const Expected *e)
{
  const char *full = find_full (editor, e->name, e->at);

  if (full == NULL)
    return FALSE;
  if (e->text != NULL)
    return strstr (full, e->text) != NULL;
  return fabs (read_number (editor, e->name, e->at, e->k) - e->value) <= e->tolerance;
}

/* The file's name. (transfer full) */
static char *
open_system (WeirEditor *editor, const System *system, const char *folder)
{
  g_autofree char *xml = g_strdup_printf ("<?xml version=\"1.0\"?><weir version=\"1\"><plots><plot "
                                          "name=\"analysis\" value=\"%s\"/></plots><diagram>%s"
                                          "</diagram></weir>",
                                          system->look, system->diagram);
  char *name = g_strdup_printf ("%s/%s.weir", folder, system->name);
  g_autoptr (GFile) file = g_file_new_for_path (name);

  g_assert_true (g_file_set_contents (name, xml, -1, NULL));
  g_assert_true (weir_editor_open (editor, file));
  weir_host_show_page (WEIR_HOST (editor), "analysis");
  return name;
}

static void
fill (WeirEditor *editor, const char *field, const char *text)
{
  GtkWidget *widget;

  wait_for ((widget = find_widget (page_of (editor), has_tooltip, field)) != NULL);
  if (GTK_IS_SPIN_BUTTON (widget))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (widget), g_ascii_strtod (text, NULL));
  else if (GTK_IS_DROP_DOWN (widget))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (widget), (guint) atoi (text));
  else
    gtk_editable_set_text (GTK_EDITABLE (widget), text);
}

static void
act (WeirEditor *editor, const System *system)
{
  if (system->action != NULL)
    {
      wait_for (gtk_widget_get_first_child (table_of (editor)) != NULL);
      g_action_group_activate_action (G_ACTION_GROUP (editor->actions), system->action,
                                      system->target != NULL ? g_variant_new_string (system->target)
                                                             : NULL);
    }
  for (guint i = 0; i + 1 < G_N_ELEMENTS (system->fields) && system->fields[i] != NULL; i += 2)
    fill (editor, system->fields[i], system->fields[i + 1]);
}

/* All of them are told before one fails. */
static void
read_systems (const System *systems, guint n)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-numbers-XXXXXX", NULL);
  WeirEditor *editor = editor_open ();
  guint n_wrong = 0, n_read = 0;

  for (guint s = 0; s < n; s++)
    {
      const System *system = &systems[s];
      g_autofree char *name = open_system (editor, system, folder);

      g_test_message ("%s", system->name);
      act (editor, system);
      wait_for (is_met (editor, &system->expected[0]));
      for (guint i = 0; i < MOST && system->expected[i].name != NULL; i++)
        {
          const Expected *e = &system->expected[i];
          const char *full = find_full (editor, e->name, e->at);

          n_read++;
          if (is_met (editor, e))
            continue;
          n_wrong++;
          g_test_message ("%s, %s %u: %s, expected %.12g%s", system->name, e->name, e->at,
                          full != NULL ? full : "no such row", e->value,
                          e->text != NULL ? e->text : "");
        }
      picture (system->name);
      g_unlink (name);
    }
  g_test_message ("%u numbers read", n_read);
  g_assert_cmpuint (n_wrong, ==, 0);
  editor_close (editor);
  g_rmdir (folder);
}

static void
test_continuous (void)
{
  read_systems (continuous, G_N_ELEMENTS (continuous));
}

static void
test_sampled (void)
{
  read_systems (sampled, G_N_ELEMENTS (sampled));
}

static void
test_designed (void)
{
  read_systems (designed, G_N_ELEMENTS (designed));
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

  write_mass_chain (a, b, c);
  diagram = g_strdup_printf (STATE_SPACE ("0", "%s", "%s", "%s", "0"), a->str, b->str, c->str);
  {
    const System chain = { "p8", "poles between start 0", diagram,
                           .expected = {
                               { "Largest gain, H∞", 0, 0, 1134.680162, 5e-7 },
                               { "Largest gain, H∞", 0, 1, .149457286, 5e-8 },
                               { "Norm H₂", 0, 0, 26.994443, 5e-7 },
                               { "Gain in the long run", 0, 0, 10, 1e-9 },
                               { "Poles", 0, 0, -.0005584586887, 5e-14 },
                               { "Poles", 0, 1, .1494591438, 5e-11 },
                               { "Poles", 9, 0, -.09777864029, 5e-12 },
                               { "Poles", 9, 1, 1.97524301, 5e-9 },
                           } };

    read_systems (&chain, 1);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/analysis-numbers/chain", test_chain);
  g_test_add_func ("/window/analysis-numbers/continuous", test_continuous);
  g_test_add_func ("/window/analysis-numbers/designed", test_designed);
  g_test_add_func ("/window/analysis-numbers/sampled", test_sampled);
  return driver_main ();
}
