/* A patch as a list of changes: what making it (patch.c) and applying it (patch-apply.c) share. */
#pragma once

#include "model/tree/model-private.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_CHANGE_SET,
  WEIR_CHANGE_REMOVE,
  WEIR_CHANGE_SETTING,
  WEIR_CHANGE_TITLE,
  WEIR_CHANGE_METADATA,
  WEIR_CHANGE_VARIABLE,
  WEIR_CHANGE_ASSERTION,
  WEIR_CHANGE_PLOT,
} WeirChangeKind;

typedef struct {
  WeirChangeKind kind;
  WeirElementKind element_kind;
  guint32 *place_ids;
  guint n_place_ids;
  guint32 id;       /* of the element */
  gpointer element; /* WeirBlock, WeirWire or WeirNote, owned; NULL to remove */
  char *name, *text;
  WeirMetadataType type;
} WeirChange;

struct _WeirPatch {
  GArray *changes;
};

G_END_DECLS
