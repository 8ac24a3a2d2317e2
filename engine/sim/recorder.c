/* Recording the signals of a run. See recorder.h.
 *
 * A port is recorded as one column per element. The run's thread first evaluates every port of a
 * row into a scratch row and then appends: values, phase, and last the time, whose column's length
 * is the number of published rows. So a failed evaluation leaves no half row, and a reader never
 * sees one.
 *
 * Ports are added in two halves, so that nothing on the way of a sample needs a lock: any thread
 * makes the port and lists its signals (under a lock), the run's thread takes it up before its next
 * row.
 */
#include "sim/recorder.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/column.h"
#include "base/finite.h"
#include "numerics/number.h"
#include "base/sync.h"
#include "base/text.h"
#include "sim/port.h"
#include "sim/recorder-ports.h"
#include "sim/result-file.h"
#include "system/context/inspection.h"
#include "system/evaluation/value-list.h"

struct _WeirRecorderPort {
  char *path;
  WeirPort place;
  guint size;
  guint first_signal;
  gsize first_row;     /* G_MAXSIZE until taken up; atomic */
  char **names;        /* size */
  WeirColumn *columns; /* size */
  gboolean is_told;    /* that it was not finite; the run's thread */
};

/* What a signal number stands for. */
typedef struct {
  WeirRecorderPort *port;
  guint element;
} Signal;

struct _WeirRecorder {
  gatomicrefcount ref_count;
  WeirSystem *root;
  gboolean both;

  WeirColumn times;
  WeirColumn phases;  /* guint8, is plus; only if both */
  WeirColumn signals; /* Signal */

  GMutex lock;      /* of what follows: adding ports */
  GPtrArray *ports; /* all */

  GPtrArray *active;   /* taken up; the run's thread */
  WeirValueList *list; /* their values; NULL until a row is due. The run's thread */
  GArray *scratch;     /* double: these; the run's thread */
  GPtrArray *found;    /* WeirTrouble: values that are not finite; until they are told */

  WeirColumnStore *store; /* of times, phases and values */
  gboolean thins;         /* beyond the budget, rather than go to a file */
  gboolean is_limited;    /* what follows is in force; the run's thread */
  guint64 thin_at;        /* bytes of rows, from which on half as many are kept */
  guint64 n_offered;      /* rows, since */
  gboolean keeps_plus;    /* the row before was kept, so that the one after the update is too */
  gboolean has_skipped;   /* the row offered last */
  guint stride;           /* one row in so many is kept; atomic, after since */
  double since;           /* s */
};

static void
port_free (gpointer data)
{
  WeirRecorderPort *port = data;

  for (guint k = 0; k < port->size; k++)
    weir_column_clear (&port->columns[k]);
  g_free (port->columns);
  g_strfreev (port->names);
  g_free (port->path);
  g_free (port);
}

static WeirRecorderPort *
find_port (WeirLayout *layout, WeirColumnStore *store, const char *path, GError **error)
{
  WeirRecorderPort port = { .first_row = G_MAXSIZE };

  if (!weir_port_find (layout, path, &port.place, &port.size, error))
    return NULL;
  if (port.size == 0)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "\"%s\" carries a text or bytes, and what is recorded are numbers", path);
      return NULL;
    }
  port.path = g_strdup (path);
  port.columns = g_new0 (WeirColumn, port.size);
  port.names = g_new0 (char *, port.size + 1);
  for (guint k = 0; k < port.size; k++)
    {
      weir_column_init (&port.columns[k], sizeof (double), store);
      port.names[k] = weir_port_dup_signal_name (path, port.size, k);
    }
  return g_memdup2 (&port, sizeof port);
}

WeirRecorderPort *
weir_recorder_find_port (WeirRecorder *self, const char *path)
{
  WeirRecorderPort *found = NULL;

  weir_sync_lock (&self->lock);
  for (guint i = 0; i < self->ports->len && found == NULL; i++)
    {
      WeirRecorderPort *port = g_ptr_array_index (self->ports, i);

      if (g_str_equal (port->path, path))
        found = port;
    }
  weir_sync_unlock (&self->lock);
  return found;
}

WeirRecorderPort *
weir_recorder_prepare_port (WeirRecorder *self, const char *path, GError **error)
{
  WeirRecorderPort *port = find_port (weir_system_get_layout (self->root), self->store, path,
                                      error);

  if (port == NULL)
    return NULL;
  weir_sync_lock (&self->lock);
  port->first_signal = (guint) weir_column_get_length (&self->signals);
  g_ptr_array_add (self->ports, port);
  for (guint k = 0; k < port->size; k++)
    weir_column_append (&self->signals, &(Signal) { port, k });
  weir_sync_unlock (&self->lock);
  return port;
}

guint
weir_recorder_port_get_first_signal (const WeirRecorderPort *port)
{
  return port->first_signal;
}

void
weir_recorder_take_up_port (WeirRecorder *self, WeirRecorderPort *port)
{
  g_clear_pointer (&self->list, weir_value_list_free);
  g_array_set_size (self->scratch, self->scratch->len + port->size);
  g_ptr_array_add (self->active, port);
  __atomic_store_n (&port->first_row, weir_column_get_length (&self->times), __ATOMIC_RELEASE);
}

/* @root: (nullable) of a run that is to come. */
static WeirRecorder *
recorder_new (WeirSystem *root, gboolean both)
{
  WeirRecorder *self = g_new0 (WeirRecorder, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->root = root != NULL ? weir_system_ref (root) : NULL;
  self->both = both;
  self->store = weir_column_store_new (0, TRUE);
  self->stride = 1;
  weir_column_init (&self->times, sizeof (double), self->store);
  weir_column_init (&self->phases, sizeof (guint8), self->store);
  weir_column_init (&self->signals, sizeof (Signal), NULL);
  g_mutex_init (&self->lock);
  self->ports = g_ptr_array_new_with_free_func (port_free);
  self->active = g_ptr_array_new ();
  self->scratch = g_array_new (FALSE, TRUE, sizeof (double));
  self->found = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_trouble_unref);
  return self;
}

WeirRecorder *
weir_recorder_new (WeirSystem *root, const char *const *ports, gboolean both, GError **error)
{
  WeirRecorder *self = recorder_new (root, both);

  for (guint i = 0; ports != NULL && ports[i] != NULL; i++)
    {
      WeirRecorderPort *port = weir_recorder_prepare_port (self, ports[i], error);

      if (port == NULL)
        {
          weir_recorder_unref (self);
          return NULL;
        }
      weir_recorder_take_up_port (self, port);
    }
  return self;
}

WeirRecorder *
weir_recorder_ref (WeirRecorder *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_recorder_unref (WeirRecorder *self)
{
  if (self == NULL || !weir_sync_drop (self, &self->ref_count))
    return;
  weir_column_clear (&self->times);
  weir_column_clear (&self->phases);
  weir_column_clear (&self->signals);
  g_ptr_array_unref (self->active);
  g_ptr_array_unref (self->ports);
  weir_column_store_free (self->store);
  weir_value_list_free (self->list);
  g_array_unref (self->scratch);
  g_ptr_array_unref (self->found);
  g_mutex_clear (&self->lock);
  g_clear_pointer (&self->root, weir_system_unref);
  g_free (self);
}

static WeirRecorderPort *
port_new_for_values (WeirRecorder *self, const char *name, gsize n_rows, const double *values)
{
  WeirRecorderPort *port = g_new0 (WeirRecorderPort, 1);

  port->path = g_strdup (name);
  port->size = 1;
  port->names = g_new0 (char *, 2);
  port->names[0] = g_strdup (name);
  port->columns = g_new0 (WeirColumn, 1);
  weir_column_init (&port->columns[0], sizeof (double), self->store);
  for (gsize row = 0; row < n_rows; row++)
    weir_column_append (&port->columns[0], &values[row]);
  return port;
}

WeirRecorder *
weir_recorder_new_for_table (const WeirResultFile *table)
{
  WeirRecorder *self = recorder_new (NULL, FALSE);
  gsize n_rows = weir_result_file_get_n_rows (table);

  for (guint i = 0; i < weir_result_file_get_n_signals (table); i++)
    {
      WeirRecorderPort *port = port_new_for_values (self, weir_result_file_get_name (table, i),
                                                    n_rows, weir_result_file_get_values (table, i));

      port->first_signal = i;
      g_ptr_array_add (self->ports, port);
      weir_column_append (&self->signals, &(Signal) { port, 0 });
    }
  for (gsize row = 0; row < n_rows; row++)
    weir_column_append (&self->times, &weir_result_file_get_times (table)[row]);
  return self;
}

/* The first value of a port that is not finite is told, once, where it arose: several ports may
 * show the same. */
static void
find_origin (WeirRecorder *self, WeirRecorderPort *port, WeirContext *context, const double *value)
{
  WeirLayout *layout = weir_system_get_layout (self->root);
  WeirFailurePlace place = { .node = port->place.node, .entry = { WEIR_NO_INDEX } };
  double time = weir_context_get_time (context);
  gboolean has_entry;
  WeirMessage *text;
  WeirTrouble *trouble;
  WeirEntry entry;

  port->is_told = TRUE;
  while (isfinite (value[place.element]))
    place.element++;
  place.value = value[place.element];
  has_entry = port->place.is_input
                  ? weir_layout_find_input_entry (
                      layout, port->place.node, (WeirInput) { (guint16) port->place.index }, &entry)
                  : weir_layout_find_output_entry (layout, port->place.node,
                                                   (WeirOutput) { (guint16) port->place.index },
                                                   &entry);
  if (has_entry && weir_context_find_beyond (context, entry, INFINITY, &place))
    text = weir_context_tell_beyond (context, &place);
  else
    {
      char number[WEIR_TIME_TEXT_SIZE];

      text = weir_message_new (
          N_ ("%s became %s at t = %s"), port->names[place.element],
          weir_phrase (isnan (place.value) ? N_ ("not a number") : N_ ("infinite")),
          weir_time_to_text (time, NAN, number));
    }
  trouble = weir_trouble_new (WEIR_TROUBLE_NOT_FINITE, WEIR_SEVERITY_WARNING, time, text);
  trouble->value = place.value;
  weir_trouble_set_place (trouble, layout, place.node, place.entry, place.element, G_MAXUINT);
  g_ptr_array_add (self->found, trouble);
}

/* --- Room ------------------------------------------------------------------------------------ */

void
weir_recorder_set_budget (WeirRecorder *self, double mebibytes, gboolean thins)
{
  guint64 bytes = (guint64) (CLAMP (mebibytes, 0, (double) (G_MAXINT64 >> 21)) * 1048576);

  g_return_if_fail (weir_column_get_length (&self->times) == 0);

  if (mebibytes > 0)
    bytes = MAX (bytes, 1);
  weir_column_store_set_budget (self->store, bytes, !thins);
  self->thins = thins;
}

/* Of a row, in all columns. */
static guint64
get_row_size (const WeirRecorder *self)
{
  return (1 + self->scratch->len) * sizeof (double) + (self->both ? 1 : 0);
}

static void
keep_fewer (WeirRecorder *self, double time, guint stride)
{
  if (self->stride == 1)
    self->since = time;
  __atomic_store_n (&self->stride, stride, __ATOMIC_RELEASE);
}

/* Rows that come later are kept more and more rarely, so that what is kept stays within the limit
 * however long the run is: the first half of it has all rows, and each of the levels after it, in
 * which one row in twice as many is kept, as much of the other half. So the second half of a run,
 * and the half of that, have equally many. Rows that are there stay: others read them. */
#define N_LEVELS 31

static void
look_for_room (WeirRecorder *self, double time)
{
  guint64 budget = weir_column_store_get_budget (self->store);
  guint64 used = weir_column_get_length (&self->times) * get_row_size (self);

  if (!self->is_limited && self->thins)
    {
      self->is_limited = TRUE;
      self->thin_at = budget / 2;
    }
  else if (!self->is_limited
           && weir_column_store_get_state (self->store) == WEIR_STORE_FULL) /* and no file */
    {
      self->is_limited = TRUE;
      self->thin_at = used;
    }
  while (self->is_limited && used >= self->thin_at && self->stride < G_MAXUINT)
    {
      keep_fewer (self, time,
                  self->stride < 1u << N_LEVELS ? 2 * self->stride
                                                : G_MAXUINT /* only the run's ends */);
      self->thin_at += budget / (2 * (N_LEVELS + 1));
    }
}

/* Both sides of an update are kept, or neither; the ends of a run always. */
static gboolean
is_kept (WeirRecorder *self, WeirPhase phase)
{
  if (phase == WEIR_PHASE_PLUS)
    return self->keeps_plus;
  self->keeps_plus = self->stride == 1 || phase == WEIR_PHASE_INITIAL || phase == WEIR_PHASE_FINAL
                     || self->n_offered++ % self->stride == 0;
  return self->keeps_plus;
}

char *
weir_recorder_dup_notice (WeirRecorder *self)
{
  guint stride = __atomic_load_n (&self->stride, __ATOMIC_ACQUIRE);
  g_autofree char *room = g_format_size_full (weir_column_store_get_budget (self->store),
                                              G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *folder = weir_column_store_dup_folder ();
  int number = weir_column_store_get_error (self->store);

  switch (weir_recorder_get_room (self))
    {
    case WEIR_ROOM_NOTHING_RECORDED:
      return g_strdup (_ ("No signal is recorded: the model has no scope and no output, and no "
                          "other signal is chosen."));
    case WEIR_ROOM_IN_FILE:
      return g_strdup_printf (_ ("The results fill their %s of memory; what came after is in a "
                                 "file in %s while the program runs."),
                              room, folder);
    case WEIR_ROOM_THINNED:
      return number == 0
                 ? g_strdup_printf (
                     _ ("The results fill their %s of memory: after t = %.6g s they are kept more "
                        "and more rarely, of late one row in %u."),
                     room, self->since, stride)
                 : g_strdup_printf (
                     _ ("The results fill their %s of memory, and %s can take no more (%s): after "
                        "t = %.6g s they are kept more and more rarely, of late one row in %u."),
                     room, folder, g_strerror (number), self->since, stride);
    case WEIR_ROOM_ENOUGH:
    default:
      return NULL;
    }
}

WeirRoom
weir_recorder_get_room (WeirRecorder *self)
{
  if (weir_recorder_get_n_signals (self) == 0)
    return WEIR_ROOM_NOTHING_RECORDED;
  if (__atomic_load_n (&self->stride, __ATOMIC_ACQUIRE) > 1)
    return WEIR_ROOM_THINNED;
  return weir_column_store_get_state (self->store) == WEIR_STORE_IN_FILE ? WEIR_ROOM_IN_FILE
                                                                         : WEIR_ROOM_ENOUGH;
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* (transfer full) */
static WeirValueList *
list_values (WeirRecorder *self)
{
  g_autofree WeirPort *ports = g_new (WeirPort, self->active->len);

  for (guint i = 0; i < self->active->len; i++)
    ports[i] = ((const WeirRecorderPort *) g_ptr_array_index (self->active, i))->place;
  return weir_value_list_new (self->root, ports, self->active->len);
}

static void
look_for_origins (WeirRecorder *self, WeirContext *context, const double *values)
{
  for (guint i = 0; i < self->active->len; i++)
    {
      WeirRecorderPort *port = g_ptr_array_index (self->active, i);

      if (!port->is_told && !weir_all_finite (port->size, values))
        find_origin (self, port, context, values);
      values += port->size;
    }
}

WeirStatus
weir_recorder_record (WeirRecorder *self, WeirContext *context, WeirPhase phase)
{
  double time = weir_context_get_time (context);
  double *values = (double *) (gpointer) self->scratch->data;
  const double *value = values;
  guint8 is_plus = phase == WEIR_PHASE_PLUS;

  if (is_plus && !self->both)
    return WEIR_OK;
  self->has_skipped = !is_kept (self, phase);
  if (self->has_skipped)
    return WEIR_OK;
  if (G_UNLIKELY (self->list == NULL))
    self->list = list_values (self);
  if (weir_eval_list (self->list, context, values) != WEIR_OK)
    return WEIR_FAILED;
  if (G_UNLIKELY (!weir_all_finite (self->scratch->len, values)))
    look_for_origins (self, context, values);
  for (guint i = 0; i < self->active->len; i++)
    {
      WeirRecorderPort *port = g_ptr_array_index (self->active, i);

      for (guint k = 0; k < port->size; k++)
        weir_column_append (&port->columns[k], value++);
    }
  if (self->both)
    weir_column_append (&self->phases, &is_plus);
  weir_column_append (&self->times, &time);
  look_for_room (self, time);
  return WEIR_OK;
}

void
weir_recorder_end (WeirRecorder *self, WeirContext *context)
{
  if (self->has_skipped)
    weir_recorder_record (self, context, WEIR_PHASE_FINAL);
}

WeirStatus
weir_recorder_monitor (WeirSimulator *simulator, WeirPhase phase, gpointer recorder)
{
  WeirRecorder *self = recorder;
  WeirStatus status;

  if (!weir_simulator_is_sample (simulator))
    return WEIR_OK;
  status = weir_recorder_record (self, weir_simulator_get_context (simulator), phase);
  while (G_UNLIKELY (self->found->len > 0))
    weir_simulator_warn (simulator, g_ptr_array_steal_index (self->found, 0));
  return status;
}

void
weir_recorder_truncate (WeirRecorder *self, gsize n_rows)
{
  for (guint i = 0; i < self->active->len; i++)
    {
      WeirRecorderPort *port = g_ptr_array_index (self->active, i);
      gsize first = MIN (port->first_row, n_rows);

      for (guint k = 0; k < port->size; k++)
        weir_column_truncate (&port->columns[k], n_rows - first);
      __atomic_store_n (&port->first_row, first, __ATOMIC_RELEASE);
    }
  weir_column_truncate (&self->phases, n_rows);
  weir_column_truncate (&self->times, n_rows);
}

/* --- Reading --------------------------------------------------------------------------------- */

static const Signal *
get_signal (WeirRecorder *self, guint signal)
{
  g_return_val_if_fail (signal < weir_column_get_length (&self->signals), NULL);
  return weir_column_at (&self->signals, signal);
}

guint
weir_recorder_get_n_signals (WeirRecorder *self)
{
  return (guint) weir_column_get_length (&self->signals);
}

const char *
weir_recorder_get_signal_name (WeirRecorder *self, guint signal)
{
  const Signal *found = get_signal (self, signal);

  return found != NULL ? found->port->names[found->element] : NULL;
}

gboolean
weir_recorder_find_signal (WeirRecorder *self, const char *name, guint *signal)
{
  guint n = weir_recorder_get_n_signals (self);

  for (*signal = 0; *signal < n; (*signal)++)
    if (g_str_equal (weir_recorder_get_signal_name (self, *signal), name))
      return TRUE;
  return FALSE;
}

gsize
weir_recorder_get_n_rows (WeirRecorder *self)
{
  return weir_column_get_length (&self->times);
}

gsize
weir_recorder_get_first_row (WeirRecorder *self, guint signal)
{
  const Signal *found = get_signal (self, signal);
  gsize first = found != NULL ? __atomic_load_n (&found->port->first_row, __ATOMIC_ACQUIRE)
                              : G_MAXSIZE;

  return first != G_MAXSIZE ? first : weir_recorder_get_n_rows (self);
}

double
weir_recorder_get_time (WeirRecorder *self, gsize row)
{
  g_return_val_if_fail (row < weir_recorder_get_n_rows (self), NAN);
  return *(const double *) weir_column_at (&self->times, row);
}

double
weir_recorder_get_value (WeirRecorder *self, guint signal, gsize row)
{
  gsize n;
  const double *value = weir_recorder_get_values (self, signal, row, &n);

  g_return_val_if_fail (n > 0, NAN);
  return *value;
}

const double *
weir_recorder_get_times (WeirRecorder *self, gsize first, gsize *n)
{
  return weir_column_get_chunk (&self->times, first, n);
}

const double *
weir_recorder_get_values (WeirRecorder *self, guint signal, gsize first, gsize *n)
{
  const Signal *found = get_signal (self, signal);
  gsize n_rows = weir_recorder_get_n_rows (self); /* before the column: it may be one longer */
  gsize first_row = weir_recorder_get_first_row (self, signal);
  const double *values;

  *n = 0;
  if (found == NULL || first < first_row || first >= n_rows)
    return NULL;
  values = weir_column_get_chunk (&found->port->columns[found->element], first - first_row, n);
  *n = MIN (*n, n_rows - first);
  return values;
}

gboolean
weir_recorder_is_plus (WeirRecorder *self, gsize row)
{
  return self->both && row < weir_recorder_get_n_rows (self)
         && *(const guint8 *) weir_column_at (&self->phases, row);
}

gboolean
weir_recorder_has_both (WeirRecorder *self)
{
  return self->both;
}
