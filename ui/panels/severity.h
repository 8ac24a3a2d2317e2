/* How severe problems look and are called, in every list. Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

#include "base/diagnostic.h"

G_BEGIN_DECLS

const char *weir_severity_get_name (WeirSeverity severity); /* translated */
/* Makes @image the sign of @severity. */
void weir_severity_show (GtkImage *image, WeirSeverity severity);

G_END_DECLS
