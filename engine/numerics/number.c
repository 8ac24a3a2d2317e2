/* Numbers as text. See number.h. */
#include "numerics/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

char *
weir_number_to_text (double value, char *buffer)
{
  char format[] = "%.15g";

  /* What fewer digits can say, 15 say alike, unless the number is too small to have as many. */
  for (int digits = fabs (value) < DBL_MIN ? 1 : 15; digits <= 17; digits++)
    {
      format[2] = (char) ('0' + digits / 10);
      format[3] = (char) ('0' + digits % 10);
      g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, format, value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  return buffer;
}

char *
weir_time_to_text (double time, double beside, char *buffer)
{
  int least = fabs (time) >= 1e6 && fabs (time) < 1e15 ? (int) log10 (fabs (time)) + 1 : 6;

  for (int digits = least; digits <= 17; digits++)
    {
      char format[8], other[G_ASCII_DTOSTR_BUF_SIZE];

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, format, time);
      if (isnan (beside) || time == beside
          || strcmp (buffer, g_ascii_formatd (other, sizeof other, format, beside)) != 0)
        break;
    }
  g_strlcat (buffer, " s", WEIR_TIME_TEXT_SIZE);
  return buffer;
}
