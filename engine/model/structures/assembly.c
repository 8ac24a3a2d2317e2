/* A system as files say it, and the model that it becomes. See structures-private.h. */
#include "model/structures/structures-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/tree/file-names.h"
#include "model/tree/fmu-starts.h"
#include "model/tree/unit-settings.h"
#include "numerics/number.h"

#define MAX_PARTS 100000 /* of all systems of a file */
#define GRID 10.0
#define COLUMN 220.0
#define ROW 110.0
#define WIDTH 100.0 /* of blocks, on average, where the file says how large they are */
#define LINE 20.0   /* of a note */

/* --- A system -------------------------------------------------------------------------------- */

static void
part_free (gpointer data)
{
  WeirPart *self = data;

  g_free (self->name);
  g_free (self->file);
  g_hash_table_unref (self->starts);
  g_clear_pointer (&self->inside, weir_structure_free);
  g_free (self);
}

static void
link_clear (gpointer data)
{
  WeirLink *self = data;

  g_free (self->from.port);
  g_free (self->to.port);
  g_free (self->expression);
}

WeirStructure *
weir_structure_new (void)
{
  WeirStructure *self = g_new0 (WeirStructure, 1);

  self->parts = g_ptr_array_new_with_free_func (part_free);
  self->links = g_array_new (FALSE, TRUE, sizeof (WeirLink));
  g_array_set_clear_func (self->links, link_clear);
  self->inputs = g_ptr_array_new_with_free_func (g_free);
  self->outputs = g_ptr_array_new_with_free_func (g_free);
  self->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
weir_structure_free (WeirStructure *self)
{
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->values);
  g_ptr_array_unref (self->parts);
  g_array_unref (self->links);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_free (self);
}

WeirPart *
weir_structure_add (WeirStructureReading *r, WeirStructure *self, WeirPartKind kind,
                    const char *name, int line)
{
  WeirPart *part = g_new0 (WeirPart, 1);

  if (++r->n_parts == MAX_PARTS)
    weir_structure_fail (r, "STR01", line, N_ ("There are more than %d parts."), MAX_PARTS);
  part->kind = kind;
  part->name = g_strdup (name);
  part->line = line;
  part->steps = 1;
  part->factor = 1;
  part->starts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!g_hash_table_insert (self->numbers, part->name, GUINT_TO_POINTER (self->parts->len)))
    weir_structure_fail (r, "STR02", line, N_ ("There are two parts called \"%s\"."), name);
  g_ptr_array_add (self->parts, part);
  return part;
}

guint
weir_structure_find (const WeirStructure *self, const char *name)
{
  gpointer number;

  return g_hash_table_lookup_extended (self->numbers, name, NULL, &number)
             ? GPOINTER_TO_UINT (number)
             : WEIR_SELF;
}

WeirPart *
weir_structure_get (const WeirStructure *self, guint part)
{
  return g_ptr_array_index (self->parts, part);
}

/* --- Telling --------------------------------------------------------------------------------- */

/* Lines of a file within the file that is opened are told by where they are. */
static void
tell (WeirStructureReading *r, WeirSeverity severity, const char *code, int line,
      WeirMessage *message)
{
  g_autofree char *place = NULL;

  if (r->file != NULL && line > 0)
    place = g_strdup_printf ("%s:%d", r->file, line);
  else if (r->file != NULL)
    place = g_strdup (r->file);
  weir_diagnostics_add_message (r->diagnostics, severity, code, place != NULL ? place : "", 0, 0,
                                place == NULL ? line : 0, message);
}

void
weir_structure_fail (WeirStructureReading *r, const char *code, int line, const char *format, ...)
{
  va_list args;

  if (r->is_failed)
    return;
  r->is_failed = TRUE;
  va_start (args, format);
  tell (r, WEIR_SEVERITY_ERROR, code, line, weir_message_new_valist (format, args));
  va_end (args);
}

void
weir_structure_warn (WeirStructureReading *r, const char *code, int line, const char *format, ...)
{
  va_list args;
  WeirMessage *message;

  if (r->is_failed)
    return;
  va_start (args, format);
  message = weir_message_new_valist (format, args);
  va_end (args);
  g_ptr_array_add (r->notes, g_strdup (weir_message_get_text (message)));
  tell (r, WEIR_SEVERITY_WARNING, code, line, message);
}

gboolean
weir_structure_get_number (WeirStructureReading *r, const WeirMarkup *element,
                           const char *attribute, double *value)
{
  const char *text = weir_markup_get (element, attribute);

  if (weir_markup_get_number (element, attribute, value))
    return TRUE;
  if (text != NULL)
    weir_structure_warn (r, "STR05", element->line,
                         N_ ("\"%s\" of <%s> is \"%s\", which is no number: it is passed over."),
                         attribute, element->name, text);
  return FALSE;
}

/* --- Parts ----------------------------------------------------------------------------------- */

void
weir_part_take_file (WeirPart *self, WeirStructureReading *r, const WeirOrigin *origin,
                     const char *reference)
{
  g_autoptr (GError) error = NULL;

  self->file = weir_origin_dup_path (origin, reference, &error);
  if (self->file == NULL)
    {
      weir_structure_warn (r, "STR03", self->line, "%s: %s", self->name,
                           weir_error_get_text (error));
      return;
    }
  self->source = weir_fmu_source_find (self->file, NULL);
  if (self->source != NULL && self->source->description == NULL)
    self->source = NULL; /* completion says why */
}

const WeirFmuVariable *
weir_part_find_variable (const WeirPart *self, const char *name)
{
  const WeirFmuDescription *d = self->source != NULL ? self->source->description : NULL;
  guint v = d != NULL ? weir_fmu_description_find (d, name) : WEIR_FMU_NONE;

  return v != WEIR_FMU_NONE ? &d->variables[v] : NULL;
}

/* A word of a value: a number, true or false, the name of an item. */
static gboolean
parse_word (const WeirFmuVariable *variable, const char *word, double *value)
{
  const WeirFmuTraits *traits = variable != NULL ? &variable->traits : NULL;
  char *end;

  for (guint i = 0; traits != NULL && i < traits->n_items; i++)
    if (strcmp (traits->items[i].name, word) == 0)
      {
        *value = (double) traits->items[i].value;
        return TRUE;
      }
  if (strcmp (word, "true") == 0 || strcmp (word, "false") == 0)
    {
      *value = *word == 't';
      return TRUE;
    }
  *value = g_ascii_strtod (word, &end);
  return end != word && *end == '\0' && isfinite (*value);
}

/* "2", "[1, 2, 3]"; NULL: there is none in @text. (transfer full) */
static char *
dup_value (const WeirFmuVariable *variable, const char *text)
{
  gboolean is_word = variable != NULL && variable->size == 1; /* which may have blanks in it */
  g_auto (GStrv) words = g_strsplit_set (text, is_word ? "\t\r\n" : " \t\r\n", -1);
  g_autoptr (GString) value = g_string_new (NULL);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  guint n = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      double number;

      if (*g_strstrip (words[i]) == '\0')
        continue;
      if (!parse_word (variable, words[i], &number))
        return NULL;
      g_string_append_printf (value, "%s%s", n++ > 0 ? ", " : "",
                              weir_number_to_text (number, buffer));
    }
  if (n > 1)
    {
      g_string_prepend_c (value, '[');
      g_string_append_c (value, ']');
    }
  return n > 0 ? g_strdup (value->str) : NULL;
}

gboolean
weir_part_set_start (WeirPart *self, WeirStructureReading *r, const char *variable,
                     const char *text, int line)
{
  const WeirFmuVariable *v = weir_part_find_variable (self, variable);
  gboolean is_text = v != NULL
                     && (v->traits.type == WEIR_FMU_STRING || v->traits.type == WEIR_FMU_BINARY);
  gboolean is_beyond = strpbrk (variable, ";\n") != NULL || (is_text && v->n_dimensions > 0);
  g_autofree char *value = is_beyond ? NULL
                           : is_text ? weir_fmu_starts_quote (text)
                                     : dup_value (v, text);

  if (v == NULL && self->source != NULL)
    return FALSE;
  if (is_beyond)
    weir_structure_warn (
        r, "STR06", line,
        N_ ("%s.%s keeps the value that the FMU gives it: lists of texts, and what "
            "has a semicolon in its name, cannot be set."),
        self->name, variable);
  else if (value == NULL)
    weir_structure_warn (r, "STR05", line, N_ ("%s.%s: \"%s\" is no value for it."), self->name,
                         variable, text);
  else
    g_hash_table_replace (self->starts, g_strdup (variable), g_steal_pointer (&value));
  return TRUE;
}

/* --- Where they stand ------------------------------------------------------------------------ */

static double
snap (double x)
{
  return GRID * round (x / GRID);
}

/* As the file has it, in units of which an average block has WIDTH; FALSE: not all have a place. */
static gboolean
place_as_said (const WeirStructure *self)
{
  double sum = 0, scale;

  for (guint i = 0; i < self->parts->len; i++)
    {
      const WeirPart *part = weir_structure_get (self, i);

      if (!(part->size.x > 0 && part->size.y > 0))
        return FALSE;
      sum += part->size.x;
    }
  scale = WIDTH * self->parts->len / sum;
  for (guint i = 0; i < self->parts->len; i++)
    {
      WeirPart *part = weir_structure_get (self, i);

      part->position = (WeirPoint) { snap (scale * part->position.x),
                                     snap (scale * part->position.y) };
      part->size = (WeirPoint) { MAX (4 * GRID, snap (scale * part->size.x)),
                                 MAX (4 * GRID, snap (scale * part->size.y)) };
      if (!(fabs (part->position.x) < WEIR_MAX_COORDINATE
            && fabs (part->position.y) < WEIR_MAX_COORDINATE && part->size.x < WEIR_MAX_COORDINATE
            && part->size.y < WEIR_MAX_COORDINATE))
        return FALSE;
    }
  return TRUE;
}

/* In columns: what is fed by parts that stand before it in the list, to the right of them. */
static void
place_in_columns (const WeirStructure *self)
{
  g_autofree guint *columns = g_new0 (guint, self->parts->len + 1);
  g_autofree guint *n_rows = g_new0 (guint, self->parts->len + 1);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint pass = 0; pass < MIN (self->parts->len, 20); pass++) /* links are in any order */
    for (guint i = 0; i < self->links->len; i++)
      {
        const WeirLink *link = &g_array_index (self->links, WeirLink, i);

        if (link->from.part < link->to.part && link->to.part != WEIR_SELF)
          columns[link->to.part] = MAX (columns[link->to.part], columns[link->from.part] + 1);
      }
  for (guint i = 0; i < self->parts->len; i++)
    {
      WeirPart *part = weir_structure_get (self, i);

      part->size = (WeirPoint) { 0, 0 };
      part->position = (WeirPoint) { COLUMN * columns[i], ROW * n_rows[columns[i]]++ };
    }
}

/* --- Blocks ---------------------------------------------------------------------------------- */

typedef struct {
  WeirStructureReading *r;
  guint32 next_id;
} Assembly;

typedef struct {
  Assembly *a;
  const WeirStructure *structure;
  WeirDiagram *diagram;
  guint32 *blocks;       /* of each part */
  GHashTable *in, *out;  /* connectors of the system itself to the ids of their blocks */
  GHashTable **in_names; /* of each part that is a system: connector to the name of its port */
  double left, right, top;
  gboolean is_root;
} Level;

static WeirDiagram *assemble_level (Assembly *a, const WeirStructure *structure, gboolean is_root,
                                    GHashTable **names);

/* A name of a block has no dots, no line breaks, no spaces at its ends. (transfer full) */
static char *
dup_block_name (const WeirDiagram *diagram, const char *wanted)
{
  g_autofree char *name = g_strdelimit (g_utf8_make_valid (wanted, -1), ".\n\r\t", '_');

  g_strstrip (name);
  if (weir_name_get_problem (name) != NULL)
    {
      g_free (name);
      name = g_strdup ("Part");
    }
  return weir_diagram_dup_free_name (diagram, name);
}

static WeirBlock *
add_block (Level *level, const char *type, const char *wanted, WeirPoint position, int line)
{
  g_autofree char *name = dup_block_name (level->diagram, wanted);
  WeirBlock *block = weir_block_new (level->a->next_id++, type, name, position);

  weir_block_set_line (block, level->a->r->file == NULL ? line : 0);
  weir_diagram_put_block (level->diagram, block);
  weir_block_unref (block);
  return weir_diagram_find_block (level->diagram, level->a->next_id - 1);
}

static WeirBlock *
set_parameter (Level *level, WeirBlock *block, const char *name, const char *text)
{
  guint32 id = weir_block_get_id (block);
  g_autoptr (WeirBlock) with = weir_block_with_parameter (block, name, text);

  weir_diagram_drop (level->diagram, WEIR_ELEMENT_BLOCK, id);
  weir_diagram_put_block (level->diagram, with);
  return weir_diagram_find_block (level->diagram, id);
}

static WeirBlock *
set_number (Level *level, WeirBlock *block, const char *name, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return set_parameter (level, block, name, weir_number_to_text (number, buffer));
}

static void
add_wire (Level *level, guint32 from, const char *output, guint32 to, const char *input, int line)
{
  g_autoptr (WeirWire)
      wire = weir_wire_new (level->a->next_id++, (WeirWireEnd) { .block = from, .port = output },
                            (WeirWireEnd) { .block = to, .port = input }, NULL, 0);

  weir_wire_set_line (wire, level->a->r->file == NULL ? line : 0);
  weir_diagram_put_wire (level->diagram, wire);
}

/* "mass = 2; x = [1, 2]", in order of name. (transfer full) */
static char *
dup_starts (const WeirPart *part)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GList)
      names = g_list_sort (g_hash_table_get_keys (part->starts), (GCompareFunc) strcmp);

  for (GList *l = names; l != NULL; l = l->next)
    g_string_append_printf (text, "%s%s = %s", text->len > 0 ? "; " : "", (char *) l->data,
                            (char *) g_hash_table_lookup (part->starts, l->data));
  return g_strdup (text->str);
}

static WeirBlock *
add_fmu (Level *level, const WeirPart *part)
{
  WeirBlock *block = add_block (level, WEIR_TYPE_NAME_FMU, part->name, part->position, part->line);
  g_autofree char *starts = dup_starts (part);

  block = set_parameter (level, block, "file", part->file != NULL ? part->file : "");
  if (*starts != '\0')
    block = set_parameter (level, block, WEIR_FMU_STARTS, starts);
  if (part->mode != NULL)
    block = set_parameter (level, block, "mode", part->mode);
  if (part->steps > 1)
    block = set_number (level, block, "steps", part->steps);
  return block;
}

static WeirBlock *
add_system (Level *level, const WeirPart *part, GHashTable **names)
{
  g_autoptr (WeirDiagram) inside = assemble_level (level->a, part->inside, FALSE, names);
  WeirBlock *block = add_block (level, WEIR_TYPE_NAME_SUBSYSTEM, part->name, part->position,
                                part->line);
  guint32 id = weir_block_get_id (block);
  g_autoptr (WeirBlock) with = weir_block_with_diagram (block, inside);

  weir_diagram_drop (level->diagram, WEIR_ELEMENT_BLOCK, id);
  weir_diagram_put_block (level->diagram, with);
  return weir_diagram_find_block (level->diagram, id);
}

static WeirBlock *
add_sum (Level *level, const WeirPart *part)
{
  g_autofree char *signs = g_strnfill (part->n_inputs, '+');
  WeirBlock *block = add_block (level, "Sum", part->name, part->position, part->line);

  return set_parameter (level, block, "signs", signs);
}

static void
add_part (Level *level, guint i)
{
  const WeirPart *part = weir_structure_get (level->structure, i);
  WeirBlock *block = NULL;

  switch (part->kind)
    {
    case WEIR_PART_FMU:
      block = add_fmu (level, part);
      break;
    case WEIR_PART_SYSTEM:
      block = add_system (level, part, &level->in_names[i]);
      break;
    case WEIR_PART_LINEAR:
      block = add_block (level, "Polynomial", part->name, part->position, part->line);
      {
        char factor[G_ASCII_DTOSTR_BUF_SIZE], offset[G_ASCII_DTOSTR_BUF_SIZE];
        g_autofree char *text = g_strdup_printf ("[%s, %s]",
                                                 weir_number_to_text (part->factor, factor),
                                                 weir_number_to_text (part->offset, offset));

        block = set_parameter (level, block, "coefficients", text);
      }
      break;
    case WEIR_PART_SUM:
      block = add_sum (level, part);
      break;
    }
  if (part->size.x > 0)
    {
      guint32 id = weir_block_get_id (block);
      g_autoptr (WeirBlock) with = weir_block_with_size (block, part->size);

      weir_diagram_drop (level->diagram, WEIR_ELEMENT_BLOCK, id);
      weir_diagram_put_block (level->diagram, with);
      block = weir_diagram_find_block (level->diagram, id);
    }
  level->blocks[i] = weir_block_get_id (block);
  level->left = MIN (level->left, part->position.x);
  level->right = MAX (level->right, part->position.x + part->size.x);
  level->top = MIN (level->top, part->position.y);
}

/* What the system itself has: In and Out; of the outermost an input is a value that stays. */
static void
add_connectors (Level *level)
{
  const WeirStructure *s = level->structure;

  for (guint i = 0; i < s->inputs->len; i++)
    {
      const char *name = g_ptr_array_index (s->inputs, i);
      const char *value = g_hash_table_lookup (s->values, name);
      WeirBlock *block = add_block (level, level->is_root ? "Constant" : WEIR_TYPE_NAME_IN, name,
                                    (WeirPoint) { level->left - COLUMN, level->top + ROW / 2 * i },
                                    0);

      if (level->is_root)
        block = set_parameter (level, block, "value", value != NULL ? value : "0");
      g_hash_table_insert (level->in, (char *) name, GUINT_TO_POINTER (weir_block_get_id (block)));
    }
  for (guint i = 0; i < s->outputs->len; i++)
    {
      const char *name = g_ptr_array_index (s->outputs, i);
      const WeirBlock *block = add_block (
          level, WEIR_TYPE_NAME_OUT, name,
          (WeirPoint) { level->right + COLUMN, level->top + ROW / 2 * i }, 0);

      g_hash_table_insert (level->out, (char *) name, GUINT_TO_POINTER (weir_block_get_id (block)));
    }
}

/* --- Wires ----------------------------------------------------------------------------------- */

/* The block that an end is at, 0 if there is none, and the port there. */
static guint32
find_end (const Level *level, const WeirLinkEnd *end, gboolean is_from, const char **port)
{
  GHashTable *names = end->part != WEIR_SELF ? level->in_names[end->part] : NULL;

  *port = end->port;
  if (end->part != WEIR_SELF)
    {
      if (names != NULL && g_hash_table_lookup (names, end->port) != NULL)
        *port = g_hash_table_lookup (names, end->port);
      return level->blocks[end->part];
    }
  *port = is_from ? "y" : "u";
  return GPOINTER_TO_UINT (g_hash_table_lookup (is_from ? level->in : level->out, end->port));
}

/* What changes the value on its way stands in between. */
static void
add_between (Level *level, const WeirLink *link, guint32 *from, const char **output)
{
  WeirPoint at = { level->left, level->top };
  WeirBlock *block;

  if (link->to.part != WEIR_SELF)
    at = weir_structure_get (level->structure, link->to.part)->position;
  at = (WeirPoint) { at.x - COLUMN / 2, at.y + ROW / 2 };
  if (link->expression != NULL)
    {
      block = add_block (level, "Expression", "Map", at, link->line);
      block = set_parameter (level, block, "expression", link->expression);
      add_wire (level, *from, *output, weir_block_get_id (block), "u", link->line);
      *from = weir_block_get_id (block);
      *output = "y";
    }
  if (link->factor != 1 || link->is_bare) /* behind a gain units are others */
    {
      block = add_block (level, "Gain", "Gain", at, link->line);
      block = set_number (level, block, "gain", link->factor);
      add_wire (level, *from, *output, weir_block_get_id (block), "u", link->line);
      *from = weir_block_get_id (block);
      *output = "y";
    }
  if (link->offset != 0)
    {
      block = add_block (level, "Bias", "Bias", (WeirPoint) { at.x + COLUMN / 4, at.y },
                         link->line);
      block = set_number (level, block, "bias", link->offset);
      add_wire (level, *from, *output, weir_block_get_id (block), "u", link->line);
      *from = weir_block_get_id (block);
      *output = "y";
    }
}

static void
add_link (Level *level, const WeirLink *link)
{
  const char *output, *input;
  guint32 from = find_end (level, &link->from, TRUE, &output);
  guint32 to = find_end (level, &link->to, FALSE, &input);

  if (from == 0 || to == 0 || *output == '\0' || *input == '\0')
    {
      weir_structure_fail (level->a->r, "STR04", link->line,
                           N_ ("A connection ends at \"%s\", which the system does not have."),
                           from == 0 || *output == '\0' ? link->from.port : link->to.port);
      return;
    }
  add_between (level, link, &from, &output);
  add_wire (level, from, output, to, input, link->line);
}

/* @names: (out) (transfer full) of the ports that it has as a Subsystem, by connector. */
static WeirDiagram *
assemble_level (Assembly *a, const WeirStructure *structure, gboolean is_root, GHashTable **names)
{
  guint n = structure->parts->len;
  Level level = { .a = a,
                  .structure = structure,
                  .diagram = weir_diagram_new (),
                  .blocks = g_new0 (guint32, n + 1),
                  .in = g_hash_table_new (g_str_hash, g_str_equal),
                  .out = g_hash_table_new (g_str_hash, g_str_equal),
                  .in_names = g_new0 (GHashTable *, n + 1),
                  .is_root = is_root };
  GHashTableIter iter;
  gpointer connector, id;

  if (n == 0 || !place_as_said (structure))
    place_in_columns (structure);
  for (guint i = 0; i < n; i++)
    add_part (&level, i);
  add_connectors (&level);
  for (guint i = 0; i < structure->links->len; i++)
    add_link (&level, &g_array_index (structure->links, WeirLink, i));

  *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint k = 0; k < 2; k++)
    for (g_hash_table_iter_init (&iter, k == 0 ? level.in : level.out);
         g_hash_table_iter_next (&iter, &connector, &id);)
      g_hash_table_insert (*names, g_strdup (connector),
                           g_strdup (weir_block_get_name (
                               weir_diagram_find_block (level.diagram, GPOINTER_TO_UINT (id)))));
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&level.in_names[i], g_hash_table_unref);
  g_free (level.in_names);
  g_free (level.blocks);
  g_hash_table_unref (level.in);
  g_hash_table_unref (level.out);
  return level.diagram;
}

/* --- The model ------------------------------------------------------------------------------- */

/* What was not taken over, where it is seen. */
static void
put_note (Assembly *a, WeirDiagram *diagram)
{
  g_autoptr (GString) text = g_string_new (_ ("Not as in the file:"));
  g_autoptr (WeirNote) note = NULL;

  for (guint i = 0; i < MIN (a->r->notes->len, 20); i++)
    g_string_append_printf (text, "\n%s", (char *) g_ptr_array_index (a->r->notes, i));
  if (a->r->notes->len > 20)
    g_string_append (text, "\n...");
  note = weir_note_new (a->next_id++, (WeirPoint) { 0, -LINE * (4 + MIN (a->r->notes->len, 20)) },
                        text->str);
  weir_diagram_put_note (diagram, note);
}

static void
add_setting (GArray *pairs, const char *name, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isnan (value))
    g_array_append_val (
        pairs, ((WeirTextPair) { g_ref_string_new_intern (name),
                                 g_ref_string_new (weir_number_to_text (value, buffer)), 0 }));
}

static WeirHead
dup_head (const WeirStructureReading *r)
{
  WeirHead head = { .is_foreign = TRUE,
                    .title = r->title != NULL && *r->title != '\0' ? g_ref_string_new (r->title)
                                                                   : NULL };
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (WeirTextPair));
  const char *twice;

  g_array_set_clear_func (pairs, (GDestroyNotify) weir_text_pair_clear);
  add_setting (pairs, "stop-time", r->stop);
  add_setting (pairs, WEIR_SETTING_COMMUNICATION_STEP, r->step);
  if (r->schedule != NULL)
    g_array_append_val (pairs, ((WeirTextPair) { g_ref_string_new_intern (WEIR_SETTING_SCHEDULE),
                                                 g_ref_string_new (r->schedule), 0 }));
  head.settings = weir_texts_new ((WeirTextPair *) (void *) pairs->data, pairs->len, &twice);
  if (r->author != NULL)
    head.metadata = weir_metadata_with (NULL, "", weir_key_author, r->author);
  if (r->description != NULL)
    {
      WeirMetadata *with = weir_metadata_with (head.metadata, "", weir_key_description,
                                               r->description);

      weir_metadata_unref (head.metadata);
      head.metadata = with;
    }
  return head;
}

WeirModel *
weir_structure_assemble (WeirStructureReading *r, const WeirStructure *root, const char *folder)
{
  Assembly a = { r, 1 };
  g_autoptr (GHashTable) names = NULL;
  g_autoptr (WeirDiagram) diagram = assemble_level (&a, root, TRUE, &names);
  g_autoptr (WeirDiagram) near = NULL;
  WeirHead head;
  WeirModel *model;

  if (r->is_failed)
    return NULL;
  if (r->notes->len > 0)
    put_note (&a, diagram);
  head = dup_head (r);
  head.folder = g_ref_string_new (folder);
  near = weir_diagram_shorten_file_names (diagram, folder);
  weir_diagram_read_fmus (near, folder);
  model = weir_model_new_for_root (near, &head);
  weir_head_clear (&head);
  return model;
}
