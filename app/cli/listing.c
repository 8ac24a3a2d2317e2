/* Rows of words and numbers, printed as a table for people, as CSV or as JSON. See cli-private.h.
 */
#include "cli/cli-private.h"

#include <math.h>

#include "base/text.h"
#include "numerics/number.h"

typedef struct {
  char *words[WEIR_LISTING_WORDS];
  double numbers[WEIR_LISTING_NUMBERS];
} Row;

static void
clear_row (gpointer data)
{
  Row *row = data;

  for (guint i = 0; i < WEIR_LISTING_WORDS; i++)
    g_free (row->words[i]);
}

void
weir_listing_init (WeirListing *self, const char *file, const WeirListingShape *shape)
{
  self->file = file;
  self->shape = shape;
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_array_set_clear_func (self->rows, clear_row);
  self->notes = g_ptr_array_new_with_free_func (g_free);
}

void
weir_listing_clear (WeirListing *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
}

void
weir_listing_add (WeirListing *self, const char *const *words, const double *numbers)
{
  Row row = { 0 };

  for (guint i = 0; self->shape->words[i] != NULL; i++)
    row.words[i] = g_strdup (words[i]);
  for (guint i = 0; self->shape->numbers[i] != NULL; i++)
    row.numbers[i] = numbers[i];
  g_array_append_val (self->rows, row);
}

static void
print_table (const WeirListing *self)
{
  const WeirListingShape *shape = self->shape;

  for (guint i = 0; shape->words[i] != NULL; i++)
    g_print ("%-24s  ", shape->words[i]);
  for (guint i = 0; shape->numbers[i] != NULL; i++)
    g_print ("%16s%s", shape->numbers[i], shape->numbers[i + 1] != NULL ? "  " : "\n");
  for (guint k = 0; k < self->rows->len; k++)
    {
      const Row *row = &g_array_index (self->rows, Row, k);

      for (guint i = 0; shape->words[i] != NULL; i++)
        weir_cli_say ("%-24s  ", row->words[i]);
      for (guint i = 0; shape->numbers[i] != NULL; i++)
        {
          const char *after = shape->numbers[i + 1] != NULL ? "  " : "\n";

          if (isnan (row->numbers[i]))
            g_print ("%16s%s", "-", after);
          else
            g_print ("%16.10g%s", row->numbers[i], after);
        }
    }
}

static void
print_csv (const WeirListing *self)
{
  const WeirListingShape *shape = self->shape;
  g_autoptr (GString) line = g_string_new (NULL);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; shape->words[i] != NULL; i++)
    g_string_append_printf (line, "%s,", shape->words[i]);
  for (guint i = 0; shape->numbers[i] != NULL; i++)
    g_string_append_printf (line, "%s%s", i > 0 ? "," : "", shape->numbers[i]);
  g_print ("%s\n", line->str);
  for (guint k = 0; k < self->rows->len; k++)
    {
      const Row *row = &g_array_index (self->rows, Row, k);

      g_string_truncate (line, 0);
      for (guint i = 0; shape->words[i] != NULL; i++)
        {
          weir_csv_append_field (line, row->words[i]);
          g_string_append_c (line, ',');
        }
      for (guint i = 0; shape->numbers[i] != NULL; i++)
        g_string_append_printf (
            line, "%s%s", i > 0 ? "," : "",
            isnan (row->numbers[i]) ? "" : weir_number_to_text (row->numbers[i], text));
      weir_cli_say ("%s\n", line->str);
    }
}

static void
print_json (const WeirListing *self)
{
  const WeirListingShape *shape = self->shape;
  g_autoptr (GString) json = g_string_new ("{\n  \"file\": ");

  weir_json_append_string (json, self->file);
  g_string_append_printf (json, ",\n  \"%s\": [", shape->key);
  for (guint k = 0; k < self->rows->len; k++)
    {
      const Row *row = &g_array_index (self->rows, Row, k);
      gboolean is_first = TRUE;

      g_string_append (json, k > 0 ? ",\n    {" : "\n    {");
      for (guint i = 0; shape->words[i] != NULL; i++, is_first = FALSE)
        {
          g_string_append_printf (json, "%s\"%s\": ", is_first ? "" : ", ", shape->words[i]);
          weir_json_append_string (json, row->words[i]);
        }
      for (guint i = 0; shape->numbers[i] != NULL; i++, is_first = FALSE)
        {
          g_string_append_printf (json, "%s\"%s\": ", is_first ? "" : ", ", shape->numbers[i]);
          weir_json_append_number (json, row->numbers[i]);
        }
      g_string_append_c (json, '}');
    }
  g_string_append (json, "],\n  \"notes\": ");
  weir_json_append_strings (json, self->notes);
  g_string_append (json, "\n}\n");
  g_print ("%s", json->str);
}

void
weir_listing_tell (const WeirListing *self)
{
  for (guint i = 0; i < self->notes->len; i++)
    weir_cli_tell ("%s: %s\n", self->file, (const char *) self->notes->pdata[i]);
}

void
weir_listing_print (const WeirListing *self, gboolean as_json, gboolean as_csv)
{
  weir_listing_tell (self);
  if (as_json)
    print_json (self);
  else if (as_csv)
    print_csv (self);
  else
    print_table (self);
}
