/* --- How what equations compute moves -------------------------------------------------------- */

static void weir_program_run_tangent (guint program, const double *in, double *out);

/* What is solved for goes on fulfilling its equations r (z, p) = 0: dr/dz dz = - dr/dp dp. */
static G_GNUC_UNUSED WeirStatus
weir_equations_solved_tangent (const WeirCalc *c, const WeirCalc *d, const WeirEquationsData *data,
                               const WeirPart *part, const double *values, double *out)
{
  const WeirProgram *program = weir_equations_at (data, part->program);
  const WeirOperand *operands = weir_equations_at (data, part->operands);
  const guint32 *rows = weir_equations_at (data, part->rows),
                *columns = weir_equations_at (data, part->columns);
  const guint n = part->n, n_in = program->n_inputs, n_entries = program->n_outputs - n;
  WeirBand band = { n, part->lower, part->upper };
  double *in = weir_equations_get_scratch (d, 0), *residuals = in + 2 * n_in,
         *move = residuals + program->n_outputs, *jacobian = move + n;

  memcpy (in, values + part->first, n * sizeof *in);
  weir_equations_gather (c, operands, part->n_operands, values, in + n);
  memset (in + n_in, 0, n * sizeof *in);
  weir_equations_gather (d, operands, part->n_operands, out, in + n_in + n);
  weir_program_run (program->reserved, in, residuals);
  weir_program_run_tangent (program->reserved, in, move);
  memset (jacobian, 0, weir_band_get_size (&band) * sizeof *jacobian);
  for (guint i = 0; i < n_entries; i++)
    jacobian[weir_band_get_place (&band, rows[i], columns[i])] = residuals[n + i];
  for (guint i = 0; i < n; i++)
    move[i] = -move[i];
  if (!weir_band_solve (&band, jacobian, move))
    return weir_calc_fail (c, "its equations do not determine how it moves");
  memcpy (out + part->first, move, n * sizeof *out);
  return WEIR_OK;
}

static G_GNUC_UNUSED WeirStatus
weir_equations_calc_tangent (const WeirCalc *c, const WeirCalc *d, const double *values,
                             double *out)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = weir_equations_get_computation (c, data, data->entries);
  const WeirPart *parts = weir_equations_at (data, computation->parts);

  for (guint i = 0; i < computation->n_parts; i++)
    {
      const WeirPart *part = &parts[i];
      const WeirOperand *operands = weir_equations_at (data, part->operands);
      double *in = weir_equations_get_scratch (d, 0);

      if (part->kind == WEIR_PART_SOLVED
          && weir_equations_solved_tangent (c, d, data, part, values, out) != WEIR_OK)
        return WEIR_FAILED;
      if (part->kind != WEIR_PART_EXPLICIT)
        continue;
      weir_equations_gather (c, operands, part->n_operands, values, in);
      weir_equations_gather (d, operands, part->n_operands, out, in + part->n_operands);
      weir_program_run_tangent (
          ((const WeirProgram *) weir_equations_at (data, part->program))->reserved, in,
          out + part->first);
    }
  return WEIR_OK;
}
