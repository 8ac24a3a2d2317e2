/* Circuits by pointer: from an empty canvas to a plot, each line drawn from a pin. */
#include "driver.h"

static WeirPoint
on_canvas (WeirEditor *editor, double x, double y)
{
  WeirPoint pixel = weir_viewport_to_pixel (&editor->canvas->viewport, (WeirPoint) { x, y });

  return on_screen (GTK_WIDGET (editor->canvas), pixel.x, pixel.y);
}

/* Where a pin is, and a point some way from it. */
static WeirPoint
pin_at (WeirEditor *editor, const char *block, const char *pin, double dx, double dy)
{
  const WeirBlockShape *shape = weir_scene_find_block (
      editor->canvas->scene, weir_block_get_id (find_block (editor, block)));
  const WeirPortShape *port = weir_block_shape_find_port (shape, pin, FALSE);

  g_assert_nonnull (port);
  return on_canvas (editor, port->position.x + dx, port->position.y + dy);
}

static gboolean
is_popover (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_row_of (GtkWidget *widget, gconstpointer title)
{
  return GTK_IS_LIST_BOX_ROW (widget) && gtk_widget_get_mapped (widget)
         && find_label (widget, title) != NULL;
}

/* A popover has a surface of its own. */
static WeirPoint
in_popover (GtkWidget *popover, GtkWidget *widget)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (popover));
  WeirPoint point = middle_of (widget);

  return (WeirPoint) { point.x + gdk_popup_get_position_x (GDK_POPUP (surface)),
                       point.y + gdk_popup_get_position_y (GDK_POPUP (surface)) };
}

static gboolean
has_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static gboolean
is_run_button (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), "win.run") == 0;
}

static guint n_actions;

static void
act (WeirPoint from, WeirPoint to)
{
  drag (from, to);
  n_actions++;
}

/* From a pin to where nothing is, and what is offered there. */
static void
act_and_choose (WeirEditor *editor, WeirPoint from, WeirPoint to, const char *title,
                const char *name)
{
  GtkWidget *popover, *row = NULL;

  act (from, to);
  wait_for ((popover = find_widget (toplevel_of (editor), is_popover, NULL)) != NULL);
  wait_for ((row = find_widget (popover, is_row_of, title)) != NULL);
  click_at (in_popover (popover, row));
  n_actions++;
  wait_for (weir_diagram_find_block_by_name (root_diagram (editor), name) != NULL);
  wait_for (find_widget (toplevel_of (editor), is_popover, NULL) == NULL);
}

static const char *
value_at (WeirEditor *editor, const char *block, const char *pin)
{
  const WeirWireShape *line = weir_scene_find_line_at (
      editor->canvas->scene, weir_block_get_id (find_block (editor, block)), pin);

  return g_hash_table_lookup (weir_canvas_get_values (editor->canvas),
                              GUINT_TO_POINTER (weir_wire_get_id (line->wire)));
}

static const WeirPinFlow *
find_flow (const WeirPartFlows *flows, guint32 block, const char *pin)
{
  for (guint i = 0; i < flows->flows->len; i++)
    {
      const WeirPinFlow *flow = &g_array_index (flows->flows, WeirPinFlow, i);

      if (flow->block == block && g_str_equal (flow->pin, pin))
        return flow;
    }
  g_error ("there is no flow at %s of %u", pin, block);
}

static int
direction_at (const WeirPartFlows *flows, guint32 block, const char *pin)
{
  return find_flow (flows, block, pin)->direction;
}

static const char *
flow_at (const WeirPartFlows *flows, guint32 block, const char *pin)
{
  return find_flow (flows, block, pin)->text;
}

static double
power_of (WeirEditor *editor, const char *block)
{
  const double *share = g_hash_table_lookup (
      weir_canvas_get_flows (editor->canvas)->powers,
      GUINT_TO_POINTER (weir_block_get_id (find_block (editor, block))));

  g_assert_nonnull (share);
  return *share;
}

/* A voltage source, a resistor, a capacitor and a plot of what it is charged to: eleven times the
 * pointer does something. */
static void
test_circuit (void)
{
  WeirEditor *editor = editor_open ();
  GtkWidget *popover, *item;

  n_actions = 0;
  drag_from_palette (editor, "Voltage Source", 100, 170);
  n_actions++;
  act_and_choose (editor, pin_at (editor, "V1", "p", 0, 0), pin_at (editor, "V1", "p", 60, -40),
                  "Resistor", "R1");
  picture ("r1-resistor");
  act_and_choose (editor, pin_at (editor, "R1", "n", 0, 0), pin_at (editor, "R1", "n", 30, 50),
                  "Capacitor", "C1");
  act (pin_at (editor, "C1", "n", 0, 0), pin_at (editor, "V1", "n", 0, 0));
  act_and_choose (editor, pin_at (editor, "V1", "n", 0, 0), pin_at (editor, "V1", "n", 0, 60),
                  "Ground", "Ground");
  picture ("r2-circuit");
  picture_dark ("r2-circuit-dark");
  /* What lies across the capacitor. */
  click_button_at (3, block_on_screen (editor, "C1"));
  n_actions++;
  wait_for ((popover = find_widget (toplevel_of (editor), is_popover, NULL)) != NULL);
  wait_for ((item = find_widget (popover, has_text, "Plot Signal C1.v")) != NULL);
  picture ("r3-menu");
  click_at (in_popover (popover, item));
  n_actions++;
  wait_for (find_widget (toplevel_of (editor), is_popover, NULL) == NULL);
  click (find_widget (toplevel_of (editor), is_run_button, NULL));
  n_actions++;
  wait_for (run_is_over (editor));
  /* What was said of the next run is over with it. */
  wait_for (find_widget (toplevel_of (editor), has_text, "in the next run") == NULL);
  picture ("r4-plot");
  picture_dark ("r4-plot-dark");
  g_assert_cmpuint (n_actions, <, 12);

  /* The potential of each node but the Ground's, which is zero, once. */
  click_canvas (editor);
  key ("v");
  wait_for (weir_canvas_get_values (editor->canvas) != NULL);
  wait_for (g_hash_table_size (weir_canvas_get_values (editor->canvas)) == 2);
  g_assert_cmpstr (value_at (editor, "V1", "p"), ==, "1 V");
  g_assert_cmpstr (value_at (editor, "C1", "p"), ==, "1 V");
  /* What flows into the resistor flows out of the source, which gives the greatest power. */
  {
    const WeirPartFlows *flows = weir_canvas_get_flows (editor->canvas);

    g_assert_cmpint (direction_at (flows, weir_block_get_id (find_block (editor, "R1")), "p"), ==,
                     1);
    g_assert_cmpint (direction_at (flows, weir_block_get_id (find_block (editor, "V1")), "p"), ==,
                     -1);
    g_assert_cmpfloat (power_of (editor, "V1"), ==, -1);
    g_assert_cmpfloat_with_epsilon (power_of (editor, "C1"), 1, 1e-3);
  }
  picture ("r9-values");
  picture_dark ("r9-values-dark");
  editor_close (editor);
}

/* A text of equations that declares pins is a part like any: it has them at once, a line joins
 * them, a slider its parameter, and it runs. */
static void
test_equations (void)
{
  WeirEditor *editor = editor_open ();

  drag_from_palette (editor, "Voltage Source", 100, 170);
  drag_from_palette (editor, "Equations", 260, 120);
  set_parameter (editor, "Equations", "equations",
                 "pin p: electrical\npin n: electrical\nparameter R = 4 \"ohm\"\n"
                 "through i: p -> n\nacross v: p - n\nv ~ R*i");
  drag_from_palette (editor, "Ground", 180, 290);
  act (pin_at (editor, "V1", "p", 0, 0), pin_at (editor, "Equations", "p", 0, 0));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 1);
  act (pin_at (editor, "V1", "n", 0, 0), pin_at (editor, "Equations", "n", 0, 0));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 2);
  act (pin_at (editor, "V1", "n", 0, 0), pin_at (editor, "Ground", "p", 0, 0));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 3);
  click_at (block_on_screen (editor, "Equations"));
  picture ("r10-equations");
  click (find_widget (toplevel_of (editor), is_run_button, NULL));
  wait_for (run_is_over (editor));
  click_canvas (editor);
  key ("v");
  wait_for (weir_canvas_get_flows (editor->canvas) != NULL);
  g_assert_cmpstr (flow_at (weir_canvas_get_flows (editor->canvas),
                            weir_block_get_id (find_block (editor, "Equations")), "p"),
                   ==, "0.25 A");
  click_at (block_on_screen (editor, "Equations"));
  picture ("r11-equations-values");
  picture_dark ("r11-equations-values-dark");
  editor_close (editor);
}

/* 2 N m on 4 kg m2, 5 W into a heat capacity, 1 N on 4 kg, 1 V on a coil of one turn around 0.4
 * A/Wb: after 10 s these make 5 rad/s, 5 W, 2.5 m/s and 10 Wb, so that the powers are 10, 5, 2.5
 * and 4 W. */
static const char powers[] =
    "<weir version=\"4\"><diagram>"
    "<block id=\"1\" type=\"ConstantTorque\" name=\"T1\" x=\"80\" y=\"60\">"
    "<parameter name=\"tau0\" value=\"2\"/></block>"
    "<block id=\"2\" type=\"Inertia\" name=\"J1\" x=\"220\" y=\"60\">"
    "<parameter name=\"J\" value=\"4\"/></block>"
    "<block id=\"3\" type=\"FixedHeatFlow\" name=\"Q1\" x=\"80\" y=\"160\">"
    "<parameter name=\"Q0\" value=\"5\"/></block>"
    "<block id=\"4\" type=\"HeatCapacity\" name=\"C1\" x=\"220\" y=\"140\"/>"
    "<block id=\"5\" type=\"ConstantForce\" name=\"F1\" x=\"80\" y=\"260\">"
    "<parameter name=\"f0\" value=\"1\"/></block>"
    "<block id=\"6\" type=\"Mass\" name=\"m1\" x=\"220\" y=\"260\">"
    "<parameter name=\"m\" value=\"4\"/></block>"
    "<block id=\"7\" type=\"VoltageSource\" name=\"V1\" x=\"380\" y=\"100\">"
    "<parameter name=\"V\" value=\"1\"/></block>"
    "<block id=\"8\" type=\"Coil\" name=\"L1\" x=\"480\" y=\"100\">"
    "<parameter name=\"N\" value=\"1\"/></block>"
    "<block id=\"9\" type=\"Reluctance\" name=\"R1\" x=\"600\" y=\"60\">"
    "<parameter name=\"R\" value=\"0.4\"/></block>"
    "<block id=\"10\" type=\"Ground\" name=\"G1\" x=\"380\" y=\"220\"/>"
    "<block id=\"11\" type=\"MagneticReference\" name=\"G2\" x=\"600\" y=\"220\"/>"
    "<line id=\"20\" from=\"1.a\" to=\"2.a\"/><line id=\"21\" from=\"3.a\" to=\"4.a\"/>"
    "<line id=\"22\" from=\"5.a\" to=\"6.a\"/><line id=\"23\" from=\"7.p\" to=\"8.p\"/>"
    "<line id=\"24\" from=\"7.n\" to=\"8.n\"/><line id=\"25\" from=\"8.a\" to=\"9.a\"/>"
    "<line id=\"26\" from=\"8.b\" to=\"9.b\"/><line id=\"27\" from=\"7.n\" to=\"10.p\"/>"
    "<line id=\"28\" from=\"8.b\" to=\"11.a\"/></diagram></weir>";

/* The power that parts take up, in every domain. */
static void
test_powers (void)
{
  static const struct {
    const char *name;
    double share;
  } expected[] = { { "T1", -1 },   { "J1", 1 },    { "Q1", -0.5 }, { "C1", 0.5 }, { "F1", -0.25 },
                   { "m1", 0.25 }, { "V1", -0.4 }, { "R1", 0.4 },  { "L1", 0 } };
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "powers.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  WeirEditor *editor = editor_open ();

  g_mkdir_with_parents (g_get_user_cache_dir (), 0700);
  g_assert_true (g_file_set_contents (path, powers, -1, NULL));
  g_assert_true (weir_editor_open (editor, file));
  wait_for_opening (editor);
  click (find_widget (toplevel_of (editor), is_run_button, NULL));
  wait_for (run_is_over (editor));
  click_canvas (editor);
  key ("v");
  wait_for (weir_canvas_get_flows (editor->canvas) != NULL);
  picture ("r12-powers");
  picture_dark ("r12-powers-dark");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpfloat_with_epsilon (power_of (editor, expected[i].name), expected[i].share, 1e-4);
  editor_close (editor);
  g_unlink (path);
}

/* While a line is drawn what it may end at is shown; what it may not, and why. */
static void
test_drawing (void)
{
  WeirEditor *editor = editor_open ();

  drag_from_palette (editor, "Resistor", 100, 100);
  drag_from_palette (editor, "Capacitor", 260, 100);
  drag_from_palette (editor, "Mass", 260, 220);
  act (pin_at (editor, "R1", "n", 0, 0), pin_at (editor, "C1", "p", 0, 0));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 1);
  g_assert_cmpstr (weir_document_get_undo_label (editor->document), ==, "Connect R1 to C1");

  point_at (pin_at (editor, "R1", "p", 0, 0));
  press_button (1, TRUE);
  point_at (pin_at (editor, "R1", "p", 20, 60));
  point_at (pin_at (editor, "m1", "a", -40, -40));
  picture ("r5-candidates");
  point_at (pin_at (editor, "m1", "a", 0, 0));
  wait_for (weir_tool_get_refusal (editor->canvas->tool) != NULL);
  picture ("r6-refused");
  picture_dark ("r6-refused-dark");
  press_button (1, FALSE);
  g_assert_cmpuint (weir_diagram_get_n_wires (root_diagram (editor)), ==, 1);

  /* On the line: a node. */
  drag_from_palette (editor, "Ground", 180, 250);
  act (pin_at (editor, "Ground", "p", 0, 0), pin_at (editor, "R1", "n", 20, 0));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 2);
  picture ("r7-node");

  /* From the palette onto a line: in series; where it goes the line is whole. */
  drag_from_palette (editor, "Inductor", 180, 100);
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 3);
  picture ("r8-series");
  click_at (block_on_screen (editor, "L1"));
  key ("Delete");
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 2);
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/lines/circuit", test_circuit);
  g_test_add_func ("/window/lines/equations", test_equations);
  g_test_add_func ("/window/lines/powers", test_powers);
  g_test_add_func ("/window/lines/drawing", test_drawing);
  return driver_main ();
}
