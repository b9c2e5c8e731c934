/* A launch that passes its arguments in another order than the kernel has its parameters: both have names, and who says n for k
 * has mistaken one for the other. It is looked for where the host's side went wrong, and told as what the file says.
 */
#include "explain/judge.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 16, NAME = 40 };

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

typedef struct Names {
  char name[NAMES_MOST][NAME]; /* "": more than a name */
  size_t count;
} Names;

/* Of what stands between parentheses the last word of each part; only: a part that is more has none. */
static Names names_in(const char *open, bool only) {
  Names all = {.count = 0};
  for (const char *from = open + 1; all.count < NAMES_MOST; from++) {
    const char *end = from + strcspn(from, ",()"), *last = end;
    if (*end == '(' || !*end)
      return (Names){.count = 0};
    while (last > from && !is_letter(last[-1]))
      last--;
    const char *first = last;
    while (first > from && is_letter(first[-1]))
      first--;
    bool more = only && first != from + strspn(from, " \n");
    snprintf(all.name[all.count++], NAME, "%.*s", more ? 0 : (int)(last - first), first);
    from = end;
    if (*end == ')')
      break;
  }
  return all;
}

/* The ( of the definition of a kernel. */
static const char *kernel_named(const char *text, const char *name, size_t length) {
  for (const char *at = text; (at = strstr(at, "__global__")); at++) {
    const char *open = strchr(at, '('), *found = strstr(at, name);
    const char *body = at + strcspn(at, "{;");
    while (found && found < body && found[length] != '(')
      found = strstr(found + 1, name);
    if (open && found && found < body && !is_letter(found[-1]))
      return found + length;
  }
  return NULL;
}

static size_t which(const Names *all, const char *name) {
  size_t i = 0;
  while (i < all->count && strcmp(all->name[i], name) != 0)
    i++;
  return *name ? i : all->count;
}

/* The launch that ends with >>>(. */
static bool blame(Verdict *verdict, const char *source, const char *text, const char *launch) {
  const char *end = launch, *name, *behind = strstr(launch, ">>>"), *kernel;
  while (end > text && end[-1] == ' ')
    end--;
  for (name = end; name > text && is_letter(name[-1]);)
    name--;
  char word[NAME], place[200];
  snprintf(word, sizeof word, "%.*s", (int)(end - name), name);
  if (!behind || behind[3] != '(' || !*word || !(kernel = kernel_named(text, word, strlen(word))))
    return false;
  Names takes = names_in(kernel, false), gets = names_in(behind + 3, true);
  for (size_t i = 0; i < gets.count && takes.count == gets.count; i++) {
    size_t meant = which(&takes, gets.name[i]);
    if (meant == takes.count || meant == i)
      continue;
    int line = 1;
    for (const char *at = text; at < launch; at++)
      line += *at == '\n';
    place_format(place, sizeof place, source, line);
    verdict_fact(verdict, place, SAID(LAUNCH_PASSES, gets.name[i], word, takes.name[i]));
    verdict_proven(verdict, SAID(ARGUMENTS_BY_ORDER));
    return true;
  }
  return false;
}

void blame_launch(Verdict *verdict, const char *source) {
  char *text = NULL;
  size_t length = 0;
  FILE *in = fopen(source, "re");
  if (in && getdelim(&text, &length, '\0', in) > 0)
    for (const char *at = text; (at = strstr(at, "<<<")) && !blame(verdict, source, text, at); at++)
      ;
  if (in)
    fclose(in);
  free(text);
}
