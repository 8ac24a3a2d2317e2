/* What the files of engine/native share: the list that a builder keeps (builder.c), what of it is
 * done at once (rows.c), the writer of instructions (assembler.c), how the one becomes the other
 * (emit.c), and where it comes to lie (memory.c).
 */
#pragma once

#include "native/native.h"

G_BEGIN_DECLS

/* Sanitizers see neither what such code reads nor what it computes. */
#if defined __x86_64__ && defined __GNUC__ && !defined __SANITIZE_ADDRESS__                        \
    && !defined __SANITIZE_THREAD__
#define WEIR_NATIVE_POSSIBLE 1
#else
#define WEIR_NATIVE_POSSIBLE 0
#endif

/* --- The list -------------------------------------------------------------------------------- */

typedef enum {
  WEIR_NATIVE_OP_NUMBER = WEIR_NATIVE_N_BINARY,
  WEIR_NATIVE_OP_LOAD,
  WEIR_NATIVE_OP_ROOT,
  WEIR_NATIVE_OP_SELECT,
  WEIR_NATIVE_OP_CALL,
  WEIR_NATIVE_OP_ARGUMENT,
  WEIR_NATIVE_OP_SPREAD, /* a value four times; rows alone have it */
  /* No values. */
  WEIR_NATIVE_OP_STORE,
  WEIR_NATIVE_OP_SKIP_IF_ZERO,
  WEIR_NATIVE_OP_SKIP_UNLESS_ZERO,
  WEIR_NATIVE_OP_LABEL,
  WEIR_NATIVE_OP_LOOK_AT,
  /* Their argument is the number that the unusual function gets. */
  WEIR_NATIVE_OP_INSIST_ON_CLEAR,
  WEIR_NATIVE_OP_INSIST_ON_FINITE,
  WEIR_NATIVE_OP_INSIST_ON,
  WEIR_NATIVE_OP_ADD_TO_WORD,
  WEIR_NATIVE_OP_COPY_WORD,
  WEIR_NATIVE_OP_SET_BITS,
} WeirNativeOp;

#define WEIR_NATIVE_NOTHING G_MAXUINT32

typedef struct {
  guint32 op;      /* WeirNativeBinary or WeirNativeOp */
  guint32 args[3]; /* values, or WEIR_NATIVE_NOTHING */
  guint32 base;    /* LOAD, STORE; of a jump and a LABEL its number */
  guint32 place;   /* in doubles; NUMBER: in the numbers; CALL, INSIST_ON: in the functions */
  guint32 more;    /* LOOK_AT: not the first; INSIST_ON: how many; of words what is added, copied
                      to, or in the bits */
  guint32 is_row;  /* four values side by side, where others are one */
} WeirNativeItem;

struct _WeirNativeBuilder {
  GArray *items;        /* WeirNativeItem; a value is the number of its item */
  GArray *numbers;      /* double */
  GArray *bits;         /* guint64 */
  GPtrArray *funcs;     /* of calls */
  GHashTable *known;    /* item to itself + 1: values that need not be computed again */
  GHashTable *in_place; /* base and place to value + 1: what was stored there */
  guint32 n_labels, n_calls;
  WeirNativeUsual unusual; /* that the code stands in for; NULL: none */
  guint32 first_at;        /* where its first base is said */
  gboolean is_wide;
  gboolean is_looking; /* values were looked at that nothing insists on yet */
  gboolean has_failed; /* something that the code cannot say */
};

/* rows.c: the list with rows of what it does alike side by side. NULL: it is as good as it is.
 * (transfer full) */
GArray *weir_native_dup_rows (const WeirNativeBuilder *builder);

/* --- Instructions ---------------------------------------------------------------------------- */

/* General registers by their numbers. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R12 = 12, R13, R14 };

typedef struct {
  GByteArray *bytes;
  gboolean has_avx; /* three operands for an instruction, and some that are newer */
  gboolean is_wide; /* doubles are four each; with AVX */
  /* Places of 4 bytes to fill in with where constants are: pairs of place and constant. */
  GArray *constants;
} WeirAssembler;

/* The last operand of an instruction. */
typedef enum { WEIR_IN_REGISTER, WEIR_IN_MEMORY, WEIR_IN_CONSTANTS } WeirOperandIn;

typedef struct {
  guint8 kind;
  guint8 reg; /* or the base */
  gint32 at;  /* bytes from the base; of constants: which of them */
} WeirPlaceOf;

/* An instruction of doubles. */
typedef struct {
  guint8 prefix; /* 0x66, 0xf2 (of one double; wide, of all four) or 0 */
  guint8 map;    /* 1: 0f; 2: 0f 38, with AVX alone; 3: 0f 3a */
  guint8 code;
} WeirOpcode;

/* @dst = @a op @b. @dst may be @b's register only with AVX or if it is @a. */
void weir_assembler_binary (WeirAssembler *self, WeirOpcode opcode, guint dst, guint a,
                            WeirPlaceOf b);
/* The same with a byte behind it. */
void weir_assembler_binary_byte (WeirAssembler *self, WeirOpcode opcode, guint dst, guint a,
                                 WeirPlaceOf b, guint8 byte);
/* @dst = op @b, whatever was in @dst. */
void weir_assembler_unary (WeirAssembler *self, WeirOpcode opcode, guint dst, WeirPlaceOf b);
void weir_assembler_load (WeirAssembler *self, guint dst, WeirPlaceOf from);
void weir_assembler_store (WeirAssembler *self, guint src, guint base, gint32 at);
/* Both doubles of a register, wherever they lie. */
void weir_assembler_store_pair (WeirAssembler *self, guint src, guint base, gint32 at);
void weir_assembler_load_word (WeirAssembler *self, guint dst, guint base, gint32 at);
void weir_assembler_store_word (WeirAssembler *self, guint src, guint base, gint32 at);
void weir_assembler_set_word (WeirAssembler *self, guint dst, guint64 value);
/* In memory. */
void weir_assembler_add_to (WeirAssembler *self, guint base, gint32 at, gint32 value);
/* What is in RAX is lost. */
void weir_assembler_set_bits (WeirAssembler *self, guint base, gint32 at, guint64 bits);
void weir_assembler_move_word (WeirAssembler *self, guint dst, guint src);
void weir_assembler_add_to_word (WeirAssembler *self, guint dst, gint32 value);
void weir_assembler_push (WeirAssembler *self, guint reg);
void weir_assembler_pop (WeirAssembler *self, guint reg);
void weir_assembler_return (WeirAssembler *self);
void weir_assembler_call (WeirAssembler *self, gconstpointer func);
void weir_assembler_go_on_in (WeirAssembler *self, gconstpointer func);
/* Clears RAX. */
void weir_assembler_clear_result (WeirAssembler *self);
/* For functions that know nothing of wide registers. */
void weir_assembler_leave_wide (WeirAssembler *self);
/* The bits of a double, and those of its magnitude, twice as large a number. */
void weir_assembler_move_bits (WeirAssembler *self, guint dst, guint src);
void weir_assembler_drop_sign (WeirAssembler *self, guint dst);
void weir_assembler_take_larger (WeirAssembler *self, guint dst, guint src);
/* Jumps if such a number in RAX is of no finite double; or if RAX is 0. Returns the place to fill
 * in. */
guint32 weir_assembler_jump_unless_finite (WeirAssembler *self);
guint32 weir_assembler_jump_if_false (WeirAssembler *self);
/* The same if some of @bits are set in memory. What is in RAX is lost. */
guint32 weir_assembler_jump_if_set (WeirAssembler *self, guint base, gint32 at, guint64 bits);
/* Jumps if @value is 0, or if not @if_zero, is not; where to is to be filled in at the result's
 * places. Not a number is not 0. */
void weir_assembler_jump (WeirAssembler *self, guint value, guint32 zero, gboolean if_zero,
                          GArray *fixes, guint32 label);

typedef struct {
  guint32 at; /* of the 4 bytes, from whose end is counted */
  guint32 to; /* label or constant */
} WeirFix;

G_END_DECLS
