/* WeirLabPanel: the correctness lab: does caching change anything, which entries are to blame, and
 * what do their declarations lack?
 *
 * Rows, each a button and what it found: cached against uncached in lockstep with the first
 * difference, the smallest set of entries to blame, the audit of declarations with what to declare
 * instead, and the proof on a copy that has these corrections. It computes nothing; it shows
 * results that it is given. Signals: "test" (guint: which WeirLabTest, gboolean: start, else stop);
 * "go-to" (text: the path of an entry or block). Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "analysis/correction.h"
#include "analysis/bisection.h"

G_BEGIN_DECLS

#define WEIR_TYPE_LAB_PANEL (weir_lab_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirLabPanel, weir_lab_panel, WEIR, LAB_PANEL, GtkWidget)

typedef enum {
  WEIR_LAB_VERIFY,
  WEIR_LAB_SEARCH,
  WEIR_LAB_AUDIT,
  WEIR_LAB_CONFIRM,
  WEIR_N_LAB_TESTS,
} WeirLabTest;

/* A test goes on, and what it found before is gone; or it has come to its end. */
void weir_lab_panel_set_busy (WeirLabPanel *self, WeirLabTest test, gboolean busy);
/* What a test that goes on has found so far. */
void weir_lab_panel_set_progress (WeirLabPanel *self, WeirLabTest test, const char *text);
/* @cached, @uncached: for whom the value was computed last (request-chain.h), or NULL. */
void weir_lab_panel_set_verified (WeirLabPanel *self, const WeirVerifyResult *result,
                                  const char *cached, const char *uncached);
void weir_lab_panel_set_bisection (WeirLabPanel *self, const WeirBisection *result);
/* @corrections: WeirCorrection: what its findings come to. */
void weir_lab_panel_set_audited (WeirLabPanel *self, const WeirAuditResult *result,
                                 const GArray *corrections);
void weir_lab_panel_set_confirmed (WeirLabPanel *self, const WeirConfirmation *result);
/* The model was changed: what was found, if anything, is of an earlier one. */
void weir_lab_panel_set_outdated (WeirLabPanel *self, WeirLabTest test);

/* Scrolls to what a test found; one that was asked for by its button is scrolled to by itself. */
void weir_lab_panel_reveal (WeirLabPanel *self, WeirLabTest test);

/* What a test found, as it is shown, and the button that starts it. (transfer none) */
const char *weir_lab_panel_get_text (WeirLabPanel *self, WeirLabTest test);
GtkWidget *weir_lab_panel_get_button (WeirLabPanel *self, WeirLabTest test);

G_END_DECLS
