/* SystemStructure.ssd of SSP 1.0 and 2.0: systems of components, which are FMUs, other .ssd or
 * whole packages, their connectors and connections, and the values that are bound to them.
 */
#include "model/structures/ssp-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define MAX_FILES 10   /* in one another */
#define MAX_SYSTEMS 50 /* the same of systems */

#define FMU_TYPE "application/x-fmu-sharedlibrary"
#define DEFINITION_TYPE "application/x-ssp-definition"
#define PACKAGE_TYPE "application/x-ssp-package"

static WeirStructure *read_system (WeirSsp *self, const WeirMarkup *system, const GPtrArray *outer,
                                   guint depth, WeirSspLevel *around, guint part);

/* --- Connectors ------------------------------------------------------------------------------ */

static const WeirMarkup *
find_named (const WeirMarkup *list, const char *name)
{
  for (guint i = 0; i < weir_markup_get_size (list); i++)
    if (g_strcmp0 (weir_markup_get (weir_markup_get_child (list, i), "name"), name) == 0)
      return weir_markup_get_child (list, i);
  return NULL;
}

static const WeirMarkup *
find_connector (const WeirMarkup *element, const char *name)
{
  return find_named (weir_markup_find (element, "Connectors"), name);
}

static gboolean
is_parameter (const char *kind)
{
  return g_strcmp0 (kind, "parameter") == 0 || g_strcmp0 (kind, "structuralParameter") == 0
         || g_strcmp0 (kind, "constant") == 0;
}

/* A connection to a name that two have would go to either. */
static void
check_names (WeirSsp *self, const WeirMarkup *connectors)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < weir_markup_get_size (connectors); i++)
    {
      const WeirMarkup *connector = weir_markup_get_child (connectors, i);
      const char *name = weir_markup_get (connector, "name");

      if (name != NULL && !g_hash_table_add (taken, (gpointer) name))
        weir_structure_fail (self->r, "STR02", connector->line,
                             N_ ("There are two connectors called \"%s\"."), name);
    }
}

static void
read_connectors (WeirSsp *self, const WeirMarkup *system, WeirStructure *structure)
{
  const WeirMarkup *list = weir_markup_find (system, "Connectors");

  check_names (self, list);
  for (guint i = 0; i < weir_markup_get_size (list); i++)
    {
      const WeirMarkup *connector = weir_markup_get_child (list, i);
      const char *name = weir_markup_get (connector, "name");
      const char *kind = weir_markup_get (connector, "kind");

      if (name == NULL || kind == NULL)
        weir_structure_fail (self->r, "STR02", connector->line, N_ ("<%s> has no \"%s\"."),
                             connector->name, name == NULL ? "name" : "kind");
      else if (strcmp (kind, "input") == 0)
        g_ptr_array_add (structure->inputs, g_strdup (name));
      else if (strcmp (kind, "output") == 0)
        g_ptr_array_add (structure->outputs, g_strdup (name));
      else if (!is_parameter (kind))
        weir_structure_warn (self->r, "STR06", connector->line,
                             N_ ("The connector \"%s\" of a system is of the kind \"%s\", which is "
                                 "left out."),
                             name, kind);
    }
}

/* The unit of an end, as the file or the FMU has it. */
static const WeirFmuUnit *
find_unit (WeirSsp *self, const WeirStructure *structure, const WeirMarkup *element,
           const WeirLinkEnd *end)
{
  const WeirMarkup *connector = find_connector (element, end->port);

  for (guint i = 0; i < weir_markup_get_size (connector); i++)
    {
      const char *name = weir_markup_get (weir_markup_get_child (connector, i), "unit");

      if (name != NULL)
        return weir_ssp_find_unit (self->units, name);
    }
  return end->part != WEIR_SELF
             ? weir_ssp_find_unit_of (weir_structure_get (structure, end->part), end->port)
             : NULL;
}

/* --- Components ------------------------------------------------------------------------------ */

static void
read_geometry (WeirPart *part, const WeirMarkup *element)
{
  const WeirMarkup *geometry = weir_markup_find (element, "ElementGeometry");
  double x1, y1, x2, y2;

  if (!weir_markup_get_number (geometry, "x1", &x1) || !weir_markup_get_number (geometry, "y1", &y1)
      || !weir_markup_get_number (geometry, "x2", &x2)
      || !weir_markup_get_number (geometry, "y2", &y2))
    return;
  part->position = (WeirPoint) { MIN (x1, x2), -MAX (y1, y2) }; /* theirs goes up */
  part->size = (WeirPoint) { fabs (x2 - x1), fabs (y2 - y1) };
}

/* How many steps of the whole one of its own is, as our own packages note it. */
static guint
read_steps (const WeirMarkup *annotations)
{
  for (guint i = 0; i < weir_markup_get_size (annotations); i++)
    {
      double n = 1;

      weir_markup_get_number (weir_markup_find (weir_markup_get_child (annotations, i), "Steps"),
                              "count", &n);
      if (n > 1 && n <= 1e6)
        return (guint) n;
    }
  return 1;
}

GBytes *
weir_ssp_open_package (WeirStructureReading *r, GBytes *bytes, const char *path, WeirOrigin *origin)
{
  g_autoptr (GError) error = NULL;
  GBytes *inner = NULL;

  *origin = (WeirOrigin) { .archive = weir_fmu_archive_new (bytes, path, &error),
                           .root = g_strdup (path),
                           .inside = g_strdup ("") };
  if (origin->archive != NULL)
    inner = weir_origin_read (origin, WEIR_SSP_FILE, &error);
  if (inner == NULL)
    weir_structure_fail (r, "STR01", 0, N_ ("The package cannot be read: %s"),
                         weir_error_get_text (error));
  return inner;
}

/* Another file's system, or a package's. */
static void
read_definition (WeirSsp *self, WeirPart *part, const char *source, gboolean is_package,
                 const GPtrArray *values)
{
  WeirStructureReading *r = self->r;
  const char *outer_file = r->file;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = weir_origin_read (self->origin, source, &error);
  g_auto (WeirOrigin) origin = { 0 };
  g_autoptr (WeirMarkup) root = NULL;

  r->depth++;
  if (bytes == NULL)
    weir_structure_fail (r, "STR03", part->line, "%s", weir_error_get_text (error));
  else if (r->depth >= MAX_FILES)
    weir_structure_fail (r, "STR03", part->line, N_ ("Files name each other more than %d deep."),
                         MAX_FILES);
  else if (is_package)
    {
      g_autofree char *path = weir_origin_dup_path (self->origin, source, NULL);
      GBytes *inner = weir_ssp_open_package (r, bytes, path, &origin);

      g_bytes_unref (bytes);
      bytes = inner;
    }
  else if (!weir_origin_enter (self->origin, source, &origin, &error))
    weir_structure_fail (r, "STR03", part->line, "%s", weir_error_get_text (error));
  r->file = source;
  if (!r->is_failed)
    root = weir_markup_read (bytes, source, r->diagnostics);
  if (root != NULL)
    part->inside = weir_ssp_read_within (r, root, &origin, values);
  if (part->inside == NULL)
    {
      r->is_failed = TRUE; /* which has been told */
      part->inside = weir_structure_new ();
    }
  r->file = outer_file;
  r->depth--;
}

static void
read_component (WeirSsp *self, WeirStructure *structure, const WeirMarkup *element,
                const char *name, GPtrArray *values)
{
  const char *type = weir_markup_get (element, "type");
  const char *source = weir_markup_get (element, "source");
  const char *implementation = weir_markup_get (element, "implementation");
  gboolean is_file = g_strcmp0 (type, DEFINITION_TYPE) == 0 || g_strcmp0 (type, PACKAGE_TYPE) == 0;
  WeirPart *part = weir_structure_add (
      self->r, structure, is_file ? WEIR_PART_SYSTEM : WEIR_PART_FMU, name, element->line);

  read_geometry (part, element);
  if (is_file)
    {
      read_definition (self, part, source != NULL ? source : "", strcmp (type, PACKAGE_TYPE) == 0,
                       values);
      return;
    }
  if (type != NULL && strcmp (type, FMU_TYPE) != 0)
    weir_structure_warn (self->r, "STR03", element->line,
                         N_ ("%s is of the kind \"%s\", which is not known."), name, type);
  else if (source == NULL)
    weir_structure_warn (self->r, "STR03", element->line, N_ ("%s has no file."), name);
  else
    weir_part_take_file (part, self->r, self->origin, source);
  part->steps = read_steps (weir_markup_find (element, "Annotations"));
  if (g_strcmp0 (implementation, "CoSimulation") == 0)
    part->mode = "co-simulation";
  else if (g_strcmp0 (implementation, "ModelExchange") == 0)
    part->mode = "exchange";
  else if (implementation != NULL && strcmp (implementation, "any") != 0)
    weir_structure_warn (self->r, "STR06", element->line,
                         N_ ("%s: the implementation \"%s\" is not known."), name, implementation);
  weir_ssp_set_values (self, part, values);
}

/* The values that are meant for what is called @name in a system: those for "name.x", as "x". */
static void
add_values_of (GPtrArray *values, const GPtrArray *outer, const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; outer != NULL && i < outer->len; i++)
    {
      const WeirSspValue *value = g_ptr_array_index (outer, i);

      if (strncmp (value->name, name, length) == 0 && value->name[length] == '.')
        weir_ssp_add_value (values, value->name + length + 1, value);
    }
}

/* Parameters of the system that are passed on to one of @name in it. */
static void
add_values_passed (GPtrArray *values, const GPtrArray *outer, const WeirMarkup *system,
                   const char *name)
{
  const WeirMarkup *list = weir_markup_find (system, "Connections");

  for (guint i = 0; i < weir_markup_get_size (list); i++)
    {
      const WeirMarkup *c = weir_markup_get_child (list, i);
      const char *from = weir_markup_get (c, "startConnector");
      const char *to = weir_markup_get (c, "endConnector");
      const WeirMarkup *connector = from != NULL ? find_connector (system, from) : NULL;

      if (weir_markup_get (c, "startElement") != NULL || to == NULL
          || g_strcmp0 (weir_markup_get (c, "endElement"), name) != 0 || connector == NULL
          || !is_parameter (weir_markup_get (connector, "kind")))
        continue;
      for (guint k = 0; k < outer->len; k++)
        if (strcmp (((WeirSspValue *) outer->pdata[k])->name, from) == 0)
          weir_ssp_add_value (values, to, outer->pdata[k]);
    }
}

/* To a signal dictionary. */
static gboolean
is_reference (const WeirMarkup *element)
{
  return weir_markup_is (element, "SignalDictionaryReference");
}

static void
read_elements (WeirSsp *self, WeirSspLevel *level, const GPtrArray *bound, guint depth)
{
  WeirStructure *structure = level->structure;
  const WeirMarkup *system = level->system;
  const WeirMarkup *list = weir_markup_find (system, "Elements");

  for (guint i = 0; i < weir_markup_get_size (list) && !self->r->is_failed; i++)
    {
      const WeirMarkup *element = weir_markup_get_child (list, i);
      const char *name = weir_markup_get (element, "name");
      gboolean is_component = weir_markup_is (element, "Component");
      g_autoptr (GPtrArray) values = NULL;

      if (name == NULL || *name == '\0')
        {
          weir_structure_fail (self->r, "STR02", element->line, N_ ("<%s> has no \"%s\"."),
                               element->name, "name");
          return;
        }
      if (is_reference (element))
        continue; /* connections lead to its signals */
      if (!is_component && !weir_markup_is (element, "System"))
        {
          weir_structure_fail (self->r, "STR06", element->line,
                               N_ ("\"%s\" is a <%s>, which cannot be kept: join what it joins by "
                                   "connections."),
                               name, element->name);
          return;
        }
      values = weir_ssp_read_values (self, element,
                                     is_component ? weir_markup_get (element, "source") : NULL);
      add_values_passed (values, bound, system, name);
      add_values_of (values, bound, name);
      if (is_component)
        {
          check_names (self, weir_markup_find (element, "Connectors"));
          read_component (self, structure, element, name, values);
        }
      else
        {
          WeirPart *part = weir_structure_add (self->r, structure, WEIR_PART_SYSTEM, name,
                                               element->line);

          read_geometry (part, element);
          part->inside = read_system (self, element, values, depth + 1, level,
                                      structure->parts->len - 1);
        }
    }
}

/* --- Connections ----------------------------------------------------------------------------- */

/* What a connector is by its element, or by the FMU where that does not list it. */
static const char *
get_kind (const WeirStructure *structure, const WeirMarkup *element, guint part, const char *name)
{
  const WeirMarkup *connector = find_connector (element, name);
  const WeirFmuVariable *v = NULL;

  if (connector != NULL)
    return weir_markup_get (connector, "kind");
  if (part != WEIR_SELF)
    v = weir_part_find_variable (weir_structure_get (structure, part), name);
  return v == NULL                         ? NULL
         : v->causality == WEIR_FMU_INPUT  ? "input"
         : v->causality == WEIR_FMU_OUTPUT ? "output"
                                           : "parameter";
}

/* The element that an end is at: the system itself where none is named. */
static const WeirMarkup *
find_element (WeirSsp *self, const WeirStructure *structure, const WeirMarkup *system,
              const WeirMarkup *connection, const char *attribute, guint *part)
{
  const char *name = weir_markup_get (connection, attribute);
  const WeirMarkup *element;

  *part = WEIR_SELF;
  if (name == NULL || *name == '\0')
    return system;
  *part = weir_structure_find (structure, name);
  element = find_named (weir_markup_find (system, "Elements"), name);
  if (element != NULL && is_reference (element))
    return element;
  if (*part == WEIR_SELF || element == NULL)
    {
      weir_structure_fail (self->r, "STR04", connection->line,
                           N_ ("A connection ends at \"%s\", which the system does not have."),
                           name);
      return NULL;
    }
  return element;
}

/* @other: (transfer full). */
static void
set_end (WeirLinkEnd *end, WeirLinkEnd other)
{
  g_free (end->port);
  *end = other;
}

/* One writes it, in whose unit it is where its dictionary says none. */
static void
write_signal (WeirSsp *self, WeirSspSignal *signal, const WeirFmuUnit *unit, int line)
{
  if (signal->is_written)
    weir_structure_fail (self->r, "STR04", line, N_ ("Two connections write the signal \"%s\"."),
                         signal->name);
  signal->is_written = TRUE;
  if (!signal->unit.has_base && unit != NULL)
    signal->unit = *unit;
}

/* @writes: whether those that write signals of dictionaries are read, or all others. */
static void
read_connection (WeirSsp *self, WeirSspLevel *level, const WeirMarkup *c, gboolean writes)
{
  WeirStructure *structure = level->structure;
  const WeirMarkup *system = level->system;
  static const char *const known[] = {
    "startElement", "startConnector", "endElement", "endConnector", "suppressUnitConversion",
    "id",           "description",    NULL
  };
  const char *ports[2] = { weir_markup_get (c, "startConnector"),
                           weir_markup_get (c, "endConnector") };
  const WeirMarkup *elements[2];
  const char *kinds[2];
  guint parts[2];
  gboolean is_source[2];
  WeirSspSignal *signals[2];
  const WeirFmuUnit *units[2];
  WeirLink link = { .factor = 1, .line = c->line };
  WeirSspTransformation t;
  double factor = 1, offset = 0;
  gboolean converts;
  guint from;

  elements[0] = find_element (self, structure, system, c, "startElement", &parts[0]);
  elements[1] = find_element (self, structure, system, c, "endElement", &parts[1]);
  if (ports[0] == NULL || ports[1] == NULL)
    weir_structure_fail (self->r, "STR02", c->line, N_ ("<%s> has no two ends."), c->name);
  if (self->r->is_failed)
    return;
  for (guint i = 0; i < 2; i++)
    {
      gboolean is_signal = is_reference (elements[i]);

      kinds[i] = is_signal ? "signal" : get_kind (structure, elements[i], parts[i], ports[i]);
      is_source[i] = g_strcmp0 (kinds[i], parts[i] == WEIR_SELF ? "input" : "output") == 0;
      signals[i] = is_signal ? weir_ssp_find_signal (self, level, elements[i], ports[i]) : NULL;
      if (is_signal && signals[i] == NULL)
        return;
    }
  for (guint i = 0; i < 2; i++)
    if (signals[i] != NULL)
      is_source[i] = !is_source[1 - i];
  if (signals[0] != NULL || signals[1] != NULL)
    {
      if (writes != (signals[is_source[0] ? 1 : 0] != NULL))
        return; /* in the other pass */
    }
  else if (writes)
    return;
  for (guint i = 0; c->attributes[i] != NULL; i += 2)
    if (!g_strv_contains (known, c->attributes[i]))
      weir_structure_warn (self->r, "STR06", c->line,
                           N_ ("A connection of single elements of \"%s\" is made of all of it."),
                           ports[0]);
  if (is_parameter (kinds[0]) && is_parameter (kinds[1]))
    return; /* passed on at the start */
  if (g_strcmp0 (kinds[0], "calculatedParameter") == 0
      || g_strcmp0 (kinds[1], "calculatedParameter") == 0)
    {
      weir_structure_warn (self->r, "STR06", c->line,
                           N_ ("\"%s\" is computed at the start and not passed on to \"%s\"."),
                           ports[0], ports[1]);
      return;
    }
  from = is_source[1] && !is_source[0] ? 1 : 0;
  link.from = (WeirLinkEnd) { parts[from], g_strdup (ports[from]) };
  link.to = (WeirLinkEnd) { parts[1 - from], g_strdup (ports[1 - from]) };
  units[0] = signals[from] != NULL ? &signals[from]->unit
                                   : find_unit (self, structure, elements[from], &link.from);
  units[1] = signals[1 - from] != NULL ? &signals[1 - from]->unit
                                       : find_unit (self, structure, elements[1 - from], &link.to);
  if (signals[from] != NULL)
    set_end (&link.from, weir_ssp_get_signal_end (self, level, signals[from], FALSE, c->line));
  if (signals[1 - from] != NULL)
    {
      write_signal (self, signals[1 - from], units[0], c->line);
      set_end (&link.to, weir_ssp_get_signal_end (self, level, signals[1 - from], TRUE, c->line));
    }
  converts = weir_ssp_convert (units[0], units[1], &factor, &offset);
  if (g_strcmp0 (weir_markup_get (c, "suppressUnitConversion"), "true") == 0)
    {
      link.is_bare = !converts || factor != 1 || offset != 0;
      factor = 1;
      offset = 0;
    }
  else if (!converts)
    weir_structure_warn (self->r, "STR05", c->line,
                         N_ ("\"%s\" and \"%s\" are connected, but their units do not measure the "
                             "same."),
                         ports[0], ports[1]);
  t = weir_ssp_read_transformation (self, c);
  link.factor = t.factor * factor;
  link.offset = t.factor * offset + t.offset;
  if (t.map != NULL)
    link.expression = weir_ssp_dup_expression (self, t.map);
  g_array_append_val (structure->links, link);
}

/* --- Systems --------------------------------------------------------------------------------- */

/* Values of its own inputs: of the outermost they hold, of others nothing is to be said. */
static void
take_inputs (WeirSsp *self, WeirStructure *structure, const GPtrArray *bound)
{
  for (guint i = 0; i < bound->len; i++)
    {
      const WeirSspValue *value = g_ptr_array_index (bound, i);
      double number;
      char *end;

      if (!g_ptr_array_find_with_equal_func (structure->inputs, value->name, g_str_equal, NULL))
        continue;
      number = g_ascii_strtod (value->text, &end);
      if (isfinite (number) && end != value->text && *end == '\0')
        g_hash_table_replace (structure->values, g_strdup (value->name), g_strdup (value->text));
      else
        weir_structure_warn (self->r, "STR05", value->line, N_ ("%s: \"%s\" is no value for it."),
                             value->name, value->text);
    }
}

static WeirStructure *
read_system (WeirSsp *self, const WeirMarkup *system, const GPtrArray *outer, guint depth,
             WeirSspLevel *around, guint part)
{
  WeirStructure *structure = weir_structure_new ();
  WeirSspLevel *level = weir_ssp_add_level (self, system, structure, around, part);
  g_autoptr (GPtrArray) bound = around == NULL ? weir_ssp_read_values (self, system, NULL) : NULL;

  if (depth > MAX_SYSTEMS)
    weir_structure_fail (self->r, "STR02", system->line,
                         N_ ("Systems are nested more than %d levels deep."), MAX_SYSTEMS);
  for (guint i = 0; bound != NULL && outer != NULL && i < outer->len; i++)
    weir_ssp_add_value (bound, ((WeirSspValue *) outer->pdata[i])->name, outer->pdata[i]);
  read_connectors (self, system, structure);
  read_elements (self, level, bound != NULL ? bound : outer, depth);
  if (bound != NULL)
    take_inputs (self, structure, bound);
  return structure;
}

/* Who writes a signal says its unit, wherever in the file that is, before others read it. */
static void
read_all_connections (WeirSsp *self, gboolean writes)
{
  for (guint k = 0; k < self->levels->len; k++)
    {
      WeirSspLevel *level = g_ptr_array_index (self->levels, k);
      const WeirMarkup *connections = weir_markup_find (level->system, "Connections");

      for (guint i = 0; i < weir_markup_get_size (connections) && !self->r->is_failed; i++)
        read_connection (self, level, weir_markup_get_child (connections, i), writes);
    }
}

/* --- The file -------------------------------------------------------------------------------- */

/* How often values are exchanged is in nobody's standard: what other tools note of it. */
static void
find_step (const WeirMarkup *element, WeirStructureReading *r)
{
  if (weir_markup_is (element, "FixedStepAlgorithm"))
    weir_structure_get_number (r, element, "baseStepSize", &r->step);
  else if (weir_markup_is (element, "FixedStepMaster"))
    weir_structure_get_number (r, element, "stepSize", &r->step);
  if (weir_markup_is (element, "FixedStepMaster") && weir_markup_get (element, "schedule") != NULL)
    r->schedule = strcmp (weir_markup_get (element, "schedule"), "cascading") == 0  ? "cascading"
                  : strcmp (weir_markup_get (element, "schedule"), "iterated") == 0 ? "iterated"
                                                                                    : NULL;
  for (guint i = 0; i < weir_markup_get_size (element); i++)
    find_step (weir_markup_get_child (element, i), r);
}

/* Where nothing is noted: the least that an FMU proposes, else a hundredth of the run. */
static double
find_least_step (const WeirStructure *structure)
{
  double least = INFINITY;

  for (guint i = 0; i < structure->parts->len; i++)
    {
      const WeirPart *part = weir_structure_get (structure, i);

      if (part->inside != NULL)
        least = MIN (least, find_least_step (part->inside));
      else if (part->source != NULL && part->source->description->experiment.step > 0)
        least = MIN (least, part->source->description->experiment.step);
    }
  return least;
}

static void
read_experiment (WeirStructureReading *r, const WeirMarkup *root, const WeirStructure *structure)
{
  const WeirMarkup *experiment = weir_markup_find (root, "DefaultExperiment");

  r->title = g_strdup (weir_markup_get (root, "name"));
  r->author = g_strdup (weir_markup_get (root, "author"));
  r->description = g_strdup (weir_markup_get (root, "description"));
  weir_structure_get_number (r, experiment, "startTime", &r->start);
  weir_structure_get_number (r, experiment, "stopTime", &r->stop);
  find_step (root, r);
  if (!(r->step > 0))
    r->step = find_least_step (structure);
  if (!isfinite (r->step))
    r->step = (r->stop - (r->start > 0 ? r->start : 0)) / 100;
  if (!(r->step > 0))
    r->step = (double) NAN;
}

static gboolean
has_two (const WeirMarkup *element, const char *name)
{
  guint n = 0;

  for (guint i = 0; i < weir_markup_get_size (element); i++)
    n += weir_markup_is (weir_markup_get_child (element, i), name);
  return n > 1;
}

WeirStructure *
weir_ssp_read_within (WeirStructureReading *r, const WeirMarkup *root, const WeirOrigin *origin,
                      const GPtrArray *outer)
{
  const WeirMarkup *system = weir_markup_find (root, "System");
  g_autoptr (GPtrArray)
      levels = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_ssp_level_free);
  WeirSsp self = { r, origin, weir_ssp_read_units (r, weir_markup_find (root, "Units")), levels };
  const char *version = weir_markup_get (root, "version");
  WeirStructure *structure = NULL;

  if (version != NULL && *version != '1' && *version != '2')
    weir_structure_warn (r, "STR06", root->line,
                         N_ ("The file is of SSP version %.30s; versions 1.0 and 2.0 are known."),
                         version);
  if (system == NULL)
    weir_structure_fail (r, "STR02", root->line, N_ ("<%s> has no <%s>."), root->name, "System");
  else if (has_two (root, "System"))
    weir_structure_fail (r, "STR02", root->line, N_ ("<%s> has more than one <%s>."), root->name,
                         "System");
  else
    {
      structure = read_system (&self, system, outer, 0, NULL, WEIR_SELF);
      read_all_connections (&self, TRUE);
      read_all_connections (&self, FALSE);
    }
  g_hash_table_unref (self.units);
  return structure;
}

WeirStructure *
weir_ssp_read (WeirStructureReading *r, const WeirMarkup *root, const WeirOrigin *origin)
{
  WeirStructure *structure = weir_ssp_read_within (r, root, origin, NULL);

  if (structure != NULL && r->depth == 0)
    read_experiment (r, root, structure);
  return structure;
}
