/* The pages of the help together: opening them, links, searching. See help.h. */
#include "help/help-read.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "config.h"

#define SUFFIX ".page"
#define EXCERPT 90 /* bytes of an excerpt, about */

struct _WeirHelp {
  GPtrArray *pages;    /* of WeirHelpOwnedPage, "index" first */
  GStringChunk *chunk; /* every text */
};

static const WeirHelpOwnedPage *
get_owned (const WeirHelp *self, guint i)
{
  return g_ptr_array_index (self->pages, i);
}

guint
weir_help_get_n_pages (const WeirHelp *self)
{
  return self->pages->len;
}

const WeirHelpPage *
weir_help_get_page (const WeirHelp *self, guint i)
{
  return &get_owned (self, i)->page;
}

const WeirHelpPage *
weir_help_find_page (const WeirHelp *self, const char *target)
{
  gsize length = strcspn (target, "#");

  for (guint i = 0; i < self->pages->len; i++)
    {
      const WeirHelpPage *page = weir_help_get_page (self, i);

      if (strlen (page->id) == length && strncmp (page->id, target, length) == 0)
        return page;
    }
  return NULL;
}

guint
weir_help_find_section (const WeirHelpPage *page, const char *target)
{
  const char *section = strchr (target, '#');

  for (guint i = 0; section != NULL && i < page->n_blocks; i++)
    if (page->blocks[i].id != NULL && strcmp (page->blocks[i].id, section + 1) == 0)
      return i;
  return 0;
}

/* --- Opening --------------------------------------------------------------------------------- */

void
weir_help_free (WeirHelp *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->pages);
  g_string_chunk_free (self->chunk);
  g_free (self);
}

/* Of the program as it was installed, or in the folder that it is built from. */
static const char *
find_folder (void)
{
  static const char *const folders[] = { WEIR_SOURCE_DATA_DIR "/help/C", WEIR_DATA_DIR "/help/C" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_file_test (folders[i], G_FILE_TEST_IS_DIR))
      return folders[i];
  return folders[G_N_ELEMENTS (folders) - 1];
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const char *left = *(const char *const *) a, *right = *(const char *const *) b;
  int is_index = (strcmp (right, "index" SUFFIX) == 0) - (strcmp (left, "index" SUFFIX) == 0);

  return is_index != 0 ? is_index : strcmp (left, right);
}

/* (transfer full) */
static GPtrArray *
list_files (const char *folder, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  GPtrArray *names;
  const char *name;

  if (dir == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

static gboolean
read_pages (WeirHelp *self, const char *folder, const GPtrArray *names, WeirHelpTranslate translate,
            GError **error)
{
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *id = g_strndup (name, strlen (name) - strlen (SUFFIX));
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GBytes) bytes = weir_file_read (path, WEIR_FILE_HELP, error);
      WeirHelpOwnedPage *page;
      const char *text;
      gsize length;

      if (bytes == NULL)
        return FALSE;
      text = g_bytes_get_data (bytes, &length);
      page = weir_help_read_page (id, name, text, length, self->chunk, translate, error);
      if (page == NULL)
        return FALSE;
      g_ptr_array_add (self->pages, page);
    }
  return TRUE;
}

static gboolean
is_on_web (const char *target)
{
  return g_str_has_prefix (target, "https://") || g_str_has_prefix (target, "http://");
}

static gboolean
check_link (const WeirHelp *self, const WeirHelpPage *from, int line, const char *target,
            GError **error)
{
  const WeirHelpPage *page = weir_help_find_page (self, target);
  g_autofree char *name = g_strconcat (from->id, SUFFIX, NULL);

  if (is_on_web (target) || g_str_has_prefix (target, WEIR_HELP_FILE)
      || (page != NULL
          && (strchr (target, '#') == NULL || weir_help_find_section (page, target) > 0)))
    return TRUE;
  weir_error_set (error, WEIR_ERROR_FILE, "%s: Line %d: there is no '%s'.", name, line, target);
  return FALSE;
}

/* Lists pages where they say that they belong. */
static gboolean
link_pages (WeirHelp *self, GError **error)
{
  for (guint i = 0; i < self->pages->len; i++)
    {
      const WeirHelpOwnedPage *page = get_owned (self, i);

      for (guint j = 0; j < page->guides->len; j++)
        {
          const char *guide = g_ptr_array_index (page->guides, j);

          if (!check_link (self, &page->page, 1, guide, error))
            return FALSE;
          g_array_append_val (((WeirHelpOwnedPage *) weir_help_find_page (self, guide))->children,
                              i);
        }
      for (guint b = 0; b < page->page.n_blocks; b++)
        {
          const WeirHelpBlock *block = &page->page.blocks[b];

          for (guint r = 0; r < block->n_spans; r++)
            if (block->spans[r].target != NULL
                && !check_link (self, &page->page, block->line, block->spans[r].target, error))
              return FALSE;
        }
    }
  for (guint i = 0; i < self->pages->len; i++)
    {
      WeirHelpOwnedPage *page = g_ptr_array_index (self->pages, i);

      page->page.children = (const guint *) (gpointer) page->children->data;
      page->page.n_children = page->children->len;
    }
  return TRUE;
}

WeirHelp *
weir_help_open (const char *folder, WeirHelpTranslate translate, GError **error)
{
  WeirHelp *self = g_new0 (WeirHelp, 1);
  g_autoptr (GPtrArray) names = NULL;

  folder = folder != NULL ? folder : find_folder ();
  self->pages = g_ptr_array_new_with_free_func (weir_help_owned_page_free);
  self->chunk = g_string_chunk_new (64 * 1024);
  names = list_files (folder, error);
  if (names != NULL && (names->len == 0 || strcmp (g_ptr_array_index (names, 0), "index" SUFFIX)))
    {
      weir_error_set (error, WEIR_ERROR_FILE, "%s has no page %s.", folder, "index" SUFFIX);
      g_clear_pointer (&names, g_ptr_array_unref);
    }
  if (names != NULL && read_pages (self, folder, names, translate, error)
      && link_pages (self, error))
    return self;
  weir_help_free (self);
  return NULL;
}

/* --- Searching ------------------------------------------------------------------------------- */

char *
weir_help_block_dup_text (const WeirHelpBlock *block)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < block->n_spans; i++)
    {
      if (i > 0 && block->spans[i].cell != block->spans[i - 1].cell)
        g_string_append_c (text, ' ');
      g_string_append (text, block->spans[i].text);
    }
  return g_string_free (text, FALSE);
}

void
weir_help_hit_free (WeirHelpHit *hit)
{
  g_free (hit->title);
  g_free (hit->excerpt);
  g_free (hit);
}

static void
free_hit (gpointer hit)
{
  weir_help_hit_free (hit);
}

static gboolean
has_all (const char *text, char **words)
{
  g_auto (GStrv) alternates = NULL;
  g_auto (GStrv) tokens = g_str_tokenize_and_fold (text, NULL, &alternates);

  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean found = FALSE;

      for (guint j = 0; tokens[j] != NULL && !found; j++)
        found = g_str_has_prefix (tokens[j], words[i]);
      for (guint j = 0; alternates[j] != NULL && !found; j++)
        found = g_str_has_prefix (alternates[j], words[i]);
      if (!found)
        return FALSE;
    }
  return TRUE;
}

/* A whole paragraph if it is short, else what is around @word. */
static char *
cut (const char *text, const char *word)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  const char *found = strlen (folded) == strlen (text) ? strstr (folded, word) : NULL;
  gsize length = strlen (text), at = found != NULL ? (gsize) (found - folded) : 0;
  gsize from = at > EXCERPT / 3 ? at - EXCERPT / 3 : 0, to;
  g_autofree char *part = NULL;

  if (length <= EXCERPT)
    return g_strdup (text);
  while (from > 0 && text[from - 1] != ' ')
    from--;
  to = MIN (from + EXCERPT, length);
  while (to < length && text[to] != ' ')
    to++;
  part = g_strndup (text + from, to - from);
  return g_strdup_printf ("%s%s%s", from > 0 ? "… " : "", part, to < length ? " …" : "");
}

/* The paragraph that says most of what was asked for: with all words, else with the first. */
static char *
make_excerpt (const WeirHelpPage *page, guint from, guint to, char **words)
{
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = from + 1; i < to; i++)
      {
        g_autofree char *text = weir_help_block_dup_text (&page->blocks[i]);
        char *one[] = { words[0], NULL };

        if (has_all (text, pass == 0 ? words : one))
          return cut (text, words[0]);
      }
  if (from + 1 < to)
    {
      g_autofree char *text = weir_help_block_dup_text (&page->blocks[from + 1]);

      return cut (text, words[0]);
    }
  return g_strdup ("");
}

static void
search_section (const WeirHelpPage *page, guint from, guint to, char **words, GPtrArray *titles,
                GPtrArray *texts)
{
  g_autofree char *title = weir_help_block_dup_text (&page->blocks[from]);
  g_autofree char *full = from == 0 ? g_strdup (title)
                                    : g_strdup_printf ("%s: %s", page->title, title);
  g_autoptr (GString) all = g_string_new (full);
  gboolean is_titled = has_all (title, words);
  WeirHelpHit *hit;

  for (guint i = from + 1; i < to; i++)
    {
      g_autofree char *text = weir_help_block_dup_text (&page->blocks[i]);

      g_string_append_printf (all, "\n%s", text);
    }
  if (!is_titled && !has_all (all->str, words))
    return;
  hit = g_new0 (WeirHelpHit, 1);
  hit->page = page;
  hit->block = from;
  hit->title = g_steal_pointer (&full);
  hit->excerpt = make_excerpt (page, from, to, words);
  g_ptr_array_add (is_titled ? titles : texts, hit);
}

GPtrArray *
weir_help_search (const WeirHelp *self, const char *words)
{
  g_auto (GStrv) folded = g_str_tokenize_and_fold (words, NULL, NULL);
  GPtrArray *hits = g_ptr_array_new_with_free_func (free_hit);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  for (guint p = 0; folded[0] != NULL && p < self->pages->len; p++)
    {
      const WeirHelpPage *page = weir_help_get_page (self, p);
      guint from = 0;

      for (guint i = 1; i <= page->n_blocks; i++)
        if (i == page->n_blocks || page->blocks[i].kind == WEIR_HELP_TITLE)
          {
            search_section (page, from, i, folded, hits, texts);
            from = i;
          }
    }
  g_ptr_array_extend (hits, texts, NULL, NULL);
  return hits;
}
