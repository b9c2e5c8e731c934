/* weave: fills the blocks of Markdown pages with text from the files that the blocks name. weave.h
 * describes the blocks.
 *
 * Exit status: 0 on success, 1 if a page is out of date (--check only), 2 if a block is invalid or
 * a file cannot be read or written. A page with an invalid block is not changed.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "weave.h"

typedef struct Options {
  bool check, embed;
  const char *bare;
  char **paths;
  int count;
} Options;

static const struct argp_option option_list[] = {
    {"check", 'c', 0, 0, "change nothing, say what differs", 0},
    {"bare", 'b', "BASE", 0, "print the page as Marp gets it; links to files begin with BASE", 0},
    {"embed", 'e', 0, 0, "put the pictures of an HTML file into it", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  Options *o = state->input;
  switch (key) {
  case 'c':
    o->check = true;
    return 0;
  case 'b':
    o->bare = text;
    return 0;
  case 'e':
    o->embed = true;
    return 0;
  case ARGP_KEY_ARGS:
    o->paths = state->argv + state->next;
    o->count = state->argc - state->next;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which page?");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static bool keep(const char *path, const char *old, const char *fresh) {
  if (!strcmp(old, fresh) || file_write(path, fresh))
    return true;
  fprintf(stderr, "%s: %s\n", path, strerror(errno));
  return false;
}

static int one_page(const Options *o, const char *path) {
  Page page = {.path = path, .errors = stderr, .check = o->check};
  char *text = file_read(path, NULL);
  if (!text) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 2;
  }
  char *fresh = o->embed  ? embed(&page, text)
                : o->bare ? page_bare(&page, text, o->bare)
                          : page_weave(&page, text);
  int status = fresh ? 0 : 2;
  if (fresh && o->bare && !o->embed)
    fputs(fresh, stdout);
  else if (fresh && o->check)
    status = page.stale ? 1 : 0;
  else if (fresh && !keep(path, text, fresh))
    status = 2;
  else if (fresh && page.stale)
    printf("%s: %zu of %zu blocks brought up to date\n", path, page.stale, page.blocks);
  free(fresh);
  free(text);
  return status;
}

int main(int argc, char **argv) {
  Options o = {0};
  const struct argp argp = {option_list,
                            parse,
                            "PAGE...",
                            "Fills the blocks of Markdown pages from the files that they name.",
                            0,
                            0,
                            0};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  int worst = 0;
  for (int i = 0; i < o.count; i++) {
    int status = one_page(&o, o.paths[i]);
    worst = status > worst ? status : worst;
  }
  return worst;
}
