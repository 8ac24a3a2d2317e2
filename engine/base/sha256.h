/* SHA-256 (FIPS 180-4) of what comes in many small pieces, by the machine's own instructions for it
 * where there are some and simd.h allows more than each machine has. Thread: *owner*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_SHA256_SIZE 32 /* bytes of a digest */
#define WEIR_SHA256_BLOCK 64

typedef struct {
  guint32 state[8];
  guint64 n_bytes; /* that were taken */
  guint8 block[WEIR_SHA256_BLOCK];
} WeirSha256;

void weir_sha256_init (WeirSha256 *self);
void weir_sha256_add (WeirSha256 *self, gconstpointer bytes, gsize n);
/* Nothing more is added. @digest: WEIR_SHA256_SIZE bytes. */
void weir_sha256_end (WeirSha256 *self, guint8 *digest);

G_END_DECLS
