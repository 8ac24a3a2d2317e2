/* Wires. */
#include "model/tree/model-private.h"
#include "base/sync.h"

struct _WeirWire {
  gatomicrefcount ref_count;
  guint32 id;
  int line;
  gboolean is_line;
  WeirWireEnd from, to; /* ports are interned GRefStrings */
  GRefString *label;    /* NULL = none */
  guint n_bends;
  WeirPoint bends[];
};

/* A port's end has no point, a free end no port, so that equal ends have equal members. */
static WeirWireEnd
end_copy (WeirWireEnd end)
{
  if (end.block == 0)
    return (WeirWireEnd) { 0, NULL, end.point, end.line };
  return (WeirWireEnd) {
    end.block, g_ref_string_new_intern (end.port != NULL ? end.port : ""), { 0, 0 }, 0
  };
}

/* The ports are taken over. */
static WeirWire *
wire_new (guint32 id, WeirWireEnd from, WeirWireEnd to, const WeirPoint *bends, guint n_bends)
{
  WeirWire *self = g_malloc0 (sizeof (WeirWire) + n_bends * sizeof (WeirPoint));

  g_atomic_ref_count_init (&self->ref_count);
  self->id = id;
  self->from = from;
  self->to = to;
  self->n_bends = n_bends;
  for (guint i = 0; i < n_bends; i++)
    self->bends[i] = bends[i];
  return self;
}

WeirWire *
weir_wire_new (guint32 id, WeirWireEnd from, WeirWireEnd to, const WeirPoint *bends, guint n_bends)
{
  g_return_val_if_fail (bends != NULL || n_bends == 0, NULL);

  return wire_new (id, end_copy (from), end_copy (to), bends, n_bends);
}

WeirWire *
weir_line_new (guint32 id, WeirWireEnd from, WeirWireEnd to, const WeirPoint *bends, guint n_bends)
{
  WeirWire *self = weir_wire_new (id, from, to, bends, n_bends);

  if (self != NULL)
    self->is_line = TRUE;
  return self;
}

WeirWire *
weir_wire_ref (WeirWire *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_wire_unref (WeirWire *self)
{
  g_return_if_fail (self != NULL);

  if (!weir_sync_drop (self, &self->ref_count))
    return;
  if (self->from.port != NULL)
    g_ref_string_release ((char *) self->from.port);
  if (self->to.port != NULL)
    g_ref_string_release ((char *) self->to.port);
  g_clear_pointer (&self->label, g_ref_string_release);
  g_free (self);
}

guint32
weir_wire_get_id (const WeirWire *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->id;
}

WeirWireEnd
weir_wire_get_from (const WeirWire *self)
{
  g_return_val_if_fail (self != NULL, ((WeirWireEnd) { 0, NULL, { 0, 0 } }));

  return self->from;
}

WeirWireEnd
weir_wire_get_to (const WeirWire *self)
{
  g_return_val_if_fail (self != NULL, ((WeirWireEnd) { 0, NULL, { 0, 0 } }));

  return self->to;
}

const WeirPoint *
weir_wire_get_bends (const WeirWire *self, guint *n_bends)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (n_bends != NULL)
    *n_bends = self->n_bends;
  return self->bends;
}

const char *
weir_wire_get_label (const WeirWire *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->label != NULL ? self->label : "";
}

int
weir_wire_get_line (const WeirWire *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->line;
}

gboolean
weir_wire_is_line (const WeirWire *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_line;
}

void
weir_wire_set_line (WeirWire *self, int line)
{
  self->line = line;
}

/* An end of a wire for another. */
static WeirWireEnd
end_share (WeirWireEnd end)
{
  if (end.port != NULL)
    g_ref_string_acquire ((char *) end.port);
  return end;
}

/* The ports are taken over. */
static WeirWire *
wire_copy (const WeirWire *self, guint32 id, WeirWireEnd from, WeirWireEnd to,
           const WeirPoint *bends, guint n_bends)
{
  WeirWire *copy = wire_new (id, from, to, bends, n_bends);

  copy->line = self->line;
  copy->is_line = self->is_line;
  copy->label = self->label != NULL ? g_ref_string_acquire (self->label) : NULL;
  return copy;
}

WeirWire *
weir_wire_with_id (const WeirWire *self, guint32 id)
{
  g_return_val_if_fail (self != NULL, NULL);

  return wire_copy (self, id, end_share (self->from), end_share (self->to), self->bends,
                    self->n_bends);
}

WeirWire *
weir_wire_with_ends (const WeirWire *self, WeirWireEnd from, WeirWireEnd to)
{
  g_return_val_if_fail (self != NULL, NULL);

  return wire_copy (self, self->id, end_copy (from), end_copy (to), self->bends, self->n_bends);
}

WeirWire *
weir_wire_with_bends (const WeirWire *self, const WeirPoint *bends, guint n_bends)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (bends != NULL || n_bends == 0, NULL);

  return wire_copy (self, self->id, end_share (self->from), end_share (self->to), bends, n_bends);
}

WeirWire *
weir_wire_with_label (const WeirWire *self, const char *label)
{
  WeirWire *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (label != NULL, NULL);

  copy = wire_copy (self, self->id, end_share (self->from), end_share (self->to), self->bends,
                    self->n_bends);
  g_clear_pointer (&copy->label, g_ref_string_release);
  copy->label = label[0] != '\0' ? g_ref_string_new (label) : NULL;
  return copy;
}
