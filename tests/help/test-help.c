/* The pages of the help: that they can be read, that what they show can be written, and that they
 * name all that the language has. */
#include <glib/gstdio.h>
#include <string.h>

#include "blocks/library/registry.h"
#include "config.h"
#include "equations/expressions/expression.h"
#include "equations/text/syntax.h"
#include "help/help.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"

static WeirHelp *
open_help (void)
{
  g_autoptr (GError) error = NULL;
  WeirHelp *help = weir_help_open (NULL, NULL, &error);

  g_assert_no_error (error);
  return help;
}

static const WeirHelpPage *
find (const WeirHelp *help, const char *id)
{
  const WeirHelpPage *page = weir_help_find_page (help, id);

  if (page == NULL)
    g_error ("there is no page %s", id);
  return page;
}

static void
test_pages (void)
{
  g_autoptr (WeirHelp) help = open_help ();
  const WeirHelpPage *index = weir_help_get_page (help, 0);

  g_assert_cmpstr (index->id, ==, "index");
  g_assert_true (index->is_guide);
  /* Every other page is listed. */
  g_assert_cmpuint (index->n_children, ==, weir_help_get_n_pages (help) - 1);
  for (guint i = 0; i < weir_help_get_n_pages (help); i++)
    {
      const WeirHelpPage *page = weir_help_get_page (help, i);

      g_assert_cmpstr (page->title, !=, "");
      g_assert_cmpstr (page->summary, !=, "");
      g_assert_cmpint (page->blocks[0].kind, ==, WEIR_HELP_TITLE);
    }
}

/* What a page opens comes with the program. */
static void
test_files (void)
{
  g_autoptr (WeirHelp) help = open_help ();
  guint n = 0;

  for (guint i = 0; i < weir_help_get_n_pages (help); i++)
    for (guint j = 0; j < weir_help_get_page (help, i)->n_blocks; j++)
      {
        const WeirHelpBlock *block = &weir_help_get_page (help, i)->blocks[j];

        for (guint k = 0; k < block->n_spans; k++)
          if (block->spans[k].target != NULL
              && g_str_has_prefix (block->spans[k].target, WEIR_HELP_FILE))
            {
              g_autofree char *path = g_build_filename (
                  WEIR_SOURCE_DATA_DIR, block->spans[k].target + strlen (WEIR_HELP_FILE), NULL);

              if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
                g_error ("line %d: there is no %s", block->line, path);
              n++;
            }
      }
  g_assert_cmpuint (n, >, 5);
}

/* --- Examples -------------------------------------------------------------------------------- */

/* "Spring" of "# block Spring", else "Law". (transfer full) */
static char *
dup_name (const char *text)
{
  const char *mark = "# block ";
  const char *start = text + strlen (mark);

  return g_str_has_prefix (text, mark) ? g_strndup (start, strcspn (start, "\n"))
                                       : g_strdup ("Law");
}

static void
append_block (GString *xml, guint id, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  g_auto (GStrv) lines = g_strsplit (escaped, "\n", -1);
  g_autofree char *joined = g_strjoinv ("&#10;", lines);
  g_autofree char *name = dup_name (text);

  g_string_append_printf (xml,
                          "<block id='%u' type='Equations' name='%s' x='0' y='0'>"
                          "<parameter name='equations' value=\"%s\"/></block>",
                          id, name, joined);
}

/* Every example of the language, in a model with the named blocks before it, is one without
 * problem: neither error nor warning, and no hint but that a constraint was differentiated. */
static void
test_examples (void)
{
  g_autoptr (WeirHelp) help = open_help ();
  const WeirHelpPage *page = find (help, "equations");
  g_autoptr (GString) named = g_string_new (NULL);
  guint n_examples = 0;

  for (guint i = 0; i < page->n_blocks; i++)
    {
      g_autofree char *text = weir_help_block_dup_text (&page->blocks[i]);
      g_autoptr (GString) xml = g_string_new ("<weir version='1'><diagram>");
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (WeirModel) model = NULL;
      g_autoptr (WeirSystem) system = NULL;

      if (page->blocks[i].kind != WEIR_HELP_CODE)
        continue;
      n_examples++;
      g_string_append (xml, named->str);
      append_block (xml, n_examples, text);
      g_string_append (xml, "</diagram></weir>");
      bytes = g_bytes_new (xml->str, xml->len);
      model = weir_model_read_bytes (bytes, "example", diagnostics);
      g_assert_nonnull (model);
      system = weir_model_complete (model, diagnostics);
      for (guint j = 0; j < weir_diagnostics_get_size (diagnostics); j++)
        {
          const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, j);

          if (d->severity != WEIR_SEVERITY_HINT || strcmp (d->code, "EQ05") != 0)
            g_error ("line %d: %s: %s\n%s", page->blocks[i].line, d->code, d->text, text);
        }
      g_assert_nonnull (system);
      if (g_str_has_prefix (text, "# block "))
        append_block (named, n_examples, text);
    }
  g_assert_cmpuint (n_examples, >=, 20);
}

/* The words and functions of the language that the page does not have. */
static void
test_complete (void)
{
  static const char *const statements[] = {
    "parameter", "constant", "input", "output", "variable", "initial",
    "guess",     "override", "solve", "for",    "history",  "when",
    "sample",    "brownian", "noise", "assert", "extends",
  };
  g_autoptr (WeirHelp) help = open_help ();
  const WeirHelpPage *page = find (help, "equations");
  g_autofree char *text = NULL;
  g_autoptr (GString) code = g_string_new (" ");

  for (guint i = 0; i < page->n_blocks; i++)
    for (guint j = 0; j < page->blocks[i].n_spans; j++)
      if (page->blocks[i].spans[j].kind == WEIR_HELP_CODE_SPAN)
        g_string_append_printf (code, "%s ", page->blocks[i].spans[j].text);
  text = g_string_free (g_steal_pointer (&code), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    if (strstr (text, statements[i]) == NULL)
      g_error ("the page does not tell of %s", statements[i]);
  for (guint op = 0; op < WEIR_N_OPS; op++)
    {
      const char *name = weir_op_get_name (op);
      g_autofree char *call = g_strconcat (" ", name, "(", NULL);
      WeirOp found;
      guint min_args, max_args;

      if (weir_op_find_function (name, &found, &min_args, &max_args) && strstr (text, call) == NULL)
        g_error ("the page does not tell of %s()", name);
    }
  /* What may be no name: the list is whole, and no more than whole. */
  {
    const char *list = strstr (text, " and assert ");
    const char *end = list != NULL ? strstr (list, " when ") : NULL;
    g_auto (GStrv) words = NULL;
    g_autofree char *part = NULL;
    guint n = 0;

    g_assert_nonnull (end);
    part = g_strndup (list + 1, (gsize) (end + strlen (" when") - list - 1));
    words = g_strsplit (part, " ", -1);
    for (; words[n] != NULL; n++)
      if (!weir_word_is_reserved (words[n]))
        g_error ("'%s' may be a name", words[n]);
    g_assert_cmpuint (n, ==, 27);
  }
}

/* --- Links, search, other forms -------------------------------------------------------------- */

static void
test_search (void)
{
  g_autoptr (WeirHelp) help = open_help ();
  g_autoptr (GPtrArray) hits = weir_help_search (help, "unit DELAY");
  g_autoptr (GPtrArray) titled = weir_help_search (help, "units");
  g_autoptr (GPtrArray) none = weir_help_search (help, "unit xyzzy");
  g_autoptr (GPtrArray) empty = weir_help_search (help, " ");
  const WeirHelpHit *first;

  g_assert_cmpuint (hits->len, >, 0);
  first = g_ptr_array_index (hits, 0);
  g_assert_cmpstr (first->page->id, ==, "semantics");
  g_assert_cmpstr (first->page->blocks[first->block].id, ==, "unit-delay");
  g_assert_nonnull (strstr (first->title, "A Unit Delay Fed by a Continuous Signal"));
  first = g_ptr_array_index (titled, 0);
  g_assert_cmpstr (first->title, ==, "The Equation Language: Units");
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (empty->len, ==, 0);
  g_assert_cmpuint (weir_help_find_section (find (help, "equations"), "equations#units"), >, 0);
  g_assert_cmpuint (weir_help_find_section (find (help, "equations"), "equations"), ==, 0);
}

static void
test_forms (void)
{
  g_autoptr (WeirHelp) help = open_help ();

  for (guint i = 0; i < weir_help_get_n_pages (help); i++)
    {
      const WeirHelpPage *page = weir_help_get_page (help, i);
      g_autofree char *text = weir_help_page_to_text (help, page, 80);
      g_autofree char *html = weir_help_page_to_html (help, page, "en");
      g_autofree char *man = weir_help_page_to_man (page);
      g_auto (GStrv) lines = g_strsplit (man, "\n", -1);
      static const char *const tags[] = { "p", "ul", "ol", "li", "dl", "dt", "dd", "table", "pre" };

      g_assert_true (g_str_has_prefix (text, page->title));
      for (guint k = 0; k < G_N_ELEMENTS (tags); k++)
        {
          g_autofree char *open = g_strdup_printf ("<%s>", tags[k]);
          g_autofree char *open_more = g_strdup_printf ("<%s ", tags[k]);
          g_autofree char *close = g_strdup_printf ("</%s>", tags[k]);
          g_auto (GStrv) opened = g_strsplit (html, open, -1);
          g_auto (GStrv) opened_more = g_strsplit (html, open_more, -1);
          g_auto (GStrv) closed = g_strsplit (html, close, -1);

          if (g_strv_length (opened) + g_strv_length (opened_more) - 1 != g_strv_length (closed))
            g_error ("%s.html: not every <%s> is closed", page->id, tags[k]);
        }
      for (guint k = 0; lines[k] != NULL; k++)
        if (lines[k][0] == '.' && !g_ascii_isupper (lines[k][1]))
          g_error ("%s: a line is taken for a request: %s", page->id, lines[k]);
    }
}

/* However wide a terminal is, a table has its columns beside each other and no line beyond it: what
 * does not fit is wrapped in its cell. Of code and of long words nothing is cut. */
static void
test_widths (void)
{
  static const guint widths[] = { 60, 80, 100, 120 };
  g_autoptr (WeirHelp) help = open_help ();
  g_autofree char *narrow = weir_help_page_to_text (help, find (help, "run-options"), 80);
  static const char row[] =
      "\n  --max-crossings=N,                      limits after which a run that gets\n"
      "  --max-event-iterations=N,               nowhere ends with a report\n"
      "  --max-steps=N, --max-stalled-steps=N\n"
      "  -s, --set=PATH=VALUE                    change a parameter or an initial\n"
      "                                          value; may be repeated\n";

  if (strstr (narrow, row) == NULL)
    g_error ("the row of --max-crossings is not wrapped in its cells:\n%s", narrow);
  for (guint i = 0; i < weir_help_get_n_pages (help); i++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
      {
        const WeirHelpPage *page = weir_help_get_page (help, i);
        g_autofree char *text = weir_help_page_to_text (help, page, widths[w]);
        g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

        for (guint k = 0; lines[k] != NULL; k++)
          if (g_utf8_strlen (lines[k], -1) > (glong) widths[w]
              && !g_str_has_prefix (lines[k], "    "))
            g_error ("%s at %u columns: %s", page->id, widths[w], lines[k]);
      }
}

/* Every text is asked for as xgettext extracts it. */
static GHashTable *asked;

static const char *
note_text (const char *text)
{
  g_hash_table_add (asked, g_strdup (text));
  return text;
}

static char *
unquote (const char *line)
{
  const char *start = strchr (line, '"') + 1;
  g_autofree char *inner = g_strndup (start, strlen (start) - 1);

  return g_strcompress (inner);
}

/* How many texts a catalogue has, each of which some page asks for. */
static guint
check_asked (const char *catalogue, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (catalogue, "\n", -1);
  g_autoptr (GString) id = g_string_new (NULL);
  gboolean is_id = FALSE;
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "msgid ") || (is_id && lines[i][0] == '"'))
      {
        g_autofree char *part = unquote (lines[i]);

        is_id = TRUE;
        g_string_append (id, part);
      }
    else
      {
        if (is_id && id->len > 0)
          {
            n++;
            if (!g_hash_table_contains (asked, id->str))
              g_error ("%s: no page asks for: %s", name, id->str);
          }
        g_string_truncate (id, 0);
        is_id = FALSE;
      }
  return n;
}

static void
test_extraction (void)
{
  g_autofree char *program = g_find_program_in_path ("xgettext");
  g_autofree char *out = NULL;
  g_autoptr (GString) command = g_string_new (program);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirHelp) help = NULL;
  static const char *const languages[] = { "de", "fr" };
  guint n;

  if (program == NULL)
    {
      g_test_skip ("xgettext is not here");
      return;
    }
  asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  help = weir_help_open (NULL, note_text, &error);
  g_assert_no_error (error);
  g_string_append (command, " --its=" WEIR_SOURCE_DATA_DIR "/its/mallard.its -o -");
  for (guint i = 0; i < weir_help_get_n_pages (help); i++)
    g_string_append_printf (command, " " WEIR_SOURCE_DATA_DIR "/help/C/%s.page",
                            weir_help_get_page (help, i)->id);
  g_assert_true (g_spawn_command_line_sync (command->str, &out, NULL, NULL, &error));
  n = check_asked (out, "the pages");
  g_assert_cmpuint (n, ==, g_hash_table_size (asked));
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autofree char *name = g_strdup_printf (WEIR_SOURCE_DATA_DIR "/help/%s.po", languages[i]);
      g_autofree char *catalogue = NULL;

      g_assert_true (g_file_get_contents (name, &catalogue, NULL, &error));
      g_assert_cmpuint (check_asked (catalogue, name), >, 50);
    }
  g_hash_table_unref (asked);
}

static const char *
translate (const char *text)
{
  return strcmp (text, "Press <key>A</key> &amp; go to <link xref=\"index\">the start</link>.") == 0
             ? "Zum <link xref=\"index\">Anfang</link> mit <key>A</key> &amp; Mut."
             : text;
}

static void
test_translation (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-help-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "index.page", NULL);
  g_autoptr (WeirHelp) help = NULL;
  g_autoptr (GError) error = NULL;
  const WeirHelpPage *page;

  g_file_set_contents (file,
                       "<page type='guide' id='index'><title>T</title>\n"
                       "<list><item><p>Press <key>A</key>\n &amp; go to\n"
                       " <link xref='index'>the start</link>.</p></item></list></page>",
                       -1, &error);
  g_assert_no_error (error);
  help = weir_help_open (folder, translate, &error);
  g_assert_no_error (error);
  page = weir_help_get_page (help, 0);
  g_assert_cmpuint (page->n_blocks, ==, 2);
  g_assert_cmpint (page->blocks[1].kind, ==, WEIR_HELP_ITEM);
  g_assert_cmpuint (page->blocks[1].n_spans, ==, 5);
  g_assert_cmpstr (page->blocks[1].spans[1].text, ==, "Anfang");
  g_assert_cmpint (page->blocks[1].spans[1].kind, ==, WEIR_HELP_LINK);
  g_assert_cmpstr (page->blocks[1].spans[1].target, ==, "index");
  g_assert_cmpstr (page->blocks[1].spans[4].text, ==, " & Mut.");
  g_unlink (file);
  g_rmdir (folder);
}

/* What cannot be understood is refused with its place. */
static void
test_refused (void)
{
  static const struct {
    const char *text, *expected;
  } cases[] = {
    { "<page><title>T</title><p>a <blink>b</blink></p></page>",
      "index.page: Line 1: <blink> does not belong into text." },
    { "<page><title>T</title>\n<media/></page>",
      "index.page: Line 2: <media> is not understood in <page>." },
    { "<page><title>T</title>\ntext</page>", "there is text outside of a paragraph" },
    { "<page><p>a</p></page>", "the page has no title" },
    { "<page id='other'><title>T</title></page>", "the page's id is 'other'" },
    { "<page><title>T</title>\n<p><link xref='nowhere'>x</link></p></page>",
      "index.page: Line 2: there is no 'nowhere'." },
    { "<page><title>T</title><p>", "index.page: " },
    { "", "index.page: " },
  };
  g_autofree char *folder = g_dir_make_tmp ("weir-help-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "index.page", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (file, cases[i].text, -1, NULL));
      g_assert_null (weir_help_open (folder, NULL, &error));
      if (strstr (error->message, cases[i].expected) == NULL)
        g_error ("%s", error->message);
    }
  g_unlink (file);
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (weir_help_open (folder, NULL, &error));
    g_assert_nonnull (strstr (error->message, "has no page index.page"));
  }
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/help/pages", test_pages);
  g_test_add_func ("/help/files", test_files);
  g_test_add_func ("/help/examples", test_examples);
  g_test_add_func ("/help/complete", test_complete);
  g_test_add_func ("/help/search", test_search);
  g_test_add_func ("/help/forms", test_forms);
  g_test_add_func ("/help/widths", test_widths);
  g_test_add_func ("/help/extraction", test_extraction);
  g_test_add_func ("/help/translation", test_translation);
  g_test_add_func ("/help/refused", test_refused);
  return g_test_run ();
}
