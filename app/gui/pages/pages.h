/* The table of pages: one entry makes a page. Its widget is weir_NAME_page_get_type() in
 * pages/NAME-page.c, its template pages/NAME-page.ui; both are found by the name here, which is
 * also that of the page in weir_host_show_page(). Within a dock they lie in this order.
 */
#pragma once

#include "gui/host/page.h"

G_BEGIN_DECLS

/* clang-format off */
/* Name, title, icon, dock, perspective. */
#define WEIR_PAGES(PAGE) \
  PAGE (library, N_ ("Library"), "view-grid-symbolic", LEFT, ANY) \
  PAGE (outline, N_ ("Outline"), "view-list-symbolic", LEFT, ANY) \
  PAGE (lesson, N_ ("Lesson"), "media-record-symbolic", LEFT, ANY) \
  PAGE (inspector, N_ ("Inspector"), "document-properties-symbolic", RIGHT, ANY) \
  PAGE (plots, N_ ("Plots"), "utilities-system-monitor-symbolic", BOTTOM, MODEL) \
  PAGE (cache, N_ ("Cache"), "drive-harddisk-symbolic", BOTTOM, CACHE) \
  PAGE (dependencies, N_ ("Dependencies"), "emblem-shared-symbolic", BOTTOM, CACHE) \
  PAGE (lab, N_ ("Lab"), "security-medium-symbolic", BOTTOM, CACHE) \
  PAGE (breakpoints, N_ ("Breakpoints"), "process-stop-symbolic", BOTTOM, CACHE) \
  PAGE (timeline, N_ ("Timeline"), "document-open-recent-symbolic", BOTTOM, CACHE) \
  PAGE (analysis, N_ ("Analysis"), "view-continuous-symbolic", BOTTOM, ANALYSIS) \
  PAGE (schedule, N_ ("Schedule"), "view-continuous-symbolic", BOTTOM, ANALYSIS) \
  PAGE (runs, N_ ("Runs"), "view-dual-symbolic", BOTTOM, MODEL) \
  PAGE (studies, N_ ("Studies"), "view-app-grid-symbolic", BOTTOM, MODEL) \
  PAGE (problems, N_ ("Problems"), "dialog-warning-symbolic", BOTTOM, MODEL)
/* clang-format on */

typedef struct {
  const char *name, *title; /* the title is to be translated */
  const char *icon;
  WeirDock dock;
  WeirPerspective perspective;
  GType (*get_type) (void); /* a WeirPage */
} WeirPageKind;

const WeirPageKind *weir_pages_get (guint *n);

G_END_DECLS
