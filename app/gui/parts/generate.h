/* WeirGeneratePart: the model as C, or as an FMU for other tools: a dialog asks with which solver
 * and under which name, the chooser where to; what stands in the way is said in a sentence. Thread:
 * *main*; files are written in a thread of their own, as a compiler takes its time.
 */
#pragma once

#include "gui/host/part.h"

G_BEGIN_DECLS

#define WEIR_TYPE_GENERATE_PART (weir_generate_part_get_type ())
G_DECLARE_FINAL_TYPE (WeirGeneratePart, weir_generate_part, WEIR, GENERATE_PART, WeirPart)

/* What is written. */
typedef enum {
  WEIR_GENERATE_CODE, /* a folder */
  WEIR_GENERATE_FMU_2,
  WEIR_GENERATE_FMU_3,
} WeirGenerateKind;

/* As the dialog has it. */
typedef struct {
  WeirGenerateKind kind;
  const char *solver; /* static */
  double step;        /* s; 0 = that of the run */
  const char *prefix; /* of names; copied */
} WeirGenerateChoice;

/* The dialog that is open, or NULL. (transfer none) */
GtkWidget *weir_generate_part_get_dialog (WeirGeneratePart *self);
/* Writes the model to @file, of which is told when it is done. */
void weir_generate_part_write (WeirGeneratePart *self, const WeirGenerateChoice *choice,
                               GFile *file);
gboolean weir_generate_part_is_writing (WeirGeneratePart *self);

G_END_DECLS
