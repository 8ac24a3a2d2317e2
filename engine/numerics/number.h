/* Numbers as text that mean the same in every locale. Thread: *any*. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes the shortest decimal text that reads back as the same double ('.' in every locale; "nan",
 * "inf", "-inf"). @buffer: G_ASCII_DTOSTR_BUF_SIZE bytes. Returns @buffer. */
char *weir_number_to_text (double value, char *buffer);
/* The same; returns the end of the text. */
char *weir_number_write (double value, char *buffer);

/* The number at the beginning of @text, as g_ascii_strtod() reads it. @end: (out) (optional):
 * behind it. */
double weir_number_read (const char *text, char **end);

#define WEIR_TIME_TEXT_SIZE 48

/* Writes a time (s) for people: "1.2345 s", with six digits, and with more where it would read like
 * @beside, another instant than it; NAN: there is none. @buffer: WEIR_TIME_TEXT_SIZE bytes. Returns
 * @buffer. */
char *weir_time_to_text (double time, double beside, char *buffer);

G_END_DECLS
