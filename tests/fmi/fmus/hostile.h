/* What the FMU hostile.c does, by its parameter: for it and for who asks for it. */
#pragma once

enum {
  NOTHING,
  CRASH,
  ABORT,
  EXIT,
  LOOP,
  OVERFLOW_STACK,
  EAT_MEMORY,
  PRINT,
  FORK,
  ROUND,
  CONNECT,
  FAIL_WITH_WORDS,
  FAIL_FOR_GOOD,
  DISCARD,
  SCRIBBLE,
  CLOSE_FILES,
  KILL_ITSELF,
  SLEEP,
  TRAP,
  RAISE_STOP,
};
