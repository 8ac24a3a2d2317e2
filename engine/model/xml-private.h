/* What reading and writing share with the clipboard (fragment.c). */
#pragma once

#include "model/model-private.h"
#include "model/xml.h"

G_BEGIN_DECLS

#define WEIR_FORMAT_VERSION 1
#define WEIR_MODEL_ELEMENT "weir"
#define WEIR_FRAGMENT_ELEMENT "weir-fragment"

/* What a file held: everything is owned. */
typedef struct {
  WeirDiagram *diagram;
  WeirHead head;
} WeirContents;

/* Reads a file whose root element is @element. FALSE and one diagnostic if it cannot be read. */
gboolean weir_contents_read (GInputStream *stream, const char *name, const char *element,
                             WeirContents *contents, WeirDiagnostics *diagnostics);
GBytes *weir_contents_write (const WeirContents *contents,
                             const char *element); /* (transfer full) */

G_END_DECLS
