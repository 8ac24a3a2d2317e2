/* The units and types of an FMU's variables. See generate-private.h.
 *
 * A type is a quantity in a unit. States are in what outputs are in that show them.
 */
#include "generate/generate-private.h"

#include "equations/expressions/unit.h"

/* What the standard's tools know variables of such a unit as. */
static const struct {
  const char *unit, *quantity;
} quantities[] = {
  { "rad", "Angle" },
  { "rad/s", "AngularVelocity" },
  { "rad/s^2", "AngularAcceleration" },
  { "m", "Length" },
  { "m/s", "Velocity" },
  { "m/s^2", "Acceleration" },
  { "kg", "Mass" },
  { "s", "Time" },
  { "N", "Force" },
  { "N*m", "Torque" },
  { "J", "Energy" },
  { "W", "Power" },
  { "Pa", "Pressure" },
  { "K", "Temperature" },
  { "kg*m^2", "Inertia" },
  { "V", "ElectricPotential" },
  { "A", "ElectricCurrent" },
  { "Ohm", "Resistance" },
  { "F", "Capacitance" },
  { "H", "Inductance" },
  { "m^3/s", "VolumeFlow" },
  { "m^3", "Volume" },
  { "m^2", "Area" },
};

/* NULL: it has none. Units that are written otherwise are the same, but for those that only their
 * text tells apart, as N*m and J, or rad/s and 1/s. */
static const char *
find_quantity (const char *text)
{
  WeirUnit unit, other;
  const char *found = NULL;
  guint n_alike = 0;

  weir_unit_parse (text, &unit, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    {
      if (strcmp (quantities[i].unit, text) == 0)
        return quantities[i].quantity;
      if (strstr (quantities[i].unit, "rad") != NULL
          || !weir_unit_parse (quantities[i].unit, &other, NULL)
          || !weir_unit_equal (&unit, &other))
        continue;
      found = quantities[i].quantity;
      n_alike++;
    }
  return n_alike == 1 ? found : NULL;
}

/* Powers are whole numbers in an FMU. */
static gboolean
can_be_defined (const char *text)
{
  WeirUnit unit;

  if (text == NULL || !weir_unit_parse (text, &unit, NULL))
    return FALSE;
  for (guint i = 0; i < WEIR_N_BASE_UNITS; i++)
    if (unit.power[i] % WEIR_UNIT_WHOLE != 0)
      return FALSE;
  return TRUE;
}

void
weir_fmu_append_unit (GString *text, const char *unit, GPtrArray *used)
{
  const char *quantity;
  g_autofree char *escaped = NULL;

  if (!can_be_defined (unit))
    return;
  if (!g_ptr_array_find_with_equal_func (used, unit, g_str_equal, NULL))
    g_ptr_array_add (used, g_strdup (unit));
  quantity = find_quantity (unit);
  escaped = g_markup_escape_text (unit, -1);
  if (quantity != NULL)
    g_string_append_printf (text, " declaredType=\"%s in %s\"", quantity, escaped);
  g_string_append_printf (text, " unit=\"%s\"", escaped);
}

const char *
weir_fmu_find_unit (GHashTable *units, const char *name)
{
  const char *bracket = strrchr (name, '[');
  g_autofree char *path = g_strndup (name,
                                     bracket != NULL ? (gsize) (bracket - name) : strlen (name));

  return units != NULL ? g_hash_table_lookup (units, path) : NULL;
}

char *
weir_fmu_dup_unit_of_rate (const char *text)
{
  WeirUnit unit, second, rate;
  g_autofree char *written = NULL;

  if (text == NULL || !weir_unit_parse (text, &unit, NULL))
    return NULL;
  weir_unit_parse ("s", &second, NULL);
  rate = weir_unit_divide (&unit, &second);
  rate.offset = 0;
  /* As it was written, where that can be: an angle changes in rad/s, which is 1/s. */
  written = g_str_has_suffix (text, "/s") ? g_strconcat (text, "^2", NULL)
            : g_str_has_suffix (text, "/s^2")
                ? g_strdup_printf ("%.*s^3", (int) strlen (text) - 2, text)
                : g_strconcat (text, "/s", NULL);
  return weir_unit_parse (written, &unit, NULL) && weir_unit_equal (&unit, &rate)
             ? g_steal_pointer (&written)
             : weir_unit_to_string (&rate);
}

static void
note_state_units (WeirGenerator *self, GHashTable *units, GPtrArray *known_units, WeirNode node,
                  WeirOutput out)
{
  WeirCodePlace place = weir_code_get_output (self->root, node, out);
  g_autofree char *path = weir_layout_dup_name_path (
      self->layout, node, weir_layout_get_output_name (self->layout, node, out));
  const char *unit = weir_fmu_find_unit (units, path);

  for (guint k = 0;
       place.kind == WEIR_PLACE_STATE && k < weir_layout_get_output_size (self->layout, node, out);
       k++)
    {
      char **known = (char **) &known_units->pdata[place.index + k];

      if (*known == NULL)
        *known = g_strdup (unit);
    }
}

GPtrArray *
weir_generator_list_state_units (WeirGenerator *self, GHashTable *units)
{
  GPtrArray *known_units = g_ptr_array_new_with_free_func (g_free);
  guint n_states = weir_layout_get_n_states (self->layout);

  g_ptr_array_set_size (known_units, (int) n_states);
  for (guint32 n = 0; n < weir_layout_get_n_nodes (self->layout); n++)
    for (guint16 o = 0; o < weir_layout_get_n_outputs (self->layout, (WeirNode) { n }); o++)
      note_state_units (self, units, known_units, (WeirNode) { n }, (WeirOutput) { o });
  for (guint i = 0; i < n_states; i++)
    {
      g_autofree char *name = weir_layout_dup_state_name (self->layout, i);
      char *of = strstr (name, "D(");
      char **known = (char **) &known_units->pdata[i];

      if (*known == NULL && of == NULL)
        *known = g_strdup (weir_fmu_find_unit (units, name));
      if (*known != NULL || of == NULL || !g_str_has_suffix (of, ")")
          || strchr (of + 2, '(') != NULL)
        continue;
      memmove (of, of + 2, strlen (of + 2) + 1);
      of[strlen (of) - 1] = '\0';
      *known = weir_fmu_dup_unit_of_rate (weir_fmu_find_unit (units, name));
    }
  return known_units;
}

/* A type for each quantity. */
static void
append_types (GString *text, const GPtrArray *used, guint version)
{
  GString *types = g_string_new (NULL);
  gboolean is_2 = version == 2;

  for (guint u = 0; u < used->len; u++)
    {
      const char *unit = g_ptr_array_index (used, u);
      const char *quantity = find_quantity (unit);
      g_autofree char *escaped = g_markup_escape_text (unit, -1);

      if (quantity == NULL)
        continue;
      if (is_2)
        g_string_append_printf (types, "    <SimpleType name=\"%s in %s\"><Real", quantity,
                                escaped);
      else
        g_string_append_printf (types, "    <Float64Type name=\"%s in %s\"", quantity, escaped);
      g_string_append_printf (types, " quantity=\"%s\" unit=\"%s\"/>%s\n", quantity, escaped,
                              is_2 ? "</SimpleType>" : "");
    }
  if (types->len > 0)
    g_string_append_printf (text, "  <TypeDefinitions>\n%s  </TypeDefinitions>\n", types->str);
  g_string_free (types, TRUE);
}

static void
append_units (GString *text, const GPtrArray *used)
{
  static const char *const bases[WEIR_N_BASE_UNITS] = { "m", "kg", "s", "A", "K", "mol", "cd" };

  if (used->len > 0)
    g_string_append (text, "  <UnitDefinitions>\n");
  for (guint u = 0; u < used->len; u++)
    {
      const char *name = g_ptr_array_index (used, u);
      g_autofree char *escaped = g_markup_escape_text (name, -1);
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      WeirUnit unit;

      weir_unit_parse (name, &unit, NULL);
      g_string_append_printf (text, "    <Unit name=\"%s\"><BaseUnit", escaped);
      for (guint i = 0; i < WEIR_N_BASE_UNITS; i++)
        if (unit.power[i] != 0)
          g_string_append_printf (text, " %s=\"%d\"", bases[i], unit.power[i] / WEIR_UNIT_WHOLE);
      if (unit.factor != 1)
        g_string_append_printf (text, " factor=\"%s\"", weir_number_to_text (unit.factor, number));
      if (unit.offset != 0)
        g_string_append_printf (text, " offset=\"%s\"", weir_number_to_text (unit.offset, number));
      g_string_append (text, "/></Unit>\n");
    }
  if (used->len > 0)
    g_string_append (text, "  </UnitDefinitions>\n");
}

void
weir_fmu_append_units (GString *text, const GPtrArray *used, guint version)
{
  append_units (text, used);
  append_types (text, used, version);
}
