/* Writing instructions of x86-64. See native-private.h.
 *
 * Scalar instructions have two forms: the old one, whose result replaces its first operand, and
 * that of AVX, which names the result besides. Both compute the same. Wide ones are those of AVX
 * for four doubles, whose codes are the same.
 */
#include "native/native-private.h"

#include <string.h>

static void
put (WeirAssembler *self, guint byte)
{
  guint8 one = (guint8) byte;

  g_byte_array_append (self->bytes, &one, 1);
}

static void
put_4 (WeirAssembler *self, guint32 value)
{
  g_byte_array_append (self->bytes, (const guint8 *) &value, sizeof value);
}

/* Which register or memory: the byte behind the instruction's code, and what belongs to it.
 * @n_behind: bytes of the instruction that follow, since constants are counted from its end. */
static void
put_place (WeirAssembler *self, guint reg, WeirPlaceOf place, guint n_behind)
{
  guint mode = place.at >= -128 && place.at <= 127 ? 1 : 2, low = place.reg & 7;

  reg = (reg & 7) << 3;
  if (place.kind == WEIR_IN_REGISTER)
    {
      put (self, 0xc0 | reg | low);
      return;
    }
  if (place.kind == WEIR_IN_CONSTANTS)
    {
      WeirFix fix = { self->bytes->len + 1, (guint32) place.at };

      put (self, reg | 5);
      put_4 (self, n_behind); /* filled in, less this */
      g_array_append_val (self->constants, fix);
      return;
    }
  if (place.at == 0 && low != RBP)
    mode = 0;
  put (self, mode << 6 | reg | low);
  if (low == RSP)
    put (self, 0x24);
  if (mode == 1)
    put (self, (guint) place.at & 0xff);
  else if (mode == 2)
    put_4 (self, (guint32) place.at);
}

/* Bit 3 of the register that a place is in or behind. */
static guint
is_high (WeirPlaceOf place)
{
  return place.kind != WEIR_IN_CONSTANTS && place.reg >= 8;
}

static void
put_old (WeirAssembler *self, WeirOpcode opcode, guint dst, WeirPlaceOf b, guint n_behind)
{
  guint rex = (dst >= 8 ? 4 : 0) | is_high (b);

  if (opcode.prefix != 0)
    put (self, opcode.prefix);
  if (rex != 0)
    put (self, 0x40 | rex);
  put (self, 0x0f);
  if (opcode.map == 3)
    put (self, 0x3a);
  put (self, opcode.code);
  put_place (self, dst, b, n_behind);
}

static void
put_new (WeirAssembler *self, WeirOpcode opcode, guint dst, guint a, WeirPlaceOf b, guint n_behind)
{
  guint kind = opcode.prefix == 0x66 || (opcode.prefix == 0xf2 && self->is_wide) ? 1
               : opcode.prefix == 0xf2                                           ? 3
                                                                                 : 0;
  guint wide = self->is_wide ? 4 : 0;
  guint operand = (~a & 15) << 3;

  if (!is_high (b) && opcode.map == 1)
    {
      put (self, 0xc5);
      put (self, (dst < 8 ? 0x80 : 0) | operand | wide | kind);
    }
  else
    {
      put (self, 0xc4);
      put (self, (dst < 8 ? 0x80 : 0) | 0x40 | (is_high (b) ? 0 : 0x20) | opcode.map);
      put (self, operand | wide | kind);
    }
  put (self, opcode.code);
  put_place (self, dst, b, n_behind);
}

static void
put_binary (WeirAssembler *self, WeirOpcode opcode, guint dst, guint a, WeirPlaceOf b,
            guint n_behind)
{
  if (self->has_avx)
    {
      put_new (self, opcode, dst, a, b, n_behind);
      return;
    }
  if (dst != a)
    weir_assembler_load (self, dst, (WeirPlaceOf) { WEIR_IN_REGISTER, (guint8) a, 0 });
  put_old (self, opcode, dst, b, n_behind);
}

void
weir_assembler_binary (WeirAssembler *self, WeirOpcode opcode, guint dst, guint a, WeirPlaceOf b)
{
  put_binary (self, opcode, dst, a, b, 0);
}

void
weir_assembler_binary_byte (WeirAssembler *self, WeirOpcode opcode, guint dst, guint a,
                            WeirPlaceOf b, guint8 byte)
{
  put_binary (self, opcode, dst, a, b, 1);
  put (self, byte);
}

void
weir_assembler_unary (WeirAssembler *self, WeirOpcode opcode, guint dst, WeirPlaceOf b)
{
  if (self->has_avx)
    put_new (self, opcode, dst, self->is_wide ? 0 : b.kind == WEIR_IN_REGISTER ? b.reg : dst, b, 0);
  else
    put_old (self, opcode, dst, b, 0);
}

/* From memory a double, from a register all of it. */
void
weir_assembler_load (WeirAssembler *self, guint dst, WeirPlaceOf from)
{
  WeirOpcode opcode = from.kind == WEIR_IN_REGISTER ? (WeirOpcode) { 0x66, 1, 0x28 }
                                                    : (WeirOpcode) { 0xf2, 1, 0x10 };

  if (self->has_avx)
    put_new (self, opcode, dst, 0, from, 0);
  else
    put_old (self, opcode, dst, from, 0);
}

void
weir_assembler_store (WeirAssembler *self, guint src, guint base, gint32 at)
{
  WeirPlaceOf to = { WEIR_IN_MEMORY, (guint8) base, at };
  WeirOpcode opcode = { 0xf2, 1, 0x11 };

  if (self->has_avx)
    put_new (self, opcode, src, 0, to, 0);
  else
    put_old (self, opcode, src, to, 0);
}

void
weir_assembler_store_pair (WeirAssembler *self, guint src, guint base, gint32 at)
{
  WeirPlaceOf to = { WEIR_IN_MEMORY, (guint8) base, at };
  WeirOpcode opcode = { 0x66, 1, 0x11 };

  if (self->has_avx)
    put_new (self, opcode, src, 0, to, 0);
  else
    put_old (self, opcode, src, to, 0);
}

/* --- Words ----------------------------------------------------------------------------------- */

static void
put_word (WeirAssembler *self, guint code, guint reg, WeirPlaceOf place)
{
  put (self, 0x48 | (reg >= 8 ? 4 : 0) | is_high (place));
  put (self, code);
  put_place (self, reg, place, 0);
}

void
weir_assembler_load_word (WeirAssembler *self, guint dst, guint base, gint32 at)
{
  put_word (self, 0x8b, dst, (WeirPlaceOf) { WEIR_IN_MEMORY, (guint8) base, at });
}

void
weir_assembler_store_word (WeirAssembler *self, guint src, guint base, gint32 at)
{
  put_word (self, 0x89, src, (WeirPlaceOf) { WEIR_IN_MEMORY, (guint8) base, at });
}

void
weir_assembler_set_word (WeirAssembler *self, guint dst, guint64 value)
{
  put (self, 0x48 | (dst >= 8 ? 1 : 0));
  put (self, 0xb8 | (dst & 7));
  g_byte_array_append (self->bytes, (const guint8 *) &value, sizeof value);
}

static gboolean
is_narrow (guint64 bits)
{
  gint64 value = (gint64) bits;

  return value >= G_MININT32 && value <= G_MAXINT32;
}

/* Of an instruction that has a number of one byte or four behind it. */
static void
put_word_number (WeirAssembler *self, guint which, WeirPlaceOf place, gint32 value)
{
  gboolean is_small = value >= -128 && value <= 127;

  put_word (self, is_small ? 0x83 : 0x81, which, place);
  if (is_small)
    put (self, (guint) value & 0xff);
  else
    put_4 (self, (guint32) value);
}

void
weir_assembler_add_to (WeirAssembler *self, guint base, gint32 at, gint32 value)
{
  put_word_number (self, 0, (WeirPlaceOf) { WEIR_IN_MEMORY, (guint8) base, at }, value);
}

void
weir_assembler_set_bits (WeirAssembler *self, guint base, gint32 at, guint64 bits)
{
  WeirPlaceOf place = { WEIR_IN_MEMORY, (guint8) base, at };

  if (is_narrow (bits))
    {
      put_word_number (self, 1, place, (gint32) bits);
      return;
    }
  weir_assembler_set_word (self, RAX, bits);
  put_word (self, 0x09, RAX, place);
}

void
weir_assembler_move_word (WeirAssembler *self, guint dst, guint src)
{
  put_word (self, 0x8b, dst, (WeirPlaceOf) { WEIR_IN_REGISTER, (guint8) src, 0 });
}

void
weir_assembler_add_to_word (WeirAssembler *self, guint dst, gint32 value)
{
  put_word (self, 0x81, 0, (WeirPlaceOf) { WEIR_IN_REGISTER, (guint8) dst, 0 });
  put_4 (self, (guint32) value);
}

void
weir_assembler_push (WeirAssembler *self, guint reg)
{
  if (reg >= 8)
    put (self, 0x41);
  put (self, 0x50 | (reg & 7));
}

void
weir_assembler_pop (WeirAssembler *self, guint reg)
{
  if (reg >= 8)
    put (self, 0x41);
  put (self, 0x58 | (reg & 7));
}

/* vzeroupper: else the old instructions of who goes on are slow. */
void
weir_assembler_leave_wide (WeirAssembler *self)
{
  if (!self->is_wide)
    return;
  put (self, 0xc5);
  put (self, 0xf8);
  put (self, 0x77);
}

void
weir_assembler_return (WeirAssembler *self)
{
  weir_assembler_leave_wide (self);
  put (self, 0xc3);
}

void
weir_assembler_call (WeirAssembler *self, gconstpointer func)
{
  weir_assembler_set_word (self, RAX, (guint64) (guintptr) func); /* and call rax */
  put (self, 0xff);
  put (self, 0xd0);
}

void
weir_assembler_go_on_in (WeirAssembler *self, gconstpointer func)
{
  weir_assembler_set_word (self, RAX, (guint64) (guintptr) func); /* and jmp rax */
  put (self, 0xff);
  put (self, 0xe0);
}

void
weir_assembler_clear_result (WeirAssembler *self)
{
  put (self, 0x31);
  put (self, 0xc0);
}

/* Returns where it is said how far. */
static guint32
put_jump (WeirAssembler *self, guint code)
{
  put (self, 0x0f);
  put (self, code);
  put_4 (self, 0);
  return self->bytes->len - 4;
}

void
weir_assembler_move_bits (WeirAssembler *self, guint dst, guint src)
{
  WeirPlaceOf to = { WEIR_IN_REGISTER, (guint8) dst, 0 };
  guint operand = 15 << 3;

  if (self->has_avx)
    {
      put (self, 0xc4); /* vmovq */
      put (self, (src < 8 ? 0x80 : 0) | 0x40 | (is_high (to) ? 0 : 0x20) | 1);
      put (self, 0x80 | operand | 1);
    }
  else
    {
      put (self, 0x66); /* movq */
      put (self, 0x48 | (src >= 8 ? 4 : 0) | is_high (to));
      put (self, 0x0f);
    }
  put (self, 0x7e);
  put_place (self, src, to, 0);
}

void
weir_assembler_drop_sign (WeirAssembler *self, guint dst)
{
  put_word (self, 0x03, dst, (WeirPlaceOf) { WEIR_IN_REGISTER, (guint8) dst, 0 });
}

void
weir_assembler_take_larger (WeirAssembler *self, guint dst, guint src)
{
  WeirPlaceOf from = { WEIR_IN_REGISTER, (guint8) src, 0 };

  put_word (self, 0x3b, dst, from);
  put (self, 0x48 | (dst >= 8 ? 4 : 0) | is_high (from)); /* cmovb */
  put (self, 0x0f);
  put (self, 0x42);
  put_place (self, dst, from, 0);
}

guint32
weir_assembler_jump_unless_finite (WeirAssembler *self)
{
  static const guint8 shift_right[] = { 0x48, 0xc1, 0xe8, 53 };     /* of RAX */
  static const guint8 compare[] = { 0x3d, 0xff, 0x07, 0x00, 0x00 }; /* its half with 0x7ff */

  g_byte_array_append (self->bytes, shift_right, sizeof shift_right);
  g_byte_array_append (self->bytes, compare, sizeof compare);
  return put_jump (self, 0x84);
}

guint32
weir_assembler_jump_if_false (WeirAssembler *self)
{
  put (self, 0x85); /* test eax, eax */
  put (self, 0xc0);
  return put_jump (self, 0x84);
}

guint32
weir_assembler_jump_if_set (WeirAssembler *self, guint base, gint32 at, guint64 bits)
{
  WeirPlaceOf place = { WEIR_IN_MEMORY, (guint8) base, at };

  if (is_narrow (bits))
    {
      put_word (self, 0xf7, 0, place);
      put_4 (self, (guint32) bits);
    }
  else
    {
      weir_assembler_set_word (self, RAX, bits);
      put_word (self, 0x85, RAX, place);
    }
  return put_jump (self, 0x85);
}

void
weir_assembler_jump (WeirAssembler *self, guint value, guint32 zero, gboolean if_zero,
                     GArray *fixes, guint32 label)
{
  WeirOpcode compare = { 0x66, 1, 0x2e };
  WeirPlaceOf b = { WEIR_IN_CONSTANTS, 0, (gint32) zero };
  guint codes[] = { 0x85, 0x8a }; /* jump if not equal, if not ordered */

  if (self->has_avx)
    put_new (self, compare, value, 0, b, 0);
  else
    put_old (self, compare, value, b, 0);
  if (if_zero)
    {
      /* Around the jump where it is not 0, or not a number. */
      put (self, 0x75);
      put (self, 2 + 5);
      put (self, 0x7a);
      put (self, 5);
      put (self, 0xe9);
    }
  for (guint i = 0; i < (if_zero ? 1 : G_N_ELEMENTS (codes)); i++)
    {
      WeirFix fix = { 0, label };

      if (!if_zero)
        {
          put (self, 0x0f);
          put (self, codes[i]);
        }
      fix.at = self->bytes->len;
      put_4 (self, 0);
      g_array_append_val (fixes, fix);
    }
}
