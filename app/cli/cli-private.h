/* What the commands share: exit codes, option parsing, reading a model, and the parts that they are
 * made of. */
#pragma once

#include "cli/cli.h"
#include "model/tree/model.h"
#include "sim/simulator.h"
#include "system/structure/system.h"
#include "analysis/linearize.h"
#include "analysis/loop.h"
#include "linear/sampling.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_EXIT_OK = 0,
  WEIR_EXIT_MODEL = 1, /* has errors, differs, cannot be read */
  WEIR_EXIT_USAGE = 2,
  WEIR_EXIT_RUN = 3, /* the run failed */
} WeirExit;

typedef struct {
  const char *name;
  const char *arguments; /* "FILE [OPTION...]", for the help */
  const char *summary;   /* one line */
  WeirExit (*run) (int argc, char **argv);
} WeirCommand;

WeirExit weir_cli_run (int argc, char **argv);
WeirExit weir_cli_check (int argc, char **argv);
WeirExit weir_cli_verify (int argc, char **argv);
WeirExit weir_cli_audit (int argc, char **argv);
WeirExit weir_cli_explain (int argc, char **argv);
WeirExit weir_cli_generate (int argc, char **argv);
WeirExit weir_cli_export (int argc, char **argv);
WeirExit weir_cli_lesson (int argc, char **argv);
WeirExit weir_cli_linearize (int argc, char **argv);
WeirExit weir_cli_measure (int argc, char **argv);
WeirExit weir_cli_study (int argc, char **argv);
WeirExit weir_cli_info (int argc, char **argv);
WeirExit weir_cli_solve (int argc, char **argv);
WeirExit weir_cli_diff (int argc, char **argv);
WeirExit weir_cli_render (int argc, char **argv);
WeirExit weir_cli_blocks (int argc, char **argv);
WeirExit weir_cli_help (int argc, char **argv);

/* Who draws, if something is to be drawn. */
const WeirCliPainter *weir_cli_get_painter (void);
void weir_cli_set_painter (const WeirCliPainter *painter);

/* Parses the options of a command; what is left are its arguments, at least @min and at most @max.
 * FALSE after saying what is wrong. */
gboolean weir_cli_parse (int *argc, char ***argv, const char *arguments, const char *description,
                         const GOptionEntry *entries, int min, int max);

/* A line on standard output, or part of one. Line ends at the ends of @format are line ends; those
 * in what is told, and all else that a terminal would obey, are shown as escapes, so that no name
 * looks like a line of its own. Texts of several lines go out by g_print(). */
void weir_cli_say (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* The same on standard error. */
void weir_cli_tell (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* One line on standard error, after "weir: ". */
void weir_cli_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* A file of a command line. */
typedef struct {
  const char *what; /* "the model", "--out" */
  const char *path; /* NULL: not asked for */
  gboolean is_output;
} WeirCliFile;

/* FALSE after saying which output is an input, or another output. */
gboolean weir_cli_check_outputs (const WeirCliFile *files, guint n);
/* Refuses the file @path (nullable) of an @option unless its name has one of the @endings (without
 * their dot; ends in NULL) or says nothing, as that of standard output, a device or a pipe. @what
 * is written there: "results are". FALSE after saying so. */
gboolean weir_cli_check_ending (const char *option, const char *path, const char *what,
                                const char *const *endings);
/* Whether its name is that of a picture. */
gboolean weir_cli_is_picture (const char *path);
/* Whether @path (nullable) is a name of it. */
gboolean weir_cli_is_standard_output (const char *path);

/* Reads a model; "-" is standard input. NULL after printing why it cannot be read. (transfer full)
 */
WeirModel *weir_cli_read (const char *file, WeirDiagnostics *diagnostics);
/* Completes it. NULL after printing its errors, of which there is at least one; warnings and hints
 * are printed to standard error. (transfer full) */
WeirSystem *weir_cli_complete (WeirModel *model, const char *file);
/* Prints every diagnostic of @file. */
void weir_cli_print (const WeirDiagnostics *diagnostics, const char *file, gboolean to_stderr);

/* Whether a file of the command line is an FMU, by its name or its first bytes. */
gboolean weir_cli_is_fmu (const char *name);
/* Prints its problems. FALSE: it has errors. */
gboolean weir_cli_check_fmu (const char *name);
/* Prints what it says of itself; @is_full: everything. */
WeirExit weir_cli_info_fmu (const char *name, gboolean is_full);

/* Units that take no part in a run for a while, as typed; NULL = none. */
typedef struct {
  char **off, **ignored;
} WeirAbsences;

void weir_absences_clear (WeirAbsences *self);
/* FALSE after saying which makes no sense. */
gboolean weir_absences_apply (const WeirAbsences *self, WeirSimulator *simulator);

/* The options of a run: the model's settings, overridden by the command line. */
#define WEIR_MAX_RUN_SETTINGS 24

typedef struct {
  char *settings[WEIR_MAX_RUN_SETTINGS]; /* as typed, in the order of run-options.c */
  char **set;                            /* PATH=VALUE */
  char **trust;                          /* checksums of FMUs, or "all" */
  int threads;                           /* for units; 0 = as many as there are processors */
} WeirRunOptions;

/* The options as entries of a command; @self must outlive the parsing. (transfer full) */
GOptionEntry *weir_run_options_get_entries (WeirRunOptions *self, const GOptionEntry *more);
void weir_run_options_clear (WeirRunOptions *self);
/* Was this setting ("stop-time") given on the command line? */
gboolean weir_run_options_has (const WeirRunOptions *self, const char *setting);
/* The model with what --set and --algebraic-loops name changed. NULL after saying what is wrong.
 * (transfer full) */
WeirModel *weir_run_options_apply (const WeirRunOptions *self, WeirModel *model);
/* Other than WEIR_EXIT_OK after saying which value makes no sense. The solver's name stays with
 * @self or @model.
 * @rate: simulated seconds per second of the wall clock; 0: as fast as possible. */
WeirExit weir_run_options_resolve (const WeirRunOptions *self, WeirModel *model,
                                   WeirSimulatorOptions *options, double *stop_time, double *rate);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirRunOptions, weir_run_options_clear)

/* A model that a command can run. */
typedef struct {
  const char *file; /* as the user named it; borrowed */
  WeirModel *model; /* with what the command line changed */
  WeirSystem *system;
  gboolean is_untrusted;                  /* something in it is not to be run */
  gboolean has_units;                     /* of co-simulation */
  WeirSimulatorOptions simulator_options; /* borrow from the run's options and @model */
  double stop_time;                       /* s */
  double rate;
} WeirCliModel;

/* Reads, changes and completes the model of @file. Unless that ends with WEIR_EXIT_OK, what is
 * wrong has been said. */
WeirExit weir_cli_model_open (WeirCliModel *self, const char *file, const WeirRunOptions *options);
void weir_cli_model_clear (WeirCliModel *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirCliModel, weir_cli_model_clear)

/* --- JSON (RFC 8259) ------------------------------------------------------------------------- */

/* In quotes; what is no UTF-8, as a file's name may be, becomes U+FFFD. */
void weir_json_append_string (GString *json, const char *text);
/* An array of such. @texts: char *. */
void weir_json_append_strings (GString *json, const GPtrArray *texts);
/* With all digits; JSON has no infinities and no NaN, so that these are null. */
void weir_json_append_number (GString *json, double value);

/* --- What the reports and the run are made of ------------------------------------------------ */

/* Which ports a run records. recorded-ports.c
 *
 * @patterns: port paths such as "plant.theta", or patterns with * and ? that output ports match.
 * NULL: the signals that scopes show, each named by the port that it comes from, then the outputs
 * of the root; of a model with units instead all that they give, in their order. NULL after saying
 * which pattern matches nothing. (transfer full) */
char **weir_cli_list_ports (WeirModel *model, WeirSystem *system, const char *const *patterns);

/* What `weir run --stats` prints: totals of a run and a row for each cache entry. stats.c */
typedef struct {
  const char *file;
  WeirSimulator *simulator;
  const WeirSimulatorOptions *options;
  double stop_time, wall_time; /* s */
  gsize n_rows;                /* recorded */
} WeirRunReport;

void weir_run_report_print_table (const WeirRunReport *self);
/* One JSON object. */
void weir_run_report_print_json (const WeirRunReport *self);

/* What `weir linearize` prints: the states, inputs and outputs of a point, A, B, C, D, the poles.
 * All borrowed. linear-report.c */
typedef struct {
  const char *file;
  const WeirOperatingPoint *point;
  const WeirLinearization *result;
  GPtrArray *notes; /* of strings: what is worth knowing about the result */
} WeirLinearReport;

void weir_linear_report_print_table (const WeirLinearReport *report);
/* One number a line: the matrix, the names of its row and column, the number. */
void weir_linear_report_print_csv (const WeirLinearReport *report);
/* One JSON object. */
void weir_linear_report_print_json (const WeirLinearReport *report);

/* Rows of words and numbers, printed in one of three forms. listing.c */
#define WEIR_LISTING_WORDS 3
#define WEIR_LISTING_NUMBERS 5

typedef struct {
  const char *key;                               /* of the list in JSON */
  const char *words[WEIR_LISTING_WORDS + 1];     /* names of columns; end in NULL */
  const char *numbers[WEIR_LISTING_NUMBERS + 1]; /* likewise */
} WeirListingShape;

typedef struct {
  const char *file;
  const WeirListingShape *shape;
  GArray *rows;
  GPtrArray *notes; /* char *: go to standard error, and into JSON */
} WeirListing;

void weir_listing_init (WeirListing *self, const char *file, const WeirListingShape *shape);
void weir_listing_clear (WeirListing *self);
void weir_listing_add (WeirListing *self, const char *const *words, const double *numbers);
/* Its notes alone, to standard error. */
void weir_listing_tell (const WeirListing *self);
void weir_listing_print (const WeirListing *self, gboolean as_json, gboolean as_csv);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WeirListing, weir_listing_clear)

/* What `weir linearize` finds between points on wires. linear-analysis.c */
typedef enum {
  WEIR_LINEAR_MARGINS,
  WEIR_LINEAR_BODE,
  WEIR_LINEAR_NYQUIST,
  WEIR_LINEAR_NICHOLS,
  WEIR_LINEAR_LOCUS,
  WEIR_LINEAR_POLES,
  WEIR_LINEAR_STEP,
  WEIR_LINEAR_IMPULSE,
  WEIR_LINEAR_NORMS,
  WEIR_LINEAR_TRANSFER_FUNCTION,
  WEIR_LINEAR_MATRICES,
  WEIR_LINEAR_LQR,
  WEIR_LINEAR_KALMAN,
  WEIR_LINEAR_PLACE,
  WEIR_LINEAR_TUNE,
} WeirLinearWhat;

typedef struct {
  WeirLinearWhat what;
  gboolean is_flipped;       /* the sign of what is found */
  gboolean is_loop;          /* an open loop, which is closed for a step */
  gboolean is_pi;            /* of a rule that has both */
  double closed;             /* s: what a rule is to make of the closed loop; 0: its own choice */
  double crossover;          /* rad/s: where a loop is to have this */
  double phase_margin;       /* degrees; NAN: neither was said */
  double filter;             /* rad/s: up to where a derivative part is one, at least */
  const GArray *frequencies; /* double; NULL: by poles and zeros */
  const char *weights[2];    /* of design, as typed */
  double period;             /* s: that of the samples that are looked at; 0: as the model is */
  WeirSampling sampling;     /* by which they are */
  double prewarp;            /* rad/s: where they are right; 0: nowhere in particular */
  gboolean as_json, as_csv;
  const char *picture; /* the file that is drawn instead; NULL: none */
  const char *mat;     /* the MAT file that the matrices are written to instead; NULL: none */
  gboolean is_dark;
} WeirLinearTask;

/* Matrices as a MAT file. */
WeirExit weir_linear_write_mat (const WeirLinear *linear, const char *path);
/* Whether there is a picture of it. */
gboolean weir_linear_analysis_draws (WeirLinearWhat what);
/* Changes @loop to what is looked at: its sign, its samples. */
WeirExit weir_linear_analysis_print (const char *file, WeirLoop *loop, const WeirLinearTask *task);

/* Checkpoints of a run: `weir run --checkpoint FILE [--checkpoint-at T]` and `--restore FILE`.
 *
 * A checkpoint is taken between two steps and alters no bit of the run: at the first step's end
 * at or after --checkpoint-at, else where the run ends or is interrupted. It holds the values of
 * parameters too: a run that is continued keeps them, whatever the model's file says by now, but
 * for those that --set gives, which take effect as one event at the time of the checkpoint.
 * checkpoint.c
 */
typedef struct {
  char *file, *at, *restore; /* as typed; NULL = not asked for */
  double time;               /* s; of @at; INFINITY: at the end */
  gboolean is_written;
} WeirCheckpoint;

/* FALSE after saying what makes no sense. */
gboolean weir_checkpoint_check (WeirCheckpoint *self);
void weir_checkpoint_clear (WeirCheckpoint *self);

/* FALSE after saying what of @set makes no sense for the run that is continued. */
gboolean weir_checkpoint_check_set (const WeirCheckpoint *self, WeirSimulator *simulator,
                                    WeirModel *model, const char *const *set);
/* Begins the run: anew, or where the file to restore ended. @model: as it runs, with what @set
 * (PATH=VALUE..., nullable) gives. Says which other values of the file the run does not take. FALSE
 * and @error if that fails. */
gboolean weir_checkpoint_begin (const WeirCheckpoint *self, WeirSimulator *simulator,
                                WeirModel *model, const char *const *set, GError **error);
/* After a step; @is_last: none follows. FALSE and @error if the file that is due cannot
 * be written. */
gboolean weir_checkpoint_look (WeirCheckpoint *self, WeirSimulator *simulator, gboolean is_last,
                               GError **error);

G_END_DECLS
