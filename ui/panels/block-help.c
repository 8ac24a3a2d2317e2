/* Help on block types. See block-help.h.
 *
 * Blocks and spans are collected in two arrays; spans are handed to their blocks when the page is
 * complete, as the arrays move while they grow.
 */
#include "panels/block-help.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/file.h"
#include "blocks/library/registry.h"
#include "blocks/parts/part.h"
#include "system/layout/sources.h"
#include "system/structure/system.h"

#define MAX_EXAMPLES 4
#define N_RELATED 8

struct _WeirBlockHelp {
  WeirHelpPage page;
  GArray *blocks; /* WeirHelpBlock; spans: where theirs begin in @spans, until it is complete */
  GArray *spans;  /* WeirHelpSpan */
  GStringChunk *texts;
};

/* --- Writing --------------------------------------------------------------------------------- */

static void
begin (WeirBlockHelp *self, WeirHelpBlockKind kind, int level, int indent)
{
  WeirHelpBlock block = { .kind = kind, .level = level, .indent = indent };

  block.spans = GUINT_TO_POINTER (self->spans->len);
  g_array_append_val (self->blocks, block);
}

static void
add (WeirBlockHelp *self, WeirHelpSpanKind kind, int cell, const char *text, const char *target)
{
  WeirHelpSpan span = { .kind = kind, .cell = cell };

  span.text = g_string_chunk_insert (self->texts, text);
  span.target = target != NULL ? g_string_chunk_insert (self->texts, target) : NULL;
  g_array_append_val (self->spans, span);
  g_array_index (self->blocks, WeirHelpBlock, self->blocks->len - 1).n_spans++;
}

static void
add_block (WeirBlockHelp *self, WeirHelpBlockKind kind, int level, int indent, const char *text)
{
  begin (self, kind, level, indent);
  add (self, WEIR_HELP_TEXT, 0, text, NULL);
}

static WeirBlockHelp *
finish (WeirBlockHelp *self, const char *id, const char *title, const char *summary)
{
  for (guint i = 0; i < self->blocks->len; i++)
    {
      WeirHelpBlock *block = &g_array_index (self->blocks, WeirHelpBlock, i);

      block->spans = &g_array_index (self->spans, WeirHelpSpan, GPOINTER_TO_UINT (block->spans));
    }
  self->page.id = g_string_chunk_insert (self->texts, id);
  self->page.title = title;
  self->page.summary = summary;
  self->page.blocks = (const WeirHelpBlock *) (gpointer) self->blocks->data;
  self->page.n_blocks = self->blocks->len;
  return self;
}

static WeirBlockHelp *
help_new (void)
{
  WeirBlockHelp *self = g_new0 (WeirBlockHelp, 1);

  self->blocks = g_array_new (FALSE, FALSE, sizeof (WeirHelpBlock));
  self->spans = g_array_new (FALSE, FALSE, sizeof (WeirHelpSpan));
  self->texts = g_string_chunk_new (1024);
  return self;
}

void
weir_block_help_free (WeirBlockHelp *self)
{
  g_array_unref (self->blocks);
  g_array_unref (self->spans);
  g_string_chunk_free (self->texts);
  g_free (self);
}

const WeirHelpPage *
weir_block_help_get_page (const WeirBlockHelp *self)
{
  return &self->page;
}

/* --- One type -------------------------------------------------------------------------------- */

static void
add_rows (WeirBlockHelp *self, GArray *ports, const char *direction)
{
  for (guint i = 0; i < ports->len; i++)
    {
      const WeirPortSpec *port = &g_array_index (ports, WeirPortSpec, i);
      g_autofree char *size = port->size > 0 ? g_strdup_printf ("%u", port->size)
                                             : g_strdup (_ ("as many as are connected"));

      begin (self, WEIR_HELP_ROW, 0, 0);
      add (self, WEIR_HELP_CODE_SPAN, 0, port->name, NULL);
      add (self, WEIR_HELP_TEXT, 1, direction, NULL);
      add (self, WEIR_HELP_TEXT, 2, size, NULL);
    }
}

/* As they are by default. */
static void
add_ports (WeirBlockHelp *self, const WeirBlockType *type)
{
  g_autoptr (WeirArguments) arguments = weir_arguments_new (type, NULL, NULL, NULL);
  g_autoptr (GArray) inputs = arguments != NULL ? weir_arguments_list_inputs (arguments) : NULL;
  g_autoptr (GArray) outputs = arguments != NULL ? weir_arguments_list_outputs (arguments) : NULL;

  if (arguments == NULL || inputs->len + outputs->len == 0)
    return;
  add_block (self, WEIR_HELP_TITLE, 1, 0, _ ("Ports"));
  begin (self, WEIR_HELP_HEAD, 0, 0);
  add (self, WEIR_HELP_TEXT, 0, _ ("Name"), NULL);
  add (self, WEIR_HELP_TEXT, 1, _ ("Direction"), NULL);
  add (self, WEIR_HELP_TEXT, 2, _ ("Elements"), NULL);
  add_rows (self, inputs, _ ("input"));
  add_rows (self, outputs, _ ("output"));
}

static void
add_parameter (WeirBlockHelp *self, const WeirParameterSpec *spec)
{
  g_autoptr (WeirMessage) expectation = weir_parameter_spec_dup_expectation (spec);
  g_autofree char *expected = weir_message_translate (expectation);
  g_autofree char *unit = spec->unit != NULL ? g_strdup_printf (" %s", spec->unit) : g_strdup ("");
  g_autofree char *facts = NULL;

  begin (self, WEIR_HELP_TERM, 0, 0);
  add (self, WEIR_HELP_TEXT, 0, _ (spec->label), NULL);
  if (spec->help != NULL)
    add_block (self, WEIR_HELP_PARAGRAPH, 0, 1, _ (spec->help));
  begin (self, WEIR_HELP_PARAGRAPH, 0, 1);
  add (self, WEIR_HELP_CODE_SPAN, 0, spec->name, NULL);
  /* Translators: behind the name of a parameter: what it takes, and what it is where nobody says:
   * ": a number greater than 0 s; 1 s by default". */
  facts = spec->default_text != NULL && spec->default_text[0] != '\0'
                  && strchr (spec->default_text, '\n') == NULL
              ? g_strdup_printf (_ (": %s; %s%s by default"), expected, spec->default_text, unit)
              : g_strdup_printf (": %s", expected);
  add (self, WEIR_HELP_TEXT, 0, facts, NULL);
  if (spec->tunable != NULL)
    add (self, WEIR_HELP_TEXT, 0, _ ("; can be changed while a run goes on"), NULL);
}

/* --- What it computes ------------------------------------------------------------------------ */

static const char *
get_pin (const WeirPartType *part, guint pin)
{
  return g_array_index (part->pins, WeirPinSpec, pin).name;
}

static void
append_piece (GString *text, const WeirPartType *part, const WeirPiece *piece)
{
  switch (piece->kind)
    {
    case WEIR_PIECE_POTENTIAL:
      g_string_append_printf (text, "%s.v", get_pin (part, piece->index));
      break;
    case WEIR_PIECE_RATE:
      g_string_append_printf (text, "D(%s.v)", get_pin (part, piece->index));
      break;
    case WEIR_PIECE_FLOW:
      g_string_append_printf (text, "%s.i", get_pin (part, piece->index));
      break;
    case WEIR_PIECE_ACROSS:
      g_string_append (text, g_array_index (part->acrosses, WeirAcross, piece->index).name);
      break;
    case WEIR_PIECE_VALUE:
      g_string_append (text,
                       g_array_index (part->parameters, WeirParameterSpec, piece->index).name);
      break;
    case WEIR_PIECE_LITERAL:
    case WEIR_PIECE_OWN:
    default:
      g_string_append (text, piece->text);
      break;
    }
}

/* In the language that parts are written in (blocks/parts/part.h). (transfer full) */
static char *
dup_part_lines (const WeirPartType *part)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < part->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (part->throughs, WeirThrough, i);

      g_string_append_printf (text, "through %s: %s", through->name, get_pin (part, through->from));
      if (through->to != WEIR_NO_PIN)
        g_string_append_printf (text, " -> %s", get_pin (part, through->to));
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < part->acrosses->len; i++)
    {
      const WeirAcross *across = &g_array_index (part->acrosses, WeirAcross, i);

      g_string_append_printf (text, "across %s: %s", across->name, get_pin (part, across->from));
      if (across->to != WEIR_NO_PIN)
        g_string_append_printf (text, " - %s", get_pin (part, across->to));
      g_string_append_c (text, '\n');
    }
  if (part->reference != WEIR_NO_PIN)
    g_string_append_printf (text, "reference %s\n", get_pin (part, part->reference));
  for (guint i = 0; i < part->lines->len; i++, g_string_append_c (text, '\n'))
    {
      const GArray *line = part->lines->pdata[i];

      for (guint k = 0; k < line->len; k++)
        append_piece (text, part, &g_array_index (line, WeirPiece, k));
    }
  return g_string_free (text, FALSE);
}

/* Those of a type that is equations. */
static void
add_equations (WeirBlockHelp *self, const WeirBlockType *type, const WeirArguments *arguments)
{
  g_autofree char *lines = type->part != NULL ? dup_part_lines (type->part)
                           : type->dup_lines != NULL && arguments != NULL
                               ? type->dup_lines (arguments)
                               : g_strdup (type->lines);

  if (lines == NULL || *lines == '\0')
    return;
  add_block (self, WEIR_HELP_TITLE, 1, 0, _ ("Equations"));
  add_block (self, WEIR_HELP_CODE, 0, 0, g_strchomp (lines));
}

/* "input u, parameter gain" (transfer full) */
static char *
dup_prerequisites (WeirLayout *layout, WeirEntry entry)
{
  GString *text = g_string_new (NULL);
  const guint16 *tickets;
  guint n = weir_layout_get_declared (layout, entry, &tickets);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = weir_layout_describe_ticket (
          layout, weir_layout_get_entry (layout, entry).node, (WeirTicket) { tickets[i] });

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", label);
    }
  if (n == 0)
    g_string_append (text, _ ("nothing: it never changes"));
  return g_string_free (text, FALSE);
}

/* With inputs of one element where they may have any number; NULL if more must be given. (transfer
 * full) */
static WeirSystem *
build (const WeirBlockType *type, const WeirArguments *arguments)
{
  g_autoptr (GArray) inputs = arguments != NULL ? weir_arguments_list_inputs (arguments) : NULL;
  g_autofree guint *sizes = g_new0 (guint, (inputs != NULL ? inputs->len : 0) + 1);

  if (arguments == NULL || type->build == NULL)
    return NULL;
  for (guint i = 0; i < inputs->len; i++)
    sizes[i] = MAX (g_array_index (inputs, WeirPortSpec, i).size, 1);
  return type->build (arguments, sizes, NULL);
}

/* As the cache keeps them for a block with the parameters that it begins with. */
static void
add_prerequisites (WeirBlockHelp *self, const WeirBlockType *type, const WeirArguments *arguments)
{
  g_autoptr (WeirSystem) system = build (type, arguments);
  WeirLayout *layout = system != NULL ? weir_system_get_layout (system) : NULL;
  gboolean is_first = TRUE;

  for (guint i = 0; layout != NULL && i < weir_layout_get_n_entries (layout); i++)
    {
      WeirEntry entry = { i };
      g_autofree char *label = NULL, *read = NULL;

      if (!weir_layout_is_leaf_entry (layout, entry))
        continue;
      if (is_first)
        {
          add_block (self, WEIR_HELP_TITLE, 1, 0, _ ("Prerequisites"));
          begin (self, WEIR_HELP_HEAD, 0, 0);
          add (self, WEIR_HELP_TEXT, 0, _ ("Value"), NULL);
          add (self, WEIR_HELP_TEXT, 1, _ ("Computed anew after a change of"), NULL);
        }
      is_first = FALSE;
      label = weir_layout_describe_ticket (layout, weir_layout_get_entry (layout, entry).node,
                                           weir_layout_get_entry_ticket (layout, entry));
      read = dup_prerequisites (layout, entry);
      begin (self, WEIR_HELP_ROW, 0, 0);
      add (self, WEIR_HELP_TEXT, 0, label, NULL);
      add (self, WEIR_HELP_TEXT, 1, read, NULL);
    }
}

/* --- Where to go on -------------------------------------------------------------------------- */

/* Has the model a block of this type? */
static gboolean
has_block (const char *path, const WeirBlockType *type)
{
  g_autofree char *wanted = g_strdup_printf (" type=\"%s\"", type->name);
  g_autoptr (GBytes) text = weir_file_read (path, WEIR_FILE_MODEL, NULL);

  return text != NULL
         && g_strstr_len (g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text), wanted)
                != NULL;
}

static void
add_examples (WeirBlockHelp *self, const WeirBlockType *type, const GPtrArray *examples)
{
  guint n = 0;

  for (guint i = 0; examples != NULL && i < examples->len && n < MAX_EXAMPLES; i++)
    {
      g_autofree char *name = g_path_get_basename (examples->pdata[i]);
      g_autofree char *target = g_strconcat (WEIR_HELP_FILE "examples/", name, NULL);

      if (!has_block (examples->pdata[i], type))
        continue;
      if (n++ == 0)
        add_block (self, WEIR_HELP_TITLE, 1, 0, _ ("Examples to Open"));
      begin (self, WEIR_HELP_ITEM, 0, 0);
      add (self, WEIR_HELP_LINK, 0, name, target);
    }
}

/* Those beside it in its category. */
static void
add_related (WeirBlockHelp *self, const WeirBlockType *type)
{
  guint n = weir_registry_get_n_types (), at = 0;
  gboolean is_first = TRUE;

  while (at < n && weir_registry_get_type (at) != type)
    at++;
  for (guint i = at > N_RELATED / 2 ? at - N_RELATED / 2 : 0; i < MIN (n, at + N_RELATED / 2 + 1);
       i++)
    {
      const WeirBlockType *other = weir_registry_get_type (i);
      g_autofree char *target = g_strconcat (WEIR_BLOCK_HELP_PREFIX, other->name, NULL);

      if (other == type || !g_str_equal (other->category, type->category))
        continue;
      if (is_first)
        {
          add_block (self, WEIR_HELP_TITLE, 1, 0, _ ("Related Blocks"));
          begin (self, WEIR_HELP_PARAGRAPH, 0, 0);
        }
      else
        add (self, WEIR_HELP_TEXT, 0, " · ", NULL);
      is_first = FALSE;
      add (self, WEIR_HELP_LINK, 0, _ (other->title), target);
    }
}

static WeirBlockHelp *
type_help_new (const WeirBlockType *type, const GPtrArray *examples)
{
  g_autoptr (WeirArguments) arguments = weir_arguments_new (type, NULL, NULL, NULL);
  WeirBlockHelp *self = help_new ();
  g_autofree char *id = g_strconcat (WEIR_BLOCK_HELP_PREFIX, type->name, NULL);

  add_block (self, WEIR_HELP_TITLE, 0, 0, _ (type->title));
  add_block (self, WEIR_HELP_PARAGRAPH, 0, 0, _ (type->summary));
  begin (self, WEIR_HELP_PARAGRAPH, 0, 0);
  add (self, WEIR_HELP_LINK, 0, _ (type->category), WEIR_BLOCK_HELP_ALL);
  add (self, WEIR_HELP_TEXT, 0, " · ", NULL);
  add (self, WEIR_HELP_CODE_SPAN, 0, type->name, NULL);
  if (type->equations != NULL)
    {
      begin (self, WEIR_HELP_PARAGRAPH, 0, 0);
      add (self, WEIR_HELP_LINK, 0, _ ("The language of equations"), "equations");
    }
  add_ports (self, type);
  if (type->n_parameters > 0)
    add_block (self, WEIR_HELP_TITLE, 1, 0, _ ("Parameters"));
  for (guint i = 0; i < type->n_parameters; i++)
    add_parameter (self, &type->parameters[i]);
  add_equations (self, type, arguments);
  add_prerequisites (self, type, arguments);
  add_examples (self, type, examples);
  add_related (self, type);
  return finish (self, id, _ (type->title), _ (type->summary));
}

/* --- All of them ----------------------------------------------------------------------------- */

static WeirBlockHelp *
all_help_new (void)
{
  WeirBlockHelp *self = help_new ();
  const char *category = NULL;

  add_block (self, WEIR_HELP_TITLE, 0, 0, _ ("Blocks of the Library"));
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      g_autofree char *target = g_strconcat (WEIR_BLOCK_HELP_PREFIX, type->name, NULL);

      if (g_strcmp0 (category, type->category) != 0)
        add_block (self, WEIR_HELP_TITLE, 1, 0, _ (type->category));
      category = type->category;
      begin (self, WEIR_HELP_PARAGRAPH, 0, 0);
      add (self, WEIR_HELP_LINK, 0, _ (type->title), target);
      add (self, WEIR_HELP_TEXT, 0, ": ", NULL);
      add (self, WEIR_HELP_TEXT, 0, _ (type->summary), NULL);
    }
  return finish (self, WEIR_BLOCK_HELP_ALL, _ ("Blocks of the Library"),
                 _ ("What each block does, its ports and its parameters"));
}

WeirBlockHelp *
weir_block_help_new (const char *id, const GPtrArray *examples)
{
  const WeirBlockType *type;

  g_return_val_if_fail (id != NULL, NULL);

  if (g_str_equal (id, WEIR_BLOCK_HELP_ALL))
    return all_help_new ();
  if (!g_str_has_prefix (id, WEIR_BLOCK_HELP_PREFIX))
    return NULL;
  type = weir_registry_find (id + strlen (WEIR_BLOCK_HELP_PREFIX));
  return type != NULL ? type_help_new (type, examples) : NULL;
}

/* --- Searching ------------------------------------------------------------------------------- */

/* All that the page says. (transfer full) */
static char *
dup_text (const WeirBlockType *type, const char *title)
{
  GString *text = g_string_new (title);

  g_string_append_printf (text, " %s %s", _ (type->summary), _ (type->category));
  for (guint i = 0; i < type->n_parameters; i++)
    g_string_append_printf (text, " %s %s %s", type->parameters[i].name,
                            _ (type->parameters[i].label),
                            type->parameters[i].help != NULL ? _ (type->parameters[i].help) : "");
  return g_string_free (text, FALSE);
}

GPtrArray *
weir_block_help_search (const char *words)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  guint n_by_title = 0;

  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);
      g_autofree char *title = g_strjoin (" ", type->name, _ (type->title), NULL);
      g_autofree char *text = dup_text (type, title);
      char *id = g_strconcat (WEIR_BLOCK_HELP_PREFIX, type->name, NULL);

      if (g_str_match_string (words, title, TRUE))
        g_ptr_array_insert (found, (int) n_by_title++, id);
      else if (g_str_match_string (words, text, TRUE))
        g_ptr_array_add (found, id);
      else
        g_free (id);
    }
  return found;
}
