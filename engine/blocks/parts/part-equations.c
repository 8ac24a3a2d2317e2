/* The part that a text of equations makes of its block. See part.h.
 *
 * What only parts have is read first, wherever it stands, as the lines of such a text may come in
 * any order; the rest becomes the lines of the part, which declare what they need by themselves.
 */
#include "blocks/parts/part-private.h"

#include <string.h>

#include "base/text.h"
#include "equations/text/syntax.h"

gboolean
weir_equations_have_pins (const char *text)
{
  for (const char *at = strstr (text, "pin"); at != NULL; at = strstr (at + 1, "pin"))
    {
      const char *before = at, *name = at + strlen ("pin");
      const char *colon;

      while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
      while (*name == ' ' || *name == '\t')
        name++;
      colon = name;
      while (weir_part_is_name_char (*colon) || *colon == '[' || *colon == ']')
        colon++;
      while (*colon == ' ' || *colon == '\t')
        colon++;
      if ((before == text || before[-1] == '\n' || before[-1] == ':') && name > at + strlen ("pin")
          && colon > name && *colon == ':' && colon[1] != '=')
        return TRUE;
    }
  return FALSE;
}

/* --- Names ----------------------------------------------------------------------------------- */

typedef struct {
  WeirPartType *part;
  const WeirExprPool *pool;
  GHashTable *declared; /* names that need not be declared, or must not */
} Naming;

static const char *
get_name (const Naming *n, WeirExpr e)
{
  return weir_expr_get_op (n->pool, e) == WEIR_OP_SYMBOL
             ? g_intern_string (weir_expr_get_name (n->pool, e))
             : NULL;
}

static void
add_name (GArray *names, const char *name, const char *unit)
{
  WeirPartName own = { name, unit };

  if (!weir_part_names_have (names, name))
    g_array_append_val (names, own);
}

/* What one block may say of the whole network is not for it to say. */
static void
refuse (const WeirReport *report, const WeirStatement *s, const char *word)
{
  weir_report_add (report, WEIR_SEVERITY_ERROR, "EQ09", s->line,
                   N_ ("Model: line %d: a block with pins has no '%s'; put that into a block "
                       "without pins, joined by a signal."),
                   s->line, word);
}

static void
look_at (Naming *n, const GPtrArray *statements, const WeirReport *report)
{
  for (guint i = 0; i < statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (statements, i);
      const char *name = s->left.i != WEIR_NO_EXPR.i ? get_name (n, s->left) : NULL;
      const char *unit = s->unit.i != WEIR_NO_EXPR.i
                             ? g_intern_string (weir_expr_get_name (n->pool, s->unit))
                             : NULL;

      switch (s->kind)
        {
        case WEIR_STATEMENT_INPUT:
        case WEIR_STATEMENT_OUTPUT:
          add_name (s->kind == WEIR_STATEMENT_INPUT ? n->part->inputs : n->part->outputs, name,
                    unit);
          g_hash_table_add (n->declared, (gpointer) name);
          break;
        case WEIR_STATEMENT_PARAMETER:
        case WEIR_STATEMENT_CONSTANT:
        case WEIR_STATEMENT_FOR:
          g_hash_table_add (n->declared, (gpointer) name);
          break;
        case WEIR_STATEMENT_SAMPLE:
          refuse (report, s, "sample");
          break;
        case WEIR_STATEMENT_NOISE:
          refuse (report, s, "noise");
          break;
        case WEIR_STATEMENT_BROWNIAN:
          refuse (report, s, "brownian");
          break;
        case WEIR_STATEMENT_EXTENDS:
          refuse (report, s, "extends");
          break;
        case WEIR_STATEMENT_SOLVE:
          refuse (report, s, "solve");
          break;
        case WEIR_STATEMENT_EQUATION:
        case WEIR_STATEMENT_INITIAL:
        case WEIR_STATEMENT_GUESS:
        case WEIR_STATEMENT_HISTORY:
        case WEIR_STATEMENT_VARIABLE:
        case WEIR_STATEMENT_WHEN:
        case WEIR_STATEMENT_ASSIGN:
        case WEIR_STATEMENT_ASSERT:
        default:
          break;
        }
      if (s->body != NULL)
        look_at (n, s->body, report);
    }
}

/* All that the lines name and nothing declares are variables of the part. */
static void
add_variables (const Naming *n)
{
  for (guint i = 0; i < n->part->lines->len; i++)
    {
      const GArray *pieces = g_ptr_array_index (n->part->lines, i);

      for (guint k = 0; k < pieces->len; k++)
        {
          const WeirPiece *piece = &g_array_index (pieces, WeirPiece, k);
          gboolean is_through = FALSE;

          for (guint j = 0; piece->kind == WEIR_PIECE_OWN && j < n->part->throughs->len; j++)
            is_through = is_through
                         || strcmp (g_array_index (n->part->throughs, WeirThrough, j).name,
                                    piece->text)
                                == 0;
          if (piece->kind == WEIR_PIECE_OWN && !is_through
              && !g_hash_table_contains (n->declared, piece->text))
            add_name (n->part->variables, piece->text, NULL);
        }
    }
}

/* --- Pins ------------------------------------------------------------------------------------ */

static gboolean
is_pin_used (const WeirPartType *part, guint pin)
{
  if (part->reference == pin || part->equal[0] == pin || part->equal[1] == pin)
    return TRUE;
  for (guint i = 0; i < part->throughs->len; i++)
    {
      const WeirThrough *through = &g_array_index (part->throughs, WeirThrough, i);

      if (through->from == pin || through->to == pin)
        return TRUE;
    }
  for (guint i = 0; i < part->lines->len; i++)
    {
      const GArray *pieces = g_ptr_array_index (part->lines, i);

      for (guint k = 0; k < pieces->len; k++)
        {
          const WeirPiece *piece = &g_array_index (pieces, WeirPiece, k);

          if (piece->index == pin
              && (piece->kind == WEIR_PIECE_POTENTIAL || piece->kind == WEIR_PIECE_RATE
                  || piece->kind == WEIR_PIECE_FLOW))
            return TRUE;
        }
    }
  return FALSE;
}

/* A pin of which nothing is said would leave the network open, which knows no better words. What
 * could not be read may have said it. */
static void
check_pins (WeirPartReading *r)
{
  for (guint i = 0; r->failed_line == 0 && i < r->part->pins->len; i++)
    {
      r->line = g_array_index (r->pin_lines, int, i);
      if (!is_pin_used (r->part, i))
        weir_part_reading_fail (r,
                                N_ ("pin '%s' stands in no equation, and nothing says what flows "
                                    "there."),
                                g_array_index (r->part->pins, WeirPinSpec, i).name);
    }
}

/* --- The part -------------------------------------------------------------------------------- */

static void
read_phase (WeirPartReading *r, WeirPartPhase phase, char **lines)
{
  r->phase = phase;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = lines[i];

      while (*line == ' ' || *line == '\t')
        line++;
      r->line = (int) i + 1;
      if (*line != '\0' && *line != '#')
        weir_part_reading_read_line (r, line);
      if (phase != WEIR_PART_REST)
        continue;
      /* What was put there ends with "; ", which would end a statement that goes on. */
      if (g_str_has_suffix (r->rest->str, "; "))
        g_string_truncate (r->rest, r->rest->len - 2);
      g_string_append_c (r->rest, '\n');
    }
}

static void
read_rest (WeirPartReading *r)
{
  g_auto (GStrv) lines = g_strsplit (r->rest->str, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      r->line = (int) i + 1;
      weir_part_reading_read_equation (r, lines[i]);
    }
}

WeirPartType *
weir_part_type_new_of_equations (const char *text, WeirFindNumberFunc find, gpointer data,
                                 const WeirReport *report, char **rest)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) domains = g_ptr_array_new ();
  g_autoptr (GString) own = g_string_new (NULL);
  g_autoptr (GString) meaning = g_string_new (NULL);
  g_autoptr (GHashTable) arrays = weir_part_arrays_new ();
  g_autoptr (GArray) pin_lines = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GHashTable) declared = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (GPtrArray) statements = NULL;
  WeirPartReading r = { .part = weir_part_type_alloc ("Equations"),
                        .domains = domains,
                        .text = own,
                        .meaning = meaning,
                        .arrays = arrays,
                        .pin_lines = pin_lines,
                        .report = report,
                        .find = find,
                        .data = data,
                        .rest = g_string_new (NULL) };
  Naming naming = { r.part, pool, declared };

  r.part->declares = TRUE;
  read_phase (&r, WEIR_PART_PINS, lines);
  read_phase (&r, WEIR_PART_OWN, lines);
  read_phase (&r, WEIR_PART_REST, lines);
  read_rest (&r);
  r.line = r.reference_line;
  weir_part_reading_check_reference (&r, r.part);
  check_pins (&r);
  statements = weir_statements_parse (pool, r.rest->str, report);
  look_at (&naming, statements, report);
  add_variables (&naming);
  *rest = g_string_free (r.rest, FALSE);
  return r.part;
}
