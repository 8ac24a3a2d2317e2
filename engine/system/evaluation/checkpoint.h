/* Saving a context as bytes and loading it: everything a clone copies, for a file or another
 * process.
 *
 * The format, version 2, little-endian: magic, version, switches, fingerprint of the structure and
 * sizes, 48 bytes in all; the words of the arena in the order that the layout gives them; the
 * abstract values, or what they are kept as, as one GVariant of type "amv". It loads only into a
 * context of an equal system; another version is refused, naming both. Cached values stay up to
 * date within the process that saved them; elsewhere, where other code may calculate, every entry
 * is out of date at first, so that what follows is the same to the bit either way.
 */
#pragma once

#include "base/visibility.h"
#include "system/context/context.h"
#include "system/structure/system.h"

WEIR_BEGIN_DECLS

/* An abstract value that stands for something outside, as a foreign program's state does, is saved
 * with that (structure/keeping.h); where it cannot be, what is saved does not go on elsewhere.
 * (transfer full) */
GBytes *weir_context_save (const WeirContext *self);
/* The same; NULL and @error where something cannot be saved. (transfer full) */
GBytes *weir_context_save_all (const WeirContext *self, GError **error);

/* Puts what was saved into @self, a context that fits @root; FALSE and @self unchanged where the
 * bytes are no saved context, cut short, of another version or system. */
gboolean weir_context_load (WeirContext *self, WeirSystem *root, GBytes *bytes, GError **error);

WEIR_END_DECLS
