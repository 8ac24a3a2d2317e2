/* Networks that make no sense: each is refused with a sentence that names the parts, in the words
 * of who draws it.
 */
#include "networks.h"

#include "../shout.h"

typedef struct {
  const char *text;
  const char *problem; /* "CODE path: sentence", or how it begins */
} Wrong;

/* Of texts of equations with pins: each names its line, and nothing else is told. */
static const Wrong texts[] = {
  { "E: Equations equations=pin_p:_sound|p.v_~_0",
    "EQ01 E: Model: line 1: there is no domain 'sound'." },
  { "E: Equations equations=pin_p:_electrical|through_i:_p_->_q|i_~_0",
    "EQ01 E: Model: line 2: there is no pin 'q'." },
  { "E: Equations equations=pin_p:_electrical|pin_n:_electrical|p.v_~_0",
    "EQ01 E: Model: line 2: pin 'n' stands in no equation, and nothing says what flows there." },
  { "E: Equations equations=pin_p:_electrical|p.v_~_2*(", "EQ01 E: Model: line 2, column" },
  { "E: Equations equations=pin_p:_electrical|p.v_~_0|sample_0.1",
    "EQ09 E: Model: line 3: a block with pins has no 'sample'" },
  { "V: VoltageSource\nE: Equations "
    "equations=pin_p:_electrical|pin_n:_electrical|through_i:_p_->_n\n"
    "G: Ground\nV.p - E.p\nV.n - E.n - G.p",
    "EQ03 E: 1 equation too few" },
  { "E: Equations equations=pin_p:_electrical|reference_p|through_i:_p|i_~_0",
    "EQ01 E: Model: line 2: pin 'p' is the reference: what flows into it is what is left, so that "
    "no "
    "through may lead there." },
  { "V: VoltageSource\nR1: Resistor\nG: Ground\nC: HeatCapacity\nV.p - R1.p\nR1.n - V.n - G.p\n"
    "R1.heat - C.a",
    "LIN03 R1: R1 has no pin 'heat' with the options that it has: line" },
};

static const Wrong wrongs[] = {
  { "S: Sine\nV1: SignalVoltage\nC1: Capacitor\nG: Ground\nS.y > V1.u\nV1.p - C1.p\n"
    "V1.n - C1.n - G.p",
    "LIN07 C1: V1 sets the voltage of C1 by a signal, and how fast that changes is not known" },
  { "E: Equations equations=pin_p:_electrical|p.v_~_0\nC: HeatCapacity\nE.p - C.a",
    "LIN01 E: Pin 'p' is electrical, but it is joined with pin 'a' of C, which is thermal" },
  { "V1: VoltageSource\nR1: Resistor\nC2: Capacitor\nV1.p - R1.p\nR1.n - C2.p\nC2.n - V1.n",
    "LIN04 C2: C2, R1 and V1 have no electrical reference: connect a Ground." },
  { "V1: VoltageSource V=5\nV2: VoltageSource V=3\nK: IdealContact\nS: Constant\nS.y > K.u\n"
    "G: Ground\nV1.p - K.p\nK.n - V2.p\nV1.n - V2.n - G.p",
    "LIN05 K: K cannot close: the voltage between its pins is set already, by V1 and V2; put "
    "something else between them." },
  { "V1: VoltageSource\nK: IdealContact\nS: Constant\nS.y > K.u\nG: Ground\nV1.p - K.p\n"
    "V1.n - K.n - G.p",
    "LIN05 K: K cannot close: the voltage between its pins is set already, by V1; put" },
  { "K: Coupling\nA: RotationalPosition\nF: RotationalFixed\nS: Constant\nS.y > K.u\nS.y > A.u\n"
    "A.a - K.a\nK.b - F.a",
    "LIN05 K: K cannot close: the angle between its pins is set already, by A; put" },
  { "K: IdealContact\nS: Constant\nS.y > K.u\nG: Ground\nH: Ground\nG.p - K.p\nK.n - H.p",
    "LIN05 K: Both pins of K are joined: what flows through it is not determined" },
  { "R1: Resistor", "LIN04 R1: R1 have no electrical reference" },
  { "V1: VoltageSource\nR1: Resistor\nG: Ground\nT: IdealTransformer\nR2: Resistor\n"
    "V1.p - R1.p - T.p1\nV1.n - R1.n - T.n1 - G.p\nT.p2 - R2.p\nT.n2 - R2.n",
    "LIN04 R2: R2 and T have no electrical reference: connect a Ground." },
  { "a: MagneticPath\nb: Reluctance\na.a - b.a\na.b - b.b",
    "LIN04 a: a and b have no magnetic reference: connect a Magnetic Reference." },
  { "P: LaminarPipe\nO: Orifice\nP.b - O.a", "LIN04 O: O and P have no hydraulic reference" },
  { "S: RotationalSpring\nD: RotationalDamper\nS.b - D.a",
    "LIN04 D: D and S have no rotational reference: connect a Rotational Fixed or an Inertia." },
  { "S: LinearSpring\nF: ConstantForce\nF.a - S.a", "LIN04 S: S have no translational reference" },
  { "G1: ThermalConductor\nG2: ThermalConductor\nG1.b - G2.a",
    "LIN04 G1: G1 and G2 have no thermal reference: connect a Heat Capacity or a Fixed "
    "Temperature." },
  { "V1: VoltageSource\nV2: VoltageSource V=2\nG: Ground\nV1.p - V2.p\nV1.n - V2.n - G.p",
    "LIN05 V1: V1 and V2 are in parallel: both set that voltage" },
  { "V1: VoltageSource\nG: Ground\nV1.p - V1.n - G.p", "LIN05 V1: V1 is short-circuited" },
  { "V1: VoltageSource\nG: Ground\nH: Ground\nV1.p - G.p\nV1.n - H.p",
    "LIN05 V1: V1 is short-circuited" },
  { "V1: VoltageSource\nA: CurrentSensor\nG: Ground\nV1.p - A.p\nA.n - V1.n - G.p",
    "LIN05 A: A and V1 are in parallel" },
  { "V1: VoltageSource\nV2: VoltageSource\nV3: VoltageSource\nG: Ground\nV1.p - V2.n\nV2.p - V3.p\n"
    "V3.n - V1.n - G.p",
    "LIN05 V1: V1, V2 and V3 close a loop in which all of them set the voltage" },
  { "V1: SignalVoltage\nU: Constant\nU.y > V1.u\nV2: SineVoltage\nG: Ground\nV1.p - V2.p\n"
    "V1.n - V2.n - G.p",
    "LIN05 V1: V1 and V2 are in parallel" },
  { "A: CurrentSensor\nB: CurrentSensor\nR: Resistor\nG: Ground\nR.n - A.p - B.p\nA.n - B.n - G.p",
    "LIN05 A: A and B lie side by side without any resistance" },
  { "A: CurrentSensor\nG: Ground\nA.p - A.n - G.p", "LIN05 A: Both pins of A are joined" },
  { "E: VoltageControlledVoltage\nV: VoltageSource\nG: Ground\nR: Resistor\n"
    "E.p1 - R.p\nR.n - E.n1 - G.p\nE.p2 - V.p\nE.n2 - V.n - G.p",
    "LIN05 E: E and V are in parallel" },
  { "A: OpAmpFinite\nV: VoltageSource\nG: Ground\nA.inp - G.p\nA.inn - G.p\nA.out - V.p\nV.n - G.p",
    "LIN05 A: A and V are in parallel" },
  { "T1: FixedTemperature\nT2: FixedTemperature\nC: HeatCapacity\nT1.a - T2.a - C.a",
    "LIN05 T1: T1 and T2 are in parallel: both set that temperature" },
  { "A1: RotationalAngle\nA2: RotationalAngle\nU: Constant\nU.y > A1.u\nU.y > A2.u\nJ: Inertia\n"
    "A1.a - J.a\nA2.a - J.b",
    "LIN05 A1: A1, A2 and J close a loop in which all of them set the angle" },
  { "A1: RotationalPosition\nF: RotationalFixed\nU: Constant\nU.y > A1.u\nA1.a - F.a",
    "LIN05 A1: A1 is short-circuited" },
  { "P: PressureSource\nR: HydraulicReference\nP.a - P.b - R.a", "LIN05 P: P is short-circuited" },
  { "P1: LinearPlace\nP2: LinearPlace\nU: Constant\nU.y > P1.u\nU.y > P2.u\nP1.a - P2.a",
    "LIN05 P1: P1 and P2 are in parallel: both set that position" },
  { "I1: CurrentSource\nI2: CurrentSource\nR: Resistor\nG: Ground\nI1.n - I2.p\nI2.n - R.p\n"
    "R.n - I1.p - G.p",
    "LIN06 I1: The current of I1 and I2 has no way on: they are in series" },
  { "I1: CurrentSource\nR: Resistor\nG: Ground\nI1.p - R.p\nR.n - G.p",
    "LIN06 I1: The current of I1 has no way on: join its other pin." },
  { "I1: CurrentSource\nM: VoltageSensor\nG: Ground\nI1.n - M.p\nI1.p - M.n - G.p",
    "LIN06 I1: The current of I1 and M has no way on" },
  { "M: VoltageSensor\nR: Resistor\nG: Ground\nM.p - R.p\nR.n - G.p",
    "LIN06 M: Nothing sets the voltage at a pin of M" },
  { "M1: VoltageSensor\nM2: VoltageSensor\nR: Resistor\nG: Ground\nM1.n - M2.p\nM1.p - R.p\n"
    "M2.n - R.n - G.p",
    "LIN06 M1: Nothing sets the voltage at a pin of M1 and M2" },
  { "P: PotentialSensor", "LIN06 P: Nothing sets the voltage at a pin of P" },
  { "F: VoltageControlledCurrent\nR: Resistor\nV: VoltageSource\nG: Ground\nV.p - F.p1\n"
    "V.n - F.n1 - G.p - R.n\nF.p2 - R.p",
    "LIN06 F: The current of F has no way on" },
  { "T: ConstantTorque", "LIN06 T: The torque of T acts on nothing that has mass" },
  { "F: ConstantForce\nG: ConstantForce\nF.a - G.a",
    "LIN06 F: The force of F and G acts on nothing that has mass" },
  { "Q: FixedHeatFlow", "LIN06 Q: The heat flow of Q has no way on" },
  { "Q: FixedHeatFlow\nS: TemperatureSensor\nQ.a - S.a", "LIN06 Q: The heat flow of Q and S" },
  { "S: TemperatureSensor", "LIN06 S: Nothing sets the temperature at a pin of S" },
  { "S: RotationalSpeedSensor\nJ: Inertia\nS.a - J.a",
    "LIN06 S: Nothing sets the angle at a pin of S" },
  { "C1: Capacitor v0=5\nC2: Capacitor v0=3\nR: Resistor\nG: Ground\nC1.p - C2.p - R.p\n"
    "C1.n - C2.n - R.n - G.p",
    "LIN07 C1: C1 and C2 depend on each other, but start at 5 V, 3 V" },
  { "C1: HeatCapacity T0=300\nC2: HeatCapacity T0=310\nC1.a - C2.a",
    "LIN07 C1: C1 and C2 depend on each other, but start at 300 K, 310 K" },
  /* One fluid for what it fills; beyond a cylinder may be another. */
  { "T: Tank\nO: Orifice rho=850\nR: HydraulicReference\nT.a - O.a\nO.b - R.a",
    "LIN09 T: O and T carry the same fluid, but 'rho' is 850 and 1000 kg/m^3; one network has one "
    "fluid: give both the same." },
  { "T: Tank\nP: LaminarPipe\nQ: FlowSource\nS: Tank rho=900\nT.a - P.a\nP.b - Q.a\nQ.b - S.a",
    "LIN09 T: S and T carry the same fluid, but 'rho' is 900 and 1000" },
  { "T: Tank\nE: Equations equations=pin_a:_hydraulic|pin_b:_hydraulic|through_q:_a_->_b|"
    "constant_rho_=_900|carries_a_rho|q_~_1e-9*(a.p_-_b.p)\nS: Tank\nT.a - E.a\nE.b - S.a",
    "LIN09 S: E and S carry the same fluid, but 'rho' is 900 and 1000" },
  { "R: Resistor\nJ: Inertia\nG: Ground\nR.p - J.a\nR.n - G.p",
    "LIN01 R: Pin 'p' is electrical, but it is joined with pin 'a' of J, which is rotational" },
  /* A pin of a subsystem insists on its domain, also on one of the users'. */
  { "V: VoltageSource\nG: Ground\na/p: Pin domain=thermal\na/n: Pin\na/R: Resistor\n"
    "a/p.p - a/R.p\na/R.n - a/n.p\nV.p - a.p\na.n - V.n - G.p",
    "LIN01 a.p: This pin is thermal, but it is joined with pin 'p' of V, which is electrical; "
    "lines "
    "join pins of one kind." },
  { "V: VoltageSource\nG: Ground\na/p: Pin domain=declared "
    "declaration=acoustic:_p_\"Pa\",_q_\"m^3/s\"\na/n: Pin\na/R: Resistor\n"
    "a/p.p - a/R.p\na/R.n - a/n.p\nV.p - a.p\na.n - V.n - G.p",
    "LIN01 a.p: This pin is acoustic, but it is joined with pin 'p' of V, which is electrical" },
  { "V: VoltageSource\nG: Ground\na/p: Pin domain=declared declaration=acoustic\na/n: Pin\n"
    "a/R: Resistor\na/p.p - a/R.p\na/R.n - a/n.p\nV.p - a.p\na.n - V.n - G.p",
    "LIN08 a.p: The pin's domain is not declared: it is written 'acoustic: p \"Pa\", q \"m^3/s\"', "
    "its name, its potential and its flow, each with its unit; 'acoustic' was found." },
  { "C: HeatCapacity\nR: Resistor\nG: Ground\nC.a - R.p\nR.n - G.p",
    "LIN01 R: Pin 'p' is electrical, but it is joined with pin 'a' of C, which is thermal" },
  { "R: Resistor\nG: Ground\nR.p - G.p\nR.x - G.p", "LIN02 R: There is no pin 'x' for line" },
  { "V: SignalVoltage\nR: Resistor\nG: Ground\nV.p - R.p\nV.n - R.n - G.p",
    "NET02 V: Input 'u' is not connected" },
};

static const char *const inner_words[] = { "alias",    "matri",  "singular", "rank",  "Jacobian",
                                           "equation", "Model:", "unknown",  "index", "guess" };

static void
test_wrong (gconstpointer data)
{
  const Wrong *wrong = data;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WeirModel) model = net_to_model (wrong->text, i == 1);
      g_autoptr (WeirSystem) system = NULL;
      g_autofree char *problems = net_dup_problems (model, &system);

      if (strstr (problems, wrong->problem) == NULL)
        g_error ("expected %s\nfound %s", wrong->problem, problems);
      g_assert_null (system);
      for (guint k = 0; k < G_N_ELEMENTS (inner_words); k++)
        if (strstr (problems, inner_words[k]) != NULL)
          g_error ("people who draw know nothing of '%s': %s", inner_words[k], problems);
    }
}

/* What is unusual, but right. */
static void
test_right (void)
{
  static const char *const rights[] = {
    "R1: Resistor\nG: Ground\nR1.p - G.p", /* a pin that is left open */
    "R1: Resistor\nG: Ground\nH: Ground\nR1.p - G.p\nR1.n - H.p - G.p", /* grounds joined */
    "V: VoltageSource\nC: Capacitor\nG: Ground\nV.p - C.p\nV.n - C.n - G.p",
    "C: Capacitor v0=1\nD: Capacitor v0=1\nR: Resistor\nG: Ground\nC.p - D.p - R.p\n"
    "C.n - D.n - R.n - G.p",
    "M: VoltageSensor\nV: VoltageSource\nG: Ground\nV.p - M.p\nV.n - M.n - G.p",
    "V: VoltageSource\nK: IdealContact\nS: Constant\nS.y > K.u\nC: Capacitor\nG: Ground\n"
    "V.p - K.p\nK.n - C.p\nC.n - V.n - G.p", /* a source charges at once */
    "J: Inertia",
    "G: Ground",
    "T: Tank\nC: Cylinder\nD: Cylinder\nS: Tank rho=850\nF: LinearFixed\nm: Mass\nT.a - C.a\n"
    "D.a - S.a\nC.rod - D.rod - m.a\nC.case - D.case - F.a", /* two fluids, two circuits */
    "T: Tank rho=850\nO: Orifice rho=850\nT.a - O.a",        /* an orifice that is left open */
  };

  for (guint i = 0; i < G_N_ELEMENTS (rights); i++)
    {
      g_autoptr (WeirModel) model = net_to_model (rights[i], FALSE);
      g_autoptr (WeirSystem) system = NULL;
      g_autofree char *problems = net_dup_problems (model, &system);

      if (system == NULL)
        g_error ("%s\n%s", rights[i], problems);
    }
}

/* A catalogue of what two sentences say and put in. */
static const char *
to_german (const char *one, const char *many, gulong n)
{
  static const char *const catalogue[][2] = {
    { "%s have no %s reference: %s.", "%s haben keinen Bezug (%s): %s." },
    { "electrical", "elektrisch" },
    { "connect a Ground", "Verbinden Sie eine Masse" },
    { "%s are in parallel: both set that %s; put something between them or take one away.",
      "%s sind parallel (%s)." },
    { "voltage", "Spannung" },
    { "%s and %s", "%s und %s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (catalogue); i++)
    if (g_str_equal (one, catalogue[i][0]))
      return catalogue[i][1];
  return many == NULL || n == 1 ? one : many;
}

static char *
translate_first (const char *text)
{
  g_autoptr (WeirModel) model = net_to_model (text, FALSE);
  g_autoptr (WeirDiagnostics) found = weir_diagnostics_new ();
  WeirSystem *system = weir_model_complete (model, found);

  g_clear_pointer (&system, weir_system_unref);
  g_assert_cmpuint (weir_diagnostics_get_size (found), >, 0);
  return weir_message_translate (weir_diagnostics_get (found, 0)->message);
}

/* What a sentence puts in is translated with it. */
static void
test_translated (void)
{
  g_autofree char *island = NULL;
  g_autofree char *loop = NULL;
  g_autofree char *few = NULL;

  weir_set_translator (to_german);
  island = translate_first ("V1: VoltageSource\nR1: Resistor\nC2: Capacitor\nV1.p - R1.p\n"
                            "R1.n - C2.p\nC2.n - V1.n");
  loop = translate_first ("V1: VoltageSource\nV2: VoltageSource V=2\nG: Ground\nV1.p - V2.p\n"
                          "V1.n - V2.n - G.p");
  weir_set_translator (NULL);
  g_assert_cmpstr (island, ==,
                   "C2, R1 und V1 haben keinen Bezug (elektrisch): Verbinden Sie eine Masse.");
  g_assert_cmpstr (loop, ==, "V1 und V2 sind parallel (Spannung).");
  weir_set_translator (shout); /* of equations: their lines are of parts there, too */
  few = translate_first ("V: VoltageSource\nE: Equations "
                         "equations=pin_p:_electrical|pin_n:_electrical|through_i:_p_->_n\n"
                         "G: Ground\nV.p - E.p\nV.n - E.n - G.p");
  weir_set_translator (NULL);
  g_assert_cmpstr (few, ==,
                   "1 EQUATION TOO FEW (4 FOR 5 UNKNOWNS): E.i, G.p.i AND V.i ARE NOT DETERMINED.");
}

static void
test_text (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autoptr (WeirModel) model = net_to_model (wrong->text, FALSE);
  g_autofree char *problems = net_dup_problems (model, NULL);

  if (!g_str_has_prefix (problems, wrong->problem))
    g_error ("%s\nshould be\n%s", problems, wrong->problem);
  g_assert_true (strchr (problems, '\n') == problems + strlen (problems) - 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/network/wrong/%u", i + 1);

      g_test_add_data_func (path, &wrongs[i], test_wrong);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = g_strdup_printf ("/network/wrong/text/%u", i + 1);

      g_test_add_data_func (path, &texts[i], test_text);
    }
  g_test_add_func ("/network/wrong/right", test_right);
  g_test_add_func ("/network/wrong/translated", test_translated);
  return g_test_run ();
}
