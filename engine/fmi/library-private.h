/* What loading and performing share. See library.h. */
#pragma once

#include "fmi/library.h"

/* FALSE, and why not. @flags: version, mode, WEIR_FMU_FLAG_DEEP. */
bool weir_fmu_library_load (WeirFmuLibrary *self, const char *path, uint32_t flags, char *why,
                            size_t size);
/* A status. */
uint32_t weir_fmu_library_instantiate (WeirFmuLibrary *self, const char *name, const char *token,
                                       const char *resources, uint32_t flags);
/* Of at least @size bytes, until the next; NULL: there is no more. */
void *weir_fmu_library_scratch (WeirFmuLibrary *self, size_t size);
