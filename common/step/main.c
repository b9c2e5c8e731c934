/* step: serves a page on which the student executes a program's kernel step by step.
 *
 *   step --source FILE [--gold] [--marks FILE] PROGRAM ARGUMENT...
 *
 * Exit status: 0 if the server was ended with ctrl-C; 2 if it could not start.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "step.h"

typedef struct Options {
  Which which;
  Stepper stepper;
  bool no_browser;
} Options;

enum { SECONDS = 256, WITHHELD, NO_BROWSER };

static const struct argp_option option_list[] = {
    {"source", 's', "FILE", 0, "the source that is shown", 0},
    {"title", 't', "TEXT", 0, "heading", 0},
    {"command", 'c', "COMMAND", 0, "what shows this again", 0},
    {"withheld", WITHHELD, NULL, 0, "predictions are open: leave out predicted times", 0},
    {"seconds", SECONDS, "N", 0, "how long one run may take (default: 60)", 0},
    {"no-browser", NO_BROWSER, NULL, 0, "only print the address", 0},
    {0},
};

static const struct argp_child children[] = {{&which_argp, 0, NULL, 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  Options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->which;
    return 0;
  case 's':
    o->stepper.source = text;
    return 0;
  case 't':
    o->stepper.title = text;
    return 0;
  case 'c':
    o->stepper.command = text;
    return 0;
  case SECONDS:
    o->stepper.seconds = atof(text);
    return 0;
  case WITHHELD:
    o->stepper.withheld = true;
    return 0;
  case NO_BROWSER:
    o->no_browser = true;
    return 0;
  case ARGP_KEY_ARGS:
    o->stepper.program.command = state->argv + state->next;
    return 0;
  case ARGP_KEY_END:
    if (!o->stepper.program.command || !o->stepper.source)
      argp_error(state, "a program and --source are needed");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Opens the page in a browser if there is a display. Errors are ignored, because the address is
 * printed too. */
static void open_browser(const char *address) {
  extern char **environ;
  const char *const door = getenv("WSL_DISTRO_NAME") ? "wslview" : "xdg-open";
  const bool display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY") || getenv("WSL_DISTRO_NAME");
  char *const command[] = {(char *)door, (char *)address, NULL};
  posix_spawn_file_actions_t quiet;
  pid_t process;
  if (!display)
    return;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnp(&process, door, &quiet, NULL, command, environ);
  posix_spawn_file_actions_destroy(&quiet);
}

/* Runs the program in the ascending order, to get its launches, the reports of the device and the
 * correct result of a lab. Prints an error and returns false if there is no launch to show. */
static bool run_once(Stepper *s) {
  s->program.deadline = seconds_now() + s->seconds;
  outcome_run(&s->program, "plain", &s->plain);
  s->gold = gold_read(s->program.gold);
  const char *why = s->plain.late
                        ? "the run did not end in time: choose a smaller size, in a lab for "
                          "instance ARGS=\"--size 32\""
                    : !s->plain.tape.nlaunches ? "the program launched no kernel"
                                               : NULL;
  if (why)
    fprintf(stderr, "step: %s\n", why);
  return !why;
}

int main(int argc, char **argv) {
  static Options o = {.stepper = {.seconds = 60}};
  Stepper *s = &o.stepper;
  const struct argp argp = {option_list,
                            parse,
                            "PROGRAM ARGUMENT...",
                            "Serves a page on which a kernel runs step by step.",
                            children,
                            0,
                            0};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &o);
  s->title = s->title ? s->title : s->source;
  sigset_t ends;
  int signal;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  if (!program_begin(&s->program, &o.which)) {
    fprintf(stderr, "step: %s: %s\n", s->program.work, strerror(errno));
    return 2;
  }
  bool ready = run_once(s);
  pthread_sigmask(SIG_BLOCK, &ends, NULL);
  ready = ready && serve_begin(s);
  if (ready) {
    char address[100];
    snprintf(address, sizeof address, "http://127.0.0.1:%u/%s/", s->port, s->token);
    printf("%s\n  the page is %s\n  ctrl-C ends it\n", s->title, address);
    fflush(stdout);
    if (!o.no_browser)
      open_browser(address);
    sigwait(&ends, &signal);
    const int process = s->program.process;
    if (process > 0)
      kill(-process, SIGKILL);
  }
  program_end(&s->program);
  _exit(ready ? 0 : 2); /* does not wait for the server's thread, which may still run a program */
}
