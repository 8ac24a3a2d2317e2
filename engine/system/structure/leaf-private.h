/* The leaf builder, among the files that implement it: leaf.c has what a leaf is given,
 * leaf-entries.c what it calculates, leaf-events.c what happens to it. Mistakes are the author's
 * and end in an assertion with a sentence; nothing that a user types reaches these files unchecked.
 */
#pragma once

#include "system/structure/leaf.h"
#include "system/structure/shape-private.h"

G_BEGIN_DECLS

struct _WeirLeafBuilder {
  WeirShape *shape;
  GHashTable *names; /* set of names, owned; each behind its WeirItemKind */
  GArray *code;
  GArray *event_code;
  WeirPhaseFunc phases;
};

static inline guint
weir_leaf_n_states (const WeirLeafBuilder *b)
{
  return b->shape->nq + b->shape->nv + b->shape->nz;
}

/* Ends the program if there is another @kind of that name. */
void weir_leaf_check_name (WeirLeafBuilder *b, WeirItemKind kind, const char *name);

/* Declares an entry; returns its index. @ticket: of one that is built in, else WEIR_TICKET_END.
 * @type: of an abstract entry, whose @size is 0. @depends: NULL for all sources. */
guint weir_leaf_add_entry (WeirLeafBuilder *b, const char *name, WeirEntryKind kind, guint16 ticket,
                           guint size, const GVariantType *type, WeirEntryCode code,
                           guint64 variant, const WeirTicket *depends);

G_END_DECLS
