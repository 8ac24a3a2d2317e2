/* Kernels as expressions of C. See generate-private.h.
 *
 * What a kernel computes it says as text, which is read operation by operation and written again
 * with the values that the model has in the place of its operands. Order and operations stay.
 */
#include "generate/generate-private.h"

#include <math.h>

#include "system/evaluation/template.h"

#define LONGEST 400 /* bytes; else the kernel is called */

/* How strongly the parts of an expression hold together. */
typedef enum {
  BINDS_CHOICE,
  BINDS_EITHER,
  BINDS_BOTH,
  BINDS_EQUAL,
  BINDS_ORDER,
  BINDS_SUM,
  BINDS_PRODUCT,
  BINDS_SIGN,
  BINDS_ATOM,
} Binding;

typedef struct {
  char *text;
  Binding binding;
} Part;

typedef struct {
  GArray *parts; /* Part */
  gboolean is_too_long;
} Reading;

static void
part_clear (gpointer data)
{
  g_free (((Part *) data)->text);
}

/* @text: (transfer full) */
static guint
add_part (Reading *self, char *text, Binding binding)
{
  Part part = { text, binding };

  self->is_too_long |= strlen (text) > LONGEST;
  if (self->is_too_long) /* nobody will see it */
    *part.text = '\0';
  g_array_append_val (self->parts, part);
  return self->parts->len - 1;
}

static guint
add_number (gpointer data, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gboolean is_whole;

  weir_number_to_text (value, number);
  is_whole = number[strspn (number, "-0123456789")] == '\0'; /* which C divides otherwise */
  return add_part (data, g_strconcat (number, is_whole ? ".0" : "", NULL),
                   signbit (value) ? BINDS_SIGN : BINDS_ATOM);
}

/* (transfer full) the part within one that binds so. */
static char *
dup_within (const Reading *self, guint number, Binding binding)
{
  const Part *part = &g_array_index (self->parts, Part, number);

  return part->binding < binding ? g_strdup_printf ("(%s)", part->text) : g_strdup (part->text);
}

static guint
add_binary (Reading *self, const char *name, Binding binding, const guint *arguments)
{
  /* Compilers ask for brackets where && and || meet. */
  gboolean is_logic = binding == BINDS_BOTH || binding == BINDS_EITHER;
  g_autofree char *left = dup_within (self, arguments[0], is_logic ? BINDS_EQUAL : binding);
  g_autofree char *right = dup_within (self, arguments[1], is_logic ? BINDS_EQUAL : binding + 1);

  return add_part (self, g_strdup_printf ("%s %s %s", left, name, right), binding);
}

static guint
add_operation (gpointer data, const char *name, const guint *arguments, guint n)
{
  static const struct {
    const char *name;
    Binding binding;
  } binary[] = {
    { "+", BINDS_SUM },    { "-", BINDS_SUM },    { "*", BINDS_PRODUCT }, { "/", BINDS_PRODUCT },
    { "<", BINDS_ORDER },  { "<=", BINDS_ORDER }, { ">", BINDS_ORDER },   { ">=", BINDS_ORDER },
    { "==", BINDS_EQUAL }, { "!=", BINDS_EQUAL }, { "&&", BINDS_BOTH },   { "||", BINDS_EITHER },
  };
  Reading *self = data;
  g_autofree char *first = NULL, *second = NULL, *third = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (binary); i++)
    if (strcmp (binary[i].name, name) == 0)
      return add_binary (self, name, binary[i].binding, arguments);
  if (strcmp (name, "?") == 0)
    {
      first = dup_within (self, arguments[0], BINDS_EITHER);
      second = dup_within (self, arguments[1], BINDS_EITHER);
      third = dup_within (self, arguments[2], BINDS_CHOICE);
      return add_part (self, g_strdup_printf ("%s ? %s : %s", first, second, third), BINDS_CHOICE);
    }
  if (strcmp (name, "negative") == 0)
    {
      first = dup_within (self, arguments[0], BINDS_ATOM);
      return add_part (self, g_strconcat ("-", first, NULL), BINDS_SIGN);
    }
  first = dup_within (self, arguments[0], BINDS_CHOICE);
  second = n > 1 ? dup_within (self, arguments[1], BINDS_CHOICE) : NULL;
  return add_part (self,
                   g_strdup_printf ("%s (%s%s%s)", strcmp (name, "abs") == 0 ? "fabs" : name, first,
                                    n > 1 ? ", " : "", n > 1 ? second : ""),
                   BINDS_ATOM);
}

/* (transfer full) with $0, $1, ... for operands; NULL: it has no text, or a long one. */
static char *
dup_pattern (WeirKernel kernel, guint n, guint64 variant)
{
  Reading reading = { g_array_new (FALSE, FALSE, sizeof (Part)), FALSE };
  WeirKernelReader reader = { add_number, add_operation, &reading };
  g_autofree guint *numbers = g_new (guint, n + 1);
  guint result = 0;
  char *pattern = NULL;

  g_array_set_clear_func (reading.parts, part_clear);
  for (guint i = 0; i < n; i++)
    numbers[i] = add_part (&reading, g_strdup_printf ("$%u", i), BINDS_ATOM);
  if (weir_kernel_text_read (kernel, n, variant, numbers, &reader, &result) && !reading.is_too_long)
    pattern = g_strdup (g_array_index (reading.parts, Part, result).text);
  g_array_unref (reading.parts);
  return pattern;
}

char *
weir_generator_dup_formula (WeirGenerator *self, const WeirEntryCodeInfo *info,
                            const char *const *operands)
{
  g_autofree char *key = g_strdup_printf ("%p %u %" G_GUINT64_FORMAT,
                                          GSIZE_TO_POINTER ((gsize) info->kernel), info->n_operands,
                                          info->variant);
  gpointer pattern = NULL;
  GString *formula;

  if (!g_hash_table_lookup_extended (self->patterns, key, NULL, &pattern))
    {
      pattern = dup_pattern (info->kernel, info->n_operands, info->variant);
      g_hash_table_insert (self->patterns, g_steal_pointer (&key), pattern);
    }
  if (pattern == NULL)
    return NULL;
  formula = g_string_new (NULL);
  for (const char *c = pattern; *c != '\0';)
    if (*c == '$')
      g_string_append (formula, operands[g_ascii_strtoull (c + 1, (char **) &c, 10)]);
    else
      g_string_append_c (formula, *c++);
  return g_string_free (formula, FALSE);
}
