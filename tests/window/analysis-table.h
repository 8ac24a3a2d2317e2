/* The page Analysis, and the numbers of its table as a screen reader has them: with all digits. */
#pragma once

#include "driver.h"

static inline GtkWidget *
page_of (WeirEditor *editor)
{
  return part_of (editor, g_type_from_name ("WeirAnalysisPage"));
}

static inline GtkWidget *
table_of (WeirEditor *editor)
{
  GtkWidget *page = page_of (editor);

  return GTK_WIDGET (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), "figures"));
}

/* The numbers in full of the row whose name is @name, the @at-th of that name: its tooltip. */
static inline const char *
find_full (WeirEditor *editor, const char *name, guint at)
{
  for (GtkWidget *cell = gtk_widget_get_first_child (table_of (editor)); cell != NULL;
       cell = gtk_widget_get_next_sibling (cell))
    if (g_str_equal (gtk_label_get_text (GTK_LABEL (cell)), name)
        && gtk_widget_get_tooltip_text (cell) != NULL && at-- == 0)
      return gtk_widget_get_tooltip_text (cell);
  return NULL;
}

/* The @k-th number of a row. */
static inline double
read_number (WeirEditor *editor, const char *name, guint at, guint k)
{
  const char *full = find_full (editor, name, at);
  g_auto (GStrv) numbers = full != NULL ? g_strsplit (full, ";", -1) : NULL;

  g_assert_nonnull (full);
  g_assert_cmpuint (g_strv_length (numbers), >, k);
  return g_ascii_strtod (numbers[k], NULL);
}
