/* Reference of a refresh. See refresh.h. */
#include "reference/refresh.h"

#include <stdlib.h>
#include <string.h>

typedef double (*Calc) (double k, double u);

typedef struct {
  Calc calc;
  const double *u;
  double k;
} Entry;

struct Refresh {
  uint32_t n;
  bool is_grouped;
  double constants[100];
  uint8_t *out_of_date; /* gains, then copies */
  Entry *entries;
  double *values;
};

static double
calc_gain (double k, double u)
{
  return k * u;
}

static double
calc_copy (double k, double u)
{
  (void) k;
  return u;
}

static void
bring_up_to_date (Refresh *self)
{
  for (uint32_t e = 0; e < 2 * self->n; e++)
    if (self->out_of_date[e])
      {
        self->values[e] = self->entries[e].calc (self->entries[e].k, *self->entries[e].u);
        self->out_of_date[e] = 0;
      }
}

Refresh *
reference_refresh_new (uint32_t n, bool grouped)
{
  Refresh *self = calloc (1, sizeof *self);
  uint32_t per_group = n / 100;

  self->n = n;
  self->is_grouped = grouped;
  self->out_of_date = malloc (2 * n);
  self->entries = malloc (2 * n * sizeof *self->entries);
  self->values = malloc (2 * n * sizeof *self->values);
  for (uint32_t c = 0; c < 100; c++)
    self->constants[c] = 1;
  for (uint32_t i = 0; i < n; i++)
    {
      const double *u = !grouped             ? &self->constants[i % 100]
                        : i % per_group == 0 ? &self->constants[i / per_group]
                                             : &self->values[i - i % per_group];

      self->entries[i] = (Entry) { calc_gain, u, 0.75 };
      self->entries[n + i] = (Entry) { calc_copy, &self->values[i], 0 };
    }
  memset (self->out_of_date, 1, 2 * n);
  bring_up_to_date (self);
  return self;
}

void
reference_refresh_free (Refresh *self)
{
  free (self->out_of_date);
  free (self->entries);
  free (self->values);
  free (self);
}

void
reference_refresh (Refresh *self, double value)
{
  uint32_t per_group = self->n / 100;

  if (self->is_grouped)
    {
      uint32_t head = 50 * per_group;

      self->entries[head].k = value;
      memset (self->out_of_date + head, 1, per_group);
      memset (self->out_of_date + self->n + head, 1, per_group);
    }
  else
    {
      self->constants[50] = value;
      for (uint32_t i = 50; i < 2 * self->n; i += 100)
        self->out_of_date[i] = 1;
    }
  bring_up_to_date (self);
}

const double *
reference_refresh_get (const Refresh *self)
{
  return self->values + self->n;
}
