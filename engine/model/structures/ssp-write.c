/* A model of FMUs as a package of SSP. See structures.h.
 *
 * What stands between two FMUs and is a gain or a bias becomes the transformation of a connection;
 * a constant of the outermost diagram is an input of the system with a value. What SSP has no word
 * for, how often values are exchanged and in which order, is an annotation.
 */
#include "model/structures/structures-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/tree/fmu-starts.h"
#include "model/tree/settings.h"
#include "model/tree/unit-settings.h"
#include "numerics/number.h"

#define SSP "http://ssp-standard.org/SSP1/SystemStructure"
#define ANNOTATION "org.weirsim.Weir"
#define WIDTH 100.0 /* of a block that has its type's size */
#define HEIGHT 60.0
#define MAX_CHAIN 1000 /* gains and biases in a row */

typedef struct {
  WeirModel *model;
  guint version;
  GString *text;
  GHashTable *resources; /* checksum to name in the package */
  GPtrArray *archives;   /* of WeirFmuArchive, in the order of the next */
  GPtrArray *names;      /* "resources/engine.fmu" */
  guint depth;
  GError *error;
} Writing;

static void write_system (Writing *self, WeirDiagram *diagram, const WeirBlock *block);

static void fail (Writing *self, const WeirBlock *block, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static void
fail (Writing *self, const WeirBlock *block, const char *format, ...)
{
  g_autofree char *path = weir_model_dup_block_path (self->model, weir_block_get_id (block));
  g_autoptr (WeirMessage) why = NULL;
  va_list args;

  if (self->error != NULL)
    return;
  va_start (args, format);
  why = weir_message_new_valist (format, args);
  va_end (args);
  weir_error_set (&self->error, WEIR_ERROR_INVALID, "%s: %s", path, weir_message_get_text (why));
}

static void
begin_line (Writing *self)
{
  g_string_append_printf (self->text, "%*s", (int) (2 * self->depth), "");
}

static void add (Writing *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A line, in which what stands in the places of @format is escaped. */
static void
add (Writing *self, const char *format, ...)
{
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, format);
  line = g_markup_vprintf_escaped (format, args);
  va_end (args);
  begin_line (self);
  g_string_append (self->text, line);
  g_string_append_c (self->text, '\n');
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static gboolean
is_sink (const WeirBlock *block)
{
  static const char *const sinks[] = { "Scope", "XYScope", "Display", "Terminator", NULL };

  return g_strv_contains (sinks, weir_block_get_type_name (block));
}

/* A parameter that is one number; FALSE: it is none. */
static gboolean
get_number (const WeirBlock *block, const char *name, double otherwise, double *number)
{
  const char *text = weir_block_get_parameter (block, name);
  g_autofree double *values = NULL;
  guint n;

  *number = otherwise;
  if (text == NULL)
    return TRUE;
  values = weir_value_parse (text, &n, NULL);
  if (values == NULL || n != 1 || !isfinite (values[0]))
    return FALSE;
  *number = values[0];
  return TRUE;
}

/* What a block does to a value that passes: y = factor * u + offset. FALSE: it is no such block. */
static gboolean
get_linear (const WeirBlock *block, double *factor, double *offset)
{
  *factor = 1;
  *offset = 0;
  if (weir_block_is_type (block, "Gain"))
    return get_number (block, "gain", 1, factor);
  return weir_block_is_type (block, "Bias") && get_number (block, "bias", 0, offset);
}

static void
check_block (Writing *self, const WeirBlock *block, gboolean is_root)
{
  double number;

  if (weir_block_get_mode (block) != WEIR_BLOCK_ACTIVE)
    fail (self, block, N_ ("it is commented out or passed through, which SSP has no word for."));
  else if (weir_block_is_unit (block) && !weir_block_is_type (block, WEIR_TYPE_NAME_FMU))
    fail (self, block,
          N_ ("it is a unit of Weir's own: export it as an FMU, and put that in its place."));
  else if (weir_block_is_type (block, WEIR_TYPE_NAME_FMU)
           || weir_block_is_type (block, WEIR_TYPE_NAME_SUBSYSTEM)
           || weir_block_is_type (block, WEIR_TYPE_NAME_IN)
           || weir_block_is_type (block, WEIR_TYPE_NAME_OUT) || is_sink (block)
           || get_linear (block, &number, &number))
    return;
  else if (!(is_root && weir_block_is_type (block, "Constant")
             && get_number (block, "value", 1, &number)))
    fail (self, block,
          N_ ("a package of SSP holds FMUs, systems of them, gains, biases and, outermost, "
              "constants, but no %s."),
          weir_block_get_type_name (block));
}

static void
write_geometry (Writing *self, const WeirBlock *block)
{
  WeirPoint at = weir_block_get_position (block), size = weir_block_get_size (block);
  char x1[G_ASCII_DTOSTR_BUF_SIZE], y1[G_ASCII_DTOSTR_BUF_SIZE];
  char x2[G_ASCII_DTOSTR_BUF_SIZE], y2[G_ASCII_DTOSTR_BUF_SIZE];

  if (!(size.x > 0 && size.y > 0))
    size = (WeirPoint) { WIDTH, HEIGHT };
  add (self, "<ssd:ElementGeometry x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>",
       weir_number_to_text (at.x, x1), weir_number_to_text (-at.y - size.y, y1),
       weir_number_to_text (at.x + size.x, x2), weir_number_to_text (-at.y, y2));
}

/* --- FMUs ------------------------------------------------------------------------------------ */

/* Where the FMU is in the package; each archive is there once. */
static const char *
take_resource (Writing *self, WeirFmuArchive *archive, const char *file)
{
  const char *checksum = weir_fmu_archive_get_checksum (archive);
  const char *known = g_hash_table_lookup (self->resources, checksum);
  g_autofree char *base = g_path_get_basename (file);
  char *name;

  if (known != NULL)
    return known;
  name = g_strconcat ("resources/", base, NULL);
  for (guint i = 2; g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL); i++)
    {
      g_free (name);
      name = g_strdup_printf ("resources/%u-%s", i, base);
    }
  g_ptr_array_add (self->names, name);
  g_ptr_array_add (self->archives, weir_fmu_archive_ref (archive));
  g_hash_table_insert (self->resources, (char *) checksum, name);
  return name;
}

/* The element that a type is in a file; NULL: it needs none. */
static const char *
get_type_element (const Writing *self, WeirFmuType type)
{
  if (self->version == 2)
    switch ((int) type)
      {
      case WEIR_FMU_BOOLEAN:
        return "Boolean";
      case WEIR_FMU_ENUMERATION:
        return NULL;
      default:
        return weir_fmu_type_get_name (type);
      }
  switch ((int) type)
    {
    case WEIR_FMU_FLOAT32:
    case WEIR_FMU_FLOAT64:
      return "Real";
    case WEIR_FMU_BOOLEAN:
      return "Boolean";
    case WEIR_FMU_STRING:
      return "String";
    case WEIR_FMU_BINARY:
      return "Binary";
    case WEIR_FMU_ENUMERATION:
      return NULL;
    default:
      return "Integer";
    }
}

/* (transfer full) */
static char *
dup_type_element (const Writing *self, const WeirFmuTraits *traits)
{
  const char *type = get_type_element (self, traits->type);

  if (type == NULL)
    return g_strdup ("");
  if (traits->type == WEIR_FMU_BINARY && traits->mime_type != NULL)
    return g_markup_printf_escaped ("<ssc:%s mime-type=\"%s\"/>", type, traits->mime_type);
  return g_strdup_printf ("<ssc:%s/>", type);
}

static void
write_ports (Writing *self, const WeirFmuDescription *d, const GArray *ports, const char *kind)
{
  for (guint i = 0; i < ports->len; i++)
    {
      const WeirPortSpec *port = &g_array_index (ports, WeirPortSpec, i);
      guint v = weir_fmu_description_find (d, port->name);
      g_autofree char *element = v != WEIR_FMU_NONE
                                     ? dup_type_element (self, &d->variables[v].traits)
                                     : g_strdup ("");
      g_autofree char *line = g_markup_printf_escaped ("<ssd:Connector name=\"%s\" kind=\"%s\">",
                                                       port->name, kind);

      begin_line (self);
      g_string_append_printf (self->text, "%s%s</ssd:Connector>\n", line, element);
    }
}

static void
write_value (Writing *self, const char *name, const char *type, const char *value)
{
  g_autofree char *line = g_markup_printf_escaped (
      "<ssv:Parameter name=\"%s\"><ssv:%s value=\"%s\"/></ssv:Parameter>", name, type, value);

  begin_line (self);
  g_string_append_printf (self->text, "%s\n", line);
}

static void
begin_values (Writing *self)
{
  add (self, "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>");
  self->depth++;
  add (self, "<ssv:ParameterSet version=\"%u.0\" name=\"values\"><ssv:Parameters>", self->version);
  self->depth++;
}

static void
end_values (Writing *self)
{
  self->depth--;
  add (self, "</ssv:Parameters></ssv:ParameterSet>");
  self->depth--;
  add (self, "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>");
}

/* Numbers parted by spaces, as a value of the variable's type. (transfer full) */
static char *
dup_value (const char *type, const double *values, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            strcmp (type, "Boolean") == 0
                                ? values[i] != 0 ? "true" : "false"
                                : weir_number_to_text (values[i], buffer));
  return g_strdup (text->str);
}

/* NULL: SSP has no way to write it. (transfer full) */
static char *
dup_start (const Writing *self, const WeirFmuStart *start, const WeirFmuVariable *variable,
           const char **type)
{
  g_autoptr (GString) digits = g_string_new (NULL);

  *type = get_type_element (self, variable->traits.type);
  if (*type == NULL)
    *type = self->version == 2 ? "Int64" : "Integer";
  if (variable->traits.type == WEIR_FMU_STRING && start->text.data != NULL)
    return g_strdup (start->text.data);
  for (gsize i = 0; i < start->text.size; i++)
    g_string_append_printf (digits, "%02x", (guchar) start->text.data[i]);
  if (start->text.data != NULL)
    return g_strdup (digits->str);
  return start->n_values > 1 && self->version == 1
             ? NULL
             : dup_value (*type, start->values, start->n_values);
}

static void
write_starts (Writing *self, const WeirBlock *block, const WeirFmuDescription *d)
{
  const char *text = weir_block_get_parameter (block, WEIR_FMU_STARTS);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) starts = NULL;

  if (text == NULL || *text == '\0')
    return;
  starts = weir_fmu_starts_read (text, d, &error);
  if (starts == NULL)
    {
      fail (self, block, "%s", weir_error_get_text (error));
      return;
    }
  begin_values (self);
  for (guint i = 0; i < starts->len; i++)
    {
      const WeirFmuStart *start = &g_array_index (starts, WeirFmuStart, i);
      guint v = weir_fmu_description_find (d, start->variable);
      const char *type;
      g_autofree char *value = v != WEIR_FMU_NONE ? dup_start (self, start, &d->variables[v], &type)
                                                  : NULL;

      if (value == NULL)
        {
          fail (self, block, N_ ("the value at the start of \"%s\" cannot be written."),
                start->variable);
          return;
        }
      write_value (self, start->variable, type, value);
    }
  end_values (self);
}

static void
write_fmu (Writing *self, const WeirBlock *block)
{
  const char *file = weir_block_get_parameter (block, "file");
  const char *mode = weir_block_get_parameter (block, "mode");
  const WeirFmuSource *source = file != NULL ? weir_fmu_source_find (file, self->model->head.folder)
                                             : NULL;
  const char *implementation = "";
  double steps;

  if (source == NULL || source->description == NULL)
    {
      fail (self, block, N_ ("its FMU cannot be read."));
      return;
    }
  if (g_strcmp0 (mode, "co-simulation") == 0)
    implementation = " implementation=\"CoSimulation\"";
  else if (g_strcmp0 (mode, "exchange") == 0)
    implementation = " implementation=\"ModelExchange\"";
  begin_line (self);
  {
    g_autofree char *name = g_markup_escape_text (weir_block_get_name (block), -1);
    g_autofree char *path = g_uri_escape_string (take_resource (self, source->archive, file), "/",
                                                 FALSE);

    g_string_append_printf (self->text, "<ssd:Component name=\"%s\" source=\"%s\"%s>\n", name, path,
                            implementation);
  }
  self->depth++;
  if (source->inputs->len + source->outputs->len > 0)
    {
      add (self, "<ssd:Connectors>");
      self->depth++;
      write_ports (self, source->description, source->inputs, "input");
      write_ports (self, source->description, source->outputs, "output");
      self->depth--;
      add (self, "</ssd:Connectors>");
    }
  write_geometry (self, block);
  write_starts (self, block, source->description);
  if (get_number (block, "steps", 1, &steps) && steps > 1)
    add (self,
         "<ssd:Annotations><ssc:Annotation type=\"" ANNOTATION "\"><Steps count=\"%u\"/>"
         "</ssc:Annotation></ssd:Annotations>",
         (guint) steps);
  self->depth--;
  add (self, "</ssd:Component>");
}

/* --- Connections ----------------------------------------------------------------------------- */

typedef struct {
  Writing *writing;
  WeirDiagram *diagram;
} Level;

typedef struct {
  const char *port;
  WeirWire *wire;
} Search;

static gboolean
find_wire_to (WeirWire *wire, gpointer data)
{
  Search *search = data;
  WeirWireEnd to = weir_wire_get_to (wire);

  if (to.block != 0 && g_strcmp0 (to.port, search->port) == 0)
    search->wire = wire;
  return search->wire == NULL;
}

/* "startElement="S1" startConnector="y"". (transfer full) */
static char *
dup_end (const char *which, const WeirBlock *block, const char *port)
{
  gboolean is_own = weir_block_is_type (block, WEIR_TYPE_NAME_IN)
                    || weir_block_is_type (block, WEIR_TYPE_NAME_OUT)
                    || weir_block_is_type (block, "Constant");

  return is_own
             ? g_markup_printf_escaped (" %sConnector=\"%s\"", which, weir_block_get_name (block))
             : g_markup_printf_escaped (" %sElement=\"%s\" %sConnector=\"%s\"", which,
                                        weir_block_get_name (block), which, port);
}

/* A wire to what is kept, from where its value comes through gains and biases. */
static gboolean
write_connection (WeirWire *wire, gpointer data)
{
  Level *level = data;
  WeirWireEnd to = weir_wire_get_to (wire), from = weir_wire_get_from (wire);
  const WeirBlock *target = weir_diagram_find_block (level->diagram, to.block);
  const WeirBlock *source = weir_diagram_find_block (level->diagram, from.block);
  double factor = 1, offset = 0, own_factor, own_offset;
  g_autofree char *start = NULL, *end = NULL;
  char first[G_ASCII_DTOSTR_BUF_SIZE], second[G_ASCII_DTOSTR_BUF_SIZE];

  if (target == NULL || source == NULL || is_sink (target)
      || get_linear (target, &own_factor, &own_offset))
    return TRUE;
  for (guint i = 0; source != NULL && get_linear (source, &own_factor, &own_offset); i++)
    {
      Search search = { "u", NULL };

      offset += factor * own_offset;
      factor *= own_factor;
      if (i < MAX_CHAIN)
        weir_diagram_foreach_wire_at (level->diagram, weir_block_get_id (source), find_wire_to,
                                      &search);
      if (search.wire == NULL)
        {
          fail (level->writing, source, N_ ("it has no input."));
          return FALSE;
        }
      from = weir_wire_get_from (search.wire);
      source = weir_diagram_find_block (level->diagram, from.block);
    }
  if (source == NULL)
    return TRUE;
  start = dup_end ("start", source, from.port);
  end = dup_end ("end", target, to.port);
  begin_line (level->writing);
  /* What is done to the number stands here, all of it. */
  g_string_append_printf (level->writing->text,
                          "<ssd:Connection%s%s suppressUnitConversion=\"true\"", start, end);
  if (factor == 1 && offset == 0)
    g_string_append (level->writing->text, "/>\n");
  else
    g_string_append_printf (level->writing->text,
                            "><ssc:LinearTransformation factor=\"%s\" offset=\"%s\"/>"
                            "</ssd:Connection>\n",
                            weir_number_to_text (factor, first),
                            weir_number_to_text (offset, second));
  return TRUE;
}

/* --- Systems --------------------------------------------------------------------------------- */

typedef struct {
  Writing *writing;
  gboolean is_root;
  enum { CHECKS, CONNECTORS, VALUES, ELEMENTS } pass;
  guint n_values;
} Walk;

static void
write_connector (Writing *self, const WeirBlock *block, const char *kind)
{
  add (self, "<ssd:Connector name=\"%s\" kind=\"%s\"/>", weir_block_get_name (block), kind);
}

static gboolean
write_block (WeirBlock *block, gpointer data)
{
  Walk *walk = data;
  Writing *self = walk->writing;
  gboolean is_constant = weir_block_is_type (block, "Constant");
  double value = 1;

  switch (walk->pass)
    {
    case CHECKS:
      check_block (self, block, walk->is_root);
      walk->n_values += is_constant;
      break;
    case CONNECTORS:
      if (is_constant || weir_block_is_type (block, WEIR_TYPE_NAME_IN))
        write_connector (self, block, "input");
      else if (weir_block_is_type (block, WEIR_TYPE_NAME_OUT))
        write_connector (self, block, "output");
      break;
    case VALUES:
      if (is_constant && get_number (block, "value", 1, &value))
        {
          char buffer[G_ASCII_DTOSTR_BUF_SIZE];

          write_value (self, weir_block_get_name (block), self->version == 2 ? "Float64" : "Real",
                       weir_number_to_text (value, buffer));
        }
      break;
    case ELEMENTS:
      if (weir_block_is_type (block, WEIR_TYPE_NAME_FMU))
        write_fmu (self, block);
      else if (weir_block_get_diagram (block) != NULL)
        write_system (self, weir_block_get_diagram (block), block);
      break;
    }
  return self->error == NULL;
}

static gsize
walk (Writing *self, WeirDiagram *diagram, Walk pass, const char *element)
{
  gsize begin = self->text->len, filled;

  if (element != NULL)
    {
      add (self, "<ssd:%s>", element);
      self->depth++;
    }
  filled = self->text->len;
  weir_diagram_foreach_block (diagram, write_block, &pass);
  if (element == NULL)
    return pass.n_values;
  self->depth--;
  if (self->text->len == filled)
    g_string_truncate (self->text, begin);
  else
    add (self, "</ssd:%s>", element);
  return 0;
}

/* @block: the Subsystem, or NULL of the outermost. */
static void
write_system (Writing *self, WeirDiagram *diagram, const WeirBlock *block)
{
  Walk pass = { .writing = self, .is_root = block == NULL };
  Level level = { self, diagram };
  gsize n_values;

#define PASS(which) ((Walk) { self, pass.is_root, which, 0 })
  n_values = walk (self, diagram, PASS (CHECKS), NULL);
  add (self, "<ssd:System name=\"%s\">", block != NULL ? weir_block_get_name (block) : "Root");
  self->depth++;
  walk (self, diagram, PASS (CONNECTORS), "Connectors");
  if (block != NULL)
    write_geometry (self, block);
  if (n_values > 0)
    {
      begin_values (self);
      walk (self, diagram, PASS (VALUES), NULL);
      end_values (self);
    }
  walk (self, diagram, PASS (ELEMENTS), "Elements");
#undef PASS
  if (weir_diagram_get_n_wires (diagram) > 0 && self->error == NULL)
    {
      gsize begin = self->text->len, filled;

      add (self, "<ssd:Connections>");
      self->depth++;
      filled = self->text->len;
      weir_diagram_foreach_wire (diagram, write_connection, &level);
      self->depth--;
      if (self->text->len == filled)
        g_string_truncate (self->text, begin);
      else
        add (self, "</ssd:Connections>");
    }
  self->depth--;
  add (self, "</ssd:System>");
}

/* --- The package ----------------------------------------------------------------------------- */

static void
write_description (Writing *self)
{
  const char *title = weir_model_get_title (self->model);
  const char *schedule = weir_model_get_setting (self->model, WEIR_SETTING_SCHEDULE);
  char stop[G_ASCII_DTOSTR_BUF_SIZE], step[G_ASCII_DTOSTR_BUF_SIZE];

  add (self, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
  add (self,
       "<ssd:SystemStructureDescription xmlns:ssd=\"" SSP "Description\" xmlns:ssc=\"" SSP
       "Common\" xmlns:ssv=\"" SSP "ParameterValues\" version=\"%u.0\" name=\"%s\" "
       "generationTool=\"Weir\">",
       self->version, *title != '\0' ? title : "Untitled");
  self->depth++;
  write_system (self, weir_model_get_root (self->model), NULL);
  add (self, "<ssd:DefaultExperiment startTime=\"0\" stopTime=\"%s\">",
       weir_number_to_text (weir_model_get_setting_number (self->model, "stop-time"), stop));
  self->depth++;
  add (self,
       "<ssd:Annotations><ssc:Annotation type=\"" ANNOTATION
       "\"><FixedStepMaster stepSize=\"%s\" schedule=\"%s\"/></ssc:Annotation></ssd:Annotations>",
       weir_number_to_text (
           weir_model_get_setting_number (self->model, WEIR_SETTING_COMMUNICATION_STEP), step),
       schedule != NULL ? schedule : "full");
  self->depth--;
  add (self, "</ssd:DefaultExperiment>");
  self->depth--;
  add (self, "</ssd:SystemStructureDescription>");
}

GBytes *
weir_structure_write (WeirModel *model, guint version, GError **error)
{
  Writing self = { .model = model, .version = version, .text = g_string_new (NULL) };
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (WeirFmuFile));
  GBytes *description, *package = NULL;

  g_return_val_if_fail (version == 1 || version == 2, NULL);

  self.resources = g_hash_table_new (g_str_hash, g_str_equal);
  self.archives = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_fmu_archive_unref);
  self.names = g_ptr_array_new_with_free_func (g_free);
  write_description (&self);
  description = g_string_free_to_bytes (self.text);
  if (self.error != NULL)
    g_propagate_error (error, self.error);
  else
    {
      g_array_append_val (files, ((WeirFmuFile) { WEIR_SSP_FILE, description }));
      for (guint i = 0; i < self.names->len; i++)
        g_array_append_val (
            files, ((WeirFmuFile) { self.names->pdata[i],
                                    weir_fmu_archive_get_bytes (self.archives->pdata[i]) }));
      package = weir_fmu_archive_write ((const WeirFmuFile *) (const void *) files->data,
                                        files->len, error);
    }
  g_bytes_unref (description);
  g_hash_table_unref (self.resources);
  g_ptr_array_unref (self.archives);
  g_ptr_array_unref (self.names);
  return package;
}
