/* WeirPage: a page of the dock. The table of pages (pages.h) makes one of each kind for each
 * editor; it is made from a template, NAME-page.ui, and has its own actions and its own life.
 *
 * Properties: "host" (WeirHost), given when it is made; "title" (string), shown on its tab;
 * "needs-attention" (boolean): its tab is marked; "available" (boolean): it has a tab at all. What
 * a page connects it connects in its template or with g_signal_connect_object(); a subclass undoes
 * the rest in dispose, while the host is still there. Thread: *main*.
 */
#pragma once

#include "gui/host/host.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PAGE (weir_page_get_type ())
#define WEIR_PAGE(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), WEIR_TYPE_PAGE, WeirPage))
#define WEIR_IS_PAGE(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), WEIR_TYPE_PAGE))
#define WEIR_PAGE_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), WEIR_TYPE_PAGE, WeirPageClass))
#define WEIR_PAGE_GET_CLASS(object)                                                                \
  (G_TYPE_INSTANCE_GET_CLASS ((object), WEIR_TYPE_PAGE, WeirPageClass))

typedef struct _WeirPage WeirPage;
typedef struct _WeirPageClass WeirPageClass;

/* For subclasses; read only. Set before "constructed". */
struct _WeirPage {
  AdwBin parent;
  WeirHost *host; /* borrowed; NULL once the editor is gone, which a task in a thread may outlive */
  WeirDocument *document;
  WeirRunner *runner;
  WeirCanvas *canvas;
  WeirCacheModel *cache;
  GPtrArray *actions; /* names of those added */
  char *title;
  gboolean needs_attention, is_available;
};

struct _WeirPageClass {
  AdwBinClass parent_class;

  /* Each NULL where there is nothing of the kind. All pages and parts are there. */
  void (*ready) (WeirPage *self);
  /* Opens a file of a kind of its own. FALSE: it is another. */
  gboolean (*open) (WeirPage *self, GFile *file);
  /* What is typed but not entered yet is meant too. */
  void (*enter_typed) (WeirPage *self);
  /* Whether closing would lose something, and the question about it; once it was answered so that
   * nothing is to be lost any more, weir_host_loss_settled(). */
  gboolean (*has_unsaved) (WeirPage *self);
  void (*ask_about_loss) (WeirPage *self);
};

GType weir_page_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirPage, g_object_unref)

/* There while the page is; they are handed @self. */
void weir_page_add_actions (WeirPage *self, const GActionEntry *entries, guint n);
void weir_page_set_title (WeirPage *self, const char *title);
void weir_page_set_needs_attention (WeirPage *self, gboolean needs_attention);
void weir_page_set_available (WeirPage *self, gboolean available);
/* Is it the one looked at in its dock? */
gboolean weir_page_is_shown (WeirPage *self);

/* In a subclass's class_init: its template is the file @name, among the resources of its folder. */
void weir_set_template (gpointer klass, const char *name);
/* The objects of another of those files. (transfer full) */
GtkBuilder *weir_template_load (const char *name);

G_END_DECLS
