/* weir-bench-type FILE [ACTION]: types into a parameter of a model in a window, and says how long
 * the main loop was kept from going round at most: a number of milliseconds for letters, one for
 * what entering them leads to, and one for the frames drawn meanwhile, which are in neither.
 *
 * With ACTION, "run" and the like, each round edits a value, does that at once, and waits for what
 * comes of it: a number for the action and all that follows, and that of the frames.
 *
 * The keys are real, from the X server; a span is from the end of one poll to the next.
 */
#include "../window/driver.h"

#include <stdlib.h>
#include <time.h>

#define N_ROUNDS 9
#define TEXT "2*k"

typedef struct {
  gint64 began; /* us: when the last poll ended */
  gint64 frame; /* when the frame that is being drawn began; 0 = none is */
  gint64 drawn; /* of this span */
  gint64 longest, longest_frame;
} Loop;

static Loop loop;
static const char *file_name, *action_name;

static gint64
get_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static gint
poll_and_measure (GPollFD *fds, guint n, gint timeout)
{
  gint64 now = get_time ();
  gint result;

  if (loop.began != 0)
    loop.longest = MAX (loop.longest, now - loop.began - loop.drawn);
  result = g_poll (fds, n, timeout);
  loop.began = get_time ();
  loop.drawn = 0;
  return result;
}

static void
frame_begins (void)
{
  loop.frame = get_time ();
}

static void
frame_ends (void)
{
  gint64 time = loop.frame != 0 ? get_time () - loop.frame : 0;

  loop.drawn += time;
  loop.longest_frame = MAX (loop.longest_frame, time);
  loop.frame = 0;
}

static gboolean
is_gain (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return GTK_IS_ENTRY (widget) && gtk_widget_get_mapped (widget)
         && gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget),
                                                GTK_ACCESSIBLE_PROPERTY_LABEL, "Gain")
                == NULL;
}

/* The longest span from here until everything that follows has been done. */
static gint64
measure (guint symbol)
{
  loop.longest = 0;
  press_key (symbol, 0);
  return loop.longest;
}

static int
compare (const void *a, const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

static void
count (G_GNUC_UNUSED WeirDocument *document, guint *n)
{
  ++*n;
}

static void
begin_measuring (WeirEditor *editor)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (toplevel_of (editor));

  spin (500);
  g_signal_connect (clock, "before-paint", G_CALLBACK (frame_begins), NULL);
  g_signal_connect_after (clock, "after-paint", G_CALLBACK (frame_ends), NULL);
  g_main_context_set_poll_func (NULL, poll_and_measure);
}

static void
act (WeirEditor *editor, const char *name)
{
  const GVariantType *type = g_action_group_get_action_parameter_type (
      G_ACTION_GROUP (editor->actions), name);
  g_autofree char *uri = g_filename_to_uri (file_name, NULL, NULL);

  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), name,
                                  type != NULL ? g_variant_new_string (uri) : NULL);
}

static void
measure_action (WeirEditor *editor, const char *name)
{
  gint64 spans[N_ROUNDS];

  begin_measuring (editor);
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autofree char *text = g_strdup_printf ("%u", round + 2);

      if (weir_document_get_file (editor->document) != NULL)
        set_parameter (editor, "Gain1", "gain", text);
      spin (0);
      loop.longest = 0;
      act (editor, name);
      spin (1500);
      spans[round] = loop.longest;
      if (weir_runner_get_session (editor->runner) != NULL)
        weir_runner_stop (editor->runner);
      spin (200);
    }
  qsort (spans, N_ROUNDS, sizeof *spans, compare);
  g_print ("%.3f %.3f\n", 1e-3 * (double) spans[N_ROUNDS / 2], 1e-3 * (double) loop.longest_frame);
  exit (0);
}

static void
measure_typing (WeirEditor *editor)
{
  gint64 letters[N_ROUNDS] = { 0 }, entered[N_ROUNDS];
  guint32 block;
  guint n_completed = 0;

  g_signal_connect (editor->document, "completed", G_CALLBACK (count), &n_completed);
  block = weir_block_get_id (
      weir_model_find_path (weir_document_get_model (editor->document), "Gain1"));
  weir_canvas_select_blocks (editor->canvas, &block, 1);
  begin_measuring (editor);
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autofree char *first = g_strdup_printf ("%u", round + 2);

      click (find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_gain, NULL));
      key ("<Control>a");
      for (const char *c = round % 2 == 0 ? TEXT : first; *c != '\0'; c++)
        {
          gint64 longest = measure (gdk_unicode_to_keyval ((guint32) *c));

          letters[round] = MAX (letters[round], longest);
        }
      n_completed = 0;
      loop.longest = 0;
      press_key (GDK_KEY_Return, 0);
      wait_for (n_completed > 0);
      spin (100);
      entered[round] = loop.longest;
    }
  qsort (letters, N_ROUNDS, sizeof *letters, compare);
  qsort (entered, N_ROUNDS, sizeof *entered, compare);
  g_print ("%.3f %.3f %.3f\n", 1e-3 * (double) letters[N_ROUNDS / 2],
           1e-3 * (double) entered[N_ROUNDS / 2], 1e-3 * (double) loop.longest_frame);
  exit (0);
}

static void
run (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = g_file_new_for_path (file_name);
  guint n_completed = 0;
  gulong handler = g_signal_connect (editor->document, "completed", G_CALLBACK (count),
                                     &n_completed);

  open_beside (editor, file);
  wait_for (n_completed > 0);
  g_signal_handler_disconnect (editor->document, handler);
  if (action_name != NULL)
    measure_action (editor, action_name);
  else
    measure_typing (editor);
}

static void
activate (G_GNUC_UNUSED GApplication *app, G_GNUC_UNUSED gpointer data)
{
  weir_gui_init (application);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, NULL);
  run ();
}

int
main (int argc, char **argv)
{
  if (argc != 2 && argc != 3)
    {
      g_printerr ("usage: weir-bench-type FILE [ACTION]\n");
      return 2;
    }
  file_name = argv[1];
  action_name = argv[2];
  application = GTK_APPLICATION (
      adw_application_new ("org.weirsim.Weir.Bench", G_APPLICATION_NON_UNIQUE));
  g_signal_connect (application, "activate", G_CALLBACK (activate), NULL);
  g_application_run (G_APPLICATION (application), 0, NULL);
  return 1;
}
