/* Ports by the paths that people give them.
 *
 * Thread: *any*.
 */
#pragma once

#include "system/evaluation/wide.h"

G_BEGIN_DECLS

/* Finds "plant.theta": an output, else an input; and how many values it has. FALSE and @error if
 * there is none. */
gboolean weir_port_find (WeirLayout *layout, const char *path, WeirPort *port, guint *size,
                         GError **error);
/* What element @i of a port of @size is called: "plant.theta", "mux.y[2]". (transfer full) */
char *weir_port_dup_signal_name (const char *path, guint size, guint i);

G_END_DECLS
