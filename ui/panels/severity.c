/* How severe problems look. See severity.h. */
#include "panels/severity.h"

#include <glib/gi18n-lib.h>

static const struct {
  const char *icon, *name, *css_class;
} severities[] = {
  [WEIR_SEVERITY_HINT] = { "dialog-information-symbolic", N_ ("Hint"), "weir-hint" },
  [WEIR_SEVERITY_WARNING] = { "dialog-warning-symbolic", N_ ("Warning"), "warning" },
  [WEIR_SEVERITY_ERROR] = { "dialog-error-symbolic", N_ ("Error"), "error" },
};

const char *
weir_severity_get_name (WeirSeverity severity)
{
  return _ (severities[severity].name);
}

void
weir_severity_show (GtkImage *image, WeirSeverity severity)
{
  gtk_image_set_from_icon_name (image, severities[severity].icon);
  for (guint i = 0; i < G_N_ELEMENTS (severities); i++)
    if (i == (guint) severity)
      gtk_widget_add_css_class (GTK_WIDGET (image), severities[i].css_class);
    else
      gtk_widget_remove_css_class (GTK_WIDGET (image), severities[i].css_class);
}
