/* What the files of engine/network share. */
#pragma once

#include "network/network.h"

G_BEGIN_DECLS

typedef struct {
  char *path;
  const WeirPartType *part;
  const WeirArguments *arguments;
  guint32 block;
  int line;
  guint32 first_terminal; /* its pins have those from here on */
  guint network;
  gboolean is_free; /* starts as the rest of the network makes it */
} WeirNetworkPart;

typedef struct {
  guint32 above;            /* of the tree of what is joined; itself at the top */
  guint part, pin;          /* part G_MAXUINT: a node that is no pin of a part */
  const char *path;         /* of a node that is none */
  const WeirDomain *domain; /* NULL = any */
  guint32 block;            /* of a node; 0: none */
  int line;
} WeirNetworkTerminal;

/* Pins that are joined. */
typedef struct {
  GArray *pins; /* of guint32: terminals, in order of path, then of pin */
  const WeirDomain *domain;
  gboolean is_reference; /* a part makes its potential zero: it, or one with the same potential */
  guint potential;       /* the first set with the same potential; itself if there is none */
} WeirNetworkSet;

struct _WeirNetworks {
  GArray *parts;     /* of WeirNetworkPart */
  GArray *terminals; /* of WeirNetworkTerminal */
  GArray *sets;      /* of WeirNetworkSet, in order of their first pins; after the split */
  guint *set_of; /* of each terminal; G_MAXUINT: of a node that no pin of a part is joined with */
  GPtrArray *networks; /* of GArray of guint: parts */
};

guint32 weir_networks_find_top (const WeirNetworks *self, guint32 terminal);

/* Networks that make no sense by what joins what alone: LIN04 to LIN07,
 * LIN09. FALSE after reporting. */
gboolean weir_networks_check (WeirNetworks *self, guint network, WeirDiagnostics *diagnostics);

/* loops.c: what among the potentials and the flows of a network depends on what is stored alone,
 * although each equation by itself does not show it. */
typedef struct _WeirNetworkLoops WeirNetworkLoops;

typedef struct {
  guint part, across;
  double sign;
} WeirNetworkTerm;

/* @parts: of one network. (transfer full) */
WeirNetworkLoops *weir_network_loops_new (WeirNetworks *networks, const GArray *parts);
void weir_network_loops_free (WeirNetworkLoops *self);
/* An across that is the sum of others: these, of WeirNetworkTerm; NULL: it is none. */
const GArray *weir_network_loops_find_sum (const WeirNetworkLoops *self, guint part, guint across);
/* The sets, of guint, whose balances together take the place of that of @set; NULL: its own. */
const GArray *weir_network_loops_find_island (const WeirNetworkLoops *self, guint set);
/* Does what flows through it stay within the island of its first pin? */
gboolean weir_network_loops_is_within (const WeirNetworkLoops *self, guint part,
                                       const WeirThrough *through);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirNetworkLoops, weir_network_loops_free)

static inline const WeirNetworkPart *
weir_networks_get_part (const WeirNetworks *self, guint part)
{
  return &g_array_index (self->parts, WeirNetworkPart, part);
}

static inline const WeirNetworkTerminal *
weir_networks_get_terminal (const WeirNetworks *self, guint32 terminal)
{
  return &g_array_index (self->terminals, WeirNetworkTerminal, terminal);
}

static inline const WeirPinSpec *
weir_networks_get_pin_spec (const WeirNetworks *self, const WeirNetworkTerminal *terminal)
{
  return &g_array_index (weir_networks_get_part (self, terminal->part)->part->pins, WeirPinSpec,
                         terminal->pin);
}

/* Does something flow from or to that pin through the part? */
static inline gboolean
weir_part_type_has_through (const WeirPartType *type, guint pin)
{
  for (guint i = 0; i < type->throughs->len; i++)
    if (g_array_index (type->throughs, WeirThrough, i).from == pin
        || g_array_index (type->throughs, WeirThrough, i).to == pin)
      return TRUE;
  return FALSE;
}

G_END_DECLS
