/* A patch as a list of changes: what is shared by making it (patch.c), the checks of what it holds
 * (patch-check.c) and applying it (patch-apply.c).
 */
#pragma once

#include "model/derived-private.h"
#include "model/patch.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_CHANGE_SET,
  WEIR_CHANGE_REMOVE,
  WEIR_CHANGE_SETTING,
  WEIR_CHANGE_TITLE,
  WEIR_CHANGE_METADATA,
  WEIR_CHANGE_VARIABLE,
  WEIR_CHANGE_ASSERTION,
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

/* FALSE, with an error of that text. */
gboolean weir_patch_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* @kind: "setting". A NULL text is right. */
gboolean weir_patch_check_pair (const char *kind, const char *name, const char *text,
                                GError **error);
/* Does the element of a change make sense by itself? */
gboolean weir_patch_check_element (const WeirChange *change, GError **error);

G_END_DECLS
