/* What went wrong in a run, as data. See trouble.h. */
#include "sim/trouble.h"

#include <math.h>
#include <string.h>

#include "numerics/number.h"

WeirTrouble *
weir_trouble_new (WeirTroubleKind kind, WeirSeverity severity, double time, WeirMessage *message)
{
  WeirTrouble *self = g_atomic_rc_box_new0 (WeirTrouble);

  self->kind = kind;
  self->severity = severity;
  self->time = time;
  self->entry = (WeirEntry) { WEIR_NO_INDEX };
  self->state = G_MAXUINT;
  self->value = NAN;
  self->path = g_strdup ("");
  self->message = message;
  self->text = weir_message_get_text (message);
  return self;
}

WeirTrouble *
weir_trouble_ref (WeirTrouble *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  WeirTrouble *self = data;

  g_free (self->path);
  g_free (self->subject);
  weir_message_unref (self->message);
}

void
weir_trouble_unref (WeirTrouble *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* What a name says beyond the block: "v[0]" of "plant.pendulum.v[0]". */
static const char *
skip_path (const char *name, const char *path)
{
  gsize length = strlen (path);

  if (strncmp (name, path, length) != 0)
    return name;
  name += length;
  return *name == '.' || *name == ':' ? name + 1 : name;
}

void
weir_trouble_set_place (WeirTrouble *self, const WeirLayout *layout, WeirNode node, WeirEntry entry,
                        guint element, guint state)
{
  self->node = node;
  self->entry = entry;
  self->element = element;
  self->state = state;
  if (state == G_MAXUINT && entry.i != WEIR_NO_INDEX
      && weir_layout_find_derivative (layout, entry, element, &state))
    self->state = state;
  g_free (self->path);
  self->path = weir_layout_dup_path (layout, node);
  g_clear_pointer (&self->subject, g_free);
  if (state != G_MAXUINT)
    {
      g_autofree char *name = weir_layout_dup_state_name (layout, state);
      const char *own = skip_path (name, self->path);

      self->subject = *own != '\0' ? g_strdup (own) : NULL; /* its only state */
    }
  else if (entry.i != WEIR_NO_INDEX)
    self->subject = g_strdup (weir_layout_get_element_name (layout, entry, element));
}

void
weir_trouble_add_remedy (WeirTrouble *self, WeirRemedyKind kind, double value, const char *solver)
{
  if (self->n_remedies < WEIR_MAX_REMEDIES)
    self->remedies[self->n_remedies++] = (WeirRemedy) { kind, value, solver };
}

const char *
weir_remedy_get_setting (const WeirRemedy *self)
{
  switch (self->kind)
    {
    case WEIR_REMEDY_MAX_STEP:
      return "max-step";
    case WEIR_REMEDY_STEP:
      return "step";
    case WEIR_REMEDY_SOLVER:
      return "solver";
    case WEIR_REMEDY_RELATIVE_TOLERANCE:
      return "relative-tolerance";
    case WEIR_REMEDY_ABSOLUTE_TOLERANCE:
      return "absolute-tolerance";
    case WEIR_REMEDY_MAX_STEPS:
      return "max-steps";
    case WEIR_REMEDY_STOP_TIME:
      return "stop-time";
    case WEIR_REMEDY_GUESS:
    default:
      return NULL;
    }
}

char *
weir_remedy_dup_setting_value (const WeirRemedy *self)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->solver != NULL)
    return g_strdup (self->solver);
  return isnan (self->value) ? NULL : g_strdup (weir_number_to_text (self->value, number));
}
