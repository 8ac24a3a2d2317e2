/* Saving a context as bytes and loading it: everything a clone copies, for a file or another
 * process.
 *
 * The format, version 2, little-endian: magic, version, switches, fingerprint of the structure and
 * sizes, 48 bytes in all; the words of the arena in the order that the layout gives them; the
 * abstract values as one GVariant of type "amv". It loads only into a context of an equal system;
 * another version is refused, naming both. Cached values stay up to date within the process that
 * saved them; elsewhere, where other code may calculate, every entry is out of date at first, so
 * that what follows is the same to the bit either way.
 */
#pragma once

#include "base/visibility.h"
#include "system/context/context.h"
#include "system/structure/system.h"

WEIR_BEGIN_DECLS

/* (transfer full) */
GBytes *weir_context_save (const WeirContext *self);

/* Puts what was saved into @self, a context that fits @root; FALSE and @self unchanged where the
 * bytes are no saved context, cut short, of another version or system. */
gboolean weir_context_load (WeirContext *self, WeirSystem *root, GBytes *bytes, GError **error);

WEIR_END_DECLS
