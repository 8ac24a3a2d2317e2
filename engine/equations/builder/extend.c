/* extends Spring: a text that begins with the statements of others.
 *
 * The statements of what is extended come first, in the order in which they are named, each text
 * once. A declaration of the same name takes the place of the earlier one, and keeps of it what it
 * leaves out: unit, sizes, value. Conditions at the start, guesses and histories of the same
 * variable, the sample and the noise take the place of earlier ones too. Everything else is added,
 * so that a variable which both define is defined twice, and said to be.
 *
 * Lines of the texts are told apart by numbers: line 3 of the second one is 2000003; people read
 * "3 of Spring".
 */
#include "equations/builder/builder.h"
#include "base/phrase.h"
#include "base/text.h"
#include "equations/text/parser.h"

#include <stdlib.h>
#include <string.h>

/* Line numbers of extended texts. */
#define LINES_OF_A_TEXT 1000000

/* --- Lines ----------------------------------------------------------------------------------- */

static WeirMessage *
describe_line (const char *const *extended, int line)
{
  int text = line / LINES_OF_A_TEXT, own = line % LINES_OF_A_TEXT;
  gboolean is_given = own > WEIR_LINES_BEFORE_GIVEN;

  if (is_given)
    own -= WEIR_LINES_BEFORE_GIVEN;
  if (text == 0)
    return is_given ? weir_message_new (N_ ("%d of what is given at the start"), own)
                    : weir_message_new ("%d", own);
  if (extended == NULL || text > (int) g_strv_length ((char **) extended))
    return weir_message_new ("%d", line);
  return is_given ? weir_message_new (N_ ("%d of what is given at the start of %s"), own,
                                      extended[text - 1])
                  : weir_message_new (N_ ("%d of %s"), own, extended[text - 1]);
}

char *
weir_extended_dup_line (const char *const *extended, int line)
{
  g_autoptr (WeirMessage) message = describe_line (extended, line);

  return g_strdup (weir_message_get_text (message));
}

enum { NUMBER, LIST, N_PATTERNS };

/* (transfer full) */
static char *
replace (guint pattern, const char *text, GRegexEvalCallback replacement, gpointer data)
{
  static const char *const patterns[N_PATTERNS] = {
    [NUMBER] = "[0-9]+",
    [LIST] = "[Ll]ines? [0-9]+(, [0-9]+)*( and [0-9]+)?( and [0-9]+ more)?",
  };
  static GRegex *made[N_PATTERNS];

  if (g_once_init_enter (&made[pattern]))
    g_once_init_leave (&made[pattern], g_regex_new (patterns[pattern], 0, 0, NULL));
  return g_regex_replace_eval (made[pattern], text, -1, 0, 0, replacement, data, NULL);
}

static gboolean
name_number (const GMatchInfo *match, GString *result, gpointer extended)
{
  g_autofree char *number = g_match_info_fetch (match, 0);
  g_autofree char *name = weir_extended_dup_line (extended, atoi (number));

  g_string_append (result, name);
  return FALSE;
}

static gboolean
name_list (const GMatchInfo *match, GString *result, gpointer extended)
{
  g_autofree char *list = g_match_info_fetch (match, 0);
  g_autofree char *named = replace (NUMBER, list, name_number, extended);

  g_string_append (result, named);
  return FALSE;
}

char *
weir_extended_name_lines (const char *const *extended, const char *text)
{
  return replace (LIST, text, name_list, (gpointer) extended);
}

/* --- Owners of lines -------------------------------------------------------------------------- */

/* Of the lines of a sentence that are of something: char * by number. */
typedef struct {
  WeirLineOwnerFunc find;
  gconstpointer data;
  GHashTable *owners;
} Owners;

static gboolean
note_owner (const GMatchInfo *match, G_GNUC_UNUSED GString *result, gpointer data)
{
  const Owners *self = data;
  g_autofree char *number = g_match_info_fetch (match, 0);
  guint64 line = g_ascii_strtoull (number, NULL, 10);
  const char *owner = line > 0 && line <= G_MAXUINT ? self->find ((guint) line, self->data) : NULL;

  if (owner != NULL)
    g_hash_table_insert (self->owners, g_steal_pointer (&number), g_strdup (owner));
  return FALSE;
}

static gboolean
note_owners (const GMatchInfo *match, G_GNUC_UNUSED GString *result, gpointer data)
{
  g_autofree char *list = g_match_info_fetch (match, 0);
  g_autofree char *unused = replace (NUMBER, list, note_owner, data);

  return FALSE;
}

typedef struct {
  GHashTable *owners;
  gboolean is_translation;
} Owned;

static gboolean
name_owners (const GMatchInfo *match, GString *result, gpointer data)
{
  const Owned *self = data;
  g_autofree char *list = g_match_info_fetch (match, 0), *said = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (WeirMessage) all = NULL;

  for (char *at = list; *at != '\0';)
    {
      gsize n = strspn (at, "0123456789");
      g_autofree char *number = g_strndup (at, n);
      const char *owner = g_hash_table_lookup (self->owners, number);

      if (owner != NULL && !g_ptr_array_find_with_equal_func (names, owner, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer) owner);
      at += MAX (n, 1);
    }
  g_ptr_array_add (names, NULL);
  all = weir_message_new_list ((const char *const *) names->pdata);
  said = self->is_translation ? weir_message_translate (all)
                              : g_strdup (weir_message_get_text (all));
  g_string_append (result, names->len > 1 ? said : list);
  return FALSE;
}

/* Whose lines they are says more than that they are of a model. */
static char *
say_owners (const char *text, gboolean is_translation, gpointer owners)
{
  Owned owned = { owners, is_translation };
  const char *start = is_translation ? _ ("Model: ") : "Model: ";
  g_autoptr (GRegex) lists = NULL;

  if (g_str_has_prefix (text, start))
    text += strlen (start);
  if (!is_translation)
    return replace (LIST, text, name_owners, &owned);
  /* Translators: a regular expression for what sentences say of lines: "line 3", "Lines 3, 4 and
   * 5", "lines 1, 2 and 7 more", with the article that stands before it. */
  lists = g_regex_new (_ ("[Ll]ines? [0-9]+(, [0-9]+)*( and [0-9]+)?( and [0-9]+ more)?"), 0, 0,
                       NULL);
  return lists != NULL ? g_regex_replace_eval (lists, text, -1, 0, 0, name_owners, &owned, NULL)
                       : g_strdup (text);
}

WeirMessage *
weir_lines_name_owners (WeirMessage *message, WeirLineOwnerFunc find, gconstpointer data)
{
  Owners owners = { find, data, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  g_autofree char *unused = replace (LIST, weir_message_get_text (message), note_owners, &owners);

  return weir_message_rewrite (message, say_owners, owners.owners,
                               (GDestroyNotify) g_hash_table_unref);
}

/* --- Sentences of extended texts -------------------------------------------------------------- */

typedef struct {
  char **extended;
  GHashTable *lines; /* char *: the numbers that are those of lines in the English text */
} Naming;

static void
naming_free (gpointer data)
{
  Naming *self = data;

  g_strfreev (self->extended);
  g_hash_table_unref (self->lines);
  g_free (self);
}

static gboolean
note_number (const GMatchInfo *match, G_GNUC_UNUSED GString *result, gpointer lines)
{
  g_hash_table_add (lines, g_match_info_fetch (match, 0));
  return FALSE;
}

static gboolean
note_list (const GMatchInfo *match, G_GNUC_UNUSED GString *result, gpointer lines)
{
  g_autofree char *list = g_match_info_fetch (match, 0);
  g_autofree char *unused = replace (NUMBER, list, note_number, lines);

  return FALSE;
}

static gboolean
translate_number (const GMatchInfo *match, GString *result, gpointer naming)
{
  const Naming *self = naming;
  g_autofree char *number = g_match_info_fetch (match, 0), *name = NULL;
  g_autoptr (WeirMessage) line = NULL;

  if (g_hash_table_contains (self->lines, number))
    {
      line = describe_line ((const char *const *) self->extended, atoi (number));
      name = weir_message_translate (line);
    }
  g_string_append (result, name != NULL ? name : number);
  return FALSE;
}

/* The words around them are others in each language: lines are told by their numbers there. */
static char *
name_lines (const char *text, gboolean is_translation, gpointer naming)
{
  const Naming *self = naming;

  return is_translation ? replace (NUMBER, text, translate_number, naming)
                        : weir_extended_name_lines ((const char *const *) self->extended, text);
}

WeirMessage *
weir_extended_name_message (const char *const *extended, WeirMessage *message)
{
  Naming *naming = g_new (Naming, 1);
  g_autofree char *unused = NULL;

  *naming = (Naming) { g_strdupv ((char **) extended),
                       g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  unused = replace (LIST, weir_message_get_text (message), note_list, naming->lines);
  return weir_message_rewrite (message, name_lines, naming, naming_free);
}

/* --- Statements ------------------------------------------------------------------------------ */

char **
weir_equations_list_extended (const char *text)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  g_autoptr (WeirDiagnostics) unused = weir_diagnostics_new ();
  WeirReport report = { .diagnostics = unused, .path = "", .first_line = 1 };
  g_autoptr (GPtrArray) statements = NULL;
  GPtrArray *names = g_ptr_array_new ();

  if (strstr (text, "extends") != NULL)
    statements = weir_statements_parse (pool, text, &report);
  for (guint i = 0; statements != NULL && i < statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (statements, i);

      if (s->kind == WEIR_STATEMENT_EXTENDS)
        g_ptr_array_add (names, g_strdup (weir_expr_get_name (pool, s->left)));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

static gboolean
is_declaration (const WeirStatement *s)
{
  return s->kind == WEIR_STATEMENT_PARAMETER || s->kind == WEIR_STATEMENT_CONSTANT
         || s->kind == WEIR_STATEMENT_INPUT;
}

/* Does @later take the place of @s? */
static gboolean
replaces (const WeirStatement *later, const WeirStatement *s)
{
  if (later->kind == WEIR_STATEMENT_SAMPLE || later->kind == WEIR_STATEMENT_NOISE)
    return s->kind == later->kind;
  if (!weir_expr_equal (later->left, s->left))
    return FALSE;
  if (later->kind == WEIR_STATEMENT_INITIAL || later->kind == WEIR_STATEMENT_GUESS
      || later->kind == WEIR_STATEMENT_HISTORY || later->kind == WEIR_STATEMENT_SOLVE
      || later->kind == WEIR_STATEMENT_BROWNIAN)
    return s->kind == later->kind;
  return is_declaration (later) && is_declaration (s);
}

/* Appends @s, or puts it in the place of what it replaces among the first @n. Takes it. */
static void
add_statement (GPtrArray *statements, guint n, WeirStatement *s)
{
  for (guint i = 0; i < n; i++)
    {
      WeirStatement *earlier = g_ptr_array_index (statements, i);

      if (!replaces (s, earlier))
        continue;
      if (is_declaration (s))
        {
          if (s->unit.i == WEIR_NO_EXPR.i)
            s->unit = earlier->unit;
          if (s->n_sizes == 0)
            {
              s->n_sizes = earlier->n_sizes;
              memcpy (s->sizes, earlier->sizes, sizeof s->sizes);
            }
          if (s->right.i == WEIR_NO_EXPR.i)
            s->right = earlier->right;
        }
      statements->pdata[i] = s;
      weir_statement_free (earlier);
      return;
    }
  g_ptr_array_add (statements, s);
}

/* Moves the statements of one text over, but what they extend: that is there already. */
static void
add_statements (GPtrArray *statements, GPtrArray *more)
{
  guint n = statements->len;

  while (more->len > 0)
    {
      WeirStatement *s = g_ptr_array_steal_index (more, 0);

      if (s->kind == WEIR_STATEMENT_EXTENDS)
        weir_statement_free (s);
      else
        add_statement (statements, n, s);
    }
}

static void
renumber (const GPtrArray *statements, int by)
{
  for (guint i = 0; i < statements->len; i++)
    {
      WeirStatement *s = g_ptr_array_index (statements, i);

      s->line += by;
      if (s->body != NULL)
        renumber (s->body, by);
    }
}

static void
free_statement (gpointer statement)
{
  weir_statement_free (statement);
}

/* "Model: line 3: ..." within another sentence: without what that says already. */
static char *
skip_stage (const char *text, G_GNUC_UNUSED gboolean is_translation, gpointer stage)
{
  g_autofree char *said = g_strconcat (is_translation ? weir_translate (stage) : (char *) stage,
                                       ": ", NULL);

  return g_strdup (g_str_has_prefix (text, said) ? text + strlen (said) : text);
}

/* The statements of one extended text; NULL after reporting, at @line, that it cannot be read. */
static GPtrArray *
read_text (WeirEquationsBuilder *self, guint i, int line)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirMessage) why = NULL;
  WeirReport report = { .diagnostics = diagnostics, .path = "", .first_line = 1 };
  const char *path;
  const char *text = weir_surroundings_get_text (self->around, i, &path);
  GPtrArray *statements = weir_statements_parse (self->pool, text, &report);

  if (!weir_diagnostics_has_errors (diagnostics))
    {
      renumber (statements, (int) (i + 1) * LINES_OF_A_TEXT);
      return statements;
    }
  why = weir_message_rewrite (weir_message_ref (weir_diagnostics_get (diagnostics, 0)->message),
                              skip_stage, (gpointer) N_ ("Model"), NULL);
  weir_builder_fail (self, "EQ10", line,
                     N_ ("Model: line %d: %s, which is extended here, cannot be read: %s"), line,
                     path, weir_message_get_text (why));
  g_ptr_array_unref (statements);
  return NULL;
}

GPtrArray *
weir_builder_extend (WeirEquationsBuilder *self, GPtrArray *own)
{
  GPtrArray *statements;
  guint n_texts = self->around != NULL ? weir_surroundings_get_n_texts (self->around) : 0;
  int line = 0;

  for (guint i = 0; i < own->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (own, i);
      const char *name, *problem;

      if (s->kind != WEIR_STATEMENT_EXTENDS)
        continue;
      line = line == 0 ? s->line : line;
      name = weir_expr_get_name (self->pool, s->left);
      problem = self->around != NULL ? weir_surroundings_find_problem (self->around, name)
                                     : weir_phrase (N_ ("the text is in no model."));
      if (problem != NULL)
        weir_builder_fail (self, "EQ10", s->line, N_ ("Model: line %d: extends %s: %s"), s->line,
                           name, problem);
    }
  if (line == 0)
    return own;
  statements = g_ptr_array_new_with_free_func (free_statement);
  for (guint i = 0; i < n_texts && !self->has_failed; i++)
    {
      g_autoptr (GPtrArray) more = read_text (self, i, line);

      if (more != NULL)
        add_statements (statements, more);
    }
  add_statements (statements, own);
  g_ptr_array_unref (own);
  return statements;
}
