/* Reading XML as a stream, within bounds.
 *
 * Nothing is kept of the file: the parser hands over elements with their attributes (SAX). Document
 * types, and with them entities of one's own, are refused before anything in them is read; so are
 * more bytes and more attributes of an element than are allowed. The first failure ends the
 * reading; it is the parser's or one that a handler tells by weir_xml_fail().
 *
 * Codes: FIL01 the stream cannot be read, XML01 it is not XML, XML03 it has a document type, XML05
 * it is too large. Thread: *owner*.
 */
#pragma once

#include <gio/gio.h>

#include "base/message.h"

G_BEGIN_DECLS

typedef struct _WeirXmlPrivate WeirXmlPrivate;

/* What is told while all is well. Each is called with the data of the reading. */
typedef struct {
  /* An element begins. @uri: of its namespace, or NULL. @attributes: name, prefix, namespace, begin
   * and end of the value of each; those of no namespace are better asked for by
   * weir_xml_get_attribute(). */
  void (*start) (gpointer data, const char *name, const char *uri, const char *const *attributes,
                 guint n_attributes);
  void (*end) (gpointer data, const char *name);
  /* Text within the open element, in pieces. NULL: passed over. */
  void (*text) (gpointer data, const char *text, gsize length);
  /* So many bytes have been read. NULL: nobody asks. */
  void (*progress) (gpointer data, gsize n_bytes);
} WeirXmlHandlers;

/* One reading: zeros but for what the caller says. */
typedef struct {
  const WeirXmlHandlers *handlers;
  gpointer data;
  GInputStream *stream; /* borrowed */
  gsize limit;          /* bytes that it may have */

  const char *code; /* of the first failure; NULL while all is well */
  int line;         /* where; 0 = of no line */
  WeirMessage *sentence;

  WeirXmlPrivate *private; /* while it is read */
} WeirXml;

/* Reads to the end or to the first failure. FALSE: it failed. */
gboolean weir_xml_read (WeirXml *self);
void weir_xml_clear (WeirXml *self);

/* For handlers. */

/* Notes a failure, unless there is one: what follows from it is not told. @code: static. */
void weir_xml_fail (WeirXml *self, const char *code, int line, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* Where the parser is: at the end of the tag that it hands over. */
int weir_xml_get_line (const WeirXml *self);
/* The text of an attribute of the element that begins, or NULL if it has none of that name outside
 * of namespaces. It lives until the next element begins. */
const char *weir_xml_get_attribute (const WeirXml *self, const char *name);

G_END_DECLS
