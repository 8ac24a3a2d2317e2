/* `weir help`: the pages of the help on a terminal, as HTML or as a manual page. */
#include "cli/cli-private.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "config.h"
#include "help/help.h"

#define DEFAULT_WIDTH 80
#define MAX_WIDTH 100 /* longer lines are hard to read */

static const char *
translate (const char *text)
{
  return g_dgettext (WEIR_HELP_DOMAIN, text);
}

static guint
get_width (void)
{
  struct winsize size;

  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40)
    return DEFAULT_WIDTH;
  return MIN (size.ws_col, MAX_WIDTH);
}

/* "de" of "de_AT.UTF-8", where there is a translation. */
static char *
dup_language (void)
{
  const char *locale = setlocale (LC_MESSAGES, NULL);

  if (locale == NULL || !g_ascii_isalpha (locale[0]) || g_ascii_strcasecmp (locale, "C") == 0
      || g_str_has_prefix (locale, "C.") || g_ascii_strcasecmp (locale, "POSIX") == 0)
    return g_strdup ("en");
  return g_strndup (locale, strcspn (locale, "_.@"));
}

static WeirExit
write_html (const WeirHelp *help, const char *folder)
{
  g_autofree char *language = dup_language ();

  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      weir_cli_complain ("%s cannot be made: %s", folder, g_strerror (errno));
      return WEIR_EXIT_RUN;
    }
  for (guint i = 0; i < weir_help_get_n_pages (help); i++)
    {
      const WeirHelpPage *page = weir_help_get_page (help, i);
      g_autofree char *html = weir_help_page_to_html (help, page, language);
      g_autofree char *name = g_strconcat (page->id, ".html", NULL);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GError) error = NULL;

      if (g_file_set_contents (path, html, -1, &error))
        continue;
      weir_cli_complain ("%s", error->message);
      return WEIR_EXIT_RUN;
    }
  return WEIR_EXIT_OK;
}

static void
print_man (const WeirHelpPage *page)
{
  g_autofree char *upper = g_ascii_strup (page->id, -1);
  g_autofree char *text = weir_help_page_to_man (page);

  g_print (".TH WEIR-%s 7 \"\" \"Weir\" \"Weir\"\n.SH NAME\nweir-%s \\- %s\n.SH DESCRIPTION\n%s",
           upper, page->id, page->summary, text);
}

static WeirExit
search (const WeirHelp *help, const char *words)
{
  g_autoptr (GPtrArray) hits = weir_help_search (help, words);

  for (guint i = 0; i < hits->len; i++)
    {
      const WeirHelpHit *hit = g_ptr_array_index (hits, i);

      g_print ("%s (weir help %s)\n    %s\n", hit->title, hit->page->id, hit->excerpt);
    }
  if (hits->len == 0)
    weir_cli_complain ("no page has \"%s\"", words);
  return hits->len > 0 ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}

static WeirExit
list_pages (const WeirHelp *help)
{
  g_print ("\nPages (weir help PAGE):\n");
  for (guint i = 0; i < weir_help_get_n_pages (help); i++)
    {
      const WeirHelpPage *page = weir_help_get_page (help, i);

      g_print ("  %-14s  %s\n", page->id, page->title);
    }
  return WEIR_EXIT_OK;
}

WeirExit
weir_cli_help (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  g_autofree char *words = NULL;
  gboolean is_man = FALSE;
  const GOptionEntry entries[] = {
    { "search", 0, 0, G_OPTION_ARG_STRING, &words, "List the sections with these words", "WORDS" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &folder, "Write every page as HTML into a folder",
      "FOLDER" },
    { "man", 0, 0, G_OPTION_ARG_NONE, &is_man, "Print the page as a manual page", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (WeirHelp) help = NULL;
  g_autoptr (GError) error = NULL;
  const WeirHelpPage *page;

  if (!weir_cli_parse (&argc, &argv, "[PAGE]",
                       "Prints a page of the help, or without one the commands and the pages that "
                       "there are.\n"
                       "Exit status: 0 fine, 1 nothing found, 2 no such page, 3 not written.",
                       entries, 0, 1))
    return WEIR_EXIT_USAGE;
  setlocale (LC_MESSAGES, "");
  bindtextdomain (WEIR_HELP_DOMAIN, WEIR_LOCALE_DIR);
  bind_textdomain_codeset (WEIR_HELP_DOMAIN, "UTF-8");
  help = weir_help_open (NULL, translate, &error);
  if (help == NULL)
    {
      weir_cli_complain ("%s", error->message);
      return WEIR_EXIT_MODEL;
    }
  if (words != NULL)
    return search (help, words);
  if (folder != NULL)
    return write_html (help, folder);
  if (argc < 2)
    return list_pages (help);
  page = weir_help_find_page (help, argv[1]);
  if (page == NULL)
    {
      weir_cli_complain ("there is no page \"%s\"; weir help lists all", argv[1]);
      return WEIR_EXIT_USAGE;
    }
  if (is_man)
    print_man (page);
  else
    {
      g_autofree char *text = weir_help_page_to_text (help, page, get_width ());

      g_print ("%s", text);
    }
  return WEIR_EXIT_OK;
}
