/* Reading the texts of parts. See part.h. */
#include "blocks/parts/part-private.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define DIGEST_DIGITS 16

/* --- Parts ----------------------------------------------------------------------------------- */

static void
list_names (const GArray *names, GArray *ports)
{
  for (guint i = 0; i < names->len; i++)
    {
      const WeirPartName *name = &g_array_index (names, WeirPartName, i);
      WeirPortSpec port = { .name = name->name, .size = 1, .unit = name->unit };

      g_array_append_val (ports, port);
    }
}

static void
list_inputs (const WeirArguments *arguments, GArray *ports)
{
  list_names (weir_arguments_get_part (arguments)->inputs, ports);
}

static void
list_outputs (const WeirArguments *arguments, GArray *ports)
{
  list_names (weir_arguments_get_part (arguments)->outputs, ports);
}

static void
list_pins (const WeirArguments *arguments, GArray *pins)
{
  const WeirPartType *part = weir_arguments_get_part (arguments);

  g_array_append_vals (pins, part->pins->data, part->pins->len);
}

static gboolean
is_parameter (const char *word)
{
  return strcmp (word, "parameter") == 0 || strcmp (word, "start") == 0
         || strcmp (word, "constant") == 0;
}

WeirPartType *
weir_part_type_alloc (const char *name)
{
  WeirPartType *part = g_new0 (WeirPartType, 1);

  part->name = part->type.name = name;
  part->type.summary = "";
  part->type.list_inputs = list_inputs;
  part->type.list_outputs = list_outputs;
  part->type.list_pins = list_pins;
  part->type.part = part;
  part->reference = part->equal[0] = part->equal[1] = WEIR_NO_PIN;
  part->pins = g_array_new (FALSE, FALSE, sizeof (WeirPinSpec));
  part->throughs = g_array_new (FALSE, FALSE, sizeof (WeirThrough));
  part->acrosses = g_array_new (FALSE, FALSE, sizeof (WeirAcross));
  part->roles = g_array_new (FALSE, FALSE, sizeof (WeirPartRole));
  part->parameters = g_array_new (FALSE, FALSE, sizeof (WeirParameterSpec));
  part->inputs = g_array_new (FALSE, FALSE, sizeof (WeirPartName));
  part->outputs = g_array_new (FALSE, FALSE, sizeof (WeirPartName));
  part->variables = g_array_new (FALSE, FALSE, sizeof (WeirPartName));
  part->lines = g_ptr_array_new ();
  part->absent = g_ptr_array_new ();
  return part;
}

static gboolean
begin_part (WeirPartReading *r)
{
  WeirPartType *part;
  gboolean is_new = TRUE;

  r->first_line = r->line;
  r->part = part = weir_part_type_alloc (weir_part_take_name (r));
  part->type.title = weir_part_take_text (r);
  part->prefix = weir_part_take_name (r);
  part->type.category = r->group;
  for (guint i = 0; i < r->parts->len; i++)
    if (((WeirPartType *) g_ptr_array_index (r->parts, i))->name == part->name)
      is_new = FALSE;
  g_ptr_array_add (r->parts, part);
  if (!g_ascii_isalpha (part->name[0]))
    return weir_part_reading_fail (
        r, N_ ("a name is missing: letters, digits and '_', a letter first."));
  if (r->group == NULL || part->type.title == NULL)
    return weir_part_reading_fail (r, N_ ("a part stands in a group, and has a title in quotes."));
  if (!is_new)
    return weir_part_reading_fail (r, N_ ("there is a '%s' already."), part->name);
  if (part->prefix[0] == '\0')
    part->prefix = part->name;
  g_string_printf (r->text, "group \"%s\"\n", r->group);
  g_string_truncate (r->meaning, 0);
  g_hash_table_remove_all (r->arrays);
  return TRUE;
}

/* Of a block whose part is shaped by its options and counts. */
static void
check_block (const WeirArguments *arguments, WeirDiagnostics *diagnostics, const char *path,
             guint32 block, int line)
{
  const WeirPartType *part = weir_arguments_get_part (arguments);

  if (part->problem != NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "PAR02", path, block, 0, line, "%s",
                          part->problem);
}

gboolean
weir_part_reading_check_reference (WeirPartReading *r, const WeirPartType *part)
{
  for (guint i = 0; part->reference != WEIR_NO_PIN && i < part->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (part->throughs, WeirThrough, i);

      if (through->from == part->reference || through->to == part->reference)
        return weir_part_reading_fail (
            r,
            N_ ("pin '%s' is the reference: what flows into it is what is left, so that no through "
                "may lead there."),
            g_array_index (part->pins, WeirPinSpec, part->reference).name);
    }
  return TRUE;
}

/* What stores says where it starts, what carries something what that is. */
static gboolean
check_roles (WeirPartReading *r, const WeirPartType *part)
{
  for (guint i = 0; i < part->roles->len; i++)
    {
      const WeirPartRole *role = &g_array_index (part->roles, WeirPartRole, i);

      if ((role->kind == WEIR_ROLE_STORES || role->kind == WEIR_ROLE_CARRIES)
          && weir_block_type_find_parameter (&part->type, role->start) == NULL)
        return weir_part_reading_fail_role (r, role);
    }
  return TRUE;
}

/* The open part is whole. */
static gboolean
end_part (WeirPartReading *r)
{
  WeirPartType *part = r->part;
  g_autofree char *digest = NULL;
  int line = r->line;

  if (part == NULL)
    return TRUE;
  r->line = r->first_line;
  if (part->pins->len == 0)
    return weir_part_reading_fail (r, N_ ("it has no pins."));
  part->type.parameters = (const WeirParameterSpec *) (gpointer) part->parameters->data;
  part->type.n_parameters = part->parameters->len;
  if (!check_roles (r, part) || !weir_part_reading_check_reference (r, part))
    return FALSE;
  r->line = line;
  if (part->is_shaped)
    part->type.check = check_block;
  part->text = g_strdup (r->text->str);
  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, r->meaning->str, -1);
  part->digest = g_strndup (digest, DIGEST_DIGITS);
  return TRUE;
}

/* What computes in a line of the open part, for its digest. */
static void
note_meaning (WeirPartReading *r, const char *word, const char *line)
{
  static const char *const silent[] = {
    "help", "part", "group", "option", "count", "carries", NULL
  };
  g_autofree char *bare = g_strndup (line, strcspn (line, "#"));

  if (is_parameter (word))
    g_string_append_printf (r->meaning, "%s ", word); /* the rest without its default */
  else if (!g_strv_contains (silent, word))
    g_string_append_printf (r->meaning, "%s\n", g_strchomp (bare));
}

gboolean
weir_part_word_is_own (const char *word)
{
  static const char *const words[] = { "domain",  "pin",     "reference", "equal",
                                       "fixes",   "drives",  "stores",    "joins",
                                       "carries", "through", "across",    NULL };

  return g_strv_contains (words, word);
}

gboolean
weir_part_reading_read_plain (WeirPartReading *r, const char *line)
{
  const char *word;

  r->at = line;
  word = weir_part_take_name (r);
  weir_part_skip_blanks (r);
  if (r->report != NULL)
    {
      /* A name of the text may be called like a word of parts: "drives ~ 2*u". */
      gboolean is_own = weir_part_word_is_own (word) && weir_part_is_name_char (*r->at);
      gboolean is_pin = strcmp (word, "pin") == 0 || strcmp (word, "domain") == 0;

      if (!is_own && r->phase == WEIR_PART_REST)
        g_string_append_printf (r->rest, "%s; ", line);
      if (!is_own || r->phase != (is_pin ? WEIR_PART_PINS : WEIR_PART_OWN))
        return TRUE;
    }
  note_meaning (r, word, line);
  if (strcmp (word, "domain") == 0)
    return weir_part_reading_read_domain (r);
  if (strcmp (word, "help") == 0)
    {
      r->part->type.summary = weir_part_take_text (r);
      return r->part->type.summary != NULL
             || weir_part_reading_fail (r, N_ ("help is a sentence in quotes."));
    }
  if (strcmp (word, "pin") == 0)
    return weir_part_reading_read_pin (r);
  if (strcmp (word, "reference") == 0)
    {
      r->reference_line = r->line;
      return weir_part_reading_take_pin (r, &r->part->reference);
    }
  if (strcmp (word, "equal") == 0)
    return weir_part_reading_take_pin (r, &r->part->equal[0])
           && weir_part_reading_take_pin (r, &r->part->equal[1]);
  if (strcmp (word, "fixes") == 0 || strcmp (word, "drives") == 0 || strcmp (word, "stores") == 0
      || strcmp (word, "joins") == 0 || strcmp (word, "carries") == 0)
    return weir_part_reading_read_role (r, word);
  if (strcmp (word, "through") == 0 || strcmp (word, "across") == 0)
    return weir_part_reading_read_between (r, word[0] == 't');
  if (strcmp (word, "option") == 0 || strcmp (word, "count") == 0)
    return weir_part_reading_read_choice (r, word[0] == 'c');
  if (is_parameter (word))
    return weir_part_reading_read_parameter (r, word[0] == 'p', word[0] == 's');
  if (strcmp (word, "input") == 0)
    return weir_part_reading_read_name (r, r->part->inputs);
  if (strcmp (word, "output") == 0)
    return weir_part_reading_read_name (r, r->part->outputs);
  if (strcmp (word, "variable") == 0)
    return weir_part_reading_read_name (r, r->part->variables);
  return weir_part_reading_read_equation (r, line);
}

/* What the first word of a line says; FALSE after a problem. */
static gboolean
read_line (WeirPartReading *r, const char *line)
{
  const char *word;

  r->at = line;
  word = weir_part_take_name (r);
  if (strcmp (word, "group") == 0)
    {
      r->group = weir_part_take_text (r);
      return r->group != NULL || weir_part_reading_fail (r, N_ ("a group has a title in quotes."));
    }
  if (strcmp (word, "domain") == 0)
    return weir_part_reading_read_domain (r);
  if (strcmp (word, "part") == 0)
    {
      if (!end_part (r) || !begin_part (r))
        return FALSE;
      g_string_append_printf (r->text, "%s\n", line);
      return TRUE;
    }
  if (r->part == NULL)
    return weir_part_reading_fail (r, N_ ("'%s' stands before any part."), word);
  g_string_append_printf (r->text, "  %s\n", line);
  return weir_part_reading_read_line (r, line);
}

static gboolean
read_all (WeirPartReading *r, char **lines)
{
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);

      r->line = (int) i + 1;
      if (line[0] != '\0' && line[0] != '#' && !read_line (r, line))
        return FALSE;
    }
  return end_part (r);
}

void
weir_part_type_free (WeirPartType *self)
{
  GArray *const lists[] = { self->pins,       self->throughs, self->acrosses, self->roles,
                            self->parameters, self->inputs,   self->outputs,  self->variables };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (lists[i]);
  for (guint i = 0; i < self->lines->len; i++)
    g_array_unref (g_ptr_array_index (self->lines, i));
  g_ptr_array_unref (self->lines);
  g_ptr_array_unref (self->absent);
  g_free ((char *) self->text);
  g_free ((char *) self->digest);
  g_free (self->problem);
  g_free (self);
}

GPtrArray *
weir_part_type_list_values (const WeirPartType *self)
{
  GPtrArray *values = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->acrosses->len; i++)
    g_ptr_array_add (values, g_strdup (g_array_index (self->acrosses, WeirAcross, i).name));
  /* What has no unit is how far along its curve a diode is, and the like; what a text of equations
   * has may be its own or from around it. */
  for (guint i = 0; i < self->variables->len && !self->declares; i++)
    if (g_array_index (self->variables, WeirPartName, i).unit != NULL)
      g_ptr_array_add (values, g_strdup (g_array_index (self->variables, WeirPartName, i).name));
  for (guint i = 0; i < self->throughs->len; i++)
    g_ptr_array_add (values, g_strdup (g_array_index (self->throughs, WeirThrough, i).name));
  for (guint i = 0; i < self->pins->len; i++)
    {
      const WeirPinSpec *pin = &g_array_index (self->pins, WeirPinSpec, i);

      g_ptr_array_add (values, g_strdup_printf ("%s.%s", pin->name, pin->domain->potential));
    }
  return values;
}

static void
free_part (gpointer part, G_GNUC_UNUSED gpointer data)
{
  weir_part_type_free (part);
}

GPtrArray *
weir_parts_parse_as (const char *text, WeirPartReading as, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  g_autoptr (GPtrArray) domains = g_ptr_array_new ();
  g_autoptr (GString) own = g_string_new (NULL);
  g_autoptr (GString) meaning = g_string_new (NULL);
  g_autoptr (GHashTable) arrays = weir_part_arrays_new ();
  WeirPartReading r = as;

  r.parts = parts;
  r.domains = domains;
  r.text = own;
  r.meaning = meaning;
  r.arrays = arrays;
  r.error = error;
  if (read_all (&r, lines))
    return g_steal_pointer (&parts);
  g_ptr_array_foreach (parts, free_part, NULL);
  return NULL;
}

/* Can all be read that an option may bring? */
static gboolean
check_options (const char *text, const char *file, const GPtrArray *parts, GError **error)
{
  gboolean has_options = FALSE;
  g_autoptr (GPtrArray) again = NULL;

  for (guint i = 0; i < parts->len; i++)
    has_options = has_options || ((const WeirPartType *) parts->pdata[i])->is_shaped;
  if (!has_options)
    return TRUE;
  again = weir_parts_parse_as (text, (WeirPartReading) { .file = file, .has_all = TRUE }, error);
  if (again != NULL)
    g_ptr_array_foreach (again, free_part, NULL);
  return again != NULL;
}

GPtrArray *
weir_parts_parse (const char *text, const char *file, GError **error)
{
  g_autoptr (GPtrArray)
      parts = weir_parts_parse_as (text, (WeirPartReading) { .file = file }, error);

  if (parts == NULL || check_options (text, file, parts, error))
    return g_steal_pointer (&parts);
  g_ptr_array_foreach (parts, free_part, NULL);
  return NULL;
}
