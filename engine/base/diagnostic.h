/* A problem of a model, as data: code, severity, place and text.
 *
 * Every check of the engine reports through a list of these; the command line prints them as
 * `FILE:LINE: severity[CODE]: block path: text`, the window shows them as rows that select the
 * block. All functions: thread *any*, objects are immutable once added to a list.
 */
#pragma once

#include "base/message.h"
#include "base/visibility.h"

WEIR_BEGIN_DECLS

typedef enum {
  WEIR_SEVERITY_HINT,
  WEIR_SEVERITY_WARNING,
  WEIR_SEVERITY_ERROR,
} WeirSeverity;

/* One problem of a model, and where it is. */
typedef struct {
  char *code; /* stable, such as "NET02" */
  WeirSeverity severity;
  char *path;     /* block path such as "plant.sum", or "" for the whole model */
  guint32 block;  /* id of the block in the model, or 0 */
  guint32 wire;   /* id of the wire in the model, or 0 */
  char *subject;  /* the input, port, parameter or setting that it is about, or NULL */
  guint32 *wires; /* of an algebraic loop, in the direction of the signals; else NULL */
  guint n_wires;
  char *file;           /* as the user named it, or NULL */
  int line;             /* from 1; 0 = no line */
  WeirMessage *message; /* one sentence, without the path */
  const char *text;     /* of the message: in English */
} WeirDiagnostic;

/* A list of diagnostics, in the order in which they were found. It is to be read by people: of
 * those that say the same, and of all of one severity, it keeps a number that can be looked
 * through, and its last ones say how many more there are. */
typedef struct _WeirDiagnostics WeirDiagnostics;

/* An empty list. (transfer full) */
WeirDiagnostics *weir_diagnostics_new (void);
WeirDiagnostics *weir_diagnostics_ref (WeirDiagnostics *self);
void weir_diagnostics_unref (WeirDiagnostics *self);

/* Adds a problem. @path, @code and what stands in the places of @format are copied; the sentence
 * can be translated (base/message.h). */
void weir_diagnostics_add (WeirDiagnostics *self, WeirSeverity severity, const char *code,
                           const char *path, guint32 block, guint32 wire, int line,
                           const char *format, ...) G_GNUC_PRINTF (8, 9);

/* The same of a sentence that is there already. @message: (transfer full). */
void weir_diagnostics_add_message (WeirDiagnostics *self, WeirSeverity severity, const char *code,
                                   const char *path, guint32 block, guint32 wire, int line,
                                   WeirMessage *message);

/* Adds a copy of @other, file and all, however many there are. */
void weir_diagnostics_add_copy (WeirDiagnostics *self, const WeirDiagnostic *other);
/* Says of the problem added last what it is about: "in1", "gain"; which code has what is in its
 * list. */
void weir_diagnostics_set_subject (WeirDiagnostics *self, const char *name);
/* The same of the wires that it runs along. @wires: copied. */
void weir_diagnostics_set_wires (WeirDiagnostics *self, const guint32 *wires, guint n_wires);

/* How many there are, and one of them, borrowed from the list. */
guint weir_diagnostics_get_size (const WeirDiagnostics *self);
const WeirDiagnostic *weir_diagnostics_get (const WeirDiagnostics *self, guint i);
/* How many were added with severity error, kept or not; and whether there are any. */
guint weir_diagnostics_get_n_errors (const WeirDiagnostics *self);
gboolean weir_diagnostics_has_errors (const WeirDiagnostics *self);

/* Names the file in every diagnostic that has none. */
void weir_diagnostics_set_file (WeirDiagnostics *self, const char *file);

/* `FILE:LINE: severity[CODE]: path: text`; absent parts are left out. (transfer full) */
char *weir_diagnostic_to_string (const WeirDiagnostic *diagnostic);

/* "error", "warning" or "hint". Static. */
const char *weir_severity_to_string (WeirSeverity severity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirDiagnostics, weir_diagnostics_unref)

WEIR_END_DECLS
