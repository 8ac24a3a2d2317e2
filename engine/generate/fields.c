/* The values of an instance: their places and names. See generate-private.h.
 *
 * Names are made from paths: what is no letter and no digit becomes _, and one that is taken, or
 * means something to a compiler, gets a number behind it; one that begins as those of the texts
 * do, or with what is no letter, an x before it.
 */
#include "generate/generate-private.h"

#include "blocks/library/registry.h"

static const char *const structs[] = { "p", "u", "d", "v" };

static const char *const reserved[] = {
  "auto",     "break",     "case",         "char",
  "const",    "continue",  "default",      "do",
  "double",   "else",      "enum",         "extern",
  "float",    "for",       "goto",         "if",
  "inline",   "int",       "long",         "register",
  "restrict", "return",    "short",        "signed",
  "sizeof",   "static",    "struct",       "switch",
  "typedef",  "union",     "unsigned",     "void",
  "volatile", "while",     "asm",          "typeof",
  "linux",    "unix",      "errno",        "stdin",
  "stdout",   "stderr",    "signbit",      "isnan",
  "isfinite", "isinf",     "offsetof",     "assert",
  "class",    "new",       "delete",       "this",
  "template", "private",   "public",       "bool",
  "true",     "false",     "nullptr",      "alignas",
  "alignof",  "constexpr", "thread_local", "static_assert",
  "MIN",      "MAX",       "CLAMP",        "TRUE",
  "FALSE",    "NULL",      "NAN",          "INFINITY",
  "EOF",      "AT",        "self",         "t",
  "x",        "r",         "xdot",         "i",
  "in",
};

static gboolean
is_reserved (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (strcmp (reserved[i], name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
begins_fit (const char *name)
{
  return g_ascii_isalpha (name[0]) && !g_str_has_prefix (name, "WEIR_")
         && !g_str_has_prefix (name, "G_");
}

static void
append_fit (GString *name, const char *text)
{
  for (; *text != '\0'; text++)
    g_string_append_c (name, g_ascii_isalnum (*text) ? *text : '_');
}

char *
weir_generator_dup_name (WeirGenerator *self, const char *path, const char *name)
{
  g_autoptr (GString) fit = g_string_new (NULL);
  g_autofree char *stem = NULL;

  append_fit (fit, path);
  if (*path != '\0' && *name != '\0')
    g_string_append_c (fit, '_');
  append_fit (fit, name);
  if (!begins_fit (fit->str))
    g_string_prepend (fit, "x");
  stem = g_strdup (fit->str);
  for (guint i = 2; is_reserved (fit->str) || g_hash_table_contains (self->names, fit->str); i++)
    g_string_printf (fit, "%s_%u", stem, i);
  g_hash_table_add (self->names, g_strdup (fit->str));
  return g_string_free (g_steal_pointer (&fit), FALSE);
}

static void
add_field (WeirGenerator *self, WeirFieldKind kind, guint32 node, const char *name, guint32 size,
           const double *initial)
{
  g_autofree char *path = weir_layout_dup_path (self->layout, (WeirNode) { node });
  WeirField field = { .kind = kind, .size = size, .initial = initial };

  field.name = weir_generator_dup_name (self, path, name);
  field.origin = *path != '\0' ? g_strconcat (path, ".", name, NULL) : g_strdup (name);
  g_array_append_val (self->fields, field);
}

/* Nothing is a member of no size. */
static gboolean
is_abstract (const GVariantType *type)
{
  return type != NULL;
}

static void
add_of_leaf (WeirGenerator *self, guint32 n)
{
  WeirNode node = { n };
  WeirLeafCode leaf = weir_code_get_leaf (self->root, node);

  self->parameter_first[n] = self->fields->len;
  for (guint16 i = 0; i < leaf.n_parameters; i++)
    {
      WeirParameter parameter = { i };

      if (is_abstract (weir_layout_get_parameter_type (self->layout, node, parameter)))
        weir_generator_refuse (self, node, N_ ("its parameter %s is no number"),
                               weir_layout_get_parameter_name (self->layout, node, parameter));
      else
        add_field (self, WEIR_FIELD_PARAMETER, n,
                   weir_layout_get_parameter_name (self->layout, node, parameter),
                   weir_layout_get_parameter_size (self->layout, node, parameter),
                   weir_context_get_parameter (self->context, node, parameter));
    }
  self->group_first[n] = self->fields->len;
  for (guint16 i = 0; i < leaf.n_groups; i++)
    {
      if (weir_code_is_group_abstract (self->root, node, i))
        weir_generator_refuse (self, node, N_ ("it keeps a value that is no number"));
      else
        add_field (self, WEIR_FIELD_DISCRETE, n, weir_code_get_group_name (self->root, node, i),
                   weir_code_get_group_size (self->root, node, i),
                   weir_context_get_discrete (self->context, node, (WeirGroup) { i }));
    }
}

const char *
weir_generate_find_obstacle (const char *type)
{
  const WeirBlockType *found = weir_registry_find (type);

  if (strcmp (type, "FMU") == 0)
    return N_ ("its program is another tool's");
  if (found != NULL && found->is_diagnostic)
    return N_ ("it breaks the rules of the cache on purpose");
  return NULL;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* that of a type is a sentence of its own */
#pragma GCC diagnostic ignored "-Wformat-security"

static gboolean
refuse_type (WeirGenerator *self, WeirNode node, const char *type)
{
  const char *why = weir_generate_find_obstacle (type);

  if (why != NULL)
    weir_generator_refuse (self, node, why);
  return why != NULL;
}

#pragma GCC diagnostic pop

void
weir_generator_add_fields (WeirGenerator *self)
{
  guint n_nodes = weir_layout_get_n_nodes (self->layout);

  self->parameter_first = g_new0 (guint32, n_nodes);
  self->input_first = g_new0 (guint32, n_nodes);
  self->group_first = g_new0 (guint32, n_nodes);
  for (guint32 n = 0; n < n_nodes; n++)
    {
      WeirNode node = { n };
      WeirLeafCode leaf = weir_code_get_leaf (self->root, node);

      if (refuse_type (self, node, leaf.kind))
        continue;
      if (leaf.is_unit)
        weir_generator_refuse (self, node, N_ ("it makes steps of its own"));
      else if (!leaf.is_diagram)
        add_of_leaf (self, n);
      self->input_first[n] = self->fields->len;
      for (guint16 i = 0; i < leaf.n_inputs; i++)
        {
          WeirInput in = { i };
          WeirCodePlace place = weir_code_get_input (self->root, node, in);

          /* A member for each, so that they can be counted; those that are driven are not used. */
          if (place.kind == WEIR_PLACE_INPUT && place.node == n && place.index == i)
            add_field (self, WEIR_FIELD_INPUT, n,
                       weir_layout_get_input_name (self->layout, node, in),
                       weir_layout_get_input_size (self->layout, node, in),
                       weir_code_get_default (self->root, node, i));
          else
            {
              WeirField none = { .kind = WEIR_FIELD_INPUT };

              g_array_append_val (self->fields, none);
            }
        }
    }
}

void
weir_generator_add_value_fields (WeirGenerator *self)
{
  guint n_entries = weir_layout_get_n_entries (self->layout);

  self->value_field = g_new (guint32, n_entries + 1);
  for (guint32 e = 0; e < n_entries; e++)
    {
      WeirEntryInfo info = weir_layout_get_entry (self->layout, (WeirEntry) { e });
      WeirLeafCode leaf = weir_code_get_leaf (self->root, info.node);

      self->value_field[e] = WEIR_NO_INDEX;
      if (!self->is_used[e] || info.kind == WEIR_ENTRY_DERIVATIVES)
        continue;
      if (info.size == 0)
        weir_generator_refuse (self, info.node, N_ ("its value %s is no number"), info.name);
      if (leaf.is_diagram)
        weir_generator_refuse (self, info.node, N_ ("its %s is a sum over what is in it"),
                               info.name);
      self->value_field[e] = self->fields->len;
      add_field (self, WEIR_FIELD_VALUE, info.node.i, info.name, info.size, NULL);
    }
}

char *
weir_generator_dup_member (const WeirGenerator *self, guint32 field)
{
  const WeirField *f = &g_array_index (self->fields, WeirField, field);

  return g_strdup_printf ("r->%s.%s", structs[f->kind], f->name);
}

guint32
weir_generator_find_field (const WeirGenerator *self, WeirCodePlace place)
{
  switch (place.kind)
    {
    case WEIR_PLACE_ENTRY:
      return self->value_field[place.index];
    case WEIR_PLACE_GROUP:
      return self->group_first[place.node] + place.index;
    case WEIR_PLACE_PARAMETER:
      return self->parameter_first[place.node] + place.index;
    case WEIR_PLACE_INPUT:
      return self->input_first[place.node] + place.index;
    case WEIR_PLACE_TIME:
    case WEIR_PLACE_ACCURACY:
    case WEIR_PLACE_STATE:
    default:
      return WEIR_NO_INDEX;
    }
}

/* Derivatives lie in one row, block by block. */
static guint32
find_derivative (const WeirGenerator *self, WeirCodePlace place)
{
  WeirEntryInfo info = weir_layout_get_entry (self->layout, (WeirEntry) { place.index });

  return weir_code_get_leaf (self->root, info.node).state;
}

static gboolean
is_passing (const WeirGenerator *self, WeirCodePlace place)
{
  return self->is_passing != NULL && place.kind == WEIR_PLACE_ENTRY
         && self->is_passing[place.index];
}

char *
weir_generator_dup_pointer (const WeirGenerator *self, WeirCodePlace place)
{
  guint32 field = weir_generator_find_field (self, place);
  g_autofree char *member = NULL;

  if (is_passing (self, place))
    return g_strconcat ("&", g_array_index (self->fields, WeirField, field).name, NULL);
  if (place.kind == WEIR_PLACE_TIME)
    return g_strdup ("&t");
  if (place.kind == WEIR_PLACE_ACCURACY)
    return g_strdup ("&self->context.accuracy");
  if (place.kind == WEIR_PLACE_STATE)
    return g_strdup_printf ("x + %u", place.index);
  if (field == WEIR_NO_INDEX)
    return g_strdup_printf ("%s + %u", self->xdot, find_derivative (self, place));
  member = weir_generator_dup_member (self, field);
  return g_strconcat (g_array_index (self->fields, WeirField, field).size == 1 ? "&" : "", member,
                      NULL);
}

char *
weir_generator_dup_value (const WeirGenerator *self, WeirCodePlace place)
{
  guint32 field = weir_generator_find_field (self, place);
  g_autofree char *member = NULL;

  if (is_passing (self, place))
    return g_strdup (g_array_index (self->fields, WeirField, field).name);
  if (place.kind == WEIR_PLACE_TIME)
    return g_strdup ("t");
  if (place.kind == WEIR_PLACE_ACCURACY)
    return g_strdup ("self->context.accuracy");
  if (place.kind == WEIR_PLACE_STATE)
    return g_strdup_printf ("x[%u]", place.index);
  if (field == WEIR_NO_INDEX)
    return g_strdup_printf ("%s[%u]", self->xdot, find_derivative (self, place));
  member = weir_generator_dup_member (self, field);
  return g_strconcat (member, g_array_index (self->fields, WeirField, field).size == 1 ? "" : "[0]",
                      NULL);
}

char *
weir_generator_dup_offset (const WeirGenerator *self, WeirCodePlace place)
{
  guint32 field = weir_generator_find_field (self, place);
  g_autofree char *member = NULL;

  if (place.kind == WEIR_PLACE_STATE)
    return g_strdup_printf ("%uu", place.index);
  if (place.kind == WEIR_PLACE_TIME || place.kind == WEIR_PLACE_ACCURACY)
    return g_strdup ("0u");
  if (field == WEIR_NO_INDEX)
    return g_strdup_printf ("AT (xdot) + %uu", find_derivative (self, place));
  member = weir_generator_dup_member (self, field);
  return g_strdup_printf ("AT (%s)", member + strlen ("r->"));
}

char *
weir_generate_dup_comment (const char *text)
{
  g_autofree char *shown = weir_text_escape (text);
  g_auto (GStrv) ends = g_strsplit (shown, "*/", -1);
  g_autofree char *open = g_strjoinv ("* /", ends);
  g_auto (GStrv) begins = g_strsplit (open, "/*", -1);

  return g_strjoinv ("/ *", begins);
}

char *
weir_generator_dup_path (const WeirGenerator *self, guint32 node)
{
  char *path = weir_layout_dup_path (self->layout, (WeirNode) { node });

  if (*path != '\0')
    return path;
  g_free (path);
  return g_strdup ("the model");
}

void
weir_generator_refuse (WeirGenerator *self, WeirNode node, const char *format, ...)
{
  g_autofree char *path = weir_layout_dup_path (self->layout, node);
  g_autoptr (WeirMessage) reason = NULL;
  va_list args;

  va_start (args, format);
  reason = weir_message_new_valist (format, args);
  va_end (args);
  weir_diagnostics_add (self->diagnostics, WEIR_SEVERITY_ERROR, "GEN01", path, 0, 0, 0,
                        N_ ("A block of kind %s cannot be written as C: %s."),
                        weir_code_get_leaf (self->root, node).kind, weir_message_get_text (reason));
  self->has_failed = TRUE;
}
