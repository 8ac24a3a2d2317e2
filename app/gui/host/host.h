/* WeirHost: what the pages of the dock and the other parts of an editor know of it; the editor is
 * one.
 *
 * Parts share the document, the runs, the canvas and what is known of the cache, and find each
 * other by the type of what they show; they know nothing of how the editor is made. Actions are
 * those of the group "win" (page.h and part.h take care that they go with who has them).
 *
 * Signals: "problems" (WeirDiagnostics, gboolean) has the problems of the model, and whether they
 * are to be looked at; "building-ended" (): all problems are marked from here on, those of blocks
 * made just now too; "perspective-changed" (). Thread: *main*.
 */
#pragma once

#include <adwaita.h>

#include "cache/cache-model.h"
#include "canvas/widget/canvas.h"
#include "run/runner.h"

G_BEGIN_DECLS

#define WEIR_TYPE_HOST (weir_host_get_type ())
G_DECLARE_INTERFACE (WeirHost, weir_host, WEIR, HOST, GtkWidget)

/* Where pages are. */
typedef enum {
  WEIR_DOCK_LEFT,
  WEIR_DOCK_RIGHT,
  WEIR_DOCK_BOTTOM,
  WEIR_N_DOCKS,
} WeirDock;

/* Where else a widget can be. */
typedef enum {
  WEIR_SLOT_HEADER,       /* beside the buttons of runs */
  WEIR_SLOT_ABOVE_CANVAS, /* across the canvas and what is beside it */
  WEIR_SLOT_STAGE,        /* before the canvas */
  WEIR_SLOT_STATUS,       /* at the end of the status bar */
  WEIR_SLOT_OVER_ALL,
} WeirSlot;

/* What the window is arranged for: each has its pages at the bottom, and lies as it was left. */
typedef enum {
  WEIR_PERSPECTIVE_MODEL,
  WEIR_PERSPECTIVE_CACHE,
  WEIR_PERSPECTIVE_ANALYSIS,
  WEIR_N_PERSPECTIVES,
  WEIR_PERSPECTIVE_ANY = WEIR_N_PERSPECTIVES,
} WeirPerspective;

/* What follows the opening of a file. */
typedef void (*WeirHostThen) (WeirHost *host, gboolean is_opened, gpointer data);

struct _WeirHostInterface {
  GTypeInterface parent;

  WeirDocument *(*get_document) (WeirHost *self);
  WeirRunner *(*get_runner) (WeirHost *self);
  WeirCanvas *(*get_canvas) (WeirHost *self);
  WeirCacheModel *(*get_cache) (WeirHost *self);
  GActionMap *(*get_actions) (WeirHost *self);
  gpointer (*find) (WeirHost *self, GType type);

  void (*add_widget) (WeirHost *self, WeirSlot slot, GtkWidget *widget);
  void (*show_model) (WeirHost *self);
  void (*show_page) (WeirHost *self, const char *name);
  const char *(*get_shown_page) (WeirHost *self);
  WeirPerspective (*get_perspective) (WeirHost *self);
  void (*set_perspective) (WeirHost *self, WeirPerspective perspective);
  GtkWidget *(*get_dock) (WeirHost *self, WeirDock dock);
  void (*ask_room) (WeirHost *self, WeirDock dock, int size);
  void (*set_bare) (WeirHost *self, gboolean bare);

  void (*toast) (WeirHost *self, const char *text);
  void (*toast_until_run) (WeirHost *self, const char *text);
  void (*offer_undo) (WeirHost *self, const char *text);
  void (*set_offer) (WeirHost *self, GtkMessageType type, const char *text, const char *label,
                     const char *action);

  void (*open) (WeirHost *self, GFile *file, gboolean as_template, WeirHostThen then, gpointer data,
                GDestroyNotify free_data);
  WeirHost *(*open_model) (WeirHost *self, WeirModel *model);
  void (*save) (WeirHost *self, void (*then) (WeirHost *self));
  void (*enter_typed) (WeirHost *self);
  void (*loss_settled) (WeirHost *self);
};

/* All (transfer none). */
WeirDocument *weir_host_get_document (WeirHost *self);
WeirRunner *weir_host_get_runner (WeirHost *self);
WeirCanvas *weir_host_get_canvas (WeirHost *self);
WeirCacheModel *weir_host_get_cache (WeirHost *self);
GActionMap *weir_host_get_actions (WeirHost *self);
/* What dialogs are shown over; NULL while it is in no window. */
GtkWindow *weir_host_get_toplevel (WeirHost *self);

/* A part, a page or what a page shows, of this type; NULL if there is none (yet). (transfer none)
 */
gpointer weir_host_find (WeirHost *self, GType type);

/* One of the actions that somebody here has added. */
void weir_host_activate (WeirHost *self, const char *action);
void weir_host_set_enabled (WeirHost *self, const char *action, gboolean enabled);
void weir_host_set_state (WeirHost *self, const char *action, GVariant *state);

/* For pages and parts (page.h, part.h), which add actions that go with them: notes their @names
 * (interned) to remove them by. They are handed @data. */
void weir_host_add_actions (WeirHost *self, const GActionEntry *entries, guint n, gpointer data,
                            GPtrArray *names);
/* @self: (nullable) no longer there, then neither are they. */
void weir_host_remove_actions (WeirHost *self, const GPtrArray *names);

/* What somebody listens to, as long as both are there: a swapped signal. */
typedef struct {
  gpointer object;
  const char *signal;
  GCallback callback;
} WeirListening;

void weir_listen (gpointer listener, const WeirListening *to, guint n);

/* --- What is where ------------------------------------------------------------------------------
 */

void weir_host_add_widget (WeirHost *self, WeirSlot slot, GtkWidget *widget);
/* Rather than the welcome page. */
void weir_host_show_model (WeirHost *self);
/* The dock that it is in, too. */
void weir_host_show_page (WeirHost *self, const char *name);
/* The name of the page at the bottom. */
const char *weir_host_get_shown_page (WeirHost *self);
/* None of the cache's numbers are shown where nobody asked: in its perspective. */
WeirPerspective weir_host_get_perspective (WeirHost *self);
void weir_host_set_perspective (WeirHost *self, WeirPerspective perspective);
/* Calls @update, a function of @object, at once and whenever that changes, as long as both are. */
void weir_host_follow_perspective (WeirHost *self, void (*update) (gpointer object),
                                   gpointer object);
/* The pane with all pages of a dock, which can be hidden. */
GtkWidget *weir_host_get_dock (WeirHost *self, WeirDock dock);
/* Makes a dock so large (pixels) if there is room. */
void weir_host_ask_room (WeirHost *self, WeirDock dock, int size);
/* Nothing but the stage: for presenting. FALSE: everything lies as before. */
void weir_host_set_bare (WeirHost *self, gboolean bare);

/* --- Telling ------------------------------------------------------------------------------------
 */

/* Goes by itself. */
void weir_host_toast (WeirHost *self, const char *text);
/* The same, put away by the next run. */
void weir_host_toast_until_run (WeirHost *self, const char *text);
/* The same with a button that takes the last edit back, until the next one. */
void weir_host_offer_undo (WeirHost *self, const char *text);
/* Stays until it is closed or something better is known. NULL hides it. */
void weir_host_set_banner (WeirHost *self, GtkMessageType type, const char *text);
/* The same with a button that activates @action. Where that is on or off, as long as the offer
 * lasts it is on: who closes the offer turns it off. */
void weir_host_set_offer (WeirHost *self, GtkMessageType type, const char *text, const char *label,
                          const char *action);
/* Those of the model. @shows: so that they are seen. */
void weir_host_tell_problems (WeirHost *self, WeirDiagnostics *diagnostics, gboolean shows);
void weir_host_end_building (WeirHost *self);

/* --- The document -------------------------------------------------------------------------------
 */

/* Selects a block by its path, or that of an entry by its, "block:what". */
void weir_host_go_to_path (WeirHost *self, const char *path);
/* The document's name without its suffix. (transfer full) */
char *weir_host_dup_stem (WeirHost *self);
/* What is typed but not entered yet is meant too. */
void weir_host_enter_typed (WeirHost *self);
/* Here if there is nothing here yet, else in a new tab, which is then shown. @as_template: the
 * document has no file. It is read in a thread; @then: called with where it was opened, and whether
 * it was: if not, that has been told. Not called if that tab was closed meanwhile. @free_data:
 * (nullable) called in any case. */
void weir_host_open (WeirHost *self, GFile *file, gboolean as_template, WeirHostThen then,
                     gpointer data, GDestroyNotify free_data);
/* A new tab, which is then shown, with a document of @model that has no file. (transfer none) */
WeirHost *weir_host_open_model (WeirHost *self, WeirModel *model);
/* Asks for a file if there is none. @then: called once it is saved. */
void weir_host_save (WeirHost *self, void (*then) (WeirHost *self));
/* A page that asked about what would be lost (page.h) has nothing to lose any more. */
void weir_host_loss_settled (WeirHost *self);

G_END_DECLS
