/* Reading one page. See help-read.h.
 *
 * What is translated (a title, a paragraph, a summary) is first collected as the markup that it is,
 * blanks collapsed, as xgettext and itstool write it into catalogues; its translation is then read
 * once more into spans.
 */
#include "help/help-read.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

#define MAX_DEPTH 16 /* of open elements */

typedef enum {
  IN_TEXT = 1 << 0,  /* holds text and markup within it: is translated */
  IN_LINE = 1 << 1,  /* stands within text */
  VERBATIM = 1 << 2, /* keeps its lines */
} Trait;

static const struct {
  const char *name;
  guint traits;
  const char *parents; /* names with blanks around; NULL: within text */
} elements[] = {
  { "page", 0, " " },
  { "info", 0, " page section " },
  { "desc", IN_TEXT, " info " },
  { "title", IN_TEXT, " page section item table note terms list " },
  { "section", 0, " page section " },
  { "p", IN_TEXT, " page section item td note " },
  { "code", VERBATIM, " page section item note " },
  { "list", 0, " page section item " },
  { "steps", 0, " page section item " },
  { "terms", 0, " page section item " },
  { "item", 0, " list steps terms " },
  { "table", 0, " page section item " },
  { "thead", 0, " table " },
  { "tbody", 0, " table " },
  { "tr", 0, " table thead tbody " },
  { "td", 0, " tr " },
  { "note", 0, " page section item " },
};

static const char *const within_text[] = { "code", "em", "gui", "key", "link", "file", "cmd" };

typedef struct {
  WeirHelpOwnedPage *own;
  GStringChunk *chunk;
  WeirHelpTranslate translate;
  const char *open[MAX_DEPTH];
  int numbers[MAX_DEPTH]; /* of the last item of an open list of steps */
  guint depth;
  GString *text;    /* of what is translated or kept; NULL = none is open */
  guint text_depth; /* of the element that it belongs to */
  int line;         /* where that begins */
  gboolean is_code;
  gboolean begins_item;
  char *section; /* id of the section whose title is to come */
  int cell;
  guint first_span; /* of the row that is open */
} Reading;

static int
get_line (GMarkupParseContext *context)
{
  int line;

  g_markup_parse_context_get_position (context, &line, NULL);
  return line;
}

static gboolean
is_open (const Reading *self, const char *name)
{
  for (guint i = 0; i < self->depth; i++)
    if (strcmp (self->open[i], name) == 0)
      return TRUE;
  return FALSE;
}

static guint
count_open (const Reading *self, const char *name)
{
  guint n = 0;

  for (guint i = 0; i < self->depth; i++)
    n += strcmp (self->open[i], name) == 0;
  return n;
}

static const char *
keep (const Reading *self, const char *text)
{
  return g_string_chunk_insert (self->chunk, text);
}

static const char *
find_attribute (const char *name, const char **names, const char **values)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return values[i];
  return NULL;
}

/* --- Spans ----------------------------------------------------------------------------------- */

typedef struct {
  Reading *reading;
  WeirHelpSpanKind kinds[MAX_DEPTH];
  const char *targets[MAX_DEPTH];
  guint depth;
} Spans;

static void
start_run (G_GNUC_UNUSED GMarkupParseContext *context, const char *name, const char **names,
           const char **values, gpointer data, GError **error)
{
  Spans *self = data;
  const char *xref = find_attribute ("xref", names, values);
  const char *href = find_attribute ("href", names, values);
  const char *style = find_attribute ("style", names, values);
  WeirHelpSpanKind kind = WEIR_HELP_TEXT;

  if (self->depth + 1 == MAX_DEPTH)
    {
      g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "too deep");
      return;
    }
  if (strcmp (name, "code") == 0 || strcmp (name, "cmd") == 0 || strcmp (name, "file") == 0)
    kind = WEIR_HELP_CODE_SPAN;
  else if (strcmp (name, "em") == 0)
    kind = style != NULL && strcmp (style, "strong") == 0 ? WEIR_HELP_STRONG : WEIR_HELP_EMPHASIS;
  else if (strcmp (name, "gui") == 0 || strcmp (name, "key") == 0)
    kind = WEIR_HELP_GUI;
  else if (strcmp (name, "link") == 0)
    kind = WEIR_HELP_LINK;
  self->depth++;
  self->kinds[self->depth] = kind;
  self->targets[self->depth] = kind != WEIR_HELP_LINK
                                   ? NULL
                                   : keep (self->reading, xref != NULL ? xref : href);
}

static void
end_run (G_GNUC_UNUSED GMarkupParseContext *context, G_GNUC_UNUSED const char *name, gpointer data,
         G_GNUC_UNUSED GError **error)
{
  ((Spans *) data)->depth--;
}

static void
add_run (Reading *self, WeirHelpSpanKind kind, const char *text, const char *target)
{
  WeirHelpSpan span = { kind, self->cell, keep (self, text), target };

  g_array_append_val (self->own->spans, span);
}

static void
add_text (G_GNUC_UNUSED GMarkupParseContext *context, const char *text, gsize length, gpointer data,
          G_GNUC_UNUSED GError **error)
{
  Spans *self = data;
  g_autofree char *copy = g_strndup (text, length);
  guint d = self->depth;

  /* Code in a link stays a link. */
  while (d > 1 && self->targets[d] == NULL && self->targets[d - 1] != NULL)
    d--;
  if (length > 0)
    add_run (self->reading, self->kinds[d], copy, self->targets[d]);
}

/* Appends the spans of @markup; what is no markup, as a bad translation may be, is text. */
static void
add_runs (Reading *self, const char *markup)
{
  static const GMarkupParser parser = { start_run, end_run, add_text, NULL, NULL };
  g_autofree char *whole = g_strconcat ("<p>", markup, "</p>", NULL);
  Spans spans = { .reading = self };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &spans, NULL);
  guint n_before = self->own->spans->len;

  if (g_markup_parse_context_parse (context, whole, -1, NULL)
      && g_markup_parse_context_end_parse (context, NULL))
    return;
  g_array_set_size (self->own->spans, n_before);
  add_run (self, WEIR_HELP_TEXT, markup, NULL);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

static void
add_block (Reading *self, WeirHelpBlockKind kind, guint first_span)
{
  guint n_lists = count_open (self, "item");
  WeirHelpBlock block = { .kind = kind,
                          .indent = (int) n_lists,
                          .line = self->line,
                          .n_spans = self->own->spans->len - first_span };

  if (kind == WEIR_HELP_TITLE)
    {
      block.level = (int) count_open (self, "section");
      block.id = self->section != NULL ? keep (self, self->section) : NULL;
      g_clear_pointer (&self->section, g_free);
    }
  if (kind == WEIR_HELP_TERM)
    block.indent--;
  if (kind == WEIR_HELP_STEP)
    for (guint i = 0; i < self->depth; i++)
      if (strcmp (self->open[i], "steps") == 0)
        block.number = self->numbers[i];
  g_array_append_val (self->own->blocks, block);
}

static char *
collapse (const char *text)
{
  GString *line = g_string_new (NULL);

  for (const char *at = text; *at != '\0'; at++)
    if (!g_ascii_isspace (*at))
      g_string_append_c (line, *at);
    else if (line->len > 0 && line->str[line->len - 1] != ' ')
      g_string_append_c (line, ' ');
  if (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
  return g_string_free (line, FALSE);
}

static char *
dup_plain (Reading *self, const char *markup)
{
  guint n_before = self->own->spans->len;
  GString *text = g_string_new (NULL);

  add_runs (self, markup);
  for (guint i = n_before; i < self->own->spans->len; i++)
    g_string_append (text, g_array_index (self->own->spans, WeirHelpSpan, i).text);
  g_array_set_size (self->own->spans, n_before);
  return g_string_free (text, FALSE);
}

/* The list around an item that has begun: what its first paragraph is. */
static WeirHelpBlockKind
get_kind (Reading *self)
{
  const char *list = NULL;

  if (is_open (self, "note"))
    return WEIR_HELP_NOTE;
  if (!self->begins_item)
    return WEIR_HELP_PARAGRAPH;
  self->begins_item = FALSE;
  for (guint i = 0; i < self->depth; i++)
    if (strcmp (self->open[i], "item") == 0)
      list = self->open[i - 1];
  return list == NULL || strcmp (list, "terms") == 0 ? WEIR_HELP_PARAGRAPH
         : strcmp (list, "steps") == 0               ? WEIR_HELP_STEP
                                                     : WEIR_HELP_ITEM;
}

/* What was collected of the element @name, with those around it still open. */
static void
end_text (Reading *self, const char *name)
{
  g_autofree char *collapsed = collapse (self->text->str);
  const char *markup = collapsed;
  const char *parent = self->depth > 1 ? self->open[self->depth - 2] : "";
  guint first_span = self->own->spans->len;

  if (self->translate != NULL && collapsed[0] != '\0')
    markup = self->translate (collapsed);
  if (strcmp (name, "desc") == 0)
    {
      g_autofree char *plain = dup_plain (self, markup);

      if (strcmp (self->open[0], "page") == 0 && !is_open (self, "section"))
        self->own->page.summary = keep (self, plain);
      return;
    }
  add_runs (self, markup);
  if (strcmp (parent, "td") == 0)
    return; /* the row takes them */
  if (strcmp (name, "title") == 0 && strcmp (parent, "item") == 0)
    add_block (self, WEIR_HELP_TERM, first_span);
  else if (strcmp (name, "title") == 0
           && (strcmp (parent, "page") == 0 || strcmp (parent, "section") == 0))
    {
      if (strcmp (parent, "page") == 0)
        {
          g_autofree char *plain = dup_plain (self, markup);

          self->own->page.title = keep (self, plain);
        }
      add_block (self, WEIR_HELP_TITLE, first_span);
    }
  else
    add_block (self, get_kind (self), first_span);
}

/* --- Elements -------------------------------------------------------------------------------- */

static void fail (GMarkupParseContext *context, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static void
fail (GMarkupParseContext *context, GError **error, const char *format, ...)
{
  g_autoptr (WeirMessage) text = NULL;
  va_list args;

  va_start (args, format);
  text = weir_message_new_valist (format, args);
  va_end (args);
  weir_error_set (error, WEIR_ERROR_FILE, "Line %d: %s", get_line (context),
                  weir_message_get_text (text));
}

static void
append_tag (GString *text, const char *name, const char **names, const char **values)
{
  g_string_append_printf (text, "<%s", name);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *value = g_markup_escape_text (values[i], -1);

      g_string_append_printf (text, " %s=\"%s\"", names[i], value);
    }
  g_string_append_c (text, '>');
}

static void
open_info_link (Reading *self, GMarkupParseContext *context, const char **names,
                const char **values, GError **error)
{
  const char *type = find_attribute ("type", names, values);
  const char *xref = find_attribute ("xref", names, values);

  if (type == NULL || xref == NULL || strcmp (type, "guide") != 0)
    fail (context, error, N_ ("a link in info has type=\"guide\" and an xref."));
  else
    g_ptr_array_add (self->own->guides, (gpointer) keep (self, xref));
}

static gboolean
is_within_text (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (within_text); i++)
    if (strcmp (name, within_text[i]) == 0)
      return TRUE;
  return FALSE;
}

static void
start_element (GMarkupParseContext *context, const char *name, const char **names,
               const char **values, gpointer data, GError **error)
{
  Reading *self = data;
  const char *parent = self->depth > 0 ? self->open[self->depth - 1] : "";
  g_autofree char *spaced = g_strdup_printf (" %s ", parent);
  guint found = G_N_ELEMENTS (elements);
  const char *id = find_attribute ("id", names, values);

  if (self->depth == MAX_DEPTH)
    {
      fail (context, error, N_ ("elements are nested more than %d deep."), MAX_DEPTH);
      return;
    }
  if (self->text != NULL)
    {
      if (self->is_code || !is_within_text (name))
        {
          fail (context, error, N_ ("<%s> does not belong into text."), name);
          return;
        }
      append_tag (self->text, name, names, values);
      self->open[self->depth++] = g_intern_string (name);
      return;
    }
  if (strcmp (parent, "info") == 0 && strcmp (name, "link") == 0)
    open_info_link (self, context, names, values, error);
  else
    {
      for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
        if (strcmp (elements[i].name, name) == 0
            && (self->depth == 0 ? i == 0 : strstr (elements[i].parents, spaced) != NULL))
          found = i;
      if (found == G_N_ELEMENTS (elements))
        {
          if (self->depth == 0)
            fail (context, error, N_ ("<%s> is not understood in a file."), name);
          else
            fail (context, error, N_ ("<%s> is not understood in <%s>."), name, parent);
          return;
        }
    }
  if (strcmp (name, "page") == 0)
    {
      const char *type = find_attribute ("type", names, values);

      self->own->page.is_guide = type != NULL && strcmp (type, "guide") == 0;
      if (id != NULL && strcmp (id, self->own->page.id) != 0)
        fail (context, error, N_ ("the page's id is '%s', but the file's name '%s'."), id,
              self->own->page.id);
    }
  else if (strcmp (name, "section") == 0)
    {
      g_free (self->section);
      self->section = g_strdup (id);
    }
  else if (strcmp (name, "item") == 0)
    {
      self->begins_item = TRUE;
      self->numbers[self->depth - 1]++;
    }
  else if (strcmp (name, "tr") == 0)
    {
      self->cell = -1;
      self->first_span = self->own->spans->len;
    }
  else if (strcmp (name, "td") == 0)
    self->cell++;
  self->numbers[self->depth] = 0;
  self->open[self->depth++] = g_intern_string (name);
  if (found < G_N_ELEMENTS (elements) && (elements[found].traits & (IN_TEXT | VERBATIM)) != 0)
    {
      self->text = g_string_new (NULL);
      self->text_depth = self->depth;
      self->line = get_line (context);
      self->is_code = (elements[found].traits & VERBATIM) != 0;
    }
}

static void
end_element (GMarkupParseContext *context, const char *name, gpointer data,
             G_GNUC_UNUSED GError **error)
{
  Reading *self = data;

  if (self->text != NULL && self->depth > self->text_depth)
    g_string_append_printf (self->text, "</%s>", name);
  else if (self->text != NULL)
    {
      if (self->is_code)
        {
          guint first_span = self->own->spans->len;
          char *end = self->text->str + self->text->len;
          const char *start = self->text->str;

          while (end > start && g_ascii_isspace (end[-1]))
            *--end = '\0';
          while (*start == '\n')
            start++;
          self->cell = 0;
          add_run (self, WEIR_HELP_TEXT, start, NULL);
          self->begins_item = FALSE;
          add_block (self, WEIR_HELP_CODE, first_span);
        }
      else
        end_text (self, name);
      g_string_free (g_steal_pointer (&self->text), TRUE);
    }
  else if (strcmp (name, "tr") == 0)
    {
      self->line = get_line (context);
      add_block (self, is_open (self, "thead") ? WEIR_HELP_HEAD : WEIR_HELP_ROW, self->first_span);
      self->cell = 0;
    }
  self->depth--;
}

static void
read_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
           GError **error)
{
  Reading *self = data;
  g_autofree char *escaped = NULL;

  if (self->text != NULL && self->is_code)
    g_string_append_len (self->text, text, (gssize) length);
  else if (self->text != NULL)
    {
      /* As XML writes it: quotes stay. */
      for (gsize i = 0; i < length; i++)
        switch (text[i])
          {
          case '<':
            g_string_append (self->text, "&lt;");
            break;
          case '>':
            g_string_append (self->text, "&gt;");
            break;
          case '&':
            g_string_append (self->text, "&amp;");
            break;
          default:
            g_string_append_c (self->text, text[i]);
          }
    }
  else
    for (gsize i = 0; i < length; i++)
      if (!g_ascii_isspace (text[i]))
        {
          fail (context, error, N_ ("there is text outside of a paragraph."));
          return;
        }
}

/* --- The page -------------------------------------------------------------------------------- */

void
weir_help_owned_page_free (gpointer page)
{
  WeirHelpOwnedPage *self = page;

  g_array_unref (self->blocks);
  g_array_unref (self->spans);
  g_array_unref (self->children);
  g_ptr_array_unref (self->guides);
  g_free (self);
}

/* Blocks point at their spans, which lie one behind the other. */
static void
settle (WeirHelpOwnedPage *self)
{
  guint span = 0;

  for (guint i = 0; i < self->blocks->len; i++)
    {
      WeirHelpBlock *block = &g_array_index (self->blocks, WeirHelpBlock, i);

      block->spans = &g_array_index (self->spans, WeirHelpSpan, span);
      span += block->n_spans;
    }
  self->page.blocks = (const WeirHelpBlock *) (gpointer) self->blocks->data;
  self->page.n_blocks = self->blocks->len;
}

WeirHelpOwnedPage *
weir_help_read_page (const char *id, const char *name, const char *text, gsize length,
                     GStringChunk *chunk, WeirHelpTranslate translate, GError **error)
{
  static const GMarkupParser parser = { start_element, end_element, read_text, NULL, NULL };
  WeirHelpOwnedPage *own = g_new0 (WeirHelpOwnedPage, 1);
  Reading reading = { .own = own, .chunk = chunk, .translate = translate };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &reading, NULL);
  gboolean is_read;

  own->blocks = g_array_new (FALSE, FALSE, sizeof (WeirHelpBlock));
  own->spans = g_array_new (FALSE, TRUE, sizeof (WeirHelpSpan));
  own->children = g_array_new (FALSE, FALSE, sizeof (guint));
  own->guides = g_ptr_array_new ();
  own->page.id = g_string_chunk_insert (chunk, id);
  own->page.summary = "";
  is_read = g_markup_parse_context_parse (context, text, (gssize) length, error)
            && g_markup_parse_context_end_parse (context, error);
  if (reading.text != NULL)
    g_string_free (reading.text, TRUE);
  g_free (reading.section);
  if (is_read && own->page.title == NULL)
    {
      weir_error_set (error, WEIR_ERROR_FILE, "the page has no title.");
      is_read = FALSE;
    }
  if (is_read)
    {
      settle (own);
      return own;
    }
  weir_error_prefix (error, name);
  weir_help_owned_page_free (own);
  return NULL;
}
