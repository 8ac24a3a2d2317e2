/* Networks of parts against closed forms: the values come from matrix exponentials and circuit
 * theory, worked out apart from this program, or from an adaptive solver of scipy where no closed
 * form is named.
 */
#include "networks.h"

#include "../shout.h"
#include "base/error.h"

#include "blocks/parts/part.h"
#include "model/tree/patch.h"
#include "system/change/explain.h"

typedef struct {
  const char *path;
  double time, value, tolerance; /* relative; absolute where the value is small */
} Expected;

typedef struct {
  const char *name, *text;
  Expected expected[9]; /* in order of time; a NULL path ends them */
} Row;

#define GROUNDED_SOURCE "V1: VoltageSource V=%s\nG: Ground\nV1.n - G.p\n"

/* Equations blocks with pins. */
#define TWO_PINS "pin_p:_electrical|pin_n:_electrical|through_i:_p_->_n|across_v:_p_-_n|"

/* Turbulent flow, with no straight part where it is small. */
#define OWN_PIPE(name)                                                                             \
  name ": Equations equations=pin_a:_hydraulic|pin_b:_hydraulic|through_q:_a_->_b|"                \
       "a.p_-_b.p_~_1e9*q*abs(q)\n"

/* A diode of one's own, as its equation is in every book. */
#define OWN_DIODE(name, Is, Vt)                                                                    \
  name ": Equations equations=" TWO_PINS "i_~_" Is "*(exp(v/" Vt ")_-_1)\n"

static const Row rows[] = {
  /* v = 2 (1 - exp (-w t)), s = 2 (t - (1 - exp (-w t)) / w), w = 2 pi 50 */
  { "prescribed-speed",
    "U: Constant value=2\nP: LinearSpeed\nM: Mass\nU.y > P.u\nP.a - M.a",
    { { "M.v", 2e-3, 0.9330238178, 1e-6 }, { "M.a.s", 1, 1.993633802, 1e-6 } } },
  /* s = 3 (1 - (1 + w t) exp (-w t)) */
  { "prescribed-position",
    "U: Constant value=3\nP: LinearPosition\nM: Mass\nU.y > P.u\nP.a - M.a",
    { { "M.a.s", 2e-3, 0.3939343661, 1e-6 }, { "M.a.s", 1, 3, 1e-6 } } },
  { "step-into-rlc",
    "I1: CurrentSource I=1\nR1: Resistor R=50\nL1: Inductor L=1e-3\nC1: Capacitor C=1e-6\nG: "
    "Ground\n"
    "I1.n - R1.p - L1.p - C1.p\nI1.p - R1.n - L1.n - C1.n - G.p",
    { { "C1.v", 1e-4, 1.730505, 1e-6 }, { "L1.i", 1e-4, 1.346893, 1e-6 } } },
  { "ladder",
    "V1: VoltageSource V=5\nG: Ground\n"
    "R1: Resistor R=100\nR2: Resistor R=100\nR3: Resistor R=100\nR4: Resistor R=100\n"
    "R5: Resistor R=100\nR6: Resistor R=100\nR7: Resistor R=100\nR8: Resistor R=100\n"
    "R9: Resistor R=100\nR10: Resistor R=100\nX: Resistor R=7\n"
    "C1: Capacitor C=1e-6\nC2: Capacitor C=1e-6\nC3: Capacitor C=1e-6\nC4: Capacitor C=1e-6\nC5: "
    "Capacitor C=1e-6\nC6: Capacitor C=1e-6\n"
    "C7: Capacitor C=1e-6\nC8: Capacitor C=1e-6\nC9: Capacitor C=1e-6\nC10: Capacitor C=1e-6\n"
    "V1.p - R1.p\nR1.n - C1.p - R2.p\nR2.n - C2.p - R3.p\nR3.n - C3.p - R4.p\n"
    "R4.n - C4.p - R5.p - X.p\nR5.n - C5.p - R6.p\nR6.n - C6.p - R7.p\nR7.n - C7.p - R8.p\n"
    "R8.n - C8.p - R9.p\nR9.n - C9.p - R10.p\nR10.n - C10.p\n"
    "V1.n - G.p - C1.n - C2.n - C3.n - C4.n - C5.n - C6.n - C7.n - C8.n - C9.n - C10.n",
    { { "C10.v", 5e-3, 2.926230, 1e-6 }, { "C10.v", 10e-3, 4.321248, 1e-6 } } },
  { "nested",
    "V1: VoltageSource V=3\nG: Ground\nLoad: Resistor R=1000\n"
    "a/R: Resistor R=220\na/C: Capacitor C=.47e-6\na/in: Pin\na/out: Pin\na/low: Pin\n"
    "a/in.p - a/R.p\na/R.n - a/C.p - a/out.p\na/C.n - a/low.p\n"
    "a/b/R: Resistor R=220\na/b/C: Capacitor C=.47e-6\na/b/in: Pin\na/b/out: Pin\na/b/low: Pin\n"
    "a/b/in.p - a/b/R.p\na/b/R.n - a/b/C.p - a/b/out.p\na/b/C.n - a/b/low.p\n"
    "a/out2: Pin\na/out.p - a/b.in\na/b.out - a/out2.p\na/b.low - a/low.p\n"
    "c/R: Resistor R=220\nc/C: Capacitor C=.47e-6\nc/in: Pin\nc/out: Pin\nc/low: Pin\n"
    "c/in.p - c/R.p\nc/R.n - c/C.p - c/out.p\nc/C.n - c/low.p\n"
    "d/R: Resistor R=220\nd/C: Capacitor C=.47e-6\nd/in: Pin\nd/out: Pin\nd/low: Pin\n"
    "d/in.p - d/R.p\nd/R.n - d/C.p - d/out.p\nd/C.n - d/low.p\n"
    "V1.p - a.in\na.out2 - c.in\nc.out - d.in\nd.out - Load.p\n"
    "V1.n - G.p - a.low - c.low - d.low - Load.n",
    { { "Load.v", .5e-3, .7539770, 1e-6 }, { "d.C.v", 1e-3, 1.282462, 1e-6 } } },
  { "floating-capacitors",
    "V1: SineVoltage amplitude=10 frequency=159.15494309189535\nC1: Capacitor C=1e-6\n"
    "C2: Capacitor C=3e-6\nR1: Resistor\nG: Ground\n"
    "V1.p - C1.p\nC1.n - C2.p - R1.p\nC2.n - R1.n - V1.n - G.p",
    { { "C2.v", 5e-3, -2.257965, 1e-6 } } },
  { "parallel-capacitors",
    "V1: VoltageSource V=10\nR1: Resistor\nC1: Capacitor C=1e-6\nC2: Capacitor C=3e-6\nG: Ground\n"
    "V1.p - R1.p\nR1.n - C1.p - C2.p\nC1.n - C2.n - V1.n - G.p",
    { { "C1.v", 4e-3, 6.321206, 1e-6 }, { "C2.i", 4e-3, 2.759096e-3, 1e-6 } } },
  { "inductors-in-a-node",
    "V1: VoltageSource V=10\nL1: Inductor L=1e-3\nL2: Inductor L=2e-3\nL3: Inductor L=3e-3\n"
    "R2: Resistor R=5\nR3: Resistor R=7\nG: Ground\n"
    "V1.p - L1.p\nL1.n - L2.p - L3.p\nL2.n - R2.p\nL3.n - R3.p\nR2.n - R3.n - V1.n - G.p",
    { { "L2.i", 1e-3, 1.480742, 1e-6 }, { "L3.i", 1e-3, 1.036536, 1e-6 } } },
  { "coupled-inductors",
    "V1: VoltageSource V=6\nL: CoupledInductors L1=2e-3 L2=8e-3 M=3e-3\nR1: Resistor R=3\n"
    "R2: Resistor R=12\nG: Ground\nV1.p - R1.p\nR1.n - L.p1\nL.n1 - V1.n - G.p - L.n2 - R2.n\n"
    "L.p2 - R2.p",
    { { "L.i1", .5e-3, 1.298774, 1e-6 }, { "L.i2", .5e-3, -.3008260, 1e-6 } } },
  { "diode-operating-point",
    "V1: VoltageSource V=5\nR1: Resistor\nD1: Diode Is=1e-14 Vt=.025852 Gp=0\nG: Ground\n"
    "V1.p - R1.p\nR1.n - D1.p\nD1.n - V1.n - G.p",
    { { "D1.v", 0, .6925436, 1e-6 } } },
  { "half-wave-rectifier",
    "V1: SineVoltage amplitude=12 frequency=60\nR1: Resistor R=.5\nD1: Diode Is=1e-9 Gp=0\n"
    "C1: Capacitor C=470e-6\nR2: Resistor R=220\nG: Ground\n"
    "V1.p - R1.p\nR1.n - D1.p\nD1.n - C1.p - R2.p\nC1.n - R2.n - V1.n - G.p",
    { { "C1.v", 25e-3, 10.76815, 1e-5 },
      { "C1.v", 37.5e-3, 11.09177, 1e-5 },
      { "C1.v", 50e-3, 9.934364, 1e-5 } } },
  { "bridge-rectifier",
    "V1: SineVoltage amplitude=12 frequency=60\nRs: Resistor R=.5\nC1: Capacitor C=470e-6\n"
    "R2: Resistor R=220\nG: Ground\n"
    "D1: Diode Is=1e-9 Gp=0\nD2: Diode Is=1e-9 Gp=0\nD3: Diode Is=1e-9 Gp=0\n"
    "D4: Diode Is=1e-9 Gp=0\n"
    "X1: Resistor R=1e6\nX2: Resistor R=1e6\nX3: Resistor R=1e6\nX4: Resistor R=1e6\n"
    "V1.p - Rs.p\nRs.n - D1.p - D3.n - X1.p - X3.n\nV1.n - D2.p - D4.n - X2.p - X4.n\n"
    "D1.n - D2.n - X1.n - X2.n - C1.p - R2.p\nD3.p - D4.p - X3.p - X4.p - C1.n - R2.n - G.p",
    { { "C1.v", 25e-3, 10.05146, 1e-5 },
      { "C1.v", 37.5e-3, 10.32486, 1e-5 },
      { "C1.v", 50e-3, 10.05147, 1e-5 } } },
  /* The same, with diodes of one's own. */
  { "bridge-of-own-diodes",
    "V1: SineVoltage amplitude=12 frequency=60\nRs: Resistor R=.5\nC1: Capacitor C=470e-6\n"
    "R2: Resistor R=220\nG: Ground\n" OWN_DIODE ("D1", "1e-9", ".04")
        OWN_DIODE ("D2", "1e-9", ".04") OWN_DIODE ("D3", "1e-9", ".04")
            OWN_DIODE ("D4", "1e-9", ".04") "X1: Resistor R=1e6\nX2: Resistor R=1e6\nX3: Resistor "
                                            "R=1e6\nX4: Resistor R=1e6\n"
                                            "V1.p - Rs.p\nRs.n - D1.p - D3.n - X1.p - X3.n\nV1.n - "
                                            "D2.p - D4.n - X2.p - X4.n\n"
                                            "D1.n - D2.n - X1.n - X2.n - C1.p - R2.p\nD3.p - D4.p "
                                            "- X3.p - X4.p - C1.n - R2.n - G.p",
    { { "C1.v", 25e-3, 10.05146, 1e-5 },
      { "C1.v", 37.5e-3, 10.32486, 1e-5 },
      { "C1.v", 50e-3, 10.05147, 1e-5 } } },
  /* n v + R Is (exp (v/Vt) - 1) = U, by bisection: from 0 the exponents would be 3868 and 15474 at
   * the first step. */
  { "own-diode-at-100-V",
    "V1: VoltageSource V=100\nR1: Resistor R=1\nG: Ground\n" OWN_DIODE (
        "D1", "1e-14", ".025852") "V1.p - R1.p\nR1.n - D1.p\nD1.n - V1.n - G.p",
    { { "D1.v", 0, 0.952175541351, 1e-11 } } },
  { "five-own-diodes-at-400-V",
    "V1: VoltageSource V=400\nR1: Resistor R=.01\nG: Ground\n" OWN_DIODE ("D1", "1e-14", ".025852")
        OWN_DIODE ("D2", "1e-14", ".025852") OWN_DIODE ("D3", "1e-14", ".025852")
            OWN_DIODE ("D4", "1e-14", ".025852")
                OWN_DIODE ("D5", "1e-14", ".025852") "V1.p - R1.p\nR1.n - D1.p\nD1.n - D2.p\nD2.n "
                                                     "- D3.p\nD3.n - D4.p\nD4.n - D5.p\n"
                                                     "D5.n - V1.n - G.p",
    { { "D3.v", 0, 1.106954008582, 1e-11 }, { "D5.v", 1e-3, 1.106954008582, 1e-11 } } },
  /* A varistor: v + R K sinh (v/V0) = U */
  { "own-varistor",
    "V1: VoltageSource V=1000\nR1: Resistor R=1\nG: Ground\nE: Equations equations=" TWO_PINS
    "i_~_1e-6*sinh(v/10)\nV1.p - R1.p\nR1.n - E.p\nE.n - V1.n - G.p",
    { { "E.v", 0, 211.784295279, 1e-11 } } },
  { "bridge-of-ideal-diodes",
    "V1: SineVoltage amplitude=12 frequency=60\nRs: Resistor R=.5\nC1: Capacitor C=470e-6\n"
    "R2: Resistor R=220\nG: Ground\nD1: IdealDiode\nD2: IdealDiode\nD3: IdealDiode\nD4: "
    "IdealDiode\n"
    "V1.p - Rs.p\nRs.n - D1.p - D3.n\nV1.n - D2.p - D4.n\n"
    "D1.n - D2.n - C1.p - R2.p\nD3.p - D4.p - C1.n - R2.n - G.p",
    { { "C1.v", 25e-3, 11.48572, 1e-6 }, { "C1.v", 37.5e-3, 11.88659, 1e-6 } } },
  { "buck-converter",
    "V1: VoltageSource V=24\nS1: IdealSwitch Ron=1e-3 Goff=1e-6\nD1: IdealDiode Ron=1e-3 "
    "Goff=1e-6\n"
    "L1: Inductor L=100e-6\nC1: Capacitor C=47e-6\nR1: Resistor R=4\nG: Ground\n"
    "P: Pulse period=50e-6 duty=40\nP.y > S1.u\n"
    "V1.p - S1.p\nS1.n - D1.n - L1.p\nL1.n - C1.p - R1.p\nV1.n - D1.p - C1.n - R1.n - G.p",
    { { "C1.v", 2e-3, 9.555432, 1e-5 }, { "L1.i", 2e-3, .946951, 1e-5 } } },
  { "op-amp-integrator",
    "V1: SineVoltage amplitude=1 frequency=200\nR1: Resistor R=10000\nC1: Capacitor C=100e-9\n"
    "A1: OpAmp\nG: Ground\nV1.p - R1.p\nR1.n - A1.inn - C1.p\nC1.n - A1.out\nA1.inp - V1.n - G.p",
    { { "A1.v", 2e-3, -1.439570, 1e-6 } } },
  { "transformer",
    "V1: VoltageSource V=20\nR1: Resistor R=50\nT1: IdealTransformer n=4\nR2: Resistor R=8\n"
    "G: Ground\nV1.p - R1.p\nR1.n - T1.p1\nT1.p2 - R2.p\nT1.n1 - T1.n2 - R2.n - V1.n - G.p",
    { { "R2.v", 0, 20.0 * (16 * 8) / (16 * 8 + 50) / 4, 1e-12 } } },
  { "sensor-gain-source",
    "V1: VoltageSource V=5\nR1: Resistor R=10\nA: CurrentSensor\nE: SignalVoltage\nGain: Gain "
    "gain=4\n"
    "G: Ground\nV1.p - A.p\nA.n - R1.p\nR1.n - E.p\nE.n - V1.n - G.p\nA.y > Gain.u\nGain.y > E.u",
    { { "R1.i", 0, .3571429, 1e-6 } } },
  { "dc-motor",
    "V1: VoltageSource V=24\nR1: Resistor R=1.2\nL1: Inductor L=3e-3\nM: EMF k=.08\n"
    "J1: Inertia J=2e-4\nD1: RotationalDamper d=1e-4\nF: RotationalFixed\nT: Torque\n"
    "S: Step time=.2 after=-.3\nG: Ground\nV1.p - R1.p\nR1.n - L1.p\nL1.n - M.p\nM.n - V1.n - G.p\n"
    "M.flange - J1.a\nJ1.b - D1.a - T.a\nD1.b - F.a\nS.y > T.u",
    { { "J1.w", .2, 293.5619, 1e-6 },
      { "L1.i", .2, .4340283, 1e-6 },
      { "J1.w", .4, 239.4205, 1e-6 },
      { "L1.i", .4, 4.037812, 1e-6 } } },
  { "dc-motor-steady",
    "V1: VoltageSource V=24\nR1: Resistor R=1.2\nL1: Inductor L=3e-3\nM: EMF k=.08\n"
    "J1: Inertia J=2e-4\nD1: RotationalDamper d=1e-4\nF: RotationalFixed\nG: Ground\n"
    "V1.p - R1.p\nR1.n - L1.p\nL1.n - M.p\nM.n - V1.n - G.p\n"
    "M.flange - J1.a\nJ1.b - D1.a\nD1.b - F.a",
    { { "J1.w", 2, 294.4785, 1e-6 }, { "L1.i", 2, .3680982, 1e-6 } } },
  { "rigid-inertias",
    "J1: Inertia\nJ2: Inertia J=3\nT: ConstantTorque tau0=2\nS: TorqueSensor\n"
    "C: RotationalSpringDamper c=20 d=.5\nF: RotationalFixed\n"
    "T.a - J1.a\nJ1.b - S.a\nS.b - J2.a\nJ2.b - C.a\nC.b - F.a",
    { { "J1.w", 0, 0, 1e-9 }, { "J2.a.phi", 2, .1235443, 1e-6 }, { "S.y", 2, 2.093764, 1e-6 } } },
  { "gear",
    "J1: Inertia\nJ2: Inertia J=9\nX: Gear ratio=3\nT: ConstantTorque tau0=2\n"
    "T.a - J1.a\nJ1.b - X.a\nX.b - J2.a",
    { { "J2.w", 2, 2. / 3, 1e-6 } } },
  { "planetary",
    "X: Planetary k=2\nJs: Inertia J=.1\nJr: Inertia J=.3\nJc: Inertia J=.4\n"
    "D: RotationalDamper d=.5\nF: RotationalFixed\nTs: ConstantTorque tau0=1\n"
    "Tc: ConstantTorque tau0=-2\nTs.a - Js.a\nJs.b - X.sun\nJr.a - X.ring - D.a\nD.b - F.a\n"
    "Jc.a - X.carrier - Tc.a",
    { { "Js.w", 2, 6.330741, 1e-6 },
      { "Jr.w", 2, -2.787454, 1e-6 },
      { "Jc.w", 2, .2519444, 1e-6 } } },
  { "mass-on-stop",
    "M: Mass m=2\nF: ConstantForce f0=10\nS: HardStop limit=.1 c=1e5 d=50\nW: LinearFixed\n"
    "F.a - M.a\nM.b - S.a\nS.b - W.a",
    { { "M.a.s", .5, .0642860, 2e-6 }, { "M.a.s", 1, .0665097, 2e-6 } } },
  { "backlash",
    "P: Sine amplitude=.5 frequency=.477464829275686\nX: RotationalBacklash c=200 gap=.1\n"
    "J: Inertia J=.05\nD: RotationalDamper d=.5\nF: RotationalFixed\nA: RotationalAngle\n"
    "P.y > A.u\nA.a - X.a\nX.b - J.a\nJ.b - D.a\nD.b - F.a",
    { { "J.a.phi", 2, -.1929234, 1e-6 }, { "J.a.phi", 4, -.3252020, 1e-6 } } },
  { "three-heat-capacities",
    "Q: FixedHeatFlow Q0=10\nC1: HeatCapacity C=50\nC2: HeatCapacity C=200\nC3: HeatCapacity "
    "C=1000\n"
    "G1: ThermalResistor R=2\nG2: ThermalResistor R=1\nG3: ThermalResistor R=4\n"
    "T: FixedTemperature\n"
    "Q.a - C1.a - G1.a\nG1.b - C2.a - G2.a\nG2.b - C3.a - G3.a\nG3.b - T.a",
    { { "C1.T", 500, 47.04158 + 273.15, 1e-7 },
      { "C1.T", 1000, 52.44164 + 273.15, 1e-7 },
      { "C3.T", 1000, 25.20785 + 273.15, 1e-7 } } },
  { "radiator",
    "C1: HeatCapacity C=100 T0=800\nR: Radiation Gr=.05\nT: FixedTemperature T=0\n"
    "C1.a - R.a\nR.b - T.a",
    { { "C1.T", 1000, 225.6727, 1e-6 } } },
  /* T^4 is 300^4 + 10/(0.05 sigma), and + 20/(0.05 sigma). */
  { "radiation-in-series",
    "Q: FixedHeatFlow Q0=10\nR1: Radiation Gr=.05\nR2: Radiation Gr=.05\n"
    "T: FixedTemperature T=300\nQ.a - R1.a\nR1.b - R2.a\nR2.b - T.a",
    { { "R2.a.T", 0, 328.373338820511, 1e-10 }, { "Q.a.T", 1, 350.859556622526, 1e-10 } } },
  { "heating-resistor",
    "V1: VoltageSource V=12\nR1: HeatingResistor R=6\nC1: HeatCapacity C=2\nX: ThermalResistor "
    "R=5\n"
    "T: FixedTemperature\nG: Ground\nV1.p - R1.p\nR1.n - V1.n - G.p\nR1.heat - C1.a - X.a\nX.b - "
    "T.a",
    { { "C1.T", 10, 84.63121 + 273.15, 1e-6 }, { "C1.T", 500, 88.60009 + 293.15, 1e-7 } } },
  { "tank",
    "T1: Tank A=.5 h0=2\nO: Orifice CdA=.6e-3 dpt=1e-3\nR: HydraulicReference\nT1.a - O.a\nO.b - "
    "R.a",
    { { "T1.h", 300, .3807498, 1e-6 } } },
  /* An orifice that nothing is joined with lets nothing through: rho g h at both sides. */
  { "open-orifice",
    "T: Tank h0=2\nO: Orifice dpt=1e-3\nT.a - O.a",
    { { "O.b.p", 0, 2 * 9806.65, 1e-12 }, { "O.q", 1, 0, 1e-12 } } },
  /* A text whose slope is zero at zero, where it begins: 1e9 q |q| = p. */
  { "own-turbulent-pipe",
    "P: PressureSource p0=1e5\nR: HydraulicReference\n" OWN_PIPE ("E")
        OWN_PIPE ("F") "P.a - E.a\nE.b - F.a\nF.b - P.b - R.a",
    { { "E.q", 0, 7.0710678118654755e-3, 1e-12 }, { "F.q", 1, 7.0710678118654755e-3, 1e-12 } } },
  /* To and fro, from rest. */
  { "own-turbulent-pipe-to-and-fro",
    "S: Sine amplitude=1e5 frequency=1\nP: SignalPressure\nS.y > P.u\n"
    "R: HydraulicReference\n" OWN_PIPE ("E") "P.a - E.a\nE.b - P.b - R.a",
    { { "E.q", 0, 0, 1e-12 },
      { "E.q", .25, 1e-2, 1e-12 },
      { "E.q", .5, 0, 1e-9 },
      { "E.q", .75, -1e-2, 1e-12 },
      { "E.q", 1, 0, 1e-9 } } },
  { "clutch",
    "T: ConstantTorque tau0=4\nJ1: Inertia J=.5 w0=20\nK: Clutch T=6\nJ2: Inertia J=1.5\n"
    "D: RotationalDamper d=.2\nF: RotationalFixed\nT.a - J1.a\nJ1.b - K.a\nK.b - J2.a\n"
    "J2.b - D.a\nD.b - F.a",
    { { "J1.w", 2.719197, 9.123214, 1e-6 },
      { "J2.w", 2.719197, 9.123214, 1e-6 },
      { "J1.w", 5, 11.34142, 1e-6 },
      { "K.tau", 5, 3.567071, 1e-6 } } },
  { "brake",
    "J: Inertia J=.5 w0=100\nB: Brake T=20\nJ.b - B.a",
    { { "J.w", 2, 20, 1e-8 },
      { "B.mode", 2.499999, 1, 0 },
      { "B.mode", 2.500001, 0, 0 },
      { "J.w", 3, 0, 1e-12 },
      { "J.a.phi", 3, 125, 1e-8 } } },
  { "freewheel",
    "P: Sine amplitude=3 frequency=.318309886183791\nT: Torque\nP.y > T.u\nJ1: Inertia J=.2\n"
    "K: OneWayClutch\nJ2: Inertia J=.4\nD: RotationalDamper d=.1\nF: RotationalFixed\n"
    "T.a - J1.a\nJ1.b - K.a\nK.b - J2.a\nJ2.b - D.a\nD.b - F.a",
    { { "K.locked", 1.607164, 1, 0 },
      { "K.locked", 1.607168, 0, 0 },
      { "K.locked", 4.322347, 0, 0 },
      { "K.locked", 4.322351, 1, 0 },
      { "K.locked", 4.735328, 1, 0 },
      { "K.locked", 4.735332, 0, 0 },
      { "J1.w", 6, -11.06904, 1e-6 },
      { "J2.w", 6, 2.006015, 1e-6 } } },
  { "coulomb-friction",
    "P: Sine amplitude=8 frequency=.318309886183791\nE: Force\nP.y > E.u\nM: Mass\n"
    "R: LinearFriction Fc=5 Fs=5\nF: LinearFixed\nE.a - M.a\nM.b - R.a\nR.b - F.a",
    { { "R.mode", .3375638, 0, 0 },
      { "R.mode", .3375678, 1, 0 },
      { "R.mode", 1.724540, 1, 0 },
      { "R.mode", 1.724544, 0, 0 },
      { "M.a.s", 2, 1.375371, 1e-6 },
      { "M.a.s", 4, .2194209, 1e-6 } } },
  { "stacked-friction",
    "P: Sine amplitude=12 frequency=.477464829275686\nE: Force\nP.y > E.u\nM1: Mass m=2\nM2: Mass\n"
    "R1: LinearFriction Fc=3 Fs=3\nR2: LinearFriction Fc=4 Fs=4\nF: LinearFixed\n"
    "M1.a - R1.a\nR1.b - F.a\nM2.a - R2.a\nR2.b - M1.b\nE.a - M2.b",
    { { "M1.a.s", 4, .541719, 2e-5 }, { "M2.a.s", 4, 3.105928, 2e-5 } } },
  /* What asks for more than is held from the start on moves at once: (F - Fc)/m t, and with a
   * viscous part (F - Fc)/d (1 - exp (-d t/m)). */
  { "pushed-from-the-start",
    "E: ConstantForce f0=2\nM: Mass\nR: LinearFriction Fc=1 Fs=1\nF: LinearFixed\n"
    "E.a - M.a\nM.b - R.a\nR.b - F.a",
    { { "R.mode", 1e-3, 1, 0 }, { "M.v", 3, 3, 1e-9 }, { "M.a.s", 3, 4.5, 1e-9 } } },
  { "pushed-back-from-the-start",
    "E: ConstantForce f0=-2.5\nM: Mass m=2\nR: LinearFriction Fc=1 Fs=1 d=.5\nF: LinearFixed\n"
    "E.a - M.a\nM.b - R.a\nR.b - F.a",
    { { "R.mode", 1e-3, -1, 0 }, { "M.v", 4, -1.8963616764856730, 1e-6 } } },
  { "held-from-the-start",
    "E: ConstantForce f0=.9\nM: Mass\nR: LinearFriction Fc=1 Fs=1\nF: LinearFixed\n"
    "E.a - M.a\nM.b - R.a\nR.b - F.a",
    { { "R.mode", 3, 0, 0 }, { "M.v", 3, 0, 0 }, { "R.f", 3, .9, 1e-12 } } },
  { "turned-from-the-start",
    "E: ConstantTorque tau0=-3\nJ: Inertia J=.5\nR: RotationalFriction Fc=1 Fs=1\n"
    "F: RotationalFixed\nE.a - J.a\nJ.b - R.a\nR.b - F.a",
    { { "J.w", 2, -8, 1e-9 } } },
  { "braked-too-little-from-the-start",
    "E: ConstantTorque tau0=4\nJ: Inertia J=.5\nB: Brake T=1\nE.a - J.a\nJ.b - B.a",
    { { "J.w", 3, 18, 1e-9 } } },
  /* Whatever is asked of the first disc, the second gets what they hold. */
  { "slipping-from-the-start",
    "E: ConstantTorque tau0=4\nJ1: Inertia J=.5\nK: Clutch T=1\nJ2: Inertia J=1.5\n"
    "E.a - J1.a\nJ1.b - K.a\nK.b - J2.a",
    { { "J1.w", 3, 18, 1e-9 }, { "J2.w", 3, 2, 1e-9 } } },
  { "free-from-the-start",
    "E: ConstantTorque tau0=-3\nJ1: Inertia J=.2\nK: OneWayClutch\nJ2: Inertia J=.4\n"
    "E.a - J1.a\nJ1.b - K.a\nK.b - J2.a",
    { { "J1.w", 2, -30, 1e-8 }, { "J2.w", 2, 0, 1e-12 } } },
  /* 2 (1 - exp (-5 t)) */
  { "fired-from-the-start",
    "V1: VoltageSource V=10\nT1: Thyristor Ron=1e-9 Goff=1e-9\nS: Constant value=1\nS.y > T1.gate\n"
    "R1: Resistor R=5\nL1: Inductor L=1\nG: Ground\n"
    "V1.p - T1.p\nT1.n - R1.p\nR1.n - L1.p\nL1.n - V1.n - G.p",
    { { "L1.i", .4, 1.7293294335267746, 1e-6 } } },
  { "thyristor",
    "V1: SineVoltage amplitude=100 frequency=50\nT1: Thyristor Ron=1e-7 Goff=1e-9\nS: Step "
    "time=5e-3\n"
    "S.y > T1.gate\nR1: Resistor R=10\nL1: Inductor L=20e-3\nG: Ground\n"
    "V1.p - T1.p\nT1.n - R1.p\nR1.n - L1.p\nL1.n - V1.n - G.p",
    { { "L1.i", 8e-3, 6.258857, 1e-6 },
      { "T1.on", 11.69063e-3, 1, 0 },
      { "T1.on", 11.69065e-3, 0, 0 } } },
  { "six-pulse-rectifier",
    "Va: SineVoltage amplitude=100 frequency=50\n"
    "Vb: SineVoltage amplitude=100 frequency=50 phase=-2.0943951023931953\n"
    "Vc: SineVoltage amplitude=100 frequency=50 phase=2.0943951023931953\n"
    "Ra: Resistor R=.05\nRb: Resistor R=.05\nRc: Resistor R=.05\n"
    "D1: IdealDiode Ron=1e-3 Goff=1e-6\nD2: IdealDiode Ron=1e-3 Goff=1e-6\n"
    "D3: IdealDiode Ron=1e-3 Goff=1e-6\nD4: IdealDiode Ron=1e-3 Goff=1e-6\n"
    "D5: IdealDiode Ron=1e-3 Goff=1e-6\nD6: IdealDiode Ron=1e-3 Goff=1e-6\n"
    "R1: Resistor R=10\nL1: Inductor L=20e-3\nG: Ground\n"
    "Va.n - Vb.n - Vc.n - G.p\nVa.p - Ra.p\nVb.p - Rb.p\nVc.p - Rc.p\n"
    "Ra.n - D1.p - D4.n\nRb.n - D2.p - D5.n\nRc.n - D3.p - D6.n\n"
    "D1.n - D2.n - D3.n - R1.p\nR1.n - L1.p\nL1.n - D4.p - D5.p - D6.p",
    { { "L1.i", 40e-3, 16.4323, 1e-5 } } },
  /* Dependent although only sums of equations show it: 1 - 1/e of what is there at last. */
  { "floating-capacitors-in-parallel",
    "C5: Capacitor C=1e-6\nC6: Capacitor C=2e-6\nR1: Resistor\nR2: Resistor\nI: CurrentSource "
    "I=1e-3\n"
    "G: Ground\nC5.p - C6.n - R2.p - I.n\nC5.n - C6.p - R1.p\nR1.n - R2.n - G.p - I.p",
    { { "C5.v", 6e-3, .6321205588285577, 1e-8 }, { "C6.v", 6e-3, -.6321205588285577, 1e-8 } } },
  { "floating-loop-of-capacitors",
    "C1: Capacitor C=1e-6\nC2: Capacitor C=2e-6\nC3: Capacitor C=3e-6\nR1: Resistor\nR2: Resistor\n"
    "I: CurrentSource I=1e-3\nG: Ground\nC1.p - C3.n - R1.p - I.n\nC1.n - C2.p\n"
    "C2.n - C3.p - R2.p\nR1.n - R2.n - I.p - G.p",
    { { "C3.v", 22e-3 / 3, -.6321205588285577, 1e-8 },
      { "C1.v", 22e-3 / 3, .6321205588285577 * 2 / 3, 1e-8 } } },
  { "inductors-around-an-island",
    "V1: VoltageSource\nL1: Inductor\nR1: Resistor R=2\nR2: Resistor R=2\nL2: Inductor\n"
    "R3: Resistor R=1\nG: Ground\nV1.p - L1.p\nL1.n - R1.p - R2.p\nR1.n - R2.n - L2.p\n"
    "L2.n - R3.p\nR3.n - V1.n - G.p",
    { { "L2.i", 1e-3, .31606027941427883, 1e-8 }, { "R1.i", 1e-3, .15803013970713942, 1e-8 } } },
  /* What begins to hold at an event: charge, flux and momentum are kept. */
  { "charge-is-kept",
    "C1: Capacitor C=1e-6 v0=8\nC2: Capacitor C=3e-6\nS1: IdealContact\nS: Step time=1e-3\n"
    "S.y > S1.u\nG: Ground\nC1.p - S1.p\nS1.n - C2.p\nC1.n - C2.n - G.p",
    { { "C1.v", .9e-3, 8, 1e-12 },
      { "C2.v", .9e-3, 0, 1e-12 },
      { "C1.v", 2e-3, 2, 1e-12 },
      { "C2.v", 2e-3, 2, 1e-12 } } },
  { "flux-is-kept",
    "L1: Inductor L=1e-3 i0=3\nL2: Inductor L=2e-3\nS1: IdealBreaker\n"
    "S: Step time=1e-3 before=1 after=0\nS.y > S1.u\nG: Ground\n"
    "L1.n - L2.p - S1.p\nL2.n - S1.n - L1.p - G.p",
    { { "L1.i", .9e-3, 3, 1e-12 }, { "L1.i", 2e-3, 1, 1e-12 }, { "L2.i", 2e-3, 1, 1e-12 } } },
  /* (.5*20 + 1.5*4)/2; a gear in between counts twice the speed and four times the inertia */
  { "momentum-is-kept",
    "J1: Inertia J=.5 w0=20\nJ2: Inertia J=1.5 w0=4\nK: Coupling\nS: Step time=1\nS.y > K.u\n"
    "J1.b - K.a\nK.b - J2.a",
    { { "J1.w", .9, 20, 1e-12 }, { "J1.w", 2, 8, 1e-12 }, { "J2.w", 2, 8, 1e-12 } } },
  { "momentum-through-a-gear",
    "J1: Inertia J=.5 w0=20\nX: Gear ratio=2\nJ2: Inertia J=6 w0=2\nK: Coupling\nS: Step "
    "time=1\nS.y > K.u\nJ1.b - K.a\nK.b - X.a\nX.b - J2.a",
    { { "J1.w", 2, 8, 1e-12 }, { "J2.w", 2, 4, 1e-12 } } },
  /* The same where it holds from the start on; and nothing jumps where it does not. */
  { "charge-is-kept-at-the-start",
    "C1: Capacitor C=1e-6 v0=8\nC2: Capacitor C=3e-6\nS1: IdealContact\nS: Constant value=1\n"
    "S.y > S1.u\nG: Ground\nC1.p - S1.p\nS1.n - C2.p\nC1.n - C2.n - G.p",
    { { "C1.v", 0, 2, 1e-12 }, { "C2.v", 0, 2, 1e-12 }, { "C2.v", 1e-3, 2, 1e-12 } } },
  { "flux-is-kept-at-the-start",
    "L1: Inductor L=1e-3 i0=3\nL2: Inductor L=2e-3\nS1: IdealBreaker\nS: Constant value=0\n"
    "S.y > S1.u\nG: Ground\nL1.n - L2.p - S1.p\nL2.n - S1.n - L1.p - G.p",
    { { "L1.i", 0, 1, 1e-12 }, { "L2.i", 0, 1, 1e-12 }, { "L2.i", 1e-3, 1, 1e-12 } } },
  { "closed-at-the-start",
    "L1: Inductor L=1e-3 i0=3\nL2: Inductor L=2e-3\nS1: IdealBreaker\nS: Constant value=1\n"
    "S.y > S1.u\nG: Ground\nL1.n - L2.p - S1.p\nL2.n - S1.n - L1.p - G.p",
    { { "L1.i", 0, 3, 1e-12 }, { "L1.i", 1e-3, 3, 1e-12 }, { "L2.i", 1e-3, 0, 1e-12 } } },
  /* .2*5/(.2 + .4) */
  { "momentum-is-kept-at-the-start",
    "J1: Inertia J=.2 w0=5\nK: OneWayClutch\nJ2: Inertia J=.4\nJ1.b - K.a\nK.b - J2.a",
    { { "J1.w", 0, 5. / 3, 1e-12 }, { "J1.w", 1, 5. / 3, 1e-12 }, { "J2.w", 1, 5. / 3, 1e-12 } } },
  { "bodies-latch",
    "M1: Mass m=2 v0=3\nM2: Mass m=1\nL: Latch\nS: Step time=1\nS.y > L.u\n"
    "M1.b - L.a\nL.b - M2.a",
    { { "M1.v", .9, 3, 1e-12 }, { "M1.v", 2, 2, 1e-12 }, { "M2.v", 2, 2, 1e-12 } } },
  /* The next four: ngspice 39, with reltol 1e-9. */
  { "zener",
    "V1: VoltageSource V=12\nR1: Resistor R=470\nD1: Zener\nRL: Resistor\nV2: VoltageSource V=5\n"
    "R2: Resistor\nD2: Zener\nG: Ground\nV1.p - R1.p\nR1.n - D1.n - RL.p\nV2.p - R2.p\n"
    "R2.n - D2.p\nV1.n - D1.p - RL.n - V2.n - D2.n - G.p",
    { { "RL.v", 0, 5.157954638398, 1e-6 }, { "D2.v", 0, .6928875986034, 1e-6 } } },
  { "npn-stage",
    "V1: VoltageSource V=12\nR1: Resistor R=68e3\nR2: Resistor R=12e3\nRc: Resistor R=4700\n"
    "Re: Resistor R=1000\nQ1: NPN\nG: Ground\nV1.p - R1.p - Rc.p\nR1.n - R2.p - Q1.b\n"
    "Rc.n - Q1.c\nQ1.e - Re.p\nV1.n - R2.n - Re.n - G.p",
    { { "R2.v", 0, 1.695051446142, 1e-6 },
      { "Q1.c.v", 0, 7.164135256289, 1e-6 },
      { "Re.v", 0, 1.039196466179, 1e-6 } } },
  { "pnp-saturated",
    "V1: VoltageSource V=5\nQ1: PNP BF=50 BR=2\nRb: Resistor R=1e4\nRc: Resistor\nG: Ground\n"
    "V1.p - Q1.e\nQ1.b - Rb.p\nQ1.c - Rc.p\nV1.n - Rb.n - Rc.n - G.p",
    { { "Rb.v", 0, 4.299065368426, 1e-6 }, { "Rc.v", 0, 4.942012310702, 1e-6 } } },
  { "mosfets",
    "V1: VoltageSource V=5\nV2: VoltageSource V=2.2\nM1: NMOS K=1.1e-3 lambda=.04\n"
    "M2: PMOS K=1e-3 Vth=.8 lambda=.05\nRl: Resistor R=1e5\nV3: VoltageSource V=.5\n"
    "V4: VoltageSource V=3\nM3: NMOS K=1.1e-3 lambda=.04\nRx: Resistor\nG: Ground\n"
    "V1.p - M2.s\nV2.p - M1.g - M2.g\nM1.d - M2.d - Rl.p\nV3.p - M3.d\nV4.p - M3.g\n"
    "M3.s - Rx.p\nV1.n - V2.n - M1.s - Rl.n - V3.n - V4.n - Rx.n - G.p",
    { { "Rl.v", 0, 4.081358656458, 1e-6 }, { "Rx.v", 0, .3378010680336, 1e-6 } } },
  /* Voltage dividers: a tap at a quarter of 1002 ohm in all. */
  { "potentiometer",
    "V1: VoltageSource V=10\nP: Potentiometer R=1000 Rmin=1\nU: Constant value=.25\nU.y > P.u\n"
    "R: Resistor R=251\nG: Ground\nV1.p - P.p\nP.tap - R.p\nV1.n - P.n - R.n - G.p",
    { { "R.v", 0, 10 * 125.5 / (751 + 125.5), 1e-12 } } },
  /* Charge stays as the capacitance doubles: exp (-1) before, half of it after, then exp (-1). */
  { "variable-capacitor",
    "C1: VariableCapacitor q0=2e-6\nU: Step time=1e-3 before=1e-6 after=2e-6\nU.y > C1.C\nR1: "
    "Resistor\nG: Ground\nC1.p - R1.p\nC1.n - R1.n - G.p",
    { { "C1.v", .5e-3, 1.2130613194252668, 1e-6 }, { "C1.v", 3e-3, .1353352832366127, 1e-6 } } },
  /* Flux in the same way. */
  { "variable-inductor",
    "L1: VariableInductor psi0=2\nU: Step time=1 before=1 after=2\nU.y > L1.L\nR1: Resistor R=1\n"
    "G: Ground\nL1.p - R1.p\nL1.n - R1.n - G.p",
    { { "L1.i", .5, 1.2130613194252668, 1e-7 }, { "L1.i", 3, .1353352832366127, 1e-7 } } },
  { "pulse-and-ramp",
    "V1: PulseVoltage low=-1 high=3 period=2 width=.5 delay=1\nR1: Resistor R=1\n"
    "I1: RampCurrent before=1 after=5 begin=1 duration=2\nR2: Resistor R=1\nG: Ground\n"
    "V1.p - R1.p\nI1.n - R2.p\nV1.n - R1.n - I1.p - R2.n - G.p",
    { { "R1.v", .75, -1, 1e-12 },
      { "R2.v", .75, 1, 1e-12 },
      { "R1.v", 1.25, 3, 1e-12 },
      { "R2.v", 2, 3, 1e-12 },
      { "R1.v", 2.75, -1, 1e-12 },
      { "R1.v", 3.25, 3, 1e-12 },
      { "R2.v", 4, 5, 1e-12 } } },
  /* --- Texts of equations as parts: closed forms of first order ----------------------------- */
  { "equations/resistor",
    "V1: VoltageSource V=10\nE: Equations equations=" TWO_PINS
    "parameter_R_=_1000_\"ohm\"|v_~_R*i\n"
    "C1: Capacitor C=1e-6\nG: Ground\nV1.p - E.p\nE.n - C1.p\nC1.n - V1.n - G.p",
    { { "C1.v", 1e-3, 6.321205588285577, 1e-7 }, { "E.i", 1e-3, 3.678794411714423e-3, 1e-7 } } },
  { "equations/at-pins",
    "V1: VoltageSource V=10\n"
    "E: Equations "
    "equations=p.i_+_n.i_~_0|p.v_-_n.v_~_1000*p.i|pin_p:_electrical|pin_n:_electrical\n"
    "C1: Capacitor C=1e-6\nG: Ground\nV1.p - E.p\nE.n - C1.p\nC1.n - V1.n - G.p",
    { { "C1.v", 1e-3, 6.321205588285577, 1e-7 }, { "E.p.i", 1e-3, 3.678794411714423e-3, 1e-7 } } },
  { "equations/capacitor",
    "E: Equations equations=C*D(v)_~_i|initial_v_=_v0|stores_p_n_v0|" TWO_PINS
    "parameter_C_=_1e-6,_v0_=_5\nR1: Resistor\nG: Ground\nE.p - R1.p\nE.n - R1.n - G.p",
    { { "E.v", 1e-3, 1.839397205857212, 1e-7 } } },
  { "equations/motor",
    "V1: VoltageSource V=24\nR1: Resistor R=1.2\nE: Equations equations=" TWO_PINS
    "pin_flange:_rotational_right|parameter_c_=_.08|v_~_c*w|w_~_D(flange.phi)|"
    "flange.tau_~_-c*i\nJ1: Inertia J=2e-4\nG: Ground\n"
    "V1.p - R1.p\nR1.n - E.p\nE.n - V1.n - G.p\nE.flange - J1.a",
    { { "J1.w", .0375, 189.63616764856732, 1e-6 }, { "E.w", .0375, 189.63616764856732, 1e-6 } } },
  { "equations/own-domain",
    "S: Equations equations=domain_acoustic:_p_\"Pa\",_q_\"m^3/s\"|pin_a:_acoustic|pin_b:_acoustic|"
    "fixes_a_b|through_q:_a_->_b|across_dp:_a_-_b|dp_~_10\n"
    "X: Equations equations=domain_acoustic:_p_\"Pa\",_q_\"m^3/s\"|pin_a:_acoustic|reference_a\n"
    "H: Equations equations=domain_acoustic:_p_\"Pa\",_q_\"m^3/s\"|pin_a:_acoustic|pin_b:_acoustic|"
    "through_q:_a_->_b|a.p_-_b.p_~_5*q\nS.a - H.a\nS.b - H.b - X.a",
    { { "H.q", 0, 2, 1e-12 }, { "S.q", 0, -2, 1e-12 } } },
  /* Through a subsystem, whose pins insist on just that domain. */
  { "equations/domain-in-subsystem",
    "S: Equations equations=domain_acoustic:_p_\"Pa\",_q_\"m^3/s\"|pin_a:_acoustic|pin_b:_acoustic|"
    "fixes_a_b|through_q:_a_->_b|across_dp:_a_-_b|dp_~_10\n"
    "X: Equations equations=domain_acoustic:_p_\"Pa\",_q_\"m^3/s\"|pin_a:_acoustic|reference_a\n"
    "h/H: Equations equations=domain_acoustic:_p_\"Pa\",_q_\"m^3/s\"|pin_a:_acoustic|"
    "pin_b:_acoustic|through_q:_a_->_b|a.p_-_b.p_~_5*q\n"
    "h/a: Pin domain=declared declaration=acoustic:_p_\"Pa\",_q_\"m^3/s\"\n"
    "h/b: Pin domain=declared declaration=acoustic:_p_\"Pa\",_q_\"m^3/s\"\n"
    "h/a.p - h/H.a\nh/b.p - h/H.b\nS.a - h.a\nS.b - h.b - X.a",
    { { "h.H.q", 0, 2, 1e-12 }, { "S.q", 0, -2, 1e-12 } } },
  { "equations/signals",
    "U: Constant value=3\nE: Equations equations=input_u_\"V\"|output_y_\"A\"|" TWO_PINS
    "fixes_p_n|v_~_2*u|y_~_i\nK: Gain gain=10\nR1: Resistor R=2\nG: Ground\nU.y > E.u\nE.y > K.u\n"
    "E.p - R1.p\nE.n - R1.n - G.p",
    { { "R1.i", 0, 3, 1e-12 }, { "E.y", 0, -3, 1e-12 }, { "K.y", 0, -30, 1e-12 } } },
  { "equations/array-of-pins",
    "V1: VoltageSource V=6\nE: Equations "
    "equations=constant_n_=_3|output_total|pin_c:_electrical_left|"
    "for_k_in_1:n:_pin_p[k]:_electrical_right|for_k_in_1:n:_through_i[k]:_c_->_p[k]|"
    "for_k_in_1:n:_c.v_-_p[k].v_~_100*k*i[k]|total_~_sum(i)\nG: Ground\n"
    "V1.p - E.c\nE.p1 - E.p2 - E.p3 - V1.n - G.p",
    { { "E.i1", 0, .06, 1e-9 },
      { "E.i2", 0, .03, 1e-9 },
      { "E.i3", 0, .02, 1e-9 },
      { "E.total", 0, .11, 1e-9 } } },
  { "equations/conditional-pin",
    "V1: VoltageSource V=12\nE: Equations equations=constant_hot_=_1|" TWO_PINS
    "if_hot:_pin_heat:_thermal_bottom|v_~_6*(1_+_.004*(heat.T_-_293.15))*i|heat.Q_~_-v*i\n"
    "C1: HeatCapacity C=2\nX: ThermalResistor R=5\nT: FixedTemperature\nG: Ground\n"
    "V1.p - E.p\nE.n - V1.n - G.p\nE.heat - C1.a - X.a\nX.b - T.a",
    { { "C1.T", 10, 84.63121 + 273.15, 1e-6 } } },
  /* As three-heat-capacities. */
  { "equations/wall",
    "Q: FixedHeatFlow Q0=10\nE: Equations equations=pin_a:_thermal|pin_b:_thermal|constant_n_=_3|"
    "parameter_C[n]_=_[50,_200,_1000],_R[n]_=_[2,_1,_4]|variable_T[n],_Q[n]|through_Qa:_a|"
    "through_Qb:_b|a.T_~_T[1]|C[1]*D(T[1])_~_Qa_-_Q[1]|for_k_in_2:n:|__C[k]*D(T[k])_~|"
    "____Q[k-1]_-_Q[k]|end|for_k_in_1:n-1:_R[k]*Q[k]_~_T[k]_-_T[k+1]|R[n]*Q[n]_~_T[n]_-_b.T|"
    "Qb_~_-Q[n]|initial_T_=_293.15\nT: FixedTemperature\nQ.a - E.a\nE.b - T.a",
    { { "E.T", 500, 47.04158 + 273.15, 1e-7 } } },
  /* A current that rises to 2 A in a second and falls to zero in three: the charge is its integral.
   */
  { "table-current",
    "I: TableCurrent times=[0,1,4] values=[0,2,0]\nC1: Capacitor C=1\nG: Ground\n"
    "I.n - C1.p\nI.p - C1.n - G.p",
    { { "I.i", .5, 1, 1e-12 },
      { "C1.v", 1, 1, 1e-9 },
      { "C1.v", 2.5, 1 + 2.25, 1e-9 },
      { "C1.v", 5, 4, 1e-9 },
      { "I.i", 5, 0, 1e-12 } } },
  /* Side by side with a resistance of one ohm each: what they set. */
  { "table-sources",
    "V: TableVoltage times=[0,2] values=[1,5]\nR1: Resistor R=1\nG: Ground\nV.p - R1.p\n"
    "V.n - R1.n - G.p\nF: TableForce times=[0,2] values=[1,5]\nD: LinearDamper d=1\nM: Mass\n"
    "W: LinearFixed\nF.a - M.a\nM.b - D.a\nD.b - W.a\n"
    "T: TableTorque times=[0,2] values=[1,5]\nJ: Inertia\nT.a - J.a\n"
    "Q: TableHeatFlow times=[0,2] values=[1,5]\nH: ThermalResistor R=1\n"
    "X: TableTemperature times=[0,2] values=[300,304]\nQ.a - H.a\nH.b - X.a\n"
    "q: TableFlow times=[0,2] values=[1,5]\nP: LaminarPipe G=1\nB: TablePressure times=[0,2] "
    "values=[1,5]\n"
    "Y: HydraulicReference\nq.b - P.a\nP.b - q.a - B.b - Y.a\nO: LaminarPipe G=1\n"
    "B.a - O.a\nO.b - Y.a",
    { { "R1.i", 1, 3, 1e-9 },
      { "F.f", 1, -3, 1e-9 },
      { "T.tau", 1, -3, 1e-9 },
      { "Q.a.T", 1, 305, 1e-9 },
      { "P.q", 1, 3, 1e-9 },
      { "O.q", 1, 3, 1e-9 } } },
  /* One of them starts as the other does: 3 exp (-1). */
  { "free-start",
    "C1: Capacitor C=1e-6 v0=free\nC2: Capacitor C=3e-6 v0=3\nR1: Resistor\nG: Ground\n"
    "C1.p - C2.p - R1.p\nC1.n - C2.n - R1.n - G.p",
    { { "C1.v", 4e-3, 1.1036383235143269, 1e-7 } } },
  /* Ohm's law through the contact that the signal counts. */
  { "rotary-switch",
    "V1: VoltageSource V=6\nU: Step time=1 before=2 after=4\nS: RotarySwitch n=4 Goff=1e-12\n"
    "U.y > S.u\nR1: Resistor R=1\nR2: Resistor R=2\nR3: Resistor R=3\nR4: Resistor R=4\nG: Ground\n"
    "V1.p - S.c\nS.p1 - R1.p\nS.p2 - R2.p\nS.p3 - R3.p\nS.p4 - R4.p\n"
    "R1.n - R2.n - R3.n - R4.n - V1.n - G.p",
    { { "R2.i", .5, 6 / 2.00001, 1e-9 },
      { "R4.i", .5, 0, 1e-9 },
      { "R2.i", 1.5, 0, 1e-9 },
      { "R4.i", 1.5, 6 / 4.00001, 1e-9 } } },
  /* As heating-resistor. */
  { "resistor-with-heat-pin",
    "V1: VoltageSource V=12\nR1: Resistor R=6 heats=yes alpha=.004\nC1: HeatCapacity C=2\n"
    "X: ThermalResistor R=5\nT: FixedTemperature\nG: Ground\nV1.p - R1.p\nR1.n - V1.n - G.p\n"
    "R1.heat - C1.a - X.a\nX.b - T.a",
    { { "C1.T", 10, 84.63121 + 273.15, 1e-6 } } },
  { "inductance-of-a-core",
    "V1: VoltageSource V=1\nL: Coil N=200\nC: MagneticPath l=.3 A=4e-4 mu=1500\n"
    "X: MagneticPath l=.5e-3 A=4e-4\nR: MagneticReference\nG: Ground\n"
    "V1.p - L.p\nL.n - V1.n - G.p\nL.a - C.a\nC.b - X.a\nX.b - L.b - R.a",
    { { "L.i", 1e-3, 1e-3 / 28.72313e-3, 1e-6 } } },
};

static gboolean
is_near (double value, const Expected *expected)
{
  double scale = fabs (expected->value) > 1e-3 ? fabs (expected->value) : 1;

  return fabs (value - expected->value) <= expected->tolerance * scale;
}

static void
run_row (const Row *row, const char *solver, gboolean is_reversed)
{
  g_autoptr (WeirModel) model = net_to_model (row->text, is_reversed);
  g_autoptr (WeirSystem) system = NULL;
  g_autofree char *problems = net_dup_problems (model, &system);
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;

  if (system == NULL)
    g_error ("%s", problems);
  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = 1e-9;
  options.absolute_tolerance = 1e-12;
  context = weir_system_create_context (system);
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  for (const Expected *expected = row->expected; expected->path != NULL; expected++)
    {
      double value;

      weir_simulator_advance_to (simulator, expected->time, &error);
      g_assert_no_error (error);
      value = net_value (simulator, expected->path);
      g_test_message ("%s, %s(%g) = %.9g, off by %.1e", solver, expected->path, expected->time,
                      value, fabs (value - expected->value));
      if (!is_near (value, expected))
        g_error ("%s(%g) is %.9g, but should be %.9g", expected->path, expected->time, value,
                 expected->value);
    }
}

static void
test_row (gconstpointer data)
{
  const Row *row = data;

  run_row (row, "auto", FALSE);
  run_row (row, "cvode-bdf", TRUE);
}

/* --- The same otherwise put --------------------------------------------------------------------
 */

/* "R1.p" -> "R1" */
static char *
dup_owner (const char *pin)
{
  return g_strndup (pin, strcspn (pin, "."));
}

/* The pins of lines, ends of which are parts of this diagram. @func gets each. */
static void
visit_pins (const char *text, void (*func) (const char *pin, gpointer data), gpointer data)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) ends = g_strsplit (*line, " - ", -1);

      for (char **end = ends; strstr (*line, ": ") == NULL && *end != NULL; end++)
        if (strstr (*line, " > ") == NULL && strchr (*end, '/') == NULL && **end != '\0')
          func (*end, data);
    }
}

static char *
dup_type (const char *text, const char *name)
{
  g_autofree char *begin = g_strdup_printf ("\n%s: ", name);
  g_autofree char *from = g_strconcat ("\n", text, NULL);
  const char *at = strstr (from, begin);

  if (at == NULL)
    return NULL;
  at += strlen (begin);
  return g_strndup (at, strcspn (at, " \n"));
}

typedef struct {
  const char *text;
  GString *more;
} Dangling;

/* What may hang from a pin of each domain, with nothing at its other end. */
static void
hang (const char *pin, gpointer data)
{
  static const char *const loose[][3] = {
    { "electrical", "Resistor R=7", "p" },         { "translational", "LinearSpring c=7", "a" },
    { "rotational", "RotationalSpring c=7", "a" }, { "thermal", "ThermalResistor R=7", "a" },
    { "hydraulic", "LaminarPipe G=7", "a" },       { "magnetic", "Reluctance R=7", "a" },
  };
  Dangling *self = data;
  g_autofree char *owner = dup_owner (pin), *type = dup_type (self->text, owner);
  const WeirBlockType *found = type != NULL ? weir_registry_find (type) : NULL;
  const WeirPartType *part = found != NULL ? found->part : NULL;

  for (guint i = 0; part != NULL && self->more->len == 0 && i < part->pins->len; i++)
    {
      const WeirPinSpec *spec = &g_array_index (part->pins, WeirPinSpec, i);

      for (guint k = 0; k < G_N_ELEMENTS (loose) && g_str_equal (spec->name, strchr (pin, '.') + 1);
           k++)
        if (g_str_equal (spec->domain->name, loose[k][0]))
          g_string_printf (self->more, "\nLoose: %s\nLoose.%s - %s", loose[k][1], loose[k][2], pin);
    }
}

/* With one part more, of which one pin is joined. (transfer full) */
static char *
dup_dangling (const char *text)
{
  g_autoptr (GString) more = g_string_new (NULL);

  visit_pins (text, hang, &(Dangling) { text, more });
  return g_strconcat (text, more->str, NULL);
}

typedef struct {
  GHashTable *parts; /* those that signals join stay where they are */
  GHashTable *pins;
} Nesting;

static void
note_pin (const char *pin, gpointer data)
{
  Nesting *self = data;

  g_hash_table_add (self->parts, dup_owner (pin));
  g_hash_table_add (self->pins, g_strdup (pin));
}

static gboolean
is_nested (const Nesting *self, const char *path)
{
  g_autofree char *owner = dup_owner (path);

  return g_hash_table_contains (self->parts, owner);
}

/* Each part in a subsystem of its own, within another. (transfer full) */
static char *
dup_nested (const char *text, const Nesting *self)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *nested = g_string_new (NULL);
  GHashTableIter iter;
  gpointer pin;

  for (char **line = lines; *line != NULL; line++)
    {
      const char *colon = strstr (*line, ": ");
      g_autofree char *name = colon != NULL ? g_strndup (*line, (gsize) (colon - *line)) : NULL;
      g_auto (GStrv) ends = g_strsplit (*line, " - ", -1);

      if (name != NULL && g_hash_table_contains (self->parts, name))
        g_string_append_printf (nested, "in_%s/deep/%s\n", name, *line);
      else if (name != NULL || strstr (*line, " > ") != NULL || strchr (*line, '/') != NULL)
        g_string_append_printf (nested, "%s\n", *line);
      for (char **end = ends; name == NULL && strstr (*line, " > ") == NULL
                              && strchr (*line, '/') == NULL && *end != NULL;
           end++)
        g_string_append_printf (nested, "%s%s%s%s", is_nested (self, *end) ? "in_" : "", *end,
                                **end != '\0' && end[1] != NULL ? " - " : "",
                                end[1] == NULL ? "\n" : "");
    }
  g_hash_table_iter_init (&iter, self->pins);
  while (g_hash_table_iter_next (&iter, &pin, NULL))
    {
      g_autofree char *owner = dup_owner (pin);
      const char *dot = strchr (pin, '.') + 1;

      if (g_hash_table_contains (self->parts, owner))
        g_string_append_printf (nested,
                                "in_%s/%s: Pin\nin_%s/deep/%s: Pin\nin_%s/%s.p - in_%s/deep.%s\n"
                                "in_%s/deep/%s.p - in_%s/deep/%s\n",
                                owner, dot, owner, dot, owner, dot, owner, dot, owner, dot, owner,
                                (const char *) pin);
    }
  return g_string_free (nested, FALSE);
}

static Nesting
find_nesting (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Nesting self = { g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                   g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };

  visit_pins (text, note_pin, &self);
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) ends = g_strsplit (*line, " > ", -1);

      for (char **end = ends; strstr (*line, " > ") != NULL && *end != NULL; end++)
        {
          g_autofree char *owner = dup_owner (*end);

          g_hash_table_remove (self.parts, owner);
        }
      for (guint i = 0; strchr (*line, '/') != NULL && i < 1; i++)
        {
          g_autofree char *box = g_strndup (*line, strcspn (*line, "/"));

          g_hash_table_remove (self.parts, box);
        }
    }
  return self;
}

/* Something that hangs loose, and two levels around each part, change no digit. */
static void
test_otherwise (gconstpointer data)
{
  const Row *row = data;
  Nesting nesting = find_nesting (row->text);
  g_autofree char *dangling = dup_dangling (row->text), *nested = dup_nested (row->text, &nesting);
  Row loose = *row, deep = *row;

  g_assert_true (g_hash_table_size (nesting.parts) > 0 || strchr (row->text, '/') != NULL);
  loose.text = dangling;
  deep.text = nested;
  for (Expected *expected = deep.expected; expected->path != NULL; expected++)
    {
      g_autofree char *owner = dup_owner (expected->path);
      g_autofree char *path = g_strdup_printf ("in_%s.deep.%s", owner, expected->path);

      if (g_hash_table_contains (nesting.parts, owner))
        expected->path = g_intern_string (path);
    }
  run_row (&loose, "auto", FALSE);
  run_row (&deep, "auto", FALSE);
  g_hash_table_unref (nesting.parts);
  g_hash_table_unref (nesting.pins);
}

/* --- Large ones --------------------------------------------------------------------------------
 */

/* A square grid of resistors of one ohm between two opposite corners of @n by @n nodes. (transfer
 * full) */
static char *
dup_grid (guint n)
{
  GString *text = g_string_new ("I: CurrentSource I=1\nG: Ground\n");

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j + 1 < n; j++)
      g_string_append_printf (text, "h%u_%u: Resistor R=1\nv%u_%u: Resistor R=1\n", i, j, j, i);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      {
        const char *sign = "";

        if (j + 1 < n)
          {
            g_string_append_printf (text, "%sh%u_%u.p", sign, i, j);
            sign = " - ";
          }
        if (j > 0)
          {
            g_string_append_printf (text, "%sh%u_%u.n", sign, i, j - 1);
            sign = " - ";
          }
        if (i + 1 < n)
          g_string_append_printf (text, "%sv%u_%u.p", sign, i, j);
        if (i > 0)
          g_string_append_printf (text, " - v%u_%u.n", i - 1, j);
        if (i == 0 && j == 0)
          g_string_append (text, " - I.n");
        if (i == n - 1 && j == n - 1)
          g_string_append (text, " - I.p - G.p");
        g_string_append_c (text, '\n');
      }
  return g_string_free (text, FALSE);
}

static char *
dup_mass_chain (void)
{
  GString *text = g_string_new ("M1: Mass v0=1\n");

  for (guint i = 2; i <= 100; i++)
    g_string_append_printf (text,
                            "M%u: Mass\nS%u: LinearSpring c=100\nM%u.b - S%u.a\nS%u.b - M%u.a\n", i,
                            i, i - 1, i, i, i);
  return g_string_free (text, FALSE);
}

/* With a cache and without, to the bit. */
static void
test_verified (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (WeirModel) model = net_to_model (row->text, FALSE);
  g_autoptr (WeirSystem) system = NULL;
  g_autofree char *problems = net_dup_problems (model, &system);
  g_autofree char *sentence = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  WeirVerifyResult result;
  guint last = 0;

  while (row->expected[last + 1].path != NULL)
    last++;
  weir_simulator_options_init (&options);
  weir_verify (system, &options, row->expected[last].time / 10, NULL, &result, &error);
  g_assert_no_error (error);
  sentence = weir_verify_result_to_string (&result);
  if (!result.identical)
    g_error ("%s", sentence);
  weir_verify_result_clear (&result);
}

/* A sensor, a gain and a source that stand in other subsystems than the rest of the network: their
 * signals are led through. */
static void
test_signals_through_levels (void)
{
  static const Row row = {
    "signals-through-levels",
    "V1: VoltageSource V=5\nG: Ground\nR1: Resistor R=10\n"
    "a/p: Pin\na/n: Pin\na/A: CurrentSensor\na/p.p - a/A.p\na/A.n - a/n.p\n"
    "a/y: Out\na/Gain: Gain gain=4\na/A.y > a/Gain.u\na/Gain.y > a/y.u\n"
    "b/p: Pin\nb/n: Pin\nb/u: In\nb/c/p: Pin\nb/c/n: Pin\nb/c/u: In\nb/c/E: SignalVoltage\n"
    "b/p.p - b/c.p\nb/c.n - b/n.p\nb/c/p.p - b/c/E.p\nb/c/E.n - b/c/n.p\nb/u.y > b/c.u\n"
    "b/c/u.y > b/c/E.u\n"
    "V1.p - a.p\na.n - R1.p\nR1.n - b.p\nb.n - V1.n - G.p\na.y > b.u",
    { { "R1.i", 0, 5. / 14, 1e-9 }, { "b.c.E.v", 0, 20. / 14, 1e-9 } }
  };

  run_row (&row, "auto", FALSE);
  run_row (&row, "auto", TRUE);
}

/* Charge flows over at 8e5 A: the first steps of low order are shorter than a double tells apart
 * at that time. */
static void
test_late_switch (void)
{
  static const Row row = {
    "late-switch",
    "C1: Capacitor C=1e-6 v0=8\nC2: Capacitor C=3e-6\nS1: IdealSwitch Goff=1e-12\n"
    "S: Step time=.1\nS.y > S1.u\nG: Ground\nC1.p - S1.p\nS1.n - C2.p\nC1.n - C2.n - G.p",
    { { "C1.v", .2, 2, 1e-6 }, { "C2.v", .2, 2, 1e-6 } }
  };
  static const char *const solvers[] = { "auto", "cvode-bdf", "ida", "arkode-dirk", "radau" };

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    run_row (&row, solvers[i], FALSE);
}

/* Sources bound the steps, however little a run is to be accurate: no period is passed over. The
 * value: scipy and ngspice. */
static void
test_loose (void)
{
  static const char *const solvers[] = { "auto", "cvode-bdf", "ida", "radau" };

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_autoptr (WeirModel) model = net_to_model (
          "V1: SineVoltage amplitude=12 frequency=60\nR1: Resistor R=.5\nD1: Diode Is=1e-9 Gp=0\n"
          "C1: Capacitor C=470e-6\nR2: Resistor R=220\nG: Ground\nV1.p - R1.p\nR1.n - D1.p\n"
          "D1.n - C1.p - R2.p\nC1.n - R2.n - V1.n - G.p",
          FALSE);
      g_autoptr (WeirSystem) system = NULL;
      g_autofree char *problems = net_dup_problems (model, &system);
      g_autoptr (WeirContext) context = NULL;
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (GError) error = NULL;
      WeirSimulatorOptions options;

      g_assert_nonnull (system);
      weir_simulator_options_init (&options);
      options.solver = solvers[i];
      options.relative_tolerance = 1e-3;
      context = weir_system_create_context (system);
      simulator = weir_simulator_new (system, context, &options, &error);
      g_assert_no_error (error);
      weir_simulator_advance_to (simulator, 50e-3, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (net_value (simulator, "C1.v"), 9.934364, 1e-2);
    }
}

/* A clutch that has been engaged is off the common speed by what the tolerance lets it be, and
 * jumps of the torque release it. What went in as angular momentum is in the bodies, or went
 * through the damper. */
static void
test_released (void)
{
  static const struct {
    guint seed;
    double tolerance;
  } cases[] = { { 399254, 1e-6 }, { 798937, 1e-4 }, { 138665, 1e-4 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "N: GaussianRandom mean=.68 seed=%u period=.46\nT: Torque\nN.y > T.u\nI: Integrator\n"
          "N.y > I.u\nJ1: Inertia J=.78\nK: Clutch T=.404\nJ2: Inertia J=1.83\n"
          "D: RotationalDamper d=.404\nF: RotationalFixed\nT.a - J1.a\nJ1.b - K.a\nK.b - J2.a\n"
          "J2.b - D.a\nD.b - F.a",
          cases[i].seed);
      g_autoptr (WeirModel) model = net_to_model (text, FALSE);
      g_autoptr (WeirSystem) system = NULL;
      g_autofree char *problems = net_dup_problems (model, &system);
      g_autoptr (WeirContext) context = NULL;
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (GError) error = NULL;
      WeirSimulatorOptions options;

      g_assert_nonnull (system);
      weir_simulator_options_init (&options);
      options.relative_tolerance = options.absolute_tolerance = cases[i].tolerance;
      context = weir_system_create_context (system);
      simulator = weir_simulator_new (system, context, &options, &error);
      g_assert_no_error (error);
      weir_simulator_advance_to (simulator, 10, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (.78 * net_value (simulator, "J1.w")
                                          + 1.83 * net_value (simulator, "J2.w")
                                          + .404 * net_value (simulator, "J2.a.phi"),
                                      net_value (simulator, "I.y"), 100 * cases[i].tolerance);
    }
}

/* The file says the same after it was read and written. */
static void
test_saved (void)
{
  g_autofree char *text = g_strdup_printf (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"4\">\n"
      "  <meta name=\"part\" of=\"Resistor\" value=\"%s R=1000\"/>\n  <diagram>\n"
      "    <block id=\"1\" type=\"Resistor\" name=\"R1\" x=\"0\" y=\"0\"/>\n"
      "    <block id=\"2\" type=\"Resistor\" name=\"R2\" x=\"0\" y=\"0\"/>\n"
      "    <line id=\"3\" from=\"1.p\" to=\"2.p\">\n      <bend x=\"1\" y=\"2\"/>\n    </line>\n"
      "    <line id=\"4\" from=\"1.n\" to-x=\"5\" to-y=\"6\" to-line=\"3\" label=\"node\"/>\n"
      "  </diagram>\n</weir>\n",
      weir_registry_find ("Resistor")->part->digest);
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_bytes (bytes, "test", diagnostics);
  g_autoptr (GBytes) written = NULL;
  g_autofree char *again = NULL;
  const WeirWire *line;

  g_assert_nonnull (model);
  line = weir_diagram_find_wire (weir_model_get_root (model), 4);
  g_assert_true (weir_wire_is_line (line));
  g_assert_cmpuint (weir_wire_get_to (line).line, ==, 3);
  written = weir_model_write_bytes (model);
  again = g_strndup (g_bytes_get_data (written, NULL), g_bytes_get_size (written));
  g_assert_cmpstr (again, ==, text);
}

/* A line is an edit of its own kind, and one that is deleted leaves those that joined it. */
static void
test_edited (void)
{
  g_autoptr (WeirModel) model = net_to_model ("R1: Resistor\nR2: Resistor\nR1.p - R2.p", FALSE);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  g_autoptr (WeirModel) joined = NULL;
  g_autoptr (WeirModel) parted = NULL;
  g_autoptr (WeirPatch) removal = weir_patch_new ();
  WeirWireEnd pin = { .block = 2, .port = "n" }, on_line = { .line = 4 };
  guint32 id = weir_model_get_next_id (model);
  g_autoptr (WeirWire) line = NULL;
  WeirAspects aspects;

  g_assert_nonnull (weir_model_find_wire (model, 4, NULL));
  line = weir_line_new (id, pin, on_line, NULL, 0);
  weir_patch_set_wire (patch, WEIR_PLACE_ROOT, line);
  joined = weir_model_apply (model, patch, &aspects, NULL);
  g_assert_nonnull (joined);
  g_assert_cmpuint (aspects, ==, WEIR_ASPECT_LINES | WEIR_ASPECT_LAYOUT);
  weir_patch_remove_wire (removal, WEIR_PLACE_ROOT, 4);
  parted = weir_model_apply (joined, removal, &aspects, NULL);
  g_assert_nonnull (parted);
}

/* What stands in a name of a block and in none of the equation language. */
static void
test_names (void)
{
  static const Row row = { "names",
                           "2 V-source (left): VoltageSource V=2\nWiderstand Ω²: Resistor R=4\n"
                           "G: Ground\n2 V-source (left).p - Widerstand Ω².p\n"
                           "2 V-source (left).n - Widerstand Ω².n - G.p",
                           { { "Widerstand Ω².i", 0, .5, 1e-12 },
                             { "2 V-source (left).v", 0, 2, 1e-12 } } };

  run_row (&row, "auto", FALSE);
}

/* What a value of a part depends on is asked for by its name. */
static void
test_explained (void)
{
  static const char *const names[] = { "R1.i", "R1.v", "R1.p.v", "R1.R", "C1.v", "V1.V" };
  g_autoptr (WeirModel)
      model = net_to_model ("V1: VoltageSource\nR1: Resistor\nC1: Capacitor C=1e-6\n"
                            "G: Ground\nV1.p - R1.p\nR1.n - C1.p\n"
                            "C1.n - V1.n - G.p",
                            FALSE);
  g_autoptr (WeirSystem) system = NULL;
  g_autofree char *problems = net_dup_problems (model, &system);
  g_autoptr (WeirExplainer) explainer = weir_explainer_new (weir_system_get_layout (system));
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) steps = NULL;
  g_autofree char *text = NULL;
  guint32 tracker;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      weir_explainer_find (explainer, names[i], &tracker, &error);
      g_assert_no_error (error);
    }
  weir_explainer_find (explainer, "R1.i", &tracker, &error);
  steps = weir_explain_upstream (explainer, tracker, NULL);
  text = weir_explain_to_text (explainer, steps);
  g_assert_nonnull (strstr (text, "R1.R"));
  g_assert_nonnull (strstr (text, "V1.V"));
}

/* What cannot be computed as a run goes on is told by the names of parts. */
static void
test_refused (void)
{
  static const struct {
    const char *text, *problem;
  } cases[] = {
    /* A contact without resistance holds the voltage, which the resistor cannot keep. */
    { "V1: VoltageSource\nR1: Resistor\nS1: IdealContact\nS: Step time=1\nS.y > S1.u\nG: Ground\n"
      "V1.p - S1.p\nS1.n - R1.p\nV1.n - R1.n - G.p",
      "in S1" },
    { "V1: VoltageSource\nL1: Inductor\nR1: VariableResistor\nS: Step time=1 before=1\n"
      "S.y > R1.R\nX: OpAmpFinite gain=1\nY: Resistor\nG: Ground\nV1.p - L1.p\nL1.n - R1.p\n"
      "V1.n - R1.n - G.p - X.inn - Y.n\nX.inp - R1.p\nX.out - Y.p",
      NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirModel) model = net_to_model (cases[i].text, FALSE);
      g_autoptr (WeirSystem) system = NULL;
      g_autofree char *problems = net_dup_problems (model, &system);
      g_autoptr (WeirContext) context = NULL;
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (GError) error = NULL;
      WeirSimulatorOptions options;

      g_assert_nonnull (system);
      weir_simulator_options_init (&options);
      context = weir_system_create_context (system);
      simulator = weir_simulator_new (system, context, &options, &error);
      if (error == NULL)
        weir_simulator_advance_to (simulator, 2, &error);
      if (cases[i].problem == NULL)
        g_assert_no_error (error);
      else if (error == NULL || strstr (error->message, cases[i].problem) == NULL
               || strstr (error->message, "line") != NULL)
        g_error ("%s", error != NULL ? error->message : "There is no error.");
    }
}

/* Where all diodes of a bridge block and let nothing through, what is between them is open: a
 * sentence that names them and says what helps. */
static void
test_undetermined (void)
{
  g_autoptr (WeirModel) model = net_to_model (
      "V1: SineVoltage amplitude=12 frequency=60\nRs: Resistor R=.5\nD1: Diode Is=1e-9 Gp=0\n"
      "D2: Diode Is=1e-9 Gp=0\nD3: Diode Is=1e-9 Gp=0\nD4: Diode Is=1e-9 Gp=0\n"
      "C1: Capacitor C=470e-6\nRL: Resistor R=220\nG: Ground\nV1.p - Rs.p\nRs.n - D1.p - D3.n\n"
      "V1.n - D2.p - D4.n\nD1.n - D2.n - C1.p - RL.p\nD3.p - D4.p - C1.n - RL.n - G.p",
      FALSE);
  g_autoptr (WeirSystem) system = NULL;
  g_autofree char *problems = net_dup_problems (model, &system);
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;

  g_assert_cmpstr (problems, ==, "");
  weir_simulator_options_init (&options);
  context = weir_system_create_context (system);
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  weir_simulator_advance_to (simulator, .05, &error);
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (
      strstr (error->message, "D1, D2, D3 and D4 leave something open at this moment"));
  weir_set_translator (shout);
  g_assert_nonnull (
      strstr (weir_error_say (error), "D1, D2, D3 AND D4 LEAVE SOMETHING OPEN AT THIS MOMENT"));
  weir_set_translator (NULL);
  g_assert_nonnull (strstr (error->message, "give one of them a small conductance (Gp of a diode"));
}

/* @n_tests: without a cache what is large takes its time (35 s): by hand, with "-m slow". */
static void
add_rows (const Row *added, guint n, guint n_tests)
{
  static const struct {
    const char *folder;
    GTestDataFunc func;
  } tests[] = { { "rows", test_row },
                { "otherwise", test_otherwise },
                { "verified", test_verified } };

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n_tests; k++)
      {
        g_autofree char *path = g_strdup_printf ("/network/%s/%s", tests[k].folder, added[i].name);

        g_test_add_data_func (path, &added[i], tests[k].func);
      }
}

int
main (int argc, char **argv)
{
  g_autofree char *small_grid = dup_grid (10), *grid = dup_grid (30), *chain = dup_mass_chain ();
  const Row large[] = {
    { "small-grid", small_grid, { { "I.v", 0, -3.011670, 1e-6 } } },
    { "chain-of-masses",
      chain,
      { { "M100.a.s", 12, .2147543, 1e-6 }, { "M1.a.s", 12, .09998067, 1e-6 } } },
    { "grid", grid, { { "I.v", 0, -4.408153, 1e-6 } } },
  };

  g_test_init (&argc, &argv, NULL);
  add_rows (rows, G_N_ELEMENTS (rows), 3);
  add_rows (large, 2, 3);
  add_rows (large + 2, 1, g_test_slow () ? 3 : 2);
  g_test_add_func ("/network/model/signals-through-levels", test_signals_through_levels);
  g_test_add_func ("/network/rows/late-switch", test_late_switch);
  g_test_add_func ("/network/rows/loose", test_loose);
  g_test_add_func ("/network/model/refused", test_refused);
  g_test_add_func ("/network/model/undetermined", test_undetermined);
  g_test_add_func ("/network/model/explained", test_explained);
  g_test_add_func ("/network/model/released", test_released);
  g_test_add_func ("/network/model/saved", test_saved);
  g_test_add_func ("/network/model/edited", test_edited);
  g_test_add_func ("/network/model/names", test_names);
  return g_test_run ();
}
