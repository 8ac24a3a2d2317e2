/* Code made at run time: straight-line calculations with doubles, for x86-64.
 *
 * A builder takes a calculation as a list: values are loaded from memory, computed from others, and
 * stored. What it makes of it does just these operations, each rounded as the C compiler's code
 * rounds it and none of them fused, keeps values in registers while they are needed again, and
 * writes every store. Where two operands are not numbers, the first is the result, as the
 * processor has it; which is the first is therefore for the caller to say.
 *
 * Memory is named by one of a few bases, which the code is called with, and a place in doubles
 * behind it. What lies at different bases must not overlap, but where nothing is stored.
 *
 * The code's memory is never writable and executable at once. Where there is no such memory (a
 * hardened kernel), on other machines, and in builds with sanitizers there is no code, and callers
 * interpret as they do without.
 *
 * Thread: a builder is its *owner*'s; code is *immutable* and runs in *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* --- Whether there is any -------------------------------------------------------------------- */

/* Is code to be made and used? At first: if this machine can, unless the environment says
 * WEIR_NATIVE=no. Thread: *any*. */
gboolean weir_native_is_on (void);
/* For contexts and plans that are made afterwards. Thread: *any*. */
void weir_native_set_on (gboolean on);
/* Was code refused by the system? Then none is tried again. */
gboolean weir_native_is_refused (void);

/* --- Code ------------------------------------------------------------------------------------ */

#define WEIR_NATIVE_BASES 4 /* that lie in registers */

/* @bases: of base WEIR_NATIVE_BASES and those after it. NULL where there is none. */
typedef void (*WeirNativeFunc) (const double *base0, const double *base1, const double *base2,
                                const double *base3, const double *const *bases);

/* What such code may stand in for: it does what a function of this form does where nothing is
 * unusual, and goes on to that where something is. */
typedef int (*WeirNativeUsual) (gpointer owner, gpointer self, double number, const double *from,
                                double *to);

typedef struct _WeirNativeCode WeirNativeCode;

void weir_native_code_free (WeirNativeCode *self);
WeirNativeFunc weir_native_code_get_func (const WeirNativeCode *self);
/* Of code that stands in for another. */
WeirNativeUsual weir_native_code_get_usual (const WeirNativeCode *self);
/* Of code that has several, that which begins at byte @at. */
WeirNativeFunc weir_native_code_get_func_at (const WeirNativeCode *self, gsize at);
gsize weir_native_code_get_size (const WeirNativeCode *self); /* bytes */

/* --- Building -------------------------------------------------------------------------------- */

typedef struct _WeirNativeBuilder WeirNativeBuilder;

/* A value of the calculation: a double, or the mask that a comparison gives. */
typedef struct {
  guint32 i;
} WeirNativeValue;

/* Of two values, in this order. A comparison's mask has all bits set where it holds. */
typedef enum {
  WEIR_NATIVE_ADD,
  WEIR_NATIVE_SUB,
  WEIR_NATIVE_MUL,
  WEIR_NATIVE_DIV,
  WEIR_NATIVE_MIN, /* a < b ? a : b */
  WEIR_NATIVE_MAX, /* a > b ? a : b */
  WEIR_NATIVE_LT,
  WEIR_NATIVE_LE,
  WEIR_NATIVE_EQ,
  WEIR_NATIVE_NE,
  WEIR_NATIVE_AND, /* of bits; a mask and 1.0 is 1.0 or 0.0 */
  WEIR_NATIVE_OR,
  WEIR_NATIVE_XOR,
  WEIR_NATIVE_N_BINARY,
} WeirNativeBinary;

WeirNativeBuilder *weir_native_builder_new (void);
/* The same where each value is four doubles side by side, each computed as it would be alone: at a
 * place there are four, numbers are repeated. There are no jumps and no calls of functions in such
 * code. NULL: not with the instructions in use. (transfer full) */
WeirNativeBuilder *weir_native_builder_new_wide (void);
#define WEIR_NATIVE_WIDTH 4
/* Of code that stands in for @unusual. Its first base begins where the pointer at byte @first_at of
 * the function's @self says; the others are @from, @to and @self. It returns 0. (transfer full) */
WeirNativeBuilder *weir_native_builder_new_usual (WeirNativeUsual unusual, guint32 first_at);
void weir_native_builder_free (WeirNativeBuilder *self);
/* How long the list is: what making its code takes. */
guint weir_native_builder_get_n_items (const WeirNativeBuilder *self);
/* Ends the list. NULL: there is no code (too large, refused, not possible here). (transfer full) */
WeirNativeCode *weir_native_builder_end (WeirNativeBuilder *self);
/* Ends the list and adds its code to @bytes, for functions that lie together: many small ones, each
 * at the beginning of a page, would displace each other from the caches. Where it begins;
 * WEIR_NATIVE_NO_CODE: there is none, and @bytes are as before. */
#define WEIR_NATIVE_NO_CODE G_MAXSIZE
gsize weir_native_builder_end_in (WeirNativeBuilder *self, GByteArray *bytes);
/* What such functions become. NULL: refused. (transfer full) */
WeirNativeCode *weir_native_code_new (const guint8 *bytes, gsize n);

WeirNativeValue weir_native_number (WeirNativeBuilder *self, double value);
WeirNativeValue weir_native_load (WeirNativeBuilder *self, guint base, guint32 place);
WeirNativeValue weir_native_binary (WeirNativeBuilder *self, WeirNativeBinary op, WeirNativeValue a,
                                    WeirNativeValue b);
WeirNativeValue weir_native_negate (WeirNativeBuilder *self, WeirNativeValue a);
WeirNativeValue weir_native_magnitude (WeirNativeBuilder *self, WeirNativeValue a);
WeirNativeValue weir_native_root (WeirNativeBuilder *self, WeirNativeValue a);
/* @mask ? @yes : @no */
WeirNativeValue weir_native_select (WeirNativeBuilder *self, WeirNativeValue mask,
                                    WeirNativeValue yes, WeirNativeValue no);
WeirNativeValue weir_native_call_1 (WeirNativeBuilder *self, double (*func) (double),
                                    WeirNativeValue a);
WeirNativeValue weir_native_call_2 (WeirNativeBuilder *self, double (*func) (double, double),
                                    WeirNativeValue a, WeirNativeValue b);

/* A place is stored to once, and not loaded before. */
void weir_native_store (WeirNativeBuilder *self, guint base, guint32 place, WeirNativeValue value);

/* --- Standing in for others ------------------------------------------------------------------ */

/* The function's @number; asked for before anything else is listed. */
WeirNativeValue weir_native_argument (WeirNativeBuilder *self);
/* Of @values (WeirNativeValue) leaves those of which all must be finite for all to be, in the order
 * in which they are computed: a sum is finite only if what it adds up is. */
void weir_native_keep_telling (const WeirNativeBuilder *self, GArray *values);
/* Where some of @bits are set, one of the values that were looked at, one right after the other, is
 * not finite, or @is_usual of @n doubles at @base does not hold, all goes on in the function that
 * the code stands in for: nothing that follows is done. @number: what that gets. */
void weir_native_insist_on_clear (WeirNativeBuilder *self, guint base, guint32 place, guint64 bits,
                                  WeirNativeValue number);
void weir_native_look_at (WeirNativeBuilder *self, WeirNativeValue value);
void weir_native_insist_on_finite (WeirNativeBuilder *self, WeirNativeValue number);
void weir_native_insist_on (WeirNativeBuilder *self,
                            gboolean (*is_usual) (gsize n, const double *values), guint32 n,
                            guint base, WeirNativeValue number);
/* Integers of 64 bits, which nothing loads as a double. */
void weir_native_add_to_word (WeirNativeBuilder *self, guint base, guint32 place, gint32 value);
void weir_native_copy_word (WeirNativeBuilder *self, guint base, guint32 from, guint32 to);
void weir_native_set_bits (WeirNativeBuilder *self, guint base, guint32 place, guint64 bits);

/* --- Jumps ----------------------------------------------------------------------------------- */

/* Goes on behind the label if @value is 0 (or, if not @if_zero, is anything else). What is computed
 * in between has no use after the label where that is done. Labels are placed in any order. */
guint32 weir_native_skip (WeirNativeBuilder *self, WeirNativeValue value, gboolean if_zero);
void weir_native_place_label (WeirNativeBuilder *self, guint32 label);

G_END_DECLS
