/* Mutations of good inputs: pieces of them taken out, doubled, exchanged, put in elsewhere.
 *
 * The good inputs are the files of a folder beside this one, in order of name, so that a seed of
 * the random generator gives the same inputs everywhere; the libFuzzer targets begin with the same
 * files.
 */
#pragma once

#include <glib.h>
#include <string.h>

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The texts of the files of tests/fuzz/FOLDER. (transfer full), of GString. */
static GPtrArray *
load_seeds (const char *folder)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fuzz", folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *seeds = g_ptr_array_new ();
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_build_filename (path, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *text = NULL;
      gsize size;

      g_assert_true (g_file_get_contents (g_ptr_array_index (names, i), &text, &size, NULL));
      g_ptr_array_add (seeds, g_string_new_len (text, (gssize) size));
    }
  g_assert_cmpuint (seeds->len, >, 0);
  return seeds;
}

static void
free_seeds (GPtrArray *seeds)
{
  for (guint i = 0; i < seeds->len; i++)
    g_string_free (g_ptr_array_index (seeds, i), TRUE);
  g_ptr_array_unref (seeds);
}

static const GString *
random_seed (GRand *rand, GPtrArray *seeds)
{
  return g_ptr_array_index (seeds, g_rand_int_range (rand, 0, (gint32) seeds->len));
}

/* One of @seeds with up to seven mutations. @pieces: what some of them put in. (transfer full) */
static G_GNUC_UNUSED GString *
mutate (GRand *rand, GPtrArray *seeds, const char *const *pieces, guint n_pieces)
{
  const GString *seed = random_seed (rand, seeds);
  GString *text = g_string_new_len (seed->str, (gssize) seed->len);
  guint n = (guint) g_rand_int_range (rand, 1, 8);

  for (guint i = 0; i < n; i++)
    {
      gssize at = g_rand_int_range (rand, 0, (gint32) text->len + 1);
      gssize length = g_rand_int_range (rand, 0, 12);
      const GString *other = random_seed (rand, seeds);
      gssize from = g_rand_int_range (rand, 0, (gint32) other->len);
      gssize most = g_rand_int_range (rand, 1, 40);
      g_autofree char *copy = NULL;

      length = MIN (length, (gssize) text->len - at);
      switch (g_rand_int_range (rand, 0, 5))
        {
        case 0:
          g_string_erase (text, at, length);
          break;
        case 1:
          g_string_insert (text, at, pieces[g_rand_int_range (rand, 0, (gint32) n_pieces)]);
          break;
        case 2:
          g_string_insert_len (text, at, other->str + from, MIN (most, (gssize) other->len - from));
          break;
        case 3:
          if ((gsize) at < text->len)
            text->str[at] = (char) g_rand_int_range (rand, 1, 256);
          break;
        default:
          copy = g_strndup (text->str + at, (gsize) length);
          g_string_insert (text, at, copy);
          break;
        }
    }
  return text;
}
