/* Embeds the files of the page into the program. */
#include <string.h>

#include "step.h"

#define EMBED(name, file)                                                                          \
  extern const char name[], name##_end[];                                                          \
  __asm__(".section .rodata\n"                                                                     \
          ".globl " #name ", " #name "_end\n" #name ": .incbin \"" file "\"\n" #name               \
          "_end: .byte 0\n"                                                                        \
          ".text\n")

EMBED(step_html, "common/step/page.html");
EMBED(step_css, "common/step/page.css");
EMBED(step_tape, "common/step/tape.js");
EMBED(step_js, "common/step/page.js");

static const Asset assets[] = {
    {"", "text/html; charset=utf-8", step_html, step_html_end},
    {"page.css", "text/css; charset=utf-8", step_css, step_css_end},
    {"tape.js", "text/javascript; charset=utf-8", step_tape, step_tape_end},
    {"page.js", "text/javascript; charset=utf-8", step_js, step_js_end},
};

const Asset *asset_find(const char *name) {
  for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
    if (!strcmp(name, assets[i].name))
      return &assets[i];
  return NULL;
}
