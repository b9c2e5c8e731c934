/* Runs one program as a child process with limits. The child has its own session, so that it can be
 * killed with all processes that it starts. The limits on memory and on the number of processes are
 * measured for the child and all its descendants. RLIMIT_AS cannot be used, because the emulated
 * device reserves far more address space than it uses. RLIMIT_NPROC cannot be used, because it
 * counts all processes of the user. The child's output goes into a pipe, which is emptied and
 * mostly dropped.
 *
 * A process that leaves the session becomes a child of the checker (a subreaper) and is killed at
 * the end. These measures do not stop malicious code; the sandbox does (sandbox.c). In a sandbox,
 * bwrap's exit status tells how the program ended. */
#include "facts/facts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/harness.h"

static const size_t RESIDENT_MOST = (size_t)2 << 30;
static const size_t PRINTED_MOST = (size_t)16 << 20;
static const size_t HEARD_MOST = (size_t)1 << 20;
static const off_t FILE_MOST = (off_t)256 << 20;
static const int TICK_MS = 10;
static const double ENDING_MOST = 60; /* seconds */

typedef struct Words {
  char line[sizeof((ChildEnd *)0)->last_words];
  size_t length, total;
  /* true: the current line has ended, and the next character begins another one. */
  bool ended;
  /* A file to which the output is copied. May be NULL. */
  FILE *copy;
} Words;

/* The resources of a process and all its descendants. */
typedef struct Tree {
  size_t bytes, tasks;
  /* Processor time in seconds. */
  double seconds;
  /* true: at least one thread is running or ready to run. */
  bool running;
} Tree;

typedef struct Clock {
  /* start: the start of the run. seen: the time of the last measurement. */
  double start, seen;
  /* The time in which no thread was running or ready to run. */
  double asleep;
  /* Processor time at the last measurement. */
  double used;
  /* true: the program waits for the GPU, which does not count as sleep. */
  bool waiting;
} Clock;

/* The processor time and sleep time of all runs that have a budget. child_spent adds the checker's
 * own processor time. */
static double spent;
/* The processor time of runs that getrusage does not report: when a sandbox is killed, its
 * processes disappear with their namespace, and no process waits for them. */
static double untold;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the maximum number of processes and threads of a run. The harness starts one thread for
 * each core. */
static size_t tasks_most(void) { return 64 + 2 * (size_t)sysconf(_SC_NPROCESSORS_ONLN); }

/* ---- the environment, made before the child starts ------------------------------------------- */

typedef struct Environment {
  /* The variables; NULL at the end. */
  char **variable;
  size_t count;
} Environment;

static bool is_named(const char *variable, const char *name) {
  size_t length = strlen(name);
  return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

/* Sets a variable. If `text` is NULL, removes the variable. */
static void set_text(Environment *all, const char *name, const char *text) {
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++) {
    if (is_named(all->variable[i], name))
      free(all->variable[i]);
    else
      all->variable[kept++] = all->variable[i];
  }
  all->count = kept;
  if (text && asprintf(&all->variable[all->count++], "%s=%s", name, text) < 0)
    bad_input("out of memory");
  all->variable[all->count] = NULL;
}

static void set_number(Environment *all, const char *name, unsigned value) {
  char text[24];
  snprintf(text, sizeof text, "%u", value);
  set_text(all, name, text);
}

/* Returns true for variables that are also passed to a sandbox. On a cluster, environment modules
 * use them for libraries outside of /usr and, if `compiles`, for compilers. */
static bool goes_along(const char *variable, bool compiles) {
  static const char *const names[] = {
      "LOCKSTEP_*", "CUDA_VISIBLE_DEVICES=*", "LD_LIBRARY_PATH=*",   "LIBRARY_PATH=*",
      "CPATH=*",    "C_INCLUDE_PATH=*",       "CPLUS_INCLUDE_PATH=*"};
  for (size_t i = 0; i < (compiles ? sizeof names / sizeof names[0] : 3); i++)
    if (fnmatch(names[i], variable, 0) == 0)
      return true;
  return false;
}

/* Copies the checker's environment. For a sandbox, most variables are left out, because the program
 * could read bwrap's environment through /proc. */
static Environment environment_begin(const Sandbox *walls) {
  enum { ADDED_MOST = 32 };
  const char *path = getenv("PATH");
  Environment all = {.count = 0};
  size_t ours = 0;
  while (environ[ours])
    ours++;
  if (!(all.variable = calloc(ours + ADDED_MOST, sizeof *all.variable)))
    bad_input("out of memory");
  for (size_t i = 0; i < ours; i++)
    if ((!walls || goes_along(environ[i], walls->work)) &&
        !(all.variable[all.count++] = strdup(environ[i])))
      bad_input("out of memory");
  if (walls) {
    set_text(&all, "PATH", path && walls->work ? path : "/usr/bin:/bin");
    set_text(&all, "HOME", "/tmp");
  }
  return all;
}

/* Makes the environment of the program. asked: the descriptor for its transcript. turn: the
 * descriptor for its requests to use the GPU. */
static Environment environment_make(const ChildRequest *request, int asked, int turn) {
  static const char *const not_the_students[] = {"LOCKSTEP_CHECKS", "LOCKSTEP_SAMPLES_ONLY",
                                                 "LOCKSTEP_BANKS", "LOCKSTEP_TURN"};
  Environment all = environment_begin(request->box);
  for (size_t i = 0; i < sizeof not_the_students / sizeof not_the_students[0]; i++)
    set_text(&all, not_the_students[i], NULL);
  set_text(&all, "LOCKSTEP_PREDICT", request->predicted ? NULL : "0"); /* no predicted times */
  set_text(&all, "LOCKSTEP_HOST_LINES", request->no_lines ? "0" : NULL);
  set_text(&all, "LOCKSTEP_CARD", request->card); /* never inherited */
  set_text(&all, "LOCKSTEP_QUIET", request->heard ? NULL : "1");
  if (request->log)
    set_text(&all, "LOCKSTEP_LOG", request->log);
  if (request->asked) {
    set_number(&all, "LOCKSTEP_TRANSCRIPT", (unsigned)asked);
    set_number(&all, "LOCKSTEP_CHECKS", 0);
  }
  if (request->turns)
    set_number(&all, "LOCKSTEP_TURN", (unsigned)turn);
  set_text(&all, "LOCKSTEP_KERNELS", request->kernels);
  set_text(&all, "LOCKSTEP_OBJECT", request->object);
  set_text(&all, "LOCKSTEP_REPLAY", request->transcript);
  set_text(&all, "LOCKSTEP_RECORDED", request->recorded);
  set_number(&all, "LOCKSTEP_SEED", request->schedule);
  set_number(&all, "LOCKSTEP_FAIL", request->fail);
  set_number(&all, "LOCKSTEP_PRETEND", request->pretend);
  set_number(&all, "LOCKSTEP_WORKERS", 1); /* for reproducible reports */
  /* Raises the emulator's limit on branches. A slow kernel in which one thread computes a whole
   * matrix takes many branches, but it ends. */
  set_number(&all, "LOCKSTEP_LIMIT", 1000000);
  return all;
}

static void free_words(char **words) {
  for (char **each = words; *each; each++)
    free(*each);
  free(words);
}

/* ---- the child ------------------------------------------------------------------------------- */

static void limit(int what, rlim_t most) { setrlimit(what, &(struct rlimit){most, most}); }

/* Raises a limit to its maximum, because the limit that grade_one.sh sets is for the checker
 * alone. */
static void no_limit(int what) {
  struct rlimit ours;
  if (getrlimit(what, &ours) == 0)
    setrlimit(what, &(struct rlimit){ours.rlim_max, ours.rlim_max});
}

static void set_limits(const ChildRequest *request) {
  limit(RLIMIT_CORE, 0);
  /* The emulated device reserves more address space than it uses. */
  no_limit(RLIMIT_AS);
  /* The limit counts the time of all threads. This limit is 64 times as long, because it is only a
   * second safeguard. */
  limit(RLIMIT_CPU, (rlim_t)request->seconds * 64 + 1);
  if (!request->box)
    return;
  limit(RLIMIT_FSIZE, (rlim_t)FILE_MOST + 1);
  limit(RLIMIT_NOFILE, request->box->on_gpu ? 1024 : 64);
}

/* Marks all descriptors that the sandbox does not need, so that exec closes them. */
static void close_others(const Sandbox *box, const int *kept, size_t count) {
  for (int each = STDERR_FILENO + 1; each < 256; each++) {
    bool keep = false;
    for (size_t i = 0; i < count; i++)
      keep |= each == kept[i];
    for (size_t i = 0; i < sizeof box->pass / sizeof box->pass[0]; i++)
      keep |= each == box->pass[i];
    fcntl(each, F_SETFD, keep ? 0 : FD_CLOEXEC);
  }
}

/* The data of a new child, which shares the checker's memory until it executes the program. */
typedef struct Start {
  const ChildRequest *request;
  char *const *arguments, *const *environment;
  /* Descriptors: the child's input, its output, and the pipe for errno if exec fails. */
  int nothing, printed, failed;
  /* Descriptors that stay open; -1: unused. */
  int filter, status, asked, turn;
  /* The descriptor of the control group's cgroup.procs; -1: no group. */
  int group;
  const sigset_t *signals;
} Start;

/* Resets the handlers of signals such as Ctrl-C: the checker's handler cleans up files (grade.c),
 * and must not run in the child. */
static void no_handlers(void) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      signal(ends[i], SIG_DFL);
}

/* Executes the program in the child. This function makes only system calls, because the child
 * shares the checker's memory. Sharing instead of copying reduces the time of a start to a third.
 * If exec fails, writes errno to the pipe `failed`, which a successful exec closes. */
static int become(void *data) {
  const Start *start = data;
  const Sandbox *box = start->request->box;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  dup2(start->nothing, STDIN_FILENO);
  dup2(start->printed, STDOUT_FILENO);
  dup2(start->printed, STDERR_FILENO);
  if (box)
    close_others(box, (const int[]){start->filter, start->status, start->asked, start->turn}, 4);
  set_limits(start->request);
  if (start->group >= 0)
    /* Joins the control group, which limits and measures the child. */
    (void)!write(start->group, "0", 1);
  no_handlers();
  sigprocmask(SIG_SETMASK, start->signals, NULL);
  (box ? execvpe : execve)(start->arguments[0], start->arguments, start->environment);
  int error = errno;
  return write(start->failed, &error, sizeof error) < 0 ? 126 : 127;
}

static void hear(Words *words, const char *text, size_t length) {
  if (words->copy && words->total < HEARD_MOST)
    fwrite(text, 1, length, words->copy);
  words->total += length;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n') {
      words->ended = true;
      continue;
    }
    if (words->ended)
      words->length = 0;
    words->ended = false;
    if (words->length + 1 < sizeof words->line)
      words->line[words->length++] = isprint((unsigned char)text[i]) ? text[i] : ' ';
  }
}

/* Reads all output that is in the pipe. Returns false at the end of the output. */
static bool listen_to(int printed, Words *words) {
  char text[16384];
  ssize_t length;
  while ((length = read(printed, text, sizeof text)) > 0) {
    hear(words, text, (size_t)length);
    if (words->total > PRINTED_MOST)
      return true;
  }
  return length < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Reads all of the transcript that is in the pipe. Returns false at its end. */
static bool take_down(int asked, FILE *file, size_t *total) {
  char data[65536];
  ssize_t length;
  while ((length = read(asked, data, sizeof data)) > 0) {
    *total += (size_t)length;
    if (*total <= (size_t)FILE_MOST)
      fwrite(data, 1, (size_t)length, file);
    else
      return true; /* over() ends the run. */
  }
  return length < 0 && (errno == EAGAIN || errno == EINTR);
}

/* ---- requests to use a shared GPU ------------------------------------------------------------ */

typedef struct Turning {
  /* NULL: the GPU is not shared. */
  const Turns *turns;
  /* The socket for requests; -1: closed or unused. */
  int line;
  /* The letter of the request that the program waits for (TURN_SHARED or TURN_ALONE), or 0. */
  char wants;
} Turning;

static void stop_turning(Turning *turning) {
  if (turning->turns)
    turning->turns->leave(turning->turns->data);
  turning->wants = 0;
}

/* Reads requests. Any letter ends the current use of the GPU. A program that writes undefined
 * letters only makes its own times worse. */
static void hear_turns(Turning *turning) {
  char said[64];
  ssize_t length = turning->line >= 0 ? read(turning->line, said, sizeof said) : -1;
  if (length == 0)
    turning->line = -1;
  for (ssize_t i = 0; i < length; i++) {
    stop_turning(turning);
    turning->wants = said[i] == TURN_SHARED || said[i] == TURN_ALONE ? said[i] : 0;
  }
}

static void give_turn(Turning *turning) {
  char yes = 'y';
  if (!turning->wants || !turning->turns->take(turning->turns->data, turning->wants == TURN_ALONE))
    return;
  turning->wants = 0;
  if (send(turning->line, &yes, 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
    stop_turning(turning);
}

/* ---- resource usage -------------------------------------------------------------------------- */

/* Adds to `tree` the number of threads of a process and the memory that it has touched, including
 * swapped memory and page tables. */
static void add_status(Tree *tree, int pid) {
  char path[64], line[128];
  unsigned long value;
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  FILE *file = fopen(path, "re");
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "VmRSS: %lu", &value) == 1 || sscanf(line, "VmPTE: %lu", &value) == 1 ||
        sscanf(line, "VmSwap: %lu", &value) == 1)
      tree->bytes += value << 10;
    else if (sscanf(line, "Threads: %lu", &value) == 1)
      tree->tasks += value;
  }
  if (file)
    fclose(file);
}

/* Adds to `tree` the processor time of a process and of its children that have ended. The program
 * name in /proc/PID/stat may contain any characters, so parsing starts after the last bracket. */
static void add_time(Tree *tree, int pid) {
  char path[64], text[1024];
  unsigned long long time[4];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[length] = '\0';
  const char *after = strrchr(text, ')');
  if (after && sscanf(after, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
                      &time[0], &time[1], &time[2], &time[3]) == 4)
    tree->seconds += (double)(time[0] + time[1] + time[2] + time[3]) / (double)sysconf(_SC_CLK_TCK);
  if (file)
    fclose(file);
}

/* Sets tree->running if the thread is in state "R": running or ready to run. */
static void add_state(Tree *tree, int pid, const char *thread) {
  char path[320], text[256];
  snprintf(path, sizeof path, "/proc/%d/task/%s/stat", pid, thread);
  FILE *file = fopen(path, "re");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[length] = '\0';
  const char *after = strrchr(text, ')');
  tree->running |= after && strncmp(after, ") R", 3) == 0;
  if (file)
    fclose(file);
}

static void add_process(Tree *tree, int pid);

/* The process id of a child that belongs to no run (child_leave_alone); 0: none. */
static int left_alone;

static void add_children(Tree *tree, int pid, const char *thread) {
  char path[320];
  int child;
  snprintf(path, sizeof path, "/proc/%d/task/%s/children", pid, thread);
  FILE *file = fopen(path, "re");
  while (file && tree->tasks <= tasks_most() && fscanf(file, "%d", &child) == 1)
    if (child != left_alone)
      add_process(tree, child);
  if (file)
    fclose(file);
}

static void add_process(Tree *tree, int pid) {
  char path[64];
  add_status(tree, pid);
  if (tree->tasks > tasks_most())
    /* The limit is already exceeded, so further processes are not counted. */
    return;
  add_time(tree, pid);
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *threads = opendir(path);
  for (struct dirent *each; threads && (each = readdir(threads));)
    if (each->d_name[0] != '.') {
      add_state(tree, pid, each->d_name);
      add_children(tree, pid, each->d_name);
    }
  if (threads)
    closedir(threads);
}

int child_of_ours(void) {
  sigset_t all, before;
  int parent = (int)getpid();
  fflush(NULL);
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  int pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(1);
    no_handlers();
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  return pid;
}

void child_folder_gone(const char *path) {
  DIR *folder = opendir(path);
  for (struct dirent *each; folder && (each = readdir(folder));)
    unlinkat(dirfd(folder), each->d_name, 0);
  if (folder)
    closedir(folder);
  rmdir(path);
}

void child_leave_alone(int pid) { left_alone = pid; }

void child_end_left_alone(void) {
  if (left_alone > 0 && kill(left_alone, SIGKILL) == 0)
    waitpid(left_alone, NULL, 0);
  left_alone = 0;
}

/* Measures all processes that the checker has started. Processes that left their parents have
 * become children of the checker. */
static Tree measure(void) {
  Tree tree = {.tasks = 0};
  char self[24];
  snprintf(self, sizeof self, "%d", (int)getpid());
  add_children(&tree, (int)getpid(), self);
  return tree;
}

static bool files_too_big(const ChildRequest *request) {
  for (size_t i = 0; request->files[i]; i++) {
    struct stat status;
    if (stat(request->files[i], &status) == 0 && status.st_size > FILE_MOST)
      return true;
  }
  return false;
}

/* Kills all processes that the child has started: its session, and the processes that have become
 * children of the checker. A process with much memory takes a while to end. */
static void end_all(int pid) {
  char path[64];
  kill(-pid, SIGKILL);
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  for (double begin = now(); now() - begin < ENDING_MOST;) {
    int left = 0, other;
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%d", &other) == 1)
      left += other != left_alone && kill(other, SIGKILL) == 0;
    if (file)
      fclose(file);
    while ((other = waitpid(-1, NULL, WNOHANG)) > 0)
      left_alone = other == left_alone ? 0 : left_alone;
    if (left == 0)
      return;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
}

/* Returns true if the run has exceeded its time limit. Only processor time and sleep count. Time
 * spent waiting for a processor on a busy machine does not count, because it is not the program's
 * fault. In a sandbox a program may sleep longer, because many programs are graded at the same time
 * and a disk may be slow. */
static bool too_long(const ChildRequest *request, Clock *clock, const Tree *tree) {
  const double believed = 5e-3 * TICK_MS; /* a longer gap counts as this time */
  double limit = request->seconds, at = now(), gap = at - clock->seen;
  if (!tree->running && !clock->waiting)
    clock->asleep += gap < believed ? gap : believed;
  clock->seen = at;
  return at - clock->start > limit &&
         (tree->seconds > limit || tree->seconds + clock->asleep > (request->box ? 3 : 1) * limit);
}

static double seconds_of(int whose) {
  struct rusage all;
  getrusage(whose, &all);
  return (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) +
         1e-6 * (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec);
}

void child_used(double seconds) { spent += seconds; }
double child_spent(void) { return spent + seconds_of(RUSAGE_SELF); }

/* Returns true if the run has exceeded a limit, and stores the kind of limit in end->how. */
static bool over(const ChildRequest *request, const Group *group, const Words *words, size_t asked,
                 Clock *clock, ChildEnd *end) {
  Tree tree = measure();
  tree.seconds = fmax(tree.seconds, group_seconds(group));
  clock->used = fmax(clock->used, tree.seconds);
  if (too_long(request, clock, &tree))
    end->how = CHILD_TIMED_OUT;
  else if (request->budget > 0 && child_spent() + tree.seconds + clock->asleep > request->budget)
    end->how = CHILD_SPENT;
  else if (words->total > PRINTED_MOST || files_too_big(request))
    end->how = CHILD_FLOODED;
  else if (asked > (size_t)FILE_MOST)
    end->how = CHILD_ASKED;
  else if (tree.bytes > RESIDENT_MOST)
    end->how = CHILD_TOO_BIG;
  else if (tree.tasks > tasks_most() || group_is_full(group))
    end->how = CHILD_TOO_MANY;
  else
    return false;
  return true;
}

static void watch(const ChildRequest *request, const Group *group, int printed, int asked,
                  Turning *turning, Clock *clock, ChildEnd *end) {
  Words words = {.copy = request->heard};
  int status = 0;
  bool open = true, asking = asked >= 0;
  size_t transcribed = 0;
  int gone = (int)syscall(SYS_pidfd_open, end->pid, 0); /* -1 if the kernel does not support it. */
  for (;;) {
    struct pollfd waiting[] = {{.fd = open ? printed : -1, .events = POLLIN},
                               {.fd = asking ? asked : -1, .events = POLLIN},
                               {.fd = gone, .events = POLLIN},
                               {.fd = turning->line, .events = POLLIN}};
    poll(waiting, 4, turning->wants ? 1 : open || gone >= 0 ? TICK_MS : 1);
    clock->waiting = turning->wants;
    hear_turns(turning);
    give_turn(turning);
    if (open)
      open = listen_to(printed, &words);
    if (asking)
      asking = take_down(asked, request->asked, &transcribed);

    if (waitpid(end->pid, &status, WNOHANG) == end->pid)
      break;
    if (((open && !turning->wants) || now() - clock->seen >= 1e-3 * TICK_MS) &&
        over(request, group, &words, transcribed, clock, end)) {
      kill(-end->pid, SIGKILL);
      kill(end->pid, SIGKILL);
      waitpid(end->pid, &status, 0);
      memcpy(end->last_words, words.line, words.length);
      close(gone);
      return;
    }
  }
  close(gone);
  listen_to(printed, &words);
  if (asking)
    take_down(asked, request->asked, &transcribed);
  memcpy(end->last_words, words.line, words.length);
  end->how = WIFSIGNALED(status) ? CHILD_SIGNALLED : CHILD_EXITED;
  end->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (group_ran_out(group))
    end->how = CHILD_TOO_BIG;
}

/* Reads from bwrap how the program ended. bwrap exits with the program's status, or with 128 plus
 * the number of the signal, and writes a report to the pipe `status`. If there is no report, the
 * program was not started and the last line is bwrap's own. */
static void see_through(int status, ChildEnd *end) {
  char said[512], *why;
  ssize_t length = read(status, said, sizeof said - 1);
  said[length > 0 ? length : 0] = '\0';
  if (end->how != CHILD_EXITED)
    return;
  if (!strstr(said, "exit-code")) {
    end->how = CHILD_NOT_STARTED;
    if ((why = strstr(end->last_words, SANDBOX_ROOT "/program: ")))
      memmove(end->last_words, strchr(why, ' ') + 1, strlen(strchr(why, ' ')));
    return;
  }
  end->pid = SANDBOX_PID;
  if (end->code > 128 && end->code <= 128 + SIGRTMAX) {
    end->how = end->code == 128 + SIGXFSZ ? CHILD_FLOODED : CHILD_SIGNALLED;
    end->code -= 128;
  }
}

/* Pipes between the checker, which uses the ends [0], and the child, which uses the ends [1]. */
typedef struct Pipes {
  /* printed: the child's output. failed: errno if exec failed. */
  int printed[2], failed[2];
  /* bwrap's report on how the program ended; -1: no sandbox. */
  int status[2];
  /* The transcript of the program's calls; -1: none. */
  int asked[2];
  /* Requests to use the GPU, and the answers; -1: the GPU is not shared. */
  int turn[2];
} Pipes;

static Pipes open_pipes(bool walls, bool transcript, bool turns) {
  Pipes pipes = {.status = {-1, -1}, .asked = {-1, -1}, .turn = {-1, -1}};
  if (pipe2(pipes.printed, O_CLOEXEC) != 0 || pipe2(pipes.failed, O_CLOEXEC) != 0 ||
      (walls && pipe(pipes.status) != 0) || (transcript && pipe(pipes.asked) != 0) ||
      (turns && socketpair(AF_UNIX, SOCK_STREAM, 0, pipes.turn) != 0))
    bad_input("cannot make a pipe: %s", strerror(errno));
  fcntl(pipes.printed[0], F_SETFL, O_NONBLOCK);
  if (transcript) {
    fcntl(pipes.asked[0], F_SETFD, FD_CLOEXEC);
    fcntl(pipes.asked[0], F_SETFL, O_NONBLOCK);
    fcntl(pipes.asked[1], F_SETPIPE_SZ, 1 << 20); /* a speed-up only */
  }
  if (turns) {
    fcntl(pipes.turn[0], F_SETFD, FD_CLOEXEC);
    fcntl(pipes.turn[0], F_SETFL, O_NONBLOCK);
  }
  return pipes;
}

static void close_ends(const Pipes *pipes, int which) {
  close(pipes->printed[which]);
  close(pipes->failed[which]);
  if (pipes->status[which] >= 0)
    close(pipes->status[which]);
  if (pipes->asked[which] >= 0)
    close(pipes->asked[which]);
  if (pipes->turn[which] >= 0)
    close(pipes->turn[which]);
}

/* Starts the child while all signals are blocked. Otherwise a handler could run while locks are
 * held, and a handler that runs in the child would change the checker's memory. */
static int start_quietly(const ChildRequest *request, const Pipes *pipes, const Group *group) {
  enum { STACK = 1 << 18 };
  int filter = -1, nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  Environment environment = environment_make(request, pipes->asked[1], pipes->turn[1]);
  char **walls = NULL, *stack = malloc(STACK);
  sigset_t all, before;
  if (request->box)
    walls = sandbox_command(request->box, request->arguments, pipes->status[1], &filter);
  Start start = {.request = request,
                 .arguments = walls ? walls : (char *const *)request->arguments,
                 .environment = environment.variable,
                 .nothing = nothing,
                 .printed = pipes->printed[1],
                 .failed = pipes->failed[1],
                 .filter = filter,
                 .status = pipes->status[1],
                 .asked = pipes->asked[1],
                 .turn = pipes->turn[1],
                 .group = group->procs,
                 .signals = &before};
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  int pid = stack ? clone(become, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, &start) : -1;
  int error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(nothing);
  if (filter >= 0)
    close(filter);
  free(stack);
  free_words(environment.variable);
  if (walls)
    free_words(walls);
  errno = error;
  return pid;
}

double processor_seconds(void) {
  return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN) + untold;
}

/* Returns true if the measurements cover all processes of the run. On the emulated device the
 * sandbox does not let a program start processes (sandbox.c). Other programs may start processes
 * for which no process waits, so their time is not reported. */
static bool is_seen(const ChildRequest *request, const Group *group) {
  const Sandbox *box = request->box;
  return group->folder >= 0 || (box && !box->work && !box->on_gpu);
}

/* Returns the processor time of a run, the largest of all measurements. If the checker killed the
 * run and the measurements do not cover all of its processes, returns the elapsed time without
 * sleep. On a busy machine this value includes time that other programs have used. */
static double used_by(const ChildRequest *request, const ChildEnd *end, const Group *group,
                      const Clock *clock, double before) {
  double told = seconds_of(RUSAGE_CHILDREN) - before;
  double used = fmax(fmax(told, group_seconds(group)), clock->used);
  bool ended =
      end->how != CHILD_EXITED && end->how != CHILD_SIGNALLED && end->how != CHILD_NOT_STARTED;
  if (ended && !is_seen(request, group))
    used = fmax(used, now() - clock->start - clock->asleep);
  untold += used - told;
  return used;
}

ChildEnd child_run(const ChildRequest *request) {
  int error;
  if (request->budget > 0 && child_spent() >= request->budget)
    return (ChildEnd){.how = CHILD_SPENT, .seconds = request->budget};
  if (request->box)
    sandbox_has_sizes(); /* Starts bwrap once, which must happen before a child exists. */
  Pipes pipes = open_pipes(request->box, request->asked, request->turns);
  Turning turning = {.turns = request->turns, .line = pipes.turn[0]};
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  double start = now(), before = seconds_of(RUSAGE_CHILDREN);
  Clock clock = {.start = start, .seen = start};
  Group group = group_make(RESIDENT_MOST, tasks_most());
  ChildEnd end = {.how = CHILD_NOT_STARTED, .pid = start_quietly(request, &pipes, &group)};
  if (end.pid < 0)
    bad_input("cannot start a process: %s", strerror(errno));
  close_ends(&pipes, 1);
  bool started = read(pipes.failed[0], &error, sizeof error) != sizeof error;
  if (started)
    watch(request, &group, pipes.printed[0], pipes.asked[0], &turning, &clock, &end);
  else
    end.code = error;
  end_all(end.pid);
  /* A killed program cannot report that it no longer uses the GPU, so the checker releases the GPU
   * here. */
  stop_turning(&turning);
  double used = used_by(request, &end, &group, &clock, before);
  end.used = request->budget > 0 ? used + clock.asleep : 0;
  spent += end.used;
  group_remove(&group);
  end.seconds = end.how == CHILD_TIMED_OUT ? request->seconds
                : end.how == CHILD_SPENT   ? request->budget
                                           : now() - start;
  if (started && request->box)
    see_through(pipes.status[0], &end);
  close_ends(&pipes, 0);
  return end;
}
