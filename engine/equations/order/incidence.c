/* Which unknowns are in which equations. See order.h. */
#include "equations/order/order.h"

void
weir_builder_find_incidence (const WeirEquationsBuilder *self, const GArray *equations,
                             const GArray *unknowns, WeirIncidence *incidence)
{
  g_autoptr (GHashTable) number = g_hash_table_new (NULL, NULL); /* atom + 1 to number + 1 */
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  for (guint i = 0; i < unknowns->len; i++)
    g_hash_table_insert (number,
                         GUINT_TO_POINTER (g_array_index (unknowns, WeirUnknown, i).atom.i + 1),
                         GUINT_TO_POINTER (i + 1));
  weir_incidence_init (incidence, unknowns->len);
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      WeirExpr sides[2] = { equation->left, equation->right };

      g_array_set_size (atoms, 0);
      weir_expr_collect_atoms (self->pool, sides, 2, atoms);
      /* The left side comes first: y ~ f is preferred to determine y. */
      for (guint j = 0; j < atoms->len; j++)
        {
          guint found = GPOINTER_TO_UINT (g_hash_table_lookup (
              number, GUINT_TO_POINTER (g_array_index (atoms, WeirExpr, j).i + 1)));

          if (found > 0)
            weir_incidence_add (incidence, found - 1);
        }
      weir_incidence_end_equation (incidence);
    }
}
