/* What results of a study are written as, by the ending of a file's name. See store.h. */
#include "base/text.h"
#include "study/store.h"

static const char *const csv_suffixes[] = { "csv", NULL };
static const char *const hdf5_suffixes[] = { "h5", "hdf5", NULL };

const WeirStudyFormat weir_study_formats[WEIR_N_STUDY_FORMATS] = {
  { N_ ("Points and Figures: CSV"), csv_suffixes, weir_study_store_write_csv },
  { N_ ("Points, Figures and Curves: HDF5"), hdf5_suffixes, weir_study_store_write_hdf5 },
};

const WeirStudyFormat *
weir_study_format_find (const char *path)
{
  for (guint i = 0; i < WEIR_N_STUDY_FORMATS; i++)
    if (weir_text_has_ending (path, weir_study_formats[i].suffixes))
      return &weir_study_formats[i];
  return NULL;
}

const char **
weir_study_formats_list_suffixes (void)
{
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; i < WEIR_N_STUDY_FORMATS; i++)
    for (guint k = 0; weir_study_formats[i].suffixes[k] != NULL; k++)
      g_ptr_array_add (all, (gpointer) weir_study_formats[i].suffixes[k]);
  g_ptr_array_add (all, NULL);
  return (const char **) g_ptr_array_free (all, FALSE);
}
