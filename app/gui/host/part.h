/* WeirPart: something in an editor that is no page of its dock: it adds actions, widgets in slots,
 * or only does something. The table of parts (parts.c) makes one of each kind for each editor, and
 * frees it with it.
 *
 * Property: "host" (WeirHost), given when it is made. What a part connects it connects with
 * g_signal_connect_object(); a subclass undoes the rest in dispose, while the host is still there.
 * Thread: *main*.
 */
#pragma once

#include "gui/host/host.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PART (weir_part_get_type ())
#define WEIR_PART(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), WEIR_TYPE_PART, WeirPart))
#define WEIR_IS_PART(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), WEIR_TYPE_PART))

typedef struct _WeirPart WeirPart;
typedef struct _WeirPartClass WeirPartClass;

/* For subclasses; read only. Set before "constructed". */
struct _WeirPart {
  GObject parent;
  WeirHost *host; /* borrowed; NULL once the editor is gone, which a task in a thread may outlive */
  WeirDocument *document;
  WeirRunner *runner;
  WeirCanvas *canvas;
  WeirCacheModel *cache;
  GPtrArray *actions; /* names of those added */
};

struct _WeirPartClass {
  GObjectClass parent_class;
};

GType weir_part_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirPart, g_object_unref)

/* There while the part is; they are handed @self. */
void weir_part_add_actions (WeirPart *self, const GActionEntry *entries, guint n);

G_END_DECLS
