/* The table of pages: one entry makes a page. Its widget is weir_NAME_page_get_type() in
 * pages/NAME-page.c, its template pages/NAME-page.ui; both are found by the name here, which is
 * also that of the page in weir_host_show_page(). Within a dock they lie in this order.
 */
#pragma once

#include "gui/host/page.h"

G_BEGIN_DECLS

/* What a page is for. */
typedef enum {
  WEIR_GROUP_MODEL,
  WEIR_GROUP_CACHE,
  WEIR_GROUP_ANALYSIS,
} WeirPageGroup;

/* Whether a page is there in simple mode, which shows nothing of the cache. */
typedef enum {
  WEIR_PAGE_ALWAYS,
  WEIR_PAGE_FULL_ONLY,
} WeirPagePresence;

/* clang-format off */
/* Name, title, icon, dock, group, presence. */
#define WEIR_PAGES(PAGE) \
  PAGE (library, N_ ("Library"), "view-grid-symbolic", LEFT, MODEL, ALWAYS) \
  PAGE (outline, N_ ("Outline"), "view-list-symbolic", LEFT, MODEL, ALWAYS) \
  PAGE (lesson, N_ ("Lesson"), "media-record-symbolic", LEFT, MODEL, ALWAYS) \
  PAGE (inspector, N_ ("Inspector"), "document-properties-symbolic", RIGHT, MODEL, ALWAYS) \
  PAGE (plots, N_ ("Plots"), "utilities-system-monitor-symbolic", BOTTOM, MODEL, ALWAYS) \
  PAGE (cache, N_ ("Cache"), "drive-harddisk-symbolic", BOTTOM, CACHE, FULL_ONLY) \
  PAGE (dependencies, N_ ("Dependencies"), "emblem-shared-symbolic", BOTTOM, CACHE, FULL_ONLY) \
  PAGE (lab, N_ ("Lab"), "security-medium-symbolic", BOTTOM, CACHE, FULL_ONLY) \
  PAGE (breakpoints, N_ ("Breakpoints"), "process-stop-symbolic", BOTTOM, CACHE, FULL_ONLY) \
  PAGE (timeline, N_ ("Timeline"), "document-open-recent-symbolic", BOTTOM, CACHE, ALWAYS) \
  PAGE (schedule, N_ ("Schedule"), "view-continuous-symbolic", BOTTOM, ANALYSIS, ALWAYS) \
  PAGE (runs, N_ ("Runs"), "view-dual-symbolic", BOTTOM, ANALYSIS, FULL_ONLY) \
  PAGE (problems, N_ ("Problems"), "dialog-warning-symbolic", BOTTOM, MODEL, ALWAYS)
/* clang-format on */

typedef struct {
  const char *name, *title; /* the title is to be translated */
  const char *icon;
  WeirDock dock;
  WeirPageGroup group;
  WeirPagePresence presence;
  GType (*get_type) (void); /* a WeirPage */
} WeirPageKind;

const WeirPageKind *weir_pages_get (guint *n);

G_END_DECLS
