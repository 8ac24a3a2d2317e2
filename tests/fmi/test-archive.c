/* Archives: what is written is read, by others too; what is hostile is refused by a sentence. */
#include "zip.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "base/status.h"
#include "fmi/archive.h"

#define LONG_NAME                                                                                  \
  "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123" \
  "4567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567" \
  "89012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"

/* --- Good ones ------------------------------------------------------------------------------- */

static void
assert_file (const WeirFmuArchive *archive, const char *name, gconstpointer data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  guint i = G_MAXUINT;

  g_assert_true (weir_fmu_archive_find (archive, name, &i));
  g_assert_cmpstr (weir_fmu_archive_get_file (archive, i), ==, name);
  g_assert_cmpuint (weir_fmu_archive_get_file_size (archive, i), ==, size);
  bytes = weir_fmu_archive_read (archive, i, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), data, size);
}

/* Text, nothing, a long run and what does not compress. */
static void
make_contents (WeirFmuFile files[4])
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GByteArray *noise = g_byte_array_new ();

  for (guint i = 0; i < 5000; i++)
    zip_put (noise, 1, g_rand_int (rand));
  files[0] = (WeirFmuFile) { "modelDescription.xml", g_bytes_new ("<fmi/>", 6) };
  files[1] = (WeirFmuFile) { "resources/nothing", g_bytes_new ("", 0) };
  files[2] = (WeirFmuFile) { "resources/zeros", g_bytes_new_take (g_malloc0 (100000), 100000) };
  files[3] = (WeirFmuFile) { "binaries/linux64/\303\244.so", g_byte_array_free_to_bytes (noise) };
}

static void
free_contents (WeirFmuFile files[4])
{
  for (guint i = 0; i < 4; i++)
    g_bytes_unref (files[i].bytes);
}

static void
test_written_is_read (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL, again = NULL;
  g_autoptr (WeirFmuArchive) archive = NULL;
  g_autoptr (GPtrArray) platforms = NULL;
  g_autofree char *checksum = NULL;
  WeirFmuFile files[4];

  make_contents (files);
  bytes = weir_fmu_archive_write (files, 4, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), <, 6000); /* the zeros are deflated */
  again = weir_fmu_archive_write (files, 4, &error);
  g_assert_true (g_bytes_equal (bytes, again));
  archive = weir_fmu_archive_new (bytes, "a.fmu", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (weir_fmu_archive_get_n_files (archive), ==, 4);
  for (guint i = 0; i < 4; i++)
    assert_file (archive, files[i].name, g_bytes_get_data (files[i].bytes, NULL),
                 g_bytes_get_size (files[i].bytes));
  g_assert_false (weir_fmu_archive_find (archive, "resources", NULL));
  checksum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  g_assert_cmpstr (weir_fmu_archive_get_checksum (archive), ==, checksum);
  platforms = weir_fmu_archive_list_folders (archive, "binaries");
  g_assert_cmpuint (platforms->len, ==, 1);
  g_assert_cmpstr (platforms->pdata[0], ==, "linux64");
  free_contents (files);
}

/* Runs a program of Python on @path; skips the test where there is none. */
static gboolean
run_python (const char *program, const char *path)
{
  const char *const argv[] = { "python3", "-c", program, path, NULL };
  g_autofree char *python = g_find_program_in_path ("python3"), *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (python == NULL)
    {
      g_test_skip ("there is no python3");
      return FALSE;
    }
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status,
                &error);
  g_assert_no_error (error);
  if (status != 0)
    g_test_message ("%s", err);
  g_assert_cmpint (status, ==, 0);
  return TRUE;
}

/* Python's zipfile is the other program. */
static void
test_others (void)
{
  static const char reads[] = "import sys, zipfile\n"
                              "z = zipfile.ZipFile(sys.argv[1])\n"
                              "assert z.testzip() is None\n"
                              "assert len(z.namelist()) == 4\n"
                              "assert z.read('resources/zeros') == bytes(100000)\n"
                              "assert 'binaries/linux64/\\u00e4.so' in z.namelist()\n";
  static const char writes[] = "import sys, zipfile\n"
                               "with zipfile.ZipFile(sys.argv[1], 'w') as z:\n"
                               "  z.writestr('folder/', '')\n"
                               "  z.writestr('folder/a', 'stored')\n"
                               "  z.writestr('folder/b', 'deflated' * 99, zipfile.ZIP_DEFLATED)\n"
                               "  z.comment = b'with a comment'\n"
                               "class Pipe:\n" /* no seeking: sizes follow the bytes */
                               "  def __init__(self, f): self.f = f\n"
                               "  def write(self, b): return self.f.write(b)\n"
                               "  def flush(self): self.f.flush()\n"
                               "with open(sys.argv[1] + '.piped', 'wb') as f:\n"
                               "  with zipfile.ZipFile(Pipe(f), 'w') as z:\n"
                               "    z.writestr('c', 'piped' * 50, zipfile.ZIP_DEFLATED)\n";
  g_autofree char *folder = g_dir_make_tmp ("weir-fmi-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.zip", NULL);
  g_autofree char *piped = g_strconcat (path, ".piped", NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  WeirFmuFile files[4];

  make_contents (files);
  bytes = weir_fmu_archive_write (files, 4, NULL);
  free_contents (files);
  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                       NULL);
  if (run_python (reads, path) && run_python (writes, path))
    {
      g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_open (path, &error);
      g_autoptr (WeirFmuArchive) second = weir_fmu_archive_open (piped, &error);
      g_autoptr (GString) text = g_string_new (NULL);

      g_assert_no_error (error);
      g_assert_cmpuint (weir_fmu_archive_get_n_files (archive), ==, 2);
      assert_file (archive, "folder/a", "stored", 6);
      for (guint i = 0; i < 99; i++)
        g_string_append (text, "deflated");
      assert_file (archive, "folder/b", text->str, text->len);
      g_string_truncate (text, 0);
      for (guint i = 0; i < 50; i++)
        g_string_append (text, "piped");
      assert_file (second, "c", text->str, text->len);
    }
  g_unlink (path);
  g_unlink (piped);
  g_rmdir (folder);
}

/* --- Unpacking ------------------------------------------------------------------------------- */

static void
assert_contents (const char *folder, const char *name, const char *contents)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, contents);
}

static void
test_unpacked (void)
{
  static const ZipFile files[] = {
    { .name = "modelDescription.xml", .text = "<fmi/>", .mode = S_IFREG | 0644 },
    { .name = "binaries/", .text = "", .mode = S_IFDIR | 0755 },
    { .name = "binaries/linux64/a.so", .text = "program", .mode = S_IFREG | 0755 },
  };
  ZipEnd end = { 0 };
  g_autoptr (GBytes) bytes = zip_make (files, G_N_ELEMENTS (files), &end);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_new (bytes, "a.fmu", &error);
  g_autofree char *folder = weir_fmu_archive_unpack (archive, &error), *again = NULL;
  g_autofree char *program = g_build_filename (folder, "binaries/linux64/a.so", NULL);
  g_autofree char *description = g_build_filename (folder, "modelDescription.xml", NULL);
  GStatBuf before, after;

  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (folder, weir_fmu_archive_get_checksum (archive)));
  assert_contents (folder, "modelDescription.xml", "<fmi/>");
  assert_contents (folder, "binaries/linux64/a.so", "program");
  g_assert_cmpint (g_stat (folder, &before), ==, 0);
  g_assert_cmpuint (before.st_mode & 0777, ==, 0700);
  g_assert_cmpint (g_stat (program, &before), ==, 0);
  g_assert_cmpuint (before.st_mode & 0777, ==, 0700);

  /* What was changed or lost meanwhile is mended, the rest stays. */
  g_assert_true (g_file_set_contents (description, "<!-- changed -->", -1, NULL));
  again = weir_fmu_archive_unpack (archive, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again, ==, folder);
  assert_contents (folder, "modelDescription.xml", "<fmi/>");
  g_assert_cmpint (g_stat (program, &after), ==, 0);
  g_assert_cmpuint (after.st_ino, ==, before.st_ino);
}

/* --- Hostile ones ---------------------------------------------------------------------------- */

typedef struct {
  const char *label;
  ZipFile files[2];
  ZipEnd end;
  const char *sentence; /* part of it */
} Hostile;

#define GOOD                                                                                       \
  {                                                                                                \
    .name = "b", .text = "b"                                                                       \
  }

static const Hostile hostile[] = {
  { "absolute", { { .name = "/etc/passwd", .text = "x" }, GOOD }, { 0 }, "absolute path" },
  { "drive", { { .name = "C:/a", .text = "x" }, GOOD }, { 0 }, "absolute path" },
  { "up", { { .name = "../a", .text = "x" }, GOOD }, { 0 }, "leads out of the archive" },
  { "up-within", { { .name = "a/../../c", .text = "x" }, GOOD }, { 0 }, "leads out" },
  { "up-last", { { .name = "a/..", .text = "x" }, GOOD }, { 0 }, "leads out" },
  { "back-slash", { { .name = "a\\..\\b", .text = "x" }, GOOD }, { 0 }, "back slash" },
  { "dot", { { .name = "a/./c", .text = "x" }, GOOD }, { 0 }, "empty part" },
  { "empty-part", { { .name = "a//c", .text = "x" }, GOOD }, { 0 }, "empty part" },
  { "no-name", { { .name = "", .text = "x" }, GOOD }, { 0 }, "no name" },
  { "no-utf8", { { .name = "\xff\xfe", .text = "x" }, GOOD }, { 0 }, "not UTF-8" },
  { "control", { { .name = "a\033[2J", .text = "x" }, GOOD }, { 0 }, "control character" },
  { "long", { { .name = LONG_NAME, .text = "x" }, GOOD }, { 0 }, "too long" },
  { "link",
    { { .name = "a", .text = "/etc/passwd", .mode = S_IFLNK | 0777 }, GOOD },
    { 0 },
    "is a link" },
  { "device",
    { { .name = "a", .text = "x", .mode = S_IFCHR | 0666 }, GOOD },
    { 0 },
    "no plain file" },
  { "pipe",
    { { .name = "a", .text = "x", .mode = S_IFIFO | 0666 }, GOOD },
    { 0 },
    "no plain file" },
  { "folder-as-file",
    { { .name = "a", .text = "x", .mode = S_IFDIR | 0755 }, GOOD },
    { 0 },
    "no plain file" },
  { "folder-with-bytes", { { .name = "a/", .text = "x" }, GOOD }, { 0 }, "size that cannot be" },
  { "twice", { { .name = "b", .text = "x" }, GOOD }, { 0 }, "in it twice" },
  { "file-and-folder",
    { { .name = "b/c", .text = "x" }, GOOD },
    { 0 },
    "both a file and a folder" },
  { "encrypted", { { .name = "a", .text = "x", .flags = 1 }, GOOD }, { 0 }, "encrypted" },
  { "method", { { .name = "a", .text = "x", .method = 12 }, GOOD }, { 0 }, "method 12" },
  { "other-name",
    { { .name = "a", .text = "x", .local_name = "c" }, GOOD },
    { 0 },
    "another name" },
  { "other-method",
    { { .name = "a", .text = "x", .local_method = 8 }, GOOD },
    { 0 },
    "in another way" },
  { "same-bytes",
    { { .name = "b", .text = "shared" }, { .name = "b", .text = "shared", .shares = 1 } },
    { 0 },
    "twice" },
  { "elsewhere",
    { { .name = "a", .text = "x", .offset_error = 7 }, GOOD },
    { 0 },
    "not where the directory says" },
  { "far-away",
    { { .name = "a", .text = "x", .offset_error = 0x7fffffff }, GOOD },
    { 0 },
    "not where the directory says" },
  { "stored-size",
    { { .name = "a", .text = "x", .size = 9 }, GOOD },
    { 0 },
    "size that cannot be" },
  { "zip64-size", { { .name = "a", .text = "x", .size = 0xffffffff }, GOOD }, { 0 }, "ZIP64" },
  { "disk", { { .name = "a", .text = "x", .disk = 1 }, GOOD }, { 0 }, "archive of several" },
  { "disks", { { .name = "a", .text = "x" }, GOOD }, { .disk = 1 }, "archive of several" },
  { "more", { { .name = "a", .text = "x" }, GOOD }, { .n_more = 1 }, "damaged at entry 3 of 3" },
  { "fewer", { { .name = "a", .text = "x" }, GOOD }, { .n_more = G_MAXUINT }, "goes on after" },
  { "directory",
    { { .name = "a", .text = "x" }, GOOD },
    { .directory_error = 1 },
    "not where it is said to be" },
  { "behind", { { .name = "a", .text = "x" }, GOOD }, { .behind = "more" }, "follows" },
  { "zip64", { { .name = "a", .text = "x" }, GOOD }, { .is_zip64 = TRUE }, "ZIP64" },
  { "bomb",
    { { .name = "a", .text = "x", .method = 8, .size = 65 << 20 }, GOOD },
    { 0 },
    "times its own size" },
  { "budget",
    { { .name = "a", .text = "x", .method = 8, .size = 0x7fffffff }, GOOD },
    { 0 },
    "MiB is the limit" },
};

static void
test_hostile (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++)
    {
      g_autoptr (GBytes) bytes = zip_make (hostile[i].files, 2, &hostile[i].end);
      g_autoptr (GError) error = NULL;
      g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_new (bytes, "bad.fmu", &error);

      g_test_message ("%s: %s", hostile[i].label, error != NULL ? error->message : "accepted");
      g_assert_null (archive);
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
      g_assert_true (g_str_has_prefix (error->message, "bad.fmu is no FMU that can be read: "));
      g_assert_nonnull (strstr (error->message, hostile[i].sentence));
    }
}

/* The bytes of one file have another within, header and all. */
static void
test_overlap (void)
{
  ZipFile files[] = { { .name = "outer" }, { .name = "inner", .text = "x", .shares = 1 } };
  ZipEnd end = { 0 };
  g_autoptr (GByteArray) within = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  zip_put_header (within, &files[1], files[1].name);
  zip_put_text (within, files[1].text);
  files[0].text = (const char *) within->data;
  files[0].text_size = within->len;
  files[1].offset_error = 30 + 5; /* behind the header and the name of the outer one */
  bytes = zip_make (files, 2, &end);
  g_assert_null (weir_fmu_archive_new (bytes, "bad.fmu", &error));
  g_assert_nonnull (strstr (error->message, "\"outer\" and \"inner\" overlap"));
}

static void
test_cut_off (void)
{
  static const ZipFile files[] = { { .name = "a", .text = "some text" }, GOOD };
  ZipEnd end = { 0 };
  g_autoptr (GBytes) bytes = zip_make (files, 2, &end);
  gsize size = g_bytes_get_size (bytes);

  for (gsize n = 0; n < size; n++)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, n);
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_fmu_archive_new (cut, "cut.fmu", &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
    }
}

/* Bytes that are not what the directory says are noticed when they are read. */
static void
test_damaged (void)
{
  static const ZipFile files[] = {
    { .name = "crc", .text = "some text", .wrong_crc = 1 },
    { .name = "noise", .text = "no deflated bytes", .method = 8, .size = 100 },
    { .name = "short", .text = "\003", .method = 8, .size = 100 },
  };
  ZipEnd end = { 0 };
  g_autoptr (GBytes) bytes = zip_make (files, G_N_ELEMENTS (files), &end);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirFmuArchive) archive = weir_fmu_archive_new (bytes, "bad.fmu", &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_assert_null (weir_fmu_archive_read (archive, i, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
      g_assert_nonnull (strstr (error->message, files[i].name));
      g_clear_error (&error);
    }
  g_assert_null (weir_fmu_archive_unpack (archive, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
}

/* What is no archive says so. */
static void
test_no_archive (void)
{
  g_autoptr (GBytes) nothing = g_bytes_new ("", 0),
                     text = g_bytes_new_static ("hello, world, how are you?", 26);
  g_autoptr (GError) error = NULL;

  g_assert_null (weir_fmu_archive_new (nothing, "a.fmu", &error));
  g_assert_nonnull (strstr (error->message, "it is empty"));
  g_clear_error (&error);
  g_assert_null (weir_fmu_archive_new (text, "a.fmu", &error));
  g_assert_nonnull (strstr (error->message, "no zip archive"));
  g_clear_error (&error);
  g_assert_null (weir_fmu_archive_open ("/no/such/file.fmu", &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
}

/* Nothing is written that would not be read. */
static void
test_bad_names_are_not_written (void)
{
  static const char *const names[] = { "../a", "/a", "a\\b", "" };
  g_autoptr (GBytes) bytes = g_bytes_new_static ("x", 1);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      WeirFmuFile file = { names[i], bytes };
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_fmu_archive_write (&file, 1, &error));
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FILE);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fmi/archive/written-is-read", test_written_is_read);
  g_test_add_func ("/fmi/archive/others", test_others);
  g_test_add_func ("/fmi/archive/unpacked", test_unpacked);
  g_test_add_func ("/fmi/archive/hostile", test_hostile);
  g_test_add_func ("/fmi/archive/overlap", test_overlap);
  g_test_add_func ("/fmi/archive/cut-off", test_cut_off);
  g_test_add_func ("/fmi/archive/damaged", test_damaged);
  g_test_add_func ("/fmi/archive/no-archive", test_no_archive);
  g_test_add_func ("/fmi/archive/bad-names-are-not-written", test_bad_names_are_not_written);
  return g_test_run ();
}
