/* The bounds that `weir measure` judges: of the model's plots, and of the command line. */
#pragma once

#include "analysis/bound.h"
#include "model/tree/model.h"

G_BEGIN_DECLS

typedef struct {
  WeirBound bound;
  char *signal;
} WeirCliBound;

GArray *weir_cli_bounds_new (void);
/* @texts: (nullable) as weir_bound_parse() reads them. FALSE after saying which is none. */
gboolean weir_cli_add_bounds (GArray *bounds, char **texts);
/* Those that plots keep; one that two of them draw is one. */
void weir_cli_add_saved_bounds (GArray *bounds, const WeirModel *model);
/* The ports whose signals they are of, each once. (transfer full) */
char **weir_cli_bounds_dup_ports (const GArray *bounds);

G_END_DECLS
