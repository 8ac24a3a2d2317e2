/* The places of a tidy drawing's nodes: heights follow the ports, so that as many wires as can run
 * straight; columns are as wide as their widest node and further apart where wires bend. */
#include <math.h>

#include "canvas/edits/tidy-private.h"

#define N_SWEEPS 12
#define COLUMN_GAP 60.0
#define POINT_GAP 20.0  /* beside the bare points of long wires */
#define LANE_WIDTH 10.0 /* more between columns for each wire that bends there, up to MAX_LANES */
#define MAX_LANES 8
#define NEARLY 50.0 /* straight is preferred up to here */

static double
get_gap (const WeirTidyNode *above, const WeirTidyNode *below)
{
  return above->shape != NULL && below->shape != NULL ? WEIR_TIDY_ROW_GAP : POINT_GAP;
}

/* Places the column's nodes as near as can be to what they want, keeping order and gaps: with the
 * gaps taken out this is isotonic regression, done by pooling neighbours that would overlap. */
static void
place_column (const WeirTidy *self, const GArray *column)
{
  typedef struct {
    double sum, weight;
    guint n;
  } Pool;
  g_autoptr (GArray) pools = g_array_new (FALSE, FALSE, sizeof (Pool));
  g_autofree double *shift = g_new0 (double, column->len + 1);
  guint k = 0;

  for (guint i = 0; i < column->len; i++)
    {
      const WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (column, guint, i));
      double weight = node->shape != NULL ? 1 + node->ins->len + node->outs->len : WEIR_TIDY_SLIGHT;
      Pool pool;

      if (i > 0)
        {
          const WeirTidyNode *above = weir_tidy_get_node (self,
                                                          g_array_index (column, guint, i - 1));

          shift[i] = shift[i - 1] + above->height + get_gap (above, node);
        }
      pool = (Pool) { (node->wanted - shift[i]) * weight, weight, 1 };
      g_array_append_val (pools, pool);
      while (pools->len > 1)
        {
          Pool *last = &g_array_index (pools, Pool, pools->len - 1);
          Pool *before = &g_array_index (pools, Pool, pools->len - 2);

          if (before->sum / before->weight <= last->sum / last->weight)
            break;
          before->sum += last->sum;
          before->weight += last->weight;
          before->n += last->n;
          g_array_set_size (pools, pools->len - 1);
        }
    }
  for (guint p = 0; p < pools->len; p++)
    {
      const Pool *pool = &g_array_index (pools, Pool, p);

      for (guint i = 0; i < pool->n; i++, k++)
        weir_tidy_get_node (self, g_array_index (column, guint, k))->y = pool->sum / pool->weight
                                                                         + shift[k];
    }
}

static void
want_straight (const WeirTidy *self, const GArray *column, gboolean ins, gboolean outs)
{
  for (guint i = 0; i < column->len; i++)
    {
      WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (column, guint, i));
      const GArray *sides[2] = { ins ? node->ins : NULL, outs ? node->outs : NULL };
      double sum = 0, weight = 0;

      for (int side = 0; side < 2; side++)
        for (guint k = 0; sides[side] != NULL && k < sides[side]->len; k++)
          {
            const WeirTidyLink *link = &g_array_index (sides[side], WeirTidyLink, k);

            sum += link->weight
                   * (weir_tidy_get_node (self, link->other)->y + link->there - link->here);
            weight += link->weight;
          }
      node->wanted = weight > 0 ? sum / weight : node->y;
    }
}

/* Straight from one of the wires that come in if that is near; else on the grid. */
static double
get_final_height (const WeirTidy *self, const WeirTidyNode *node)
{
  double best = weir_snap (node->y), least = NEARLY;

  for (guint k = 0; k < node->ins->len; k++)
    {
      const WeirTidyLink *link = &g_array_index (node->ins, WeirTidyLink, k);
      double y = weir_tidy_get_node (self, link->other)->y + link->there - link->here;

      if (link->weight < 1 || fabs (y - node->y) >= least)
        continue;
      least = fabs (y - node->y);
      best = y;
    }
  return best;
}

static void
find_heights (const WeirTidy *self)
{
  guint n = self->columns->len;

  for (guint c = 0; c < n; c++)
    {
      const GArray *column = self->columns->pdata[c];
      double y = 0;

      for (guint i = 0; i < column->len; i++)
        {
          WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (column, guint, i));

          node->y = y;
          y += node->height + WEIR_TIDY_ROW_GAP;
        }
    }
  for (guint sweep = 0; sweep < N_SWEEPS; sweep++)
    for (guint c = 0; c < n; c++)
      {
        guint k = sweep % 2 == 0 ? c : n - 1 - c;

        want_straight (self, self->columns->pdata[k], sweep % 2 == 0 || sweep + 2 >= N_SWEEPS,
                       sweep % 2 == 1 || sweep + 2 >= N_SWEEPS);
        place_column (self, self->columns->pdata[k]);
      }
  /* On the grid, by the ports: those of one wire then lie on one line if they did before. */
  for (guint c = 0; c < n; c++)
    {
      const GArray *column = self->columns->pdata[c];
      double least = -INFINITY;

      for (guint i = 0; i < column->len; i++)
        {
          WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (column, guint, i));
          const WeirTidyNode *below = i + 1 < column->len ? weir_tidy_get_node (
                                          self, g_array_index (column, guint, i + 1))
                                                          : NULL;

          node->y = MAX (get_final_height (self, node), least);
          if (below != NULL)
            least = node->y + node->height + MAX (get_gap (node, below) - 2 * WEIR_GRID, POINT_GAP);
        }
    }
}

static void
find_x (const WeirTidy *self)
{
  double x = 0;

  for (guint c = 0; c < self->columns->len; c++)
    {
      const GArray *column = self->columns->pdata[c];
      double widest = 0;
      guint n_lanes = 0;

      for (guint i = 0; i < column->len; i++)
        {
          const WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (column, guint, i));

          widest = MAX (widest, node->width);
          for (guint k = 0; k < node->outs->len; k++)
            {
              const WeirTidyLink *link = &g_array_index (node->outs, WeirTidyLink, k);

              n_lanes += node->y + link->here
                         != weir_tidy_get_node (self, link->other)->y + link->there;
            }
        }
      for (guint i = 0; i < column->len; i++)
        {
          WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (column, guint, i));

          node->x = x + weir_snap ((widest - node->width) / 2);
        }
      x += weir_snap (widest) + COLUMN_GAP + LANE_WIDTH * MIN (n_lanes, MAX_LANES);
    }
}

void
weir_tidy_place (const WeirTidy *self)
{
  find_heights (self);
  find_x (self);
}
