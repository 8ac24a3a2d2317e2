/* Reading a window: in another language, with other text sizes, and whether anything in it is cut
 * off.
 */
#pragma once

#include <libintl.h>

#include "driver.h"

extern int _nl_msg_cat_cntr; /* of the C library, as gettext's manual has it */

static inline void
speak (const char *language)
{
  g_autofree char *catalogues = g_test_build_filename (G_TEST_BUILT, "..", "po", NULL);

  bindtextdomain ("weir", catalogues);
  bind_textdomain_codeset ("weir", "UTF-8");
  textdomain ("weir"); /* where plurals are looked up */
  g_setenv ("LANGUAGE", language, TRUE);
  _nl_msg_cat_cntr++; /* look-ups are remembered until this moves */
}

static inline void
set_text_scale (double scale)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int) (96 * 1024 * scale), NULL);
  spin (200);
}

/* --- What is cut off ------------------------------------------------------------------------- */

static inline gboolean
says_in_full (GtkWidget *widget)
{
  for (guint i = 0; widget != NULL && i < 4; i++, widget = gtk_widget_get_parent (widget))
    if (gtk_widget_get_tooltip_text (widget) != NULL || gtk_widget_get_has_tooltip (widget))
      return TRUE;
  return FALSE;
}

static inline void
list_cut_off (GtkWidget *widget, GtkWidget *root, gboolean scrolls, GString *list)
{
  graphene_rect_t bounds;
  int least;

  if (!gtk_widget_get_mapped (widget) || (GTK_IS_POPOVER (widget) && widget != root))
    return;
  scrolls = scrolls || GTK_IS_SCROLLED_WINDOW (widget) || GTK_IS_VIEWPORT (widget);
  if (GTK_IS_LABEL (widget) && gtk_label_get_text (GTK_LABEL (widget))[0] != '\0')
    {
      const char *text = gtk_label_get_text (GTK_LABEL (widget));
      PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (widget));

      g_assert_true (gtk_widget_compute_bounds (widget, root, &bounds));
      pango_layout_get_pixel_size (layout, NULL, &least);
      if (gtk_widget_get_height (widget) < least)
        g_string_append_printf (list, "\n  \"%s\" has %d of %d pixels", text,
                                gtk_widget_get_height (widget), least);
      if (pango_layout_is_ellipsized (layout) && !says_in_full (widget))
        g_string_append_printf (list, "\n  \"%s\" is shortened", text);
      if (!scrolls
          && (bounds.origin.x < -1 || bounds.origin.y < -1
              || bounds.origin.x + bounds.size.width > (float) gtk_widget_get_width (root) + 1
              || bounds.origin.y + bounds.size.height > (float) gtk_widget_get_height (root) + 1))
        g_string_append_printf (list, "\n  \"%s\" stands out of the window", text);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    list_cut_off (child, root, scrolls, list);
}

static inline void
assert_readable (GtkWidget *root, const char *where)
{
  g_autoptr (GString) list = g_string_new (NULL);

  spin (300);
  settle ();
  list_cut_off (root, root, FALSE, list);
  if (list->len > 0)
    {
      g_test_message ("%s:%s", where, list->str);
      g_test_fail ();
    }
}
