/* Reading the notation of formulas. See formula.h.
 *
 * One pass over the text, a function for each part of the grammar:
 *
 *     row     = { item }                      up to a closing brace, \right, & or \\
 *     item    = atom { ("_" | "^" | "'") atom }
 *     atom    = "{" row "}" | letter | digits | sign | command
 *
 * Braces nest at most MAX_DEPTH deep. What is wrong ends reading: the first error is the one that
 * is told.
 */
#include "paint/text/formula-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/status.h"

#define MAX_DEPTH 40

typedef struct {
  const char *at;
  guint depth;
  GError *error;
} Parser;

static const char *const accents[] = { "dot",      "ddot",  "dddot", "hat", "bar",
                                       "overline", "tilde", "vec",   NULL };

static const struct {
  const char *name;
  double width;
} spaces[] = { { ",", 0.17 },  { ":", 0.22 }, { ";", 0.28 }, { " ", 0.3 },
               { "!", -0.17 }, { "quad", 1 }, { "qquad", 2 } };

static WeirFormula *parse_row (Parser *p);
static WeirFormula *parse_atom (Parser *p);

/* --- Nodes ----------------------------------------------------------------------------------- */

void
weir_formula_free (WeirFormula *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_free (self->text);
  g_free (self->right);
  g_free (self);
}

static WeirFormula *
new_node (WeirFormulaKind kind)
{
  WeirFormula *node = g_new0 (WeirFormula, 1);

  node->kind = kind;
  return node;
}

static WeirFormula *
new_parent (WeirFormulaKind kind)
{
  WeirFormula *node = new_node (kind);

  node->children = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_formula_free);
  return node;
}

static WeirFormula *
new_symbol (const char *text, gsize length, WeirFormulaClass class, WeirFace face)
{
  WeirFormula *node = new_node (WEIR_FORMULA_SYMBOL);

  node->text = g_strndup (text, length);
  node->class = class;
  node->face = face;
  return node;
}

static WeirFormula *
fail (Parser *p, char *sentence)
{
  if (p->error == NULL)
    p->error = g_error_new_literal (WEIR_ERROR, WEIR_ERROR_INVALID, sentence);
  g_free (sentence);
  return NULL;
}

/* --- Parts ----------------------------------------------------------------------------------- */

static void
skip_space (Parser *p)
{
  while (g_ascii_isspace (*p->at))
    p->at++;
}

static gboolean
take (Parser *p, const char *text)
{
  skip_space (p);
  if (!g_str_has_prefix (p->at, text))
    return FALSE;
  p->at += strlen (text);
  return TRUE;
}

/* The name of the command at @at, whose backslash is there; a single sign is a name too. */
static gsize
get_name_length (const char *at)
{
  gsize n = 1;

  while (g_ascii_isalpha (at[n]))
    n++;
  return n > 1 ? n - 1 : at[1] != '\0' ? (gsize) (g_utf8_next_char (at + 1) - (at + 1)) : 0;
}

static gboolean
is_command (Parser *p, const char *name)
{
  gsize n;

  skip_space (p);
  if (*p->at != '\\')
    return FALSE;
  n = get_name_length (p->at);
  return n == strlen (name) && strncmp (p->at + 1, name, n) == 0;
}

/* What a command is given: an atom that must be there. @command: as it is typed; @example: of its
 * use. */
static WeirFormula *
parse_argument (Parser *p, const char *command, const char *example)
{
  skip_space (p);
  if (*p->at == '\0' || *p->at == '}' || *p->at == '&')
    return fail (
        p, g_strdup_printf (_ ("Something is missing after \"%s\", as in %s."), command, example));
  return parse_atom (p);
}

/* The text in braces, as it stands. */
static WeirFormula *
parse_text (Parser *p, const char *command, WeirFace face)
{
  const char *end;
  WeirFormula *node;

  if (!take (p, "{") || (end = strchr (p->at, '}')) == NULL)
    return fail (p, g_strdup_printf (_ ("\\%s is followed by a text in braces."), command));
  node = new_symbol (p->at, (gsize) (end - p->at), WEIR_CLASS_ORDINARY, face);
  p->at = end + 1;
  return node;
}

static WeirFormula *
parse_fraction (Parser *p)
{
  WeirFormula *node = new_parent (WEIR_FORMULA_FRACTION);

  for (guint i = 0; i < 2; i++)
    {
      WeirFormula *part = parse_argument (p, "\\frac", "\\frac{a}{b}");

      if (part == NULL)
        {
          weir_formula_free (node);
          return NULL;
        }
      g_ptr_array_add (node->children, part);
    }
  return node;
}

static WeirFormula *
parse_root (Parser *p)
{
  WeirFormula *node = new_parent (WEIR_FORMULA_ROOT), *index = NULL, *body;

  if (take (p, "["))
    {
      const char *end = strchr (p->at, ']');

      if (end == NULL)
        {
          weir_formula_free (node);
          return fail (p, g_strdup (_ ("The index of \\sqrt[3]{x} ends with \"]\".")));
        }
      index = new_symbol (p->at, (gsize) (end - p->at), WEIR_CLASS_ORDINARY,
                          g_ascii_isdigit (*p->at) ? WEIR_FACE_ROMAN : WEIR_FACE_ITALIC);
      p->at = end + 1;
    }
  body = parse_argument (p, "\\sqrt", "\\sqrt{x}");
  if (body == NULL)
    {
      weir_formula_free (index);
      weir_formula_free (node);
      return NULL;
    }
  g_ptr_array_add (node->children, body);
  g_ptr_array_add (node->children, index);
  return node;
}

/* A fence after \left or \right; "." is none. */
static char *
take_fence (Parser *p)
{
  skip_space (p);
  if (*p->at == '\\')
    {
      gsize n = get_name_length (p->at);

      const WeirFormulaSymbol *symbol = weir_formula_find_symbol (p->at + 1, n);

      if (symbol != NULL && strstr ("{}‖⟨⟩⌊⌋⌈⌉", symbol->text) != NULL)
        {
          p->at += n + 1;
          return g_strdup (symbol->text);
        }
    }
  else if (*p->at == '.')
    {
      p->at++;
      return g_strdup ("");
    }
  else if (*p->at != '\0' && strchr ("()[]|", *p->at) != NULL)
    return g_strndup (p->at++, 1);
  fail (p, g_strdup (_ (
               "\\left and \\right are followed by a bracket: ( ) [ ] \\{ \\} | or a full stop.")));
  return NULL;
}

static WeirFormula *
parse_fenced (Parser *p)
{
  WeirFormula *node = new_parent (WEIR_FORMULA_FENCE);

  node->text = take_fence (p);
  if (node->text != NULL)
    g_ptr_array_add (node->children, parse_row (p));
  if (p->error == NULL && !is_command (p, "right"))
    fail (p, g_strdup (_ ("\\left( needs its \\right).")));
  if (p->error == NULL)
    {
      p->at += strlen ("\\right");
      node->right = take_fence (p);
    }
  if (p->error == NULL)
    return node;
  weir_formula_free (node);
  return NULL;
}

/* Rows end with \\ and cells with &; shorter rows are filled up. */
static WeirFormula *
parse_matrix (Parser *p)
{
  WeirFormula *node = new_parent (WEIR_FORMULA_MATRIX);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint)); /* of rows */
  g_autoptr (GPtrArray) cells = NULL;
  guint before = 0, next = 0;

  if (!take (p, "{"))
    fail (p, g_strdup (_ ("\\matrix is followed by rows in braces: {a & b \\\\ c & d}.")));
  while (p->error == NULL)
    {
      g_ptr_array_add (node->children, parse_row (p));
      if (take (p, "&"))
        continue;
      g_array_append_val (ends, node->children->len);
      node->n_columns = MAX (node->n_columns, node->children->len - before);
      before = node->children->len;
      if (take (p, "\\\\"))
        continue;
      if (take (p, "}"))
        break;
      fail (p, g_strdup (_ ("\\matrix{...} needs its closing brace.")));
    }
  if (p->error != NULL)
    {
      weir_formula_free (node);
      return NULL;
    }
  cells = g_steal_pointer (&node->children);
  node->children = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_formula_free);
  for (guint r = 0; r < ends->len; r++)
    for (guint c = 0; c < node->n_columns; c++)
      {
        gboolean is_there = next < g_array_index (ends, guint, r);

        g_ptr_array_add (node->children, is_there ? g_steal_pointer (&cells->pdata[next]) : NULL);
        next += is_there;
      }
  return node;
}

static WeirFormula *
parse_command (Parser *p)
{
  gsize n = get_name_length (p->at);
  g_autofree char *name = g_strndup (p->at + 1, n);
  const WeirFormulaSymbol *symbol;

  p->at += n + 1;
  if (strcmp (name, "frac") == 0)
    return parse_fraction (p);
  if (strcmp (name, "sqrt") == 0)
    return parse_root (p);
  if (strcmp (name, "left") == 0)
    return parse_fenced (p);
  if (strcmp (name, "matrix") == 0)
    return parse_matrix (p);
  if (strcmp (name, "text") == 0 || strcmp (name, "mathrm") == 0)
    return parse_text (p, name, WEIR_FACE_ROMAN);
  if (strcmp (name, "mathbf") == 0)
    return parse_text (p, name, WEIR_FACE_BOLD);
  if (g_strv_contains (accents, name))
    {
      g_autofree char *command = g_strconcat ("\\", name, NULL);
      g_autofree char *example = g_strconcat (command, " x", NULL);
      WeirFormula *body = parse_argument (p, command, example), *node;

      if (body == NULL)
        return NULL;
      node = new_parent (WEIR_FORMULA_ACCENT);
      node->text = g_steal_pointer (&name);
      g_ptr_array_add (node->children, body);
      return node;
    }
  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (strcmp (spaces[i].name, name) == 0)
      {
        WeirFormula *node = new_node (WEIR_FORMULA_SPACE);

        node->width = spaces[i].width;
        return node;
      }
  symbol = weir_formula_find_symbol (name, strlen (name));
  if (symbol != NULL)
    {
      WeirFormula *node = new_symbol (symbol->text, strlen (symbol->text), symbol->class,
                                      symbol->face);

      /* Limits of a sum go below and above, those of an integral beside. */
      node->limits = (node->class == WEIR_CLASS_LARGE && strstr (name, "int") == NULL)
                     || strcmp (name, "lim") == 0 || strcmp (name, "min") == 0
                     || strcmp (name, "max") == 0 || strcmp (name, "sup") == 0
                     || strcmp (name, "inf") == 0;
      return node;
    }
  return fail (p, g_strdup_printf (_ ("\\%s is no sign that formulas know."), name));
}

static WeirFormula *
parse_atom (Parser *p)
{
  const char *start;
  const WeirFormulaSymbol *sign;

  skip_space (p);
  start = p->at;
  if (*p->at == '{')
    {
      WeirFormula *row;

      if (++p->depth > MAX_DEPTH)
        return fail (p, g_strdup (_ ("The formula is nested too deeply.")));
      p->at++;
      row = parse_row (p);
      p->depth--;
      if (row != NULL && !take (p, "}"))
        {
          weir_formula_free (row);
          return fail (p, g_strdup (_ ("A brace is opened and not closed.")));
        }
      return row;
    }
  if (*p->at == '\\')
    {
      WeirFormula *node;

      if (++p->depth > MAX_DEPTH)
        return fail (p, g_strdup (_ ("The formula is nested too deeply.")));
      node = parse_command (p);
      p->depth--;
      return node;
    }
  if (*p->at == '_' || *p->at == '^')
    return fail (p, g_strdup_printf (_ ("\"%c\" needs something that it belongs to."), *p->at));
  if (g_ascii_isdigit (*p->at))
    {
      while (g_ascii_isdigit (*p->at) || (*p->at == '.' && g_ascii_isdigit (p->at[1])))
        p->at++;
      return new_symbol (start, (gsize) (p->at - start), WEIR_CLASS_ORDINARY, WEIR_FACE_ROMAN);
    }
  sign = weir_formula_find_sign (p->at);
  if (sign != NULL)
    {
      p->at += strlen (sign->name);
      return new_symbol (sign->text, strlen (sign->text), sign->class, sign->face);
    }
  p->at = g_utf8_next_char (p->at);
  return new_symbol (start, (gsize) (p->at - start), WEIR_CLASS_ORDINARY,
                     g_unichar_isalpha (g_utf8_get_char (start)) ? WEIR_FACE_ITALIC
                                                                 : WEIR_FACE_ROMAN);
}

/* Primes are scripts above, with what else is there. */
static WeirFormula *
parse_primes (Parser *p)
{
  g_autoptr (GString) primes = g_string_new (NULL);

  while (*p->at == '\'')
    {
      g_string_append (primes, "′");
      p->at++;
    }
  return new_symbol (primes->str, primes->len, WEIR_CLASS_ORDINARY, WEIR_FACE_ROMAN);
}

static void
add_script (WeirFormula **script, WeirFormula *part)
{
  WeirFormula *row;

  if (*script == NULL || part == NULL)
    {
      if (part != NULL)
        *script = part;
      return;
    }
  row = new_parent (WEIR_FORMULA_ROW);
  g_ptr_array_add (row->children, *script);
  g_ptr_array_add (row->children, part);
  *script = row;
}

static WeirFormula *
parse_item (Parser *p)
{
  WeirFormula *base = parse_atom (p), *below = NULL, *above = NULL, *node;

  while (base != NULL && p->error == NULL)
    {
      skip_space (p);
      if (*p->at == '\'')
        add_script (&above, parse_primes (p));
      else if (*p->at == '_' || *p->at == '^')
        {
          gboolean is_below = *p->at++ == '_';
          WeirFormula **script = is_below ? &below : &above;

          if (*script != NULL && (*script)->kind != WEIR_FORMULA_SYMBOL)
            fail (p,
                  g_strdup (is_below ? _ ("One thing has two subscripts: put braces around them.")
                                     : _ ("One thing has two powers: put braces around them.")));
          else
            add_script (script,
                        is_below ? parse_argument (p, "_", "x_i") : parse_argument (p, "^", "x^2"));
        }
      else
        break;
    }
  if (p->error != NULL)
    {
      weir_formula_free (base);
      weir_formula_free (below);
      weir_formula_free (above);
      return NULL;
    }
  if (base == NULL || (below == NULL && above == NULL))
    return base;
  node = new_parent (WEIR_FORMULA_SCRIPTS);
  node->class = base->class;
  g_ptr_array_add (node->children, base);
  g_ptr_array_add (node->children, below);
  g_ptr_array_add (node->children, above);
  return node;
}

static gboolean
is_at_end_of_row (Parser *p)
{
  skip_space (p);
  return *p->at == '\0' || *p->at == '}' || *p->at == '&' || g_str_has_prefix (p->at, "\\\\")
         || is_command (p, "right");
}

static WeirFormula *
parse_row (Parser *p)
{
  WeirFormula *row = new_parent (WEIR_FORMULA_ROW);

  while (!is_at_end_of_row (p))
    {
      WeirFormula *item = parse_item (p);

      if (item == NULL)
        {
          weir_formula_free (row);
          return NULL;
        }
      g_ptr_array_add (row->children, item);
    }
  return row;
}

WeirFormula *
weir_formula_parse (const char *text, GError **error)
{
  Parser p = { text, 0, NULL };
  WeirFormula *self = parse_row (&p);

  if (p.error == NULL && *p.at != '\0')
    {
      if (*p.at == '}')
        fail (&p, g_strdup (_ ("A brace is closed that was not opened.")));
      else if (*p.at == '&' || g_str_has_prefix (p.at, "\\\\"))
        fail (&p, g_strdup (_ ("\"&\" and \"\\\\\" part the cells of \\matrix{...} only.")));
      else
        fail (&p, g_strdup (_ ("\\right needs its \\left.")));
    }
  if (p.error == NULL)
    return self;
  weir_formula_free (self);
  g_propagate_error (error, p.error);
  return NULL;
}
