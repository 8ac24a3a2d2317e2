/* Texts and bytes at ports: what is said comes back reversed, bytes each with 0x5a, and how long
 * both are; and a word of its own, another each quarter of a second. Variables: 0 time, inputs 1
 * said and 2 bytes (3.0), which are set at events alone; outputs 3 reversed, 4 mirrored (3.0), 5
 * length, 6 word ("word 0", "word 1", ...), 7 ink (3.0: one byte, the word's number); parameter 8
 * garbled: what is reversed is then no UTF-8. */
#include "frame.h"

#define TOKEN "{weir-test-speller}"
#define N_STATES 0
#define N_INDICATORS 0
#define STATES(m) (&(m)->frame.time) /* there are none */
#define SLOPES(m) STATES (m)
#define IS_TUNABLE(ref) ((ref) == 1 || (ref) == 2)
#define IS_FIXED(ref) ((ref) == 8)
#define HAS_EVENT(m) ((m)->frame.time >= 0.25 * ((m)->n + 1))

struct Model {
  Frame frame;
  char said[TEXT_BYTES], reversed[TEXT_BYTES], word[TEXT_BYTES];
  Binary bytes, mirrored, ink;
  int32_t length, n;
  bool garbled;
};

static void
set_start (Model *m)
{
  strcpy (m->said, "abc");
  m->bytes = (Binary) { 2, { 1, 2 } };
}

static Place
find (Model *m, uint32_t ref)
{
  switch (ref)
    {
    case 0:
      return (Place) { F64, &m->frame.time, 1 };
    case 1:
      return (Place) { STRING, m->said, 1 };
    case 2:
      return (Place) { BINARY, &m->bytes, 1 };
    case 3:
      return (Place) { STRING, m->reversed, 1 };
    case 4:
      return (Place) { BINARY, &m->mirrored, 1 };
    case 5:
      return (Place) { I32, &m->length, 1 };
    case 6:
      return (Place) { STRING, m->word, 1 };
    case 7:
      return (Place) { BINARY, &m->ink, 1 };
    case 8:
      return (Place) { BOOL, &m->garbled, 1 };
    default:
      return (Place) { F64, NULL, 0 };
    }
}

static WeirFmiStatus
calculate (Model *m)
{
  size_t n = strlen (m->said);

  m->length = (int32_t) n;
  for (size_t i = 0; i < n; i++)
    m->reversed[i] = m->said[n - 1 - i];
  m->reversed[n] = '\0';
  if (m->garbled)
    strcpy (m->reversed, "\xff\xfe");
  m->mirrored = m->bytes;
  for (size_t i = 0; i < m->bytes.n && FMI_VERSION == 3; i++)
    m->mirrored.bytes[i] ^= 0x5a;
  m->length += FMI_VERSION == 3 ? (int32_t) m->bytes.n : 0;
  snprintf (m->word, sizeof m->word, "word %d", m->n);
  m->ink = (Binary) { 1, { (uint8_t) m->n } };
  return WEIR_FMI_OK;
}

static WeirFmiStatus
update (Model *m, WeirFmi2EventInfo *info)
{
  while (HAS_EVENT (m))
    m->n++;
  info->next_event_time_defined = 1;
  info->next_event_time = 0.25 * (m->n + 1);
  return WEIR_FMI_OK;
}

static bool
differentiate (Model *m, uint32_t unknown, uint32_t known, double *factor)
{
  return false;
}

#include "frame-functions.h"
