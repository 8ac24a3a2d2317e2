/* Large text, high contrast, no motion, other languages and the other writing direction, all in the
 * whole program: whatever is shown is readable, which means within the window or something that
 * scrolls, and not cut off without a word about what it says in full.
 */
#include "looks.h"

/* --- Everything that is shown ---------------------------------------------------------------- */

static void
look_at_everything (const char *name)
{
  static const char *const pages[] = { "cache", "dependencies", "lab", "problems", "plots" };
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *preferences;
  g_autofree char *start = g_strdup_printf ("c-%s-window", name);
  g_autofree char *welcome = g_strdup_printf ("c-%s-welcome", name);
  g_autofree char *settings = g_strdup_printf ("c-%s-preferences", name);

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Pendulum")));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *where = g_strdup_printf ("c-%s-%s", name, pages[i]);

      weir_host_show_page (WEIR_HOST (editor), pages[i]);
      spin (200);
      picture (where);
      assert_readable (GTK_WIDGET (toplevel_of (editor)), where);
    }
  key ("<Control>comma");
  wait_for ((preferences = find_toplevel (ADW_TYPE_PREFERENCES_WINDOW)) != NULL);
  picture (settings);
  assert_readable (preferences, settings);
  gtk_window_destroy (GTK_WINDOW (preferences));
  spin (100);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  weir_editor_show_welcome (editor);
  spin (200);
  picture (welcome);
  assert_readable (GTK_WIDGET (toplevel_of (editor)), welcome);
  editor_close (editor);
}

static void
test_large_text (gconstpointer language)
{
  g_autofree char *name = g_strdup_printf ("200-%s", (const char *) language);

  speak (language);
  set_text_scale (2);
  look_at_everything (name);
  set_text_scale (1);
  speak ("");
}

static void
test_language (gconstpointer language)
{
  speak (language);
  look_at_everything (language);
  speak ("");
}

static void
test_right_to_left (void)
{
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  look_at_everything ("rtl");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* The palettes of high contrast: no colour of text or signs comes near the ground. */
static double
get_luminance (WeirColor color)
{
  double parts[3] = { color.r, color.g, color.b };

  for (int i = 0; i < 3; i++)
    parts[i] = parts[i] <= 0.03928 ? parts[i] / 12.92 : pow ((parts[i] + 0.055) / 1.055, 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

/* The ratio of WCAG 2. */
static double
get_contrast (WeirColor a, WeirColor b)
{
  double x = get_luminance (a), y = get_luminance (b);

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

static WeirColor
blend (WeirColor over, WeirColor under, double alpha)
{
  return (WeirColor) { under.r + alpha * (over.r - under.r), under.g + alpha * (over.g - under.g),
                       under.b + alpha * (over.b - under.b), 1 };
}

static void
test_high_contrast (void)
{
  for (int dark = 0; dark < 2; dark++)
    {
      const WeirPalette *plain = weir_palette_find (dark, FALSE),
                        *high = weir_palette_find (dark, TRUE);

      g_assert_true (high != plain);
      g_assert_cmpfloat (get_contrast (plain->text, plain->background), >=, 7);
      g_assert_cmpfloat (get_contrast (plain->dim_text, plain->background), >=, 4.5);
      g_assert_cmpfloat (get_contrast (high->text, high->background), >=, 10);
      g_assert_cmpfloat (get_contrast (high->dim_text, high->background), >=, 7);
      g_assert_cmpfloat (get_contrast (high->stroke, high->background), >=, 7);
      g_assert_cmpfloat (get_contrast (high->error, high->background), >=, 4.5);
      g_assert_cmpfloat (high->line_width, >, plain->line_width);
      /* What recedes behind what is explained: a block's lines under the veil, a wire. */
      g_assert_cmpfloat (
          get_contrast (blend (high->stroke, high->background, 0.4 + high->kept), high->background),
          >=, 4.5);
      g_assert_cmpfloat (
          get_contrast (blend (high->wire, high->background, 0.3 + high->kept), high->background),
          >=, 3);
      for (guint i = 0; i < WEIR_N_CURVE_COLORS; i++)
        g_assert_cmpfloat (get_contrast (high->curves[i], high->background), >=, 3);
    }
  g_object_set (gtk_settings_get_default (), "gtk-theme-name", "HighContrast", NULL);
  {
    WeirEditor *editor = window_open_example ("pendulum.weir");

    editor->canvas->palette = weir_palette_find (FALSE, TRUE);
    gtk_widget_queue_draw (GTK_WIDGET (editor->canvas));
    picture ("c-high-contrast");
    editor_close (editor);
  }
  g_object_set (gtk_settings_get_default (), "gtk-theme-name", "Default", NULL);
}

/* Without animations the picture stands still: nothing asks for frames once what was done
 * is shown. */
static void
count_frame (G_GNUC_UNUSED GdkFrameClock *clock, guint *n)
{
  (*n)++;
}

static void
test_reduced_motion (void)
{
  gboolean animated;
  WeirEditor *editor;
  GdkFrameClock *clock;
  gulong handler;
  guint n = 0;

  g_object_get (gtk_settings_get_default (), "gtk-enable-animations", &animated, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  editor = window_open_example ("pendulum.weir");
  g_assert_false (adw_get_enable_animations (GTK_WIDGET (editor->canvas)));
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  weir_host_show_page (WEIR_HOST (editor), "problems");
  key ("space");
  point_at ((WeirPoint) { 1390, 990 });
  spin (1500);
  clock = gtk_widget_get_frame_clock (GTK_WIDGET (editor->canvas));
  handler = g_signal_connect (clock, "paint", G_CALLBACK (count_frame), &n);
  spin (1000);
  g_signal_handler_disconnect (clock, handler);
  g_assert_cmpuint (n, <=, 3);
  editor_close (editor);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", animated, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/window/looks/large-text/en", "", test_large_text);
  g_test_add_data_func ("/window/looks/large-text/de", "de", test_large_text);
  g_test_add_data_func ("/window/looks/large-text/fr", "fr", test_large_text);
  g_test_add_data_func ("/window/looks/german", "de", test_language);
  g_test_add_data_func ("/window/looks/french", "fr", test_language);
  g_test_add_func ("/window/looks/right-to-left", test_right_to_left);
  g_test_add_func ("/window/looks/high-contrast", test_high_contrast);
  g_test_add_func ("/window/looks/reduced-motion", test_reduced_motion);
  return driver_main ();
}
