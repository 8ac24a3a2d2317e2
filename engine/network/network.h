/* Physical networks: parts, and what lines join; from them the equations of a leaf for each
 * network.
 *
 * Pins that lines join form a set: there is one potential for all of them, and what flows into them
 * sums to zero. A pin of a subsystem, and a line, is a node that joins what is joined with it, and
 * vanishes: sets reach through all levels. What flows into a pin that nothing is joined with is
 * zero. Parts that sets connect, directly or through others, are one network and become one leaf,
 * whose ports and parameters are called as the parts are: "R1.i", "R1.R", relative to the diagram
 * that holds them all.
 *
 * The equations are lean: one potential for each set (none where a reference is among its pins),
 * one flow for each part with two pins. They do not depend on the order in which parts were added.
 *
 * Codes: LIN01 pins of different domains are joined, LIN04 no reference, LIN05 something
 * is fixed twice, LIN06 what is driven has no way on, or nothing sets a potential, LIN07 starts
 * that exclude each other, or follow a signal, LIN08 a domain is not declared as it should be,
 * LIN09 one network has two fluids. What the equations of a network lack is told by their own
 * layer, with parts in the place of lines. Thread: one (*owner*).
 */
#pragma once

#include "base/diagnostic.h"
#include "blocks/parts/part.h"

G_BEGIN_DECLS

typedef struct _WeirNetworks WeirNetworks;

/* What lines join: a pin of a part, a pin of a subsystem, a line. */
typedef struct {
  guint32 i;
} WeirTerminal;

WeirNetworks *weir_networks_new (void); /* (transfer full) */
void weir_networks_free (WeirNetworks *self);

/* @path: of the whole model. @arguments: must live as long. Parts count from 0. */
guint weir_networks_add_part (WeirNetworks *self, const char *path, const WeirArguments *arguments,
                              guint32 block, int line);
WeirTerminal weir_networks_get_pin (const WeirNetworks *self, guint part, guint pin);
/* @domain: that it insists on, or NULL. @block, @line: where it does, or 0. */
WeirTerminal weir_networks_add_node (WeirNetworks *self, const char *path, const WeirDomain *domain,
                                     guint32 block, int line);
void weir_networks_join (WeirNetworks *self, WeirTerminal a, WeirTerminal b);

/* After the last part is joined: how many networks there are. FALSE after reporting sets that make
 * no sense. */
gboolean weir_networks_split (WeirNetworks *self, WeirDiagnostics *diagnostics);
guint weir_networks_get_n (const WeirNetworks *self);
/* The parts of a network, in order of path. (transfer none), of guint */
const GArray *weir_networks_get_parts (const WeirNetworks *self, guint network);

/* The equations of a network. @prefix: the path of the diagram that holds it, which names leave
 * out.
 * @owners: (out) the part that each line is of, from line 1. @aliases: (nullable) filled with other
 * names of what the equations have. (transfer full) both */
char *weir_networks_dup_equations (WeirNetworks *self, guint network, const char *prefix,
                                   GArray **owners, GHashTable *aliases);
/* The leaf, or NULL after reporting why there is none. (transfer full) */
WeirSystem *weir_networks_build (WeirNetworks *self, guint network, const char *prefix,
                                 WeirDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirNetworks, weir_networks_free)

G_END_DECLS
