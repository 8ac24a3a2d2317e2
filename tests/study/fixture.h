/* A study that is written, opened and run within a test: files in a folder of the test's own, and
 * what a program makes of them.
 */
#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "study/search.h"

/* Set by the test's main. */
static char *folder;

static char *
dup_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
write_file (const char *name, const char *text)
{
  g_autofree char *path = dup_path (name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
remove_file (const char *name)
{
  static const char *const ends[] = { "", "-wal", "-shm" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *whole = g_strconcat (name, ends[i], NULL);
      g_autofree char *path = dup_path (whole);

      g_unlink (path);
    }
}

typedef struct {
  WeirStudy *study;
  WeirStudySubject *subject;
  WeirStudyStore *store;
  WeirRunCache *cache;
  WeirStudyRunOptions options;
  WeirStudyProgress progress;
  WeirStudySearch *search; /* or NULL */
} Fixture;

static void
open_study (Fixture *f, const char *text, const char *results, const char *cache)
{
  g_autofree char *path = dup_path ("s.weirstudy"), *store = dup_path (results);
  g_autofree char *cached = cache != NULL ? dup_path (cache) : NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GError) error = NULL;

  *f = (Fixture) { 0 };
  write_file ("s.weirstudy", text);
  f->study = weir_study_read_file (path, diagnostics);
  if (f->study != NULL)
    f->subject = weir_study_subject_new (f->study, diagnostics);
  if (f->subject == NULL)
    g_error ("%s", weir_diagnostics_get (diagnostics, 0)->text);
  f->store = weir_study_store_new (store, f->study, NULL, &error);
  g_assert_no_error (error);
  if (cached != NULL)
    f->cache = weir_run_cache_new (cached, 0, &error);
  g_assert_no_error (error);
  weir_study_run_options_init (&f->options, f->study);
  f->options.threads = 1;
  f->options.cache = f->cache;
}

static void
close_study (Fixture *f)
{
  g_clear_pointer (&f->search, weir_study_search_free);
  weir_study_store_free (f->store);
  weir_run_cache_free (f->cache);
  weir_study_subject_free (f->subject);
  weir_study_free (f->study);
}
