/* Checking elements against the tables of the format. See xml-private.h.
 *
 * An element has a type; a type lists its attributes and, in order, the elements that may stand in
 * it. What has been read of an open element is the place in that list.
 */
#include "model/files/xml-private.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"

#define INSTANCE_URI "http://www.w3.org/2001/XMLSchema-instance"
#define MAX_ATTRIBUTES 12
#define MAX_DIGITS 24 /* of whole numbers, beside zeros before them */

/* --- Tables ---------------------------------------------------------------------------------- */

typedef enum {
  FORM_TEXT, /* anything */
  FORM_NAME, /* anything but nothing */
  FORM_POSITIVE,
  FORM_ID,
  FORM_PORT,
  FORM_COORDINATE,
  FORM_EXTENT,
  FORM_BOOLEAN,
  FORM_ROTATION,
  FORM_MODE,
  FORM_TINT,
  FORM_METADATA_TYPE,
} Form;

typedef struct {
  const char *name;
  Form form;
  gboolean is_optional;
} Attribute;

typedef struct _Type Type;

typedef struct {
  const char *name;
  const Type *type;
  enum { ONE, AT_MOST_ONE, MANY } how_many; /* MANY: or none */
  WeirTag tag;
} Child;

struct _Type {
  const char *name; /* that a file may give; NULL = none */
  Attribute attributes[MAX_ATTRIBUTES];
  const Child *children; /* in this order, up to one without a name; NULL = none */
  gboolean in_any_order; /* the children */
  gboolean has_text;
};

static const Type type_text = { .has_text = TRUE };
static const Type type_pair = { "pair", { { "name", FORM_NAME }, { "value", FORM_TEXT } } };
static const Type type_metadata = { "meta",
                                    { { "name", FORM_NAME },
                                      { "of", FORM_NAME, TRUE },
                                      { "type", FORM_METADATA_TYPE, TRUE },
                                      { "value", FORM_TEXT } } };
static const Type type_assertion = { NULL,
                                     { { "text", FORM_NAME }, { "reason", FORM_TEXT, TRUE } } };
static const Type type_bend = { NULL, { { "x", FORM_COORDINATE }, { "y", FORM_COORDINATE } } };

static const Child of_settings[] = { { "setting", &type_pair, MANY, WEIR_TAG_SETTING }, { NULL } };
static const Type type_settings = { "settings", .children = of_settings };
static const Child of_variables[] = { { "variable", &type_pair, MANY, WEIR_TAG_VARIABLE },
                                      { NULL } };
static const Type type_variables = { "variables", .children = of_variables };
static const Child of_assertions[] = { { "assertion", &type_assertion, MANY, WEIR_TAG_ASSERTION },
                                       { NULL } };
static const Type type_assertions = { "assertions", .children = of_assertions };
static const Child of_plots[] = { { "plot", &type_pair, MANY, WEIR_TAG_PLOT }, { NULL } };
static const Type type_plots = { "plots", .children = of_plots };

static const Type type_note = { "note",
                                { { "id", FORM_ID },
                                  { "x", FORM_COORDINATE },
                                  { "y", FORM_COORDINATE },
                                  { "width", FORM_EXTENT, TRUE },
                                  { "height", FORM_EXTENT, TRUE },
                                  { "tint", FORM_TINT, TRUE } },
                                .has_text = TRUE };

static const Child of_wire[] = { { "bend", &type_bend, MANY, WEIR_TAG_BEND }, { NULL } };
static const Type type_wire = { "wire",
                                { { "id", FORM_ID },
                                  { "from", FORM_PORT, TRUE },
                                  { "from-x", FORM_COORDINATE, TRUE },
                                  { "from-y", FORM_COORDINATE, TRUE },
                                  { "to", FORM_PORT, TRUE },
                                  { "to-x", FORM_COORDINATE, TRUE },
                                  { "to-y", FORM_COORDINATE, TRUE },
                                  { "label", FORM_TEXT, TRUE } },
                                .children = of_wire };

static const Type type_line = { "line",
                                { { "id", FORM_ID },
                                  { "from", FORM_PORT, TRUE },
                                  { "from-line", FORM_ID, TRUE },
                                  { "from-x", FORM_COORDINATE, TRUE },
                                  { "from-y", FORM_COORDINATE, TRUE },
                                  { "to", FORM_PORT, TRUE },
                                  { "to-line", FORM_ID, TRUE },
                                  { "to-x", FORM_COORDINATE, TRUE },
                                  { "to-y", FORM_COORDINATE, TRUE },
                                  { "label", FORM_TEXT, TRUE } },
                                .children = of_wire };

static const Type type_diagram;
static const Child of_block[] = { { "meta", &type_metadata, MANY, WEIR_TAG_META },
                                  { "parameter", &type_pair, MANY, WEIR_TAG_PARAMETER },
                                  { "unit", &type_pair, MANY, WEIR_TAG_UNIT },
                                  { "diagram", &type_diagram, AT_MOST_ONE, WEIR_TAG_DIAGRAM },
                                  { NULL } };
static const Type type_block = { "block",
                                 { { "id", FORM_ID },
                                   { "type", FORM_NAME },
                                   { "name", FORM_TEXT },
                                   { "x", FORM_COORDINATE },
                                   { "y", FORM_COORDINATE },
                                   { "width", FORM_EXTENT, TRUE },
                                   { "height", FORM_EXTENT, TRUE },
                                   { "rotation", FORM_ROTATION, TRUE },
                                   { "flipped", FORM_BOOLEAN, TRUE },
                                   { "mode", FORM_MODE, TRUE },
                                   { "tint", FORM_TINT, TRUE } },
                                 .children = of_block };

static const Child of_diagram[] = { { "block", &type_block, MANY, WEIR_TAG_BLOCK },
                                    { "wire", &type_wire, MANY, WEIR_TAG_WIRE },
                                    { "line", &type_line, MANY, WEIR_TAG_LINE },
                                    { "note", &type_note, MANY, WEIR_TAG_NOTE },
                                    { NULL } };
static const Type type_diagram = { "diagram", .children = of_diagram, .in_any_order = TRUE };

static const Child of_model[] = { { "title", &type_text, AT_MOST_ONE, WEIR_TAG_TITLE },
                                  { "meta", &type_metadata, MANY, WEIR_TAG_META },
                                  { "settings", &type_settings, AT_MOST_ONE, WEIR_TAG_SETTINGS },
                                  { "variables", &type_variables, AT_MOST_ONE, WEIR_TAG_VARIABLES },
                                  { "assertions", &type_assertions, AT_MOST_ONE,
                                    WEIR_TAG_ASSERTIONS },
                                  { "plots", &type_plots, AT_MOST_ONE, WEIR_TAG_PLOTS },
                                  { "diagram", &type_diagram, ONE, WEIR_TAG_DIAGRAM },
                                  { NULL } };
static const Type type_model = { NULL, { { "version", FORM_POSITIVE } }, .children = of_model };
static const Child of_fragment[] = { { "meta", &type_metadata, MANY, WEIR_TAG_META },
                                     { "diagram", &type_diagram, ONE, WEIR_TAG_DIAGRAM },
                                     { NULL } };
static const Type type_fragment = { NULL,
                                    { { "version", FORM_POSITIVE } },
                                    .children = of_fragment };

static const Child roots[] = { { "weir", &type_model, ONE, WEIR_TAG_ROOT },
                               { "weir-fragment", &type_fragment, ONE, WEIR_TAG_ROOT },
                               { NULL } };

static const char *const rotations[] = { "0", "90", "180", "270", NULL };
static const char *const modes[] = { "commented-out", "passed-through", NULL };
static const char *const tints[] = { "red",  "orange", "yellow", "green",
                                     "blue", "purple", "grey",   NULL };
static const char *const metadata_types[] = { "text", "number", "boolean", NULL };
static const char *const booleans[] = { "true", "false", "1", "0", NULL };

/* --- Values ---------------------------------------------------------------------------------- */

typedef struct {
  const char *at, *end;
} Span;

static gboolean
is_space (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static gboolean
is_blank (Span text)
{
  while (text.at < text.end && is_space (*text.at))
    text.at++;
  return text.at == text.end;
}

static Span
trim (Span text)
{
  while (text.at < text.end && is_space (*text.at))
    text.at++;
  while (text.at < text.end && is_space (text.end[-1]))
    text.end--;
  return text;
}

static gboolean
equals (Span text, const char *other)
{
  gsize length = (gsize) (text.end - text.at);

  return strncmp (text.at, other, length) == 0 && other[length] == '\0';
}

static gboolean
is_one_of (Span text, const char *const *choices)
{
  for (; *choices != NULL; choices++)
    if (equals (text, *choices))
      return TRUE;
  return FALSE;
}

/* Passes digits; how many there were. */
static guint
pass_digits (Span *text)
{
  const char *first = text->at;

  while (text->at < text->end && g_ascii_isdigit (*text->at))
    text->at++;
  return (guint) (text->at - first);
}

static gboolean
pass (Span *text, const char *one_of)
{
  if (text->at == text->end || strchr (one_of, *text->at) == NULL)
    return FALSE;
  text->at++;
  return TRUE;
}

/* At least @least, at most 1e9. Most need not be computed for that. */
static gboolean
is_number_from (Span text, double least)
{
  Span all = text = trim (text);
  gboolean is_negative = pass (&text, "-"), has_exponent;
  char digits[64];
  double value;
  guint n;

  if (!is_negative)
    pass (&text, "+");
  n = pass_digits (&text);
  if (pass (&text, ".") && pass_digits (&text) > 0)
    ;
  else if (n == 0)
    return FALSE;
  has_exponent = pass (&text, "eE");
  if (has_exponent)
    {
      pass (&text, "+-");
      if (pass_digits (&text) == 0)
        return FALSE;
    }
  if (text.at != text.end)
    return FALSE;
  if (n < 10 && !has_exponent && (least < 0 || !is_negative))
    return TRUE;
  if (all.end - all.at < (gssize) sizeof digits)
    {
      memcpy (digits, all.at, (gsize) (all.end - all.at));
      digits[all.end - all.at] = '\0';
      value = g_ascii_strtod (digits, NULL);
    }
  else
    {
      g_autofree char *copy = g_strndup (all.at, (gsize) (all.end - all.at));

      value = g_ascii_strtod (copy, NULL);
    }
  return value >= least && value <= 1e9;
}

/* A whole number from 1 to @most, of at most 24 digits. */
static gboolean
is_counting (Span text, guint64 most)
{
  guint64 number = 0;
  guint n = 0;

  while (text.at + 1 < text.end && *text.at == '0')
    text.at++;
  for (; text.at < text.end && g_ascii_isdigit (*text.at); text.at++, n++)
    if (number <= G_MAXUINT64 / 10 - 1)
      number = number * 10 + (guint64) (*text.at - '0');
  return text.at == text.end && n <= MAX_DIGITS && number >= 1 && number <= most;
}

/* An id that begins with no zero, a point, and a name, whatever that is: FMUs have any. */
static gboolean
is_port (Span text)
{
  return text.at < text.end && *text.at != '0' && pass_digits (&text) > 0 && pass (&text, ".")
         && text.at < text.end;
}

static gboolean
has_form (Form form, Span text)
{
  Span number;

  switch (form)
    {
    case FORM_TEXT:
      return TRUE;
    case FORM_NAME:
      return text.at < text.end;
    case FORM_POSITIVE:
      number = trim (text);
      pass (&number, "+");
      return is_counting (number, G_MAXUINT64);
    case FORM_ID:
      return is_counting (trim (text), 1073741823);
    case FORM_PORT:
      return is_port (text);
    case FORM_COORDINATE:
      return is_number_from (text, -1e9);
    case FORM_EXTENT:
      return is_number_from (text, 0);
    case FORM_BOOLEAN:
      return is_one_of (trim (text), booleans);
    case FORM_ROTATION:
      return is_one_of (text, rotations);
    case FORM_MODE:
      return is_one_of (text, modes);
    case FORM_TINT:
      return is_one_of (text, tints);
    case FORM_METADATA_TYPE:
    default:
      return is_one_of (text, metadata_types);
    }
}

/* --- Sentences ------------------------------------------------------------------------------- */

static char *
dup_shown (Span text)
{
  const gsize most = 60;
  gsize length = (gsize) (text.end - text.at);
  g_autofree char *valid = g_utf8_make_valid (text.at, (gssize) MIN (length, most));
  char *shown = g_strconcat (valid, length > most ? "..." : "", NULL);

  for (char *p = shown; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      *p = ' ';
  return shown;
}

static char *
dup_shown_name (const char *name)
{
  return dup_shown ((Span) { name, name + strlen (name) });
}

static WeirMessage *
make_choices (const char *const *choices)
{
  g_autofree char *joined = g_strjoinv ("', '", (GStrv) choices);

  return weir_message_new (N_ ("one of '%s'"), joined);
}

static WeirMessage *
make_form (Form form)
{
  switch (form)
    {
    case FORM_POSITIVE:
      return weir_message_new (N_ ("a whole number of 1 or more"));
    case FORM_ID:
      return weir_message_new (N_ ("a whole number from 1 to 1073741823"));
    case FORM_PORT:
      return weir_message_new (N_ ("a port, as in '3.y'"));
    case FORM_COORDINATE:
      return weir_message_new (N_ ("a number from -1e9 to 1e9"));
    case FORM_EXTENT:
      return weir_message_new (N_ ("a number from 0 to 1e9"));
    case FORM_BOOLEAN:
      return make_choices (booleans);
    case FORM_ROTATION:
      return make_choices (rotations);
    case FORM_MODE:
      return make_choices (modes);
    case FORM_TINT:
      return make_choices (tints);
    case FORM_METADATA_TYPE:
      return make_choices (metadata_types);
    case FORM_TEXT:
    case FORM_NAME:
    default:
      return weir_message_new (N_ ("a text of one character or more"));
    }
}

static WeirMessage *
explain_value (const char *element, const Attribute *attribute, Span value)
{
  g_autofree char *shown = dup_shown (value);
  g_autoptr (WeirMessage) form = make_form (attribute->form);

  return weir_message_new (N_ ("'%s' of <%s> is '%s', where %s is expected."), attribute->name,
                           element, shown, weir_message_get_text (form));
}

static WeirMessage *
explain_attribute (const char *element, const Type *type, const char *name)
{
  g_autofree char *shown = dup_shown_name (name);
  g_autoptr (GString) known = g_string_new (NULL);

  for (const Attribute *a = type->attributes; a->name != NULL; a++)
    g_string_append_printf (known, "%s'%s'", known->len > 0 ? ", " : "", a->name);
  if (known->len == 0)
    return weir_message_new (N_ ("<%s> has no attributes, but '%s' is given."), element, shown);
  return weir_message_new (N_ ("<%s> has no attribute '%s'; those it may have are %s."), element,
                           shown, known->str);
}

/* What may stand where an open element has come to. */
static char *
dup_expected (const Type *type, guint place)
{
  GString *names = g_string_new (NULL);

  for (const Child *child = type->children + place; child->name != NULL; child++)
    {
      g_string_append_printf (names, "%s<%s>", names->len > 0 ? ", " : "", child->name);
      if (child->how_many == ONE)
        break;
    }
  return g_string_free (names, FALSE);
}

/* --- Elements -------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  const Type *type;
  WeirTag tag;
  guint place; /* of the next child in the list */
} Open;

static Open *
innermost (const WeirSchemaCheck *self)
{
  return &g_array_index (self->open, Open, self->open->len - 1);
}

void
weir_schema_begin (WeirSchemaCheck *self, const char *root)
{
  self->root = root;
  self->open = g_array_new (FALSE, FALSE, sizeof (Open));
}

void
weir_schema_end (WeirSchemaCheck *self)
{
  g_clear_pointer (&self->open, g_array_unref);
}

static WeirMessage *
explain_child (const Open *open, const char *name)
{
  g_autofree char *shown = dup_shown_name (name);
  g_autofree char *expected = NULL;

  if (open->type->children == NULL)
    return weir_message_new (N_ ("<%s> may hold no elements, but <%s> stands in it."), open->name,
                             shown);
  expected = dup_expected (open->type, open->place);
  if (*expected == '\0')
    return weir_message_new (N_ ("<%s> stands in <%s>, where nothing more may follow."), shown,
                             open->name);
  return weir_message_new (N_ ("<%s> stands in <%s>, where %s may follow."), shown, open->name,
                           expected);
}

/* The child that begins, or NULL if it may not. */
static const Child *
enter_child (Open *open, const char *name)
{
  const Child *children = open->type->children;

  if (children == NULL)
    return NULL;
  for (guint i = open->place; children[i].name != NULL; i++)
    {
      if (strcmp (children[i].name, name) == 0)
        {
          if (!open->type->in_any_order)
            open->place = children[i].how_many == MANY ? i : i + 1;
          return &children[i];
        }
      if (children[i].how_many == ONE)
        return NULL;
    }
  return NULL;
}

/* An attribute in a namespace: only the schemas' own means something. */
static WeirMessage *
check_foreign (const Child *element, const char *const *attribute)
{
  const char *name = attribute[0];
  g_autofree char *shown = NULL;

  if (strcmp (attribute[2], INSTANCE_URI) == 0)
    {
      Span value = { attribute[3], attribute[4] };

      if (strcmp (name, "schemaLocation") == 0 || strcmp (name, "noNamespaceSchemaLocation") == 0
          || (strcmp (name, "type") == 0 && element->type->name != NULL
              && equals (trim (value), element->type->name)))
        return NULL;
    }
  shown = dup_shown_name (name);
  return weir_message_new (N_ ("'%s' of <%s> stands in a namespace that models do not use."), shown,
                           element->name);
}

static WeirMessage *
check_attributes (const Child *element, const char *const *attributes, guint n)
{
  const Type *type = element->type;
  guint seen = 0, next = 0; /* most files have them in order */

  for (guint i = 0; i < n; i++, attributes += 5)
    {
      Span value = { attributes[3], attributes[4] };
      WeirMessage *problem;
      guint k = next;

      if (attributes[2] != NULL)
        {
          problem = check_foreign (element, attributes);
          if (problem != NULL)
            return problem;
          continue;
        }
      if (type->attributes[k].name == NULL || strcmp (type->attributes[k].name, attributes[0]) != 0)
        for (k = 0; type->attributes[k].name != NULL
                    && strcmp (type->attributes[k].name, attributes[0]) != 0;)
          k++;
      if (type->attributes[k].name == NULL)
        return explain_attribute (element->name, type, attributes[0]);
      if (!has_form (type->attributes[k].form, value))
        return explain_value (element->name, &type->attributes[k], value);
      seen |= 1u << k;
      next = k + 1;
    }
  for (guint k = 0; type->attributes[k].name != NULL; k++)
    if (!type->attributes[k].is_optional && (seen >> k & 1) == 0)
      return weir_message_new (N_ ("<%s> lacks the attribute '%s'."), element->name,
                               type->attributes[k].name);
  return NULL;
}

WeirMessage *
weir_schema_check_start (WeirSchemaCheck *self, const char *name, const char *uri,
                         const char *const *attributes, guint n_attributes)
{
  const Child *child = NULL;
  Open open = { NULL };

  if (uri != NULL)
    {
      g_autofree char *shown = dup_shown_name (name);

      return weir_message_new (N_ ("<%s> stands in a namespace, but models use none."), shown);
    }
  if (self->open->len > 0)
    {
      child = enter_child (innermost (self), name);
      if (child == NULL)
        return explain_child (innermost (self), name);
    }
  for (const Child *root = roots; child == NULL && root->name != NULL; root++)
    if (strcmp (root->name, name) == 0)
      child = root;
  if (child == NULL)
    {
      g_autofree char *shown = dup_shown_name (name);

      return weir_message_new (N_ ("The outermost element is <%s>, but must be <%s>."), shown,
                               self->root);
    }
  open.name = child->name;
  open.type = child->type;
  open.tag = self->tag = child->tag;
  g_array_append_val (self->open, open);
  return check_attributes (child, attributes, n_attributes);
}

WeirMessage *
weir_schema_check_text (WeirSchemaCheck *self, const char *text, gsize length)
{
  const Open *open = innermost (self);
  Span all = { text, text + length };

  if (open->type->has_text || (open->type->children != NULL && is_blank (all)))
    return NULL;
  return weir_message_new (N_ ("<%s> may hold no text."), open->name);
}

WeirMessage *
weir_schema_check_close (WeirSchemaCheck *self)
{
  Open open = *innermost (self);

  self->tag = open.tag;
  g_array_set_size (self->open, self->open->len - 1);
  for (const Child *child = open.type->children; child != NULL && child->name != NULL; child++)
    if (child->how_many == ONE && child >= open.type->children + open.place)
      return weir_message_new (N_ ("<%s> lacks its <%s>."), open.name, child->name);
  return NULL;
}
