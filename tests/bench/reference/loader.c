/* A program that loads libweir, calls one function of it and ends. */
unsigned weir_solver_get_n (void);

int
main (void)
{
  return weir_solver_get_n () == 0;
}
