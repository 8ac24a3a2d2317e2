/* The index types of the engine: everything is an index, nothing is a pointer.
 *
 * Each is a struct of one member, so that mixing them does not compile. Tickets, ports, groups and
 * parameters count within one system; nodes, entries and sources count within the whole tree of a
 * root system (see layout.h).
 */
#pragma once

#include "base/status.h"
#include "base/visibility.h"

#ifdef __cplusplus
#include <initializer_list>
#endif

WEIR_BEGIN_DECLS

typedef struct _WeirSystem WeirSystem;
typedef struct _WeirLayout WeirLayout;
typedef struct _WeirContext WeirContext;
typedef struct _WeirCalc WeirCalc;
typedef struct _WeirChangeLog WeirChangeLog;

typedef struct {
  guint16 i;
} WeirTicket; /* a value source or computed value of one system */
typedef struct {
  guint16 i;
} WeirInput; /* input port of one system */
typedef struct {
  guint16 i;
} WeirOutput; /* output port of one system */
typedef struct {
  guint16 i;
} WeirParameter; /* parameter of one system: a vector, or abstract */
typedef struct {
  guint16 i;
} WeirGroup; /* discrete state group (a vector) or abstract state */
typedef struct {
  guint16 i;
} WeirCached; /* cache entry of one system */

typedef struct {
  guint32 i;
} WeirNode; /* a system's place in the tree; 0 is the root */
typedef struct {
  guint32 i;
} WeirEntry; /* cache entry of the whole tree, in plan order */
typedef struct {
  guint32 i;
} WeirSource; /* where a change event can begin, of the whole tree */

typedef struct {
  guint64 low, high;
} WeirFingerprint;

typedef enum {
  WEIR_ENTRY_CACHE,       /* declared by the leaf */
  WEIR_ENTRY_OUTPUT,      /* value of an output port */
  WEIR_ENTRY_DERIVATIVES, /* xcdot of a leaf or diagram */
  WEIR_ENTRY_ENERGY,      /* pe, ke, pc or pnc of a leaf or diagram */
  WEIR_ENTRY_UPDATE,      /* x_{n+1} of all discrete groups of a leaf or diagram */
  WEIR_N_ENTRY_KINDS,
} WeirEntryKind;

#define WEIR_NO_INDEX G_MAXUINT32
#define WEIR_ROOT WEIR_LITERAL (WeirNode, 0)

/* The built-in tickets of every system (numbered as in Drake). */
typedef enum {
  WEIR_TICKET_NOTHING = 0,
  WEIR_TICKET_TIME,
  WEIR_TICKET_ACCURACY,
  WEIR_TICKET_Q,
  WEIR_TICKET_V,
  WEIR_TICKET_Z,
  WEIR_TICKET_XC,
  WEIR_TICKET_XD,
  WEIR_TICKET_XA,
  WEIR_TICKET_ALL_STATE,
  WEIR_TICKET_PN,
  WEIR_TICKET_PA,
  WEIR_TICKET_ALL_PARAMETERS,
  WEIR_TICKET_ALL_SOURCES_EXCEPT_INPUTS,
  WEIR_TICKET_ALL_INPUTS,
  WEIR_TICKET_ALL_SOURCES,
  WEIR_TICKET_CONFIGURATION,
  WEIR_TICKET_KINEMATICS,
  WEIR_TICKET_XCDOT,
  WEIR_TICKET_PE,
  WEIR_TICKET_KE,
  WEIR_TICKET_PC,
  WEIR_TICKET_PNC,
  WEIR_TICKET_XD_UPDATE,
  WEIR_N_BUILT_IN_TICKETS,
  WEIR_TICKET_END = G_MAXUINT16, /* ends a prerequisite list */
} WeirBuiltInTicket;

/* The sources that the whole tree has once, from time on; all others are of a block. */
#define WEIR_TICKET_LAST_COMMON WEIR_TICKET_ACCURACY

/* Stands where something is said of each of them up to @last: another one stops the compiler there.
 */
#define WEIR_COVERS_COMMON(last)                                                                   \
  _Static_assert((last) == WEIR_TICKET_LAST_COMMON, "a source of the whole tree is missing here")

static inline gboolean
weir_ticket_is_common (WeirTicket ticket)
{
  return ticket.i >= WEIR_TICKET_TIME && ticket.i <= WEIR_TICKET_LAST_COMMON;
}

/* A prerequisite list: WEIR_DEPENDS (WEIR_Q, WEIR_V, weir_input_ticket (b, tau)). */
#ifdef __cplusplus
#define WEIR_DEPENDS(...)                                                                          \
  (std::initializer_list<WeirTicket> { __VA_ARGS__, { WEIR_TICKET_END } }.begin ())
#else
#define WEIR_DEPENDS(...) ((const WeirTicket[]) { __VA_ARGS__, { WEIR_TICKET_END } })
#endif

#define WEIR_NOTHING WEIR_LITERAL (WeirTicket, WEIR_TICKET_NOTHING)
#define WEIR_TIME WEIR_LITERAL (WeirTicket, WEIR_TICKET_TIME)
#define WEIR_ACCURACY WEIR_LITERAL (WeirTicket, WEIR_TICKET_ACCURACY)
#define WEIR_Q WEIR_LITERAL (WeirTicket, WEIR_TICKET_Q)
#define WEIR_V WEIR_LITERAL (WeirTicket, WEIR_TICKET_V)
#define WEIR_Z WEIR_LITERAL (WeirTicket, WEIR_TICKET_Z)
#define WEIR_XC WEIR_LITERAL (WeirTicket, WEIR_TICKET_XC)
#define WEIR_XD WEIR_LITERAL (WeirTicket, WEIR_TICKET_XD)
#define WEIR_XA WEIR_LITERAL (WeirTicket, WEIR_TICKET_XA)
#define WEIR_ALL_STATE WEIR_LITERAL (WeirTicket, WEIR_TICKET_ALL_STATE)
#define WEIR_PN WEIR_LITERAL (WeirTicket, WEIR_TICKET_PN)
#define WEIR_PA WEIR_LITERAL (WeirTicket, WEIR_TICKET_PA)
#define WEIR_ALL_PARAMETERS WEIR_LITERAL (WeirTicket, WEIR_TICKET_ALL_PARAMETERS)
#define WEIR_ALL_SOURCES_EXCEPT_INPUTS                                                             \
  WEIR_LITERAL (WeirTicket, WEIR_TICKET_ALL_SOURCES_EXCEPT_INPUTS)
#define WEIR_ALL_INPUTS WEIR_LITERAL (WeirTicket, WEIR_TICKET_ALL_INPUTS)
#define WEIR_ALL_SOURCES WEIR_LITERAL (WeirTicket, WEIR_TICKET_ALL_SOURCES)
#define WEIR_CONFIGURATION WEIR_LITERAL (WeirTicket, WEIR_TICKET_CONFIGURATION)
#define WEIR_KINEMATICS WEIR_LITERAL (WeirTicket, WEIR_TICKET_KINEMATICS)
#define WEIR_XCDOT WEIR_LITERAL (WeirTicket, WEIR_TICKET_XCDOT)
#define WEIR_PE WEIR_LITERAL (WeirTicket, WEIR_TICKET_PE)
#define WEIR_KE WEIR_LITERAL (WeirTicket, WEIR_TICKET_KE)
#define WEIR_PC WEIR_LITERAL (WeirTicket, WEIR_TICKET_PC)
#define WEIR_PNC WEIR_LITERAL (WeirTicket, WEIR_TICKET_PNC)
#define WEIR_XD_UPDATE WEIR_LITERAL (WeirTicket, WEIR_TICKET_XD_UPDATE)

WEIR_END_DECLS
