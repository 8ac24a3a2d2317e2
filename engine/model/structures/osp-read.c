/* OspSystemStructure.xml: simulators with their steps and values, functions of signals, connections
 * of variables and of groups of them, which a file beside each FMU lists.
 *
 * Connections have no direction: it follows from what the FMUs say of their variables. Functions
 * are what is algebra on a wire.
 */
#include "model/structures/structures-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define MAX_INPUTS 10000 /* of a function */

typedef struct {
  WeirStructureReading *r;
  const WeirOrigin *origin;
  WeirStructure *structure;
  GHashTable *groups;    /* name of a simulator: GHashTable of names to GPtrArray of variables */
  GHashTable *functions; /* name: what it is, borrowed */
} Reading;

static const char *
get_needed (Reading *self, const WeirMarkup *element, const char *attribute)
{
  const char *text = weir_markup_get (element, attribute);

  if (text == NULL)
    weir_structure_fail (self->r, "STR02", element->line, N_ ("<%s> has no \"%s\"."), element->name,
                         attribute);
  return text != NULL ? text : "";
}

/* A number that is the text of an element; @value as it was without one. */
static void
read_number (Reading *self, const WeirMarkup *root, const char *name, double *value)
{
  const WeirMarkup *element = weir_markup_find (root, name);
  char *end = NULL;
  double number;

  if (element == NULL)
    return;
  number = element->text != NULL ? g_ascii_strtod (element->text, &end) : 0;
  if (end == NULL || end == element->text || *end != '\0' || !isfinite (number))
    weir_structure_fail (self->r, "STR02", element->line, N_ ("<%s> must be a number."), name);
  else
    *value = number;
}

/* --- Simulators ------------------------------------------------------------------------------ */

static void
group_free (gpointer data)
{
  g_ptr_array_unref (data);
}

/* Variables of a group and of those in it, in the order of the file; each group by its name. */
static void
read_group (GHashTable *groups, const WeirMarkup *element, GPtrArray *outer)
{
  g_autoptr (GPtrArray) variables = g_ptr_array_new_with_free_func (g_free);
  const char *name = weir_markup_get (element, "name");

  for (guint i = 0; i < weir_markup_get_size (element); i++)
    {
      const WeirMarkup *child = weir_markup_get_child (element, i);

      if (weir_markup_is (child, "Variable"))
        g_ptr_array_add (variables, g_strdup (weir_markup_get (child, "ref")));
      else
        read_group (groups, child, variables);
    }
  for (guint i = 0; outer != NULL && i < variables->len; i++)
    g_ptr_array_add (outer, g_strdup (variables->pdata[i]));
  if (name != NULL)
    g_hash_table_replace (groups, g_strdup (name), g_steal_pointer (&variables));
}

/* "Engine_OspModelDescription.xml" beside the file or the FMU. */
static void
read_groups (Reading *self, const WeirPart *part, const char *source)
{
  g_autofree char *folder = g_path_get_dirname (source);
  g_autofree char *name = NULL;
  GHashTable *groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, group_free);

  g_hash_table_insert (self->groups, part->name, groups);
  if (part->source == NULL)
    return;
  name = g_strconcat (part->source->description->name, "_OspModelDescription.xml", NULL);
  for (guint k = 0; k < 2; k++)
    {
      g_autofree char *path = k == 0 ? g_strdup (name) : g_strconcat (folder, "/", name, NULL);
      g_autoptr (GBytes) bytes = weir_origin_read (self->origin, path, NULL);
      g_autoptr (WeirMarkup)
          root = bytes != NULL ? weir_markup_read (bytes, path, self->r->diagnostics) : NULL;
      const WeirMarkup *list = weir_markup_find (root, "VariableGroups");

      for (guint i = 0; i < weir_markup_get_size (list); i++)
        read_group (groups, weir_markup_get_child (list, i), NULL);
      if (root != NULL)
        return;
    }
}

static void
read_values (Reading *self, WeirPart *part, const WeirMarkup *list)
{
  for (guint i = 0; i < weir_markup_get_size (list); i++)
    {
      const WeirMarkup *value = weir_markup_get_child (list, i);
      const char *variable = get_needed (self, value, "variable");
      const WeirMarkup *typed = weir_markup_get_size (value) > 0 ? weir_markup_get_child (value, 0)
                                                                 : value;

      if (!weir_part_set_start (part, self->r, variable, get_needed (self, typed, "value"),
                                value->line))
        weir_structure_warn (self->r, "STR05", value->line,
                             N_ ("%s has no variable \"%s\" to give a value to."), part->name,
                             variable);
    }
}

static void
read_simulators (Reading *self, const WeirMarkup *list)
{
  for (guint i = 0; i < weir_markup_get_size (list); i++)
    {
      const WeirMarkup *element = weir_markup_get_child (list, i);
      const char *source = get_needed (self, element, "source");
      WeirPart *part = weir_structure_add (self->r, self->structure, WEIR_PART_FMU,
                                           get_needed (self, element, "name"), element->line);

      part->mode = "co-simulation";
      weir_part_take_file (part, self->r, self->origin, source);
      read_groups (self, part, source);
      read_values (self, part, weir_markup_find (element, "InitialValues"));
    }
}

/* How many steps of the whole one of each simulator is: as many as go into it. Where the file does
 * not say the step of the whole, it is the least of the simulators'. */
static void
set_steps (Reading *self, const WeirMarkup *list)
{
  double least = INFINITY, own;

  for (guint i = 0; i < weir_markup_get_size (list); i++)
    if (weir_structure_get_number (self->r, weir_markup_get_child (list, i), "stepSize", &own)
        && own > 0)
      least = MIN (least, own);
  if (isnan (self->r->step) && isfinite (least))
    self->r->step = least;
  for (guint i = 0; !isnan (self->r->step) && i < self->structure->parts->len; i++)
    {
      const WeirMarkup *element = weir_markup_get_child (list, i);
      WeirPart *part = weir_structure_get (self->structure, i);
      double ratio;

      if (!weir_markup_get_number (element, "stepSize", &own) || !(own > 0))
        continue;
      ratio = own / self->r->step;
      part->steps = (guint) CLAMP (floor (ratio * (1 + 1e-9)), 1, 1e6);
      if (fabs (ratio - part->steps) > 1e-6 * ratio)
        weir_structure_warn (self->r, "STR06", element->line,
                             N_ ("The step of %s, %g s, is no multiple of that of the whole, %g s: "
                                 "it takes %u of those."),
                             part->name, own, self->r->step, part->steps);
    }
}

/* --- Functions ------------------------------------------------------------------------------- */

static guint
read_count (Reading *self, const WeirMarkup *element, const char *attribute, guint otherwise)
{
  double count = otherwise;

  weir_structure_get_number (self->r, element, attribute, &count);
  if (count >= 1 && count <= MAX_INPUTS)
    return (guint) count;
  weir_structure_fail (self->r, "STR02", element->line, N_ ("\"%s\" must be from 1 to %d."),
                       attribute, MAX_INPUTS);
  return 1;
}

/* Of a sum of vectors each element is a sum of its own: "Sum[0]". */
static void
read_functions (Reading *self, const WeirMarkup *list)
{
  for (guint i = 0; i < weir_markup_get_size (list) && !self->r->is_failed; i++)
    {
      const WeirMarkup *element = weir_markup_get_child (list, i);
      const char *name = get_needed (self, element, "name");
      gboolean is_vector = weir_markup_is (element, "VectorSum");
      guint n = is_vector ? read_count (self, element, "dimension", 1) : 1;

      if (weir_markup_is (element, "LinearTransformation"))
        {
          WeirPart *part = weir_structure_add (self->r, self->structure, WEIR_PART_LINEAR, name,
                                               element->line);

          weir_structure_get_number (self->r, element, "factor", &part->factor);
          weir_structure_get_number (self->r, element, "offset", &part->offset);
        }
      else if (is_vector || weir_markup_is (element, "Sum"))
        for (guint k = 0; k < n && !self->r->is_failed; k++)
          {
            g_autofree char *own = is_vector ? g_strdup_printf ("%s[%u]", name, k)
                                             : g_strdup (name);

            weir_structure_add (self->r, self->structure, WEIR_PART_SUM, own, element->line)
                ->n_inputs = read_count (self, element, "inputCount", 1);
          }
      else
        weir_structure_fail (self->r, "STR03", element->line,
                             N_ ("There is no function called <%s>."), element->name);
      g_hash_table_insert (self->functions, (char *) name, (gpointer) element);
    }
}

/* "in[1][0]" of a function as a port of a part. FALSE: there is none. */
static gboolean
find_signal (Reading *self, const char *function, const char *signal, WeirLinkEnd *end,
             gboolean *is_output)
{
  const WeirMarkup *element = g_hash_table_lookup (self->functions, function);
  gboolean is_vector = element != NULL && weir_markup_is (element, "VectorSum");
  g_autofree char *part = NULL;
  unsigned input = 0, k = 0;
  int used = 0;

  if (element == NULL)
    return FALSE;
  *is_output = g_str_has_prefix (signal, "out");
  if (is_vector)
    used = *is_output ? sscanf (signal, "out[%u]", &k) : sscanf (signal, "in[%u][%u]", &input, &k);
  else if (!*is_output)
    used = sscanf (signal, "in[%u]", &input);
  if (is_vector && used < (*is_output ? 1 : 2))
    return FALSE;
  part = is_vector ? g_strdup_printf ("%s[%u]", function, k) : g_strdup (function);
  end->part = weir_structure_find (self->structure, part);
  if (end->part == WEIR_SELF)
    return FALSE;
  if (*is_output)
    end->port = g_strdup ("y");
  else if (weir_structure_get (self->structure, end->part)->kind == WEIR_PART_LINEAR)
    end->port = g_strdup ("u");
  else if (used == (is_vector ? 2 : 1)
           && input < weir_structure_get (self->structure, end->part)->n_inputs)
    end->port = g_strdup_printf ("in%u", input + 1);
  return end->port != NULL;
}

/* --- Connections ----------------------------------------------------------------------------- */

static gboolean
is_source (const WeirPart *part, const char *variable)
{
  const WeirFmuVariable *v = weir_part_find_variable (part, variable);

  return v != NULL
         && (v->causality == WEIR_FMU_OUTPUT || v->causality == WEIR_FMU_CALCULATED_PARAMETER);
}

static gboolean
find_variable (Reading *self, const char *simulator, const char *name, WeirLinkEnd *end,
               gboolean *is_output)
{
  end->part = weir_structure_find (self->structure, simulator);
  if (end->part == WEIR_SELF)
    return FALSE;
  end->port = g_strdup (name);
  *is_output = is_source (weir_structure_get (self->structure, end->part), name);
  return TRUE;
}

/* One end of a connection, of a variable or a signal, or of its @k-th if it is a group. */
static gboolean
find_end (Reading *self, const WeirMarkup *element, guint k, WeirLinkEnd *end, gboolean *is_output)
{
  const char *name = get_needed (self, element, "name");
  const char *simulator = weir_markup_get (element, "simulator");
  const char *function = weir_markup_get (element, "function");

  if (weir_markup_is (element, "SignalGroup"))
    {
      g_autofree char *signal = g_strdup_printf ("%s[%u]", name, k);

      return function != NULL && find_signal (self, function, signal, end, is_output);
    }
  if (weir_markup_is (element, "VariableGroup"))
    {
      GHashTable *groups = simulator != NULL ? g_hash_table_lookup (self->groups, simulator) : NULL;
      GPtrArray *group = groups != NULL ? g_hash_table_lookup (groups, name) : NULL;

      return group != NULL && k < group->len && group->pdata[k] != NULL
             && find_variable (self, simulator, group->pdata[k], end, is_output);
    }
  if (function != NULL)
    return find_signal (self, function, name, end, is_output);
  return simulator != NULL && find_variable (self, simulator, name, end, is_output);
}

/* How many links a connection stands for. */
static guint
get_size (Reading *self, const WeirMarkup *element)
{
  const char *simulator = weir_markup_get (element, "simulator");
  const char *function = weir_markup_get (element, "function");
  const char *name = weir_markup_get (element, "name");
  GHashTable *groups = simulator != NULL ? g_hash_table_lookup (self->groups, simulator) : NULL;
  GPtrArray *group = groups != NULL && name != NULL ? g_hash_table_lookup (groups, name) : NULL;

  if (weir_markup_is (element, "VariableGroup"))
    return group != NULL ? group->len : 0;
  if (weir_markup_is (element, "SignalGroup"))
    return function != NULL && g_hash_table_contains (self->functions, function)
               ? read_count (self, g_hash_table_lookup (self->functions, function), "dimension", 1)
               : 0;
  return 1;
}

static void
read_connection (Reading *self, const WeirMarkup *element)
{
  const WeirMarkup *ends[2];
  guint n;

  if (weir_markup_get_size (element) < 2)
    {
      weir_structure_fail (self->r, "STR02", element->line, N_ ("<%s> has no two ends."),
                           element->name);
      return;
    }
  ends[0] = weir_markup_get_child (element, 0);
  ends[1] = weir_markup_get_child (element, 1);
  n = get_size (self, ends[0]);
  if (n != get_size (self, ends[1]) || n == 0)
    weir_structure_fail (self->r, "STR04", element->line,
                         N_ ("<%s> joins groups of %u and of %u variables."), element->name, n,
                         get_size (self, ends[1]));
  for (guint k = 0; k < n && !self->r->is_failed; k++)
    {
      WeirLinkEnd found[2] = { 0 };
      gboolean is_output[2] = { FALSE, FALSE };
      gboolean is_there = find_end (self, ends[0], k, &found[0], &is_output[0])
                          && find_end (self, ends[1], k, &found[1], &is_output[1]);
      guint from = is_output[1] && !is_output[0] ? 1 : 0;
      WeirLink link = {
        .from = found[from], .to = found[1 - from], .factor = 1, .line = element->line
      };

      g_array_append_val (self->structure->links, link); /* and frees what is in it */
      if (!is_there)
        weir_structure_fail (self->r, "STR04", element->line,
                             N_ ("<%s> leads to what is not there: \"%s\" and \"%s\"."),
                             element->name, get_needed (self, ends[0], "name"),
                             get_needed (self, ends[1], "name"));
    }
}

/* --- The file -------------------------------------------------------------------------------- */

static void
read_algorithm (Reading *self, const WeirMarkup *element)
{
  const char *name = element != NULL && element->text != NULL ? element->text : "fixedStep";

  if (strcmp (name, "waterfallFixedStep") == 0)
    self->r->schedule = "cascading";
  if (strcmp (name, "ecco") == 0)
    weir_structure_warn (
        self->r, "STR06", element->line,
        N_ ("The algorithm \"ecco\" chooses its steps: they are kept fixed here."));
  else if (self->r->schedule == NULL && strcmp (name, "fixedStep") != 0)
    weir_structure_fail (self->r, "STR02", element->line,
                         N_ ("There is no algorithm \"%s\"; there are fixedStep, "
                             "waterfallFixedStep and ecco."),
                         name);
}

WeirStructure *
weir_osp_read (WeirStructureReading *r, const WeirMarkup *root, const WeirOrigin *origin)
{
  const WeirMarkup *description = weir_markup_find (root, "Description");
  const WeirMarkup *simulators = weir_markup_find (root, "Simulators");
  const WeirMarkup *connections = weir_markup_find (root, "Connections");
  Reading self = { r, origin, weir_structure_new (),
                   g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                          (GDestroyNotify) g_hash_table_unref),
                   g_hash_table_new (g_str_hash, g_str_equal) };

  if (description != NULL)
    r->description = g_strdup (description->text);
  read_number (&self, root, "StartTime", &r->start);
  read_number (&self, root, "EndTime", &r->stop);
  read_number (&self, root, "BaseStepSize", &r->step);
  read_algorithm (&self, weir_markup_find (root, "Algorithm"));
  if (!isnan (r->step) && !(r->step > 0))
    weir_structure_fail (r, "STR02", root->line, N_ ("A step must be greater than 0."));
  if (simulators == NULL)
    weir_structure_fail (r, "STR02", root->line, N_ ("<%s> has no <%s>."), root->name,
                         "Simulators");
  read_simulators (&self, simulators);
  set_steps (&self, simulators);
  read_functions (&self, weir_markup_find (root, "Functions"));
  for (guint i = 0; i < weir_markup_get_size (connections) && !r->is_failed; i++)
    read_connection (&self, weir_markup_get_child (connections, i));
  g_hash_table_unref (self.groups);
  g_hash_table_unref (self.functions);
  return self.structure;
}
