/* Pages written out: for a terminal, as HTML, as part of a manual page. See help.h. */
#include "help/help.h"

#include <string.h>

#define MAX_CELLS 16
#define GAP 2 /* blanks before each column of a table */

static const char bullet[] = "• ";

/* --- For a terminal -------------------------------------------------------------------------- */

static guint
get_width (const char *text)
{
  return (guint) g_utf8_strlen (text, -1);
}

/* The lines that @text takes where there is room for @width; a longer word has a line of its own.
 * (transfer full) */
static char **
wrap (const char *text, guint width)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GPtrArray *lines = g_ptr_array_new ();
  GString *line = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (i > 0 && get_width (line->str) + 1 + get_width (words[i]) > width)
        {
          g_ptr_array_add (lines, g_string_free (line, FALSE));
          line = g_string_new (NULL);
        }
      else if (i > 0)
        g_string_append_c (line, ' ');
      g_string_append (line, words[i]);
    }
  g_ptr_array_add (lines, g_string_free (line, FALSE));
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}

/* @text in lines of @width, the first after @first, the others after so many blanks. */
static void
append_wrapped (GString *out, const char *text, guint indent, const char *first, guint width)
{
  guint hang = indent + get_width (first);
  g_auto (GStrv) lines = wrap (text, width > hang ? width - hang : 1);

  g_string_append_printf (out, "%*s%s%s\n", (int) indent, "", first, lines[0]);
  for (guint i = 1; lines[i] != NULL; i++)
    g_string_append_printf (out, "%*s%s\n", (int) hang, "", lines[i]);
}

static guint
count_cells (const WeirHelpBlock *row)
{
  return row->n_spans > 0 ? (guint) row->spans[row->n_spans - 1].cell + 1 : 0;
}

/* Of one column. (transfer full) */
static char *
dup_cell (const WeirHelpBlock *row, guint cell)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->n_spans; i++)
    if (row->spans[i].cell == (int) cell)
      g_string_append (text, row->spans[i].text);
  return g_string_free (text, FALSE);
}

static gboolean
is_row (const WeirHelpBlock *block)
{
  return block->kind == WEIR_HELP_HEAD || block->kind == WEIR_HELP_ROW;
}

/* How wide the @n columns are: all have the same share of the room, but none is wider than its
 * widest cell or narrower than its longest word, and the others share what that leaves. */
static void
choose_widths (const WeirHelpBlock *rows, guint n_rows, guint n, guint room, guint *widths)
{
  guint least[MAX_CELLS] = { 0 }, most[MAX_CELLS] = { 0 }, n_open = n, n_before;

  for (guint c = 0; c < n; c++)
    for (guint r = 0; r < n_rows; r++)
      {
        g_autofree char *text = dup_cell (&rows[r], c);
        g_auto (GStrv) words = g_strsplit (text, " ", -1);

        most[c] = MAX (most[c], get_width (text));
        for (guint i = 0; words[i] != NULL; i++)
          least[c] = MAX (least[c], get_width (words[i]));
      }
  memset (widths, 0, n * sizeof *widths);
  do
    {
      n_before = n_open;
      for (guint c = 0; c < n; c++)
        if (widths[c] == 0 && (most[c] <= room / n_open || least[c] >= room / n_open))
          {
            widths[c] = MAX (CLAMP (room / n_open, least[c], most[c]), 1);
            room -= MIN (widths[c], room);
            n_open--;
          }
    }
  while (n_open > 0 && n_open < n_before);
  for (guint c = 0; c < n; c++)
    if (widths[c] == 0)
      widths[c] = room / n_open;
}

/* Every cell is wrapped within its column. */
static void
append_row (GString *out, const WeirHelpBlock *row, guint n, const guint *widths)
{
  char **lines[MAX_CELLS];
  guint n_lines = 0;

  for (guint c = 0; c < n; c++)
    {
      g_autofree char *text = dup_cell (row, c);

      lines[c] = wrap (text, widths[c]);
      n_lines = MAX (n_lines, g_strv_length (lines[c]));
    }
  for (guint i = 0; i < n_lines; i++)
    {
      guint blanks = GAP;

      for (guint c = 0; c < n; c++)
        {
          const char *text = i < g_strv_length (lines[c]) ? lines[c][i] : "";
          guint size = get_width (text);

          if (size > 0)
            {
              g_string_append_printf (out, "%*s%s", (int) blanks, "", text);
              blanks = 0;
            }
          blanks += MAX (widths[c], size) - size + GAP;
        }
      g_string_append_c (out, '\n');
    }
  for (guint c = 0; c < n; c++)
    g_strfreev (lines[c]);
}

static void
append_table (GString *out, const WeirHelpBlock *rows, guint n_rows, guint width)
{
  guint widths[MAX_CELLS], n = 0;

  for (guint r = 0; r < n_rows; r++)
    n = MAX (n, MIN (count_cells (&rows[r]), MAX_CELLS));
  choose_widths (rows, n_rows, n, width > GAP * n ? width - GAP * n : 0, widths);
  for (guint r = 0; r < n_rows; r++)
    append_row (out, &rows[r], n, widths);
  g_string_append_c (out, '\n');
}

static void
append_code (GString *out, const WeirHelpBlock *block, guint indent)
{
  g_autofree char *text = weir_help_block_dup_text (block);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (out, "%*s%s\n", (int) indent, "", lines[i]);
}

static guint
count_rows (const WeirHelpPage *page, guint from)
{
  guint n = 0;

  while (from + n < page->n_blocks && is_row (&page->blocks[from + n]))
    n++;
  return n;
}

char *
weir_help_page_to_text (const WeirHelp *self, const WeirHelpPage *page, guint width)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < page->n_blocks; i++)
    {
      const WeirHelpBlock *block = &page->blocks[i];
      g_autofree char *text = weir_help_block_dup_text (block);
      g_autofree char *number = g_strdup_printf ("%d. ", block->number);
      guint indent = 2 * (guint) block->indent;
      gboolean is_tight = i + 1 < page->n_blocks
                          && ((block->kind == WEIR_HELP_TERM)
                              || (block->kind == page->blocks[i + 1].kind
                                  && (block->kind == WEIR_HELP_ITEM
                                      || block->kind == WEIR_HELP_STEP)));

      if (is_row (block))
        {
          guint n = count_rows (page, i);

          append_table (out, block, n, width);
          i += n - 1;
          continue;
        }
      switch (block->kind)
        {
        case WEIR_HELP_TITLE:
          g_string_append_printf (out, "%s\n", text);
          for (guint k = get_width (text); k > 0 && block->level < 2; k--)
            g_string_append_c (out, block->level == 0 ? '=' : '-');
          if (block->level < 2)
            g_string_append_c (out, '\n');
          break;
        case WEIR_HELP_CODE:
          append_code (out, block, indent + 4);
          break;
        case WEIR_HELP_ITEM:
          append_wrapped (out, text, indent - 2, bullet, width);
          break;
        case WEIR_HELP_STEP:
          append_wrapped (out, text, indent - 2, number, width);
          break;
        case WEIR_HELP_NOTE:
          append_wrapped (out, text, indent, "| ", width);
          break;
        case WEIR_HELP_PARAGRAPH:
        case WEIR_HELP_TERM:
        case WEIR_HELP_HEAD:
        case WEIR_HELP_ROW:
        default:
          append_wrapped (out, text, indent, "", width);
        }
      if (!is_tight)
        g_string_append_c (out, '\n');
    }
  for (guint i = 0; i < page->n_children; i++)
    {
      const WeirHelpPage *child = weir_help_get_page (self, page->children[i]);
      g_autofree char *line = g_strdup_printf ("%s (%s): %s", child->title, child->id,
                                               child->summary);

      append_wrapped (out, line, 0, bullet, width);
    }
  return g_string_free (out, FALSE);
}

/* --- HTML ------------------------------------------------------------------------------------ */

static void
append_escaped (GString *out, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append (out, escaped);
}

static void
append_link (GString *out, const char *target)
{
  const char *section = strchr (target, '#');

  g_string_append (out, "<a href=\"");
  if (strstr (target, "://") != NULL)
    append_escaped (out, target);
  else
    {
      g_string_append_len (out, target,
                           section != NULL ? section - target : (gssize) strlen (target));
      g_string_append_printf (out, ".html%s", section != NULL ? section : "");
    }
  g_string_append (out, "\">");
}

static void
append_runs (GString *out, const WeirHelpBlock *block, int cell)
{
  static const char *const tags[] = {
    [WEIR_HELP_TEXT] = "",    [WEIR_HELP_CODE_SPAN] = "code", [WEIR_HELP_EMPHASIS] = "em",
    [WEIR_HELP_STRONG] = "b", [WEIR_HELP_GUI] = "kbd",        [WEIR_HELP_LINK] = "a",
  };

  for (guint i = 0; i < block->n_spans; i++)
    {
      const WeirHelpSpan *span = &block->spans[i];
      const char *tag = tags[span->kind];

      if (span->cell != cell)
        continue;
      if (span->kind == WEIR_HELP_LINK && g_str_has_prefix (span->target, WEIR_HELP_FILE))
        tag = tags[WEIR_HELP_TEXT]; /* opened in the window alone */
      else if (span->kind == WEIR_HELP_LINK)
        append_link (out, span->target);
      else if (tag[0] != '\0')
        g_string_append_printf (out, "<%s>", tag);
      append_escaped (out, span->text);
      if (tag[0] != '\0')
        g_string_append_printf (out, "</%s>", tag);
    }
}

/* Lists that are open, innermost last. */
typedef struct {
  const char *tags[MAX_CELLS];
  guint n;
} Lists;

static const char *
get_list (WeirHelpBlockKind kind)
{
  return kind == WEIR_HELP_ITEM ? "ul" : kind == WEIR_HELP_STEP ? "ol" : "dl";
}

/* Closes and opens what lies between the lists that are open and those around @block; NULL: the end
 * of the page. */
static void
fit_lists (GString *out, Lists *lists, const WeirHelpBlock *block)
{
  gboolean begins = block != NULL
                    && (block->kind == WEIR_HELP_ITEM || block->kind == WEIR_HELP_STEP
                        || block->kind == WEIR_HELP_TERM);
  guint wanted = block == NULL ? 0 : (guint) block->indent + (block->kind == WEIR_HELP_TERM);

  while (lists->n > wanted
         || (begins && lists->n == wanted && lists->n > 0
             && strcmp (lists->tags[lists->n - 1], get_list (block->kind)) != 0))
    {
      lists->n--;
      g_string_append_printf (out, "%s</%s>\n",
                              strcmp (lists->tags[lists->n], "dl") == 0 ? "</dd>" : "</li>",
                              lists->tags[lists->n]);
    }
  if (!begins || wanted > MAX_CELLS)
    return;
  if (lists->n == wanted && wanted > 0)
    g_string_append (out, block->kind == WEIR_HELP_TERM ? "</dd>" : "</li>");
  while (lists->n < wanted)
    {
      lists->tags[lists->n] = get_list (block->kind);
      g_string_append_printf (out, "<%s>\n", lists->tags[lists->n++]);
    }
  if (block->kind != WEIR_HELP_TERM)
    g_string_append (out, "<li>");
}

static void
append_html_table (GString *out, const WeirHelpBlock *rows, guint n_rows)
{
  g_string_append (out, "<table>\n");
  for (guint r = 0; r < n_rows; r++)
    {
      const char *tag = rows[r].kind == WEIR_HELP_HEAD ? "th" : "td";

      g_string_append (out, "<tr>");
      for (guint c = 0; c < count_cells (&rows[r]); c++)
        {
          g_string_append_printf (out, "<%s>", tag);
          append_runs (out, &rows[r], (int) c);
          g_string_append_printf (out, "</%s>", tag);
        }
      g_string_append (out, "</tr>\n");
    }
  g_string_append (out, "</table>\n");
}

static void
append_html_block (GString *out, const WeirHelpBlock *block)
{
  const char *tag = block->kind == WEIR_HELP_CODE   ? "pre"
                    : block->kind == WEIR_HELP_TERM ? "dt"
                                                    : "p";

  if (block->kind == WEIR_HELP_TITLE)
    {
      g_string_append_printf (out, "<h%d", block->level + 1);
      if (block->id != NULL)
        g_string_append_printf (out, " id=\"%s\"", block->id);
      g_string_append_c (out, '>');
      append_runs (out, block, 0);
      g_string_append_printf (out, "</h%d>\n", block->level + 1);
      return;
    }
  g_string_append_printf (out, "<%s%s>", tag,
                          block->kind == WEIR_HELP_NOTE ? " class=\"note\"" : "");
  append_runs (out, block, 0);
  g_string_append_printf (out, "</%s>\n", tag);
  if (block->kind == WEIR_HELP_TERM)
    g_string_append (out, "<dd>");
}

char *
weir_help_page_to_html (const WeirHelp *self, const WeirHelpPage *page, const char *language)
{
  static const char style[] =
      "body{max-width:46em;margin:2em auto;padding:0 1em;font-family:sans-serif;line-height:1.45}"
      "pre{background:#8881;padding:.6em 1em;overflow:auto}table{border-collapse:collapse}"
      "td,th{text-align:left;vertical-align:top;padding:.2em 1em .2em 0;"
      "border-bottom:1px solid #8884}.note{border-left:4px solid #4a7;padding-left:1em}"
      ":root{color-scheme:light dark}";
  GString *out = g_string_new ("<!DOCTYPE html>\n");
  Lists lists = { 0 };

  g_string_append_printf (out, "<html lang=\"%s\"><head><meta charset=\"utf-8\"><title>", language);
  append_escaped (out, page->title);
  g_string_append_printf (out, "</title><style>%s</style></head><body>\n", style);
  if (strcmp (page->id, "index") != 0)
    {
      append_link (out, "index");
      append_escaped (out, weir_help_get_page (self, 0)->title);
      g_string_append (out, "</a>\n");
    }
  for (guint i = 0; i < page->n_blocks; i++)
    {
      const WeirHelpBlock *block = &page->blocks[i];

      fit_lists (out, &lists, block);
      if (is_row (block))
        {
          guint n = count_rows (page, i);

          append_html_table (out, block, n);
          i += n - 1;
        }
      else
        append_html_block (out, block);
    }
  fit_lists (out, &lists, NULL);
  if (page->n_children > 0)
    g_string_append (out, "<ul>\n");
  for (guint i = 0; i < page->n_children; i++)
    {
      const WeirHelpPage *child = weir_help_get_page (self, page->children[i]);

      g_string_append (out, "<li>");
      append_link (out, child->id);
      append_escaped (out, child->title);
      g_string_append (out, "</a>: ");
      append_escaped (out, child->summary);
      g_string_append (out, "</li>\n");
    }
  if (page->n_children > 0)
    g_string_append (out, "</ul>\n");
  g_string_append (out, "</body></html>\n");
  return g_string_free (out, FALSE);
}

/* --- Manual pages ---------------------------------------------------------------------------- */

/* No line may begin with a control character, and "-" is a minus as typed. */
static void
append_man (GString *out, const char *text)
{
  for (const char *at = text; *at != '\0'; at++)
    {
      gboolean begins_line = out->len == 0 || out->str[out->len - 1] == '\n';

      if (begins_line && (*at == '.' || *at == '\''))
        g_string_append (out, "\\&");
      if (*at == '\\')
        g_string_append (out, "\\e");
      else if (*at == '-')
        g_string_append (out, "\\-");
      else
        g_string_append_c (out, *at);
    }
}

static void
append_man_runs (GString *out, const WeirHelpBlock *block, int cell)
{
  static const char *const fonts[] = {
    [WEIR_HELP_TEXT] = "R",   [WEIR_HELP_CODE_SPAN] = "B", [WEIR_HELP_EMPHASIS] = "I",
    [WEIR_HELP_STRONG] = "B", [WEIR_HELP_GUI] = "I",       [WEIR_HELP_LINK] = "R",
  };

  for (guint i = 0; i < block->n_spans; i++)
    if (cell < 0 || block->spans[i].cell == cell)
      {
        const char *font = fonts[block->spans[i].kind];

        if (font[0] != 'R')
          g_string_append_printf (out, "\\f%s", font);
        append_man (out, block->spans[i].text);
        if (font[0] != 'R')
          g_string_append (out, "\\fR");
      }
}

char *
weir_help_page_to_man (const WeirHelpPage *page)
{
  GString *out = g_string_new (NULL);

  for (guint i = 1; i < page->n_blocks; i++)
    {
      const WeirHelpBlock *block = &page->blocks[i];

      switch (block->kind)
        {
        case WEIR_HELP_TITLE:
          g_string_append (out, block->level > 1 ? ".SS " : ".SH ");
          break;
        case WEIR_HELP_CODE:
          g_string_append (out, ".P\n.RS 4\n.EX\n");
          break;
        case WEIR_HELP_TERM:
          g_string_append (out, ".TP\n");
          break;
        case WEIR_HELP_ITEM:
          g_string_append (out, ".IP \\(bu 2\n");
          break;
        case WEIR_HELP_STEP:
          g_string_append_printf (out, ".IP %d. 4\n", block->number);
          break;
        case WEIR_HELP_HEAD:
        case WEIR_HELP_ROW:
          g_string_append (out, ".TP\n");
          append_man_runs (out, block, 0);
          g_string_append_c (out, '\n');
          for (guint c = 1; c < count_cells (block); c++)
            {
              append_man_runs (out, block, (int) c);
              g_string_append (out, c + 1 < count_cells (block) ? "; " : "\n");
            }
          continue;
        case WEIR_HELP_PARAGRAPH:
        case WEIR_HELP_NOTE:
        default:
          if (block->indent == 0)
            g_string_append (out, ".P\n");
          else if (page->blocks[i - 1].kind != WEIR_HELP_TERM)
            g_string_append (out, ".IP\n");
          break;
        }
      append_man_runs (out, block, -1);
      g_string_append_c (out, '\n');
      if (block->kind == WEIR_HELP_CODE)
        g_string_append (out, ".EE\n.RE\n");
    }
  return g_string_free (out, FALSE);
}
