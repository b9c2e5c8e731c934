/* The walls around code that nobody has read: bubblewrap.
 *
 * A run of a lab program sees the system's libraries, read-only, an empty /tmp, and its own
 * processes; of the workbook nothing but itself. What it may leave behind are two files that it
 * gets as open descriptors, so it can neither put something else in their place nor make more of
 * them. A compiler sees the system's programs and headers too, common/, and the one source file,
 * all read-only, and one folder for what it makes. No network, no other process, no environment.
 *
 * What is left of the kernel is made smaller by a filter for system calls: a lab starts threads,
 * but no process, and has no use for sockets, memory outside of its own accounts, or other
 * processes' memory. Who asks for that on the emulated device is stopped at once; a compiler and
 * NVIDIA's driver, which have reasons of their own, are only told no.
 */
#include "checker.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- system calls ---------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#else
#error "the sandbox's filter knows x86-64 and 64-bit Arm"
#endif

/* Other processes; the kernel's rarer corners; memory that counts as nobody's. */
static const int never[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_open_by_handle_at,
    SYS_personality,
    SYS_shmget,
    SYS_shmat,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_name_to_handle_at,
};
/* What NVIDIA's driver and compilers may ask for, and a lab on the emulated device never does. */
static const int not_emulated[] = {
    SYS_socket, SYS_socketpair, SYS_memfd_create, SYS_execveat,
#ifdef SYS_fork
    SYS_fork,   SYS_vfork,
#endif
};

enum { FILTER_MOST = 160 };
typedef struct Filter {
  struct sock_filter step[FILTER_MOST];
  unsigned short count;
} Filter;

static void add(Filter *filter, unsigned short code, unsigned value, unsigned char if_true,
                unsigned char if_false) {
  if (filter->count == FILTER_MOST)
    bad_input("too many steps for a filter of system calls");
  filter->step[filter->count++] =
      (struct sock_filter){.code = code, .jt = if_true, .jf = if_false, .k = value};
}

static void answer(Filter *filter, unsigned value) { add(filter, BPF_RET | BPF_K, value, 0, 0); }

static void load(Filter *filter, size_t offset) {
  add(filter, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static void refuse(Filter *filter, const int *calls, size_t count, unsigned no) {
  for (size_t i = 0; i < count; i++) {
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
    answer(filter, no);
  }
}

/* clone is for threads; clone3, whose flags a filter cannot see, is "not there": libc then takes
 * clone. */
static void only_threads(Filter *filter, unsigned no) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
  load(filter, offsetof(struct seccomp_data, args));
  add(filter, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
  answer(filter, SECCOMP_RET_ALLOW);
  answer(filter, no);
}

static void make_filter(Filter *filter, const Sandbox *box) {
  bool strict = !box->work && !box->on_gpu;
  unsigned no = strict ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM;
  filter->count = 0;
  load(filter, offsetof(struct seccomp_data, arch));
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0);
  answer(filter, SECCOMP_RET_KILL_PROCESS);
  load(filter, offsetof(struct seccomp_data, nr));
#ifdef __X32_SYSCALL_BIT
  add(filter, BPF_JMP | BPF_JGE | BPF_K, __X32_SYSCALL_BIT, 0, 1);
  answer(filter, SECCOMP_RET_KILL_PROCESS);
#endif
  refuse(filter, never, sizeof never / sizeof never[0], no);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
  answer(filter, SECCOMP_RET_ERRNO | ENOSYS);
  if (strict)
    refuse(filter, not_emulated, sizeof not_emulated / sizeof not_emulated[0], no);
  if (!box->work)
    only_threads(filter, no);
  answer(filter, SECCOMP_RET_ALLOW);
}

/* A pipe that holds the filter, for bwrap to read. */
static int filter_pipe(const Sandbox *box) {
  Filter filter;
  int ends[2];
  make_filter(&filter, box);
  ssize_t bytes = filter.count * (ssize_t)sizeof filter.step[0];
  if (pipe(ends) != 0 || write(ends[1], filter.step, (size_t)bytes) != bytes)
    return -1;
  close(ends[1]);
  return ends[0];
}

/* ---- bwrap's options ------------------------------------------------------------------------- */

enum { WORDS_MOST = 256 };
typedef struct Words {
  char *word[WORDS_MOST + 1];
  size_t count;
} Words;

static void say(Words *words, const char *word) {
  if (words->count == WORDS_MOST)
    bad_input("too many options for bwrap");
  if (!(words->word[words->count++] = strdup(word))) /* would be the end of the list */
    bad_input("out of memory");
}

static void say3(Words *words, const char *option, const char *from, const char *to) {
  say(words, option);
  say(words, from);
  say(words, to);
}

static void say_number(Words *words, const char *option, int number) {
  char text[24];
  snprintf(text, sizeof text, "%d", number);
  say(words, option);
  say(words, text);
}

/* As it is: /lib is a link on a system with everything in /usr, a folder elsewhere. */
static void show_system(Words *words, const char *path) {
  char target[PATH_MAX];
  ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0) {
    say3(words, "--ro-bind-try", path, path);
    return;
  }
  target[length] = '\0';
  say3(words, "--symlink", target, path);
}

static void small_folder(Words *words, const char *path, const char *bytes) {
  if (!sandbox_has_sizes())
    return; /* then there is none, rather than one without a limit */
  say(words, "--size");
  say(words, bytes);
  say(words, "--tmpfs");
  say(words, path);
}

static void show_gpu(Words *words) {
  glob_t found;
  if (glob("/dev/nvidia*", 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; i++)
      say3(words, "--dev-bind-try", found.gl_pathv[i], found.gl_pathv[i]);
  globfree(&found);
  say3(words, "--ro-bind-try", "/sys", "/sys");
}

static void show_libraries(Words *words) {
  static const char *const folders[] = {"/usr/lib", "/usr/lib32", "/usr/lib64"};
  static const char *const links[] = {"/lib", "/lib32", "/lib64"};
  for (size_t i = 0; i < 3; i++)
    say3(words, "--ro-bind-try", folders[i], folders[i]);
  for (size_t i = 0; i < 3; i++)
    show_system(words, links[i]);
}

static bool lies_in(const char *path, const char *folder) {
  size_t length = strlen(folder);
  while (length && folder[length - 1] == '/')
    length--;
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Those of the folders that lie within the workbook, or those that do not; is it in one of these?
 * None takes the place of the sandbox's own /tmp. */
static bool show_folders(Words *words, const char *folders, const char *workbook, bool within) {
  bool around = false;
  while (folders && *folders) {
    size_t length = strcspn(folders, ":");
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)length, folders);
    bool has_workbook = lies_in(workbook, folder);
    if (length && (lies_in(folder, workbook) && !has_workbook) == within &&
        !lies_in("/tmp", folder)) {
      say3(words, "--ro-bind-try", folder, folder);
      around |= has_workbook;
    }
    folders += length + (folders[length] == ':');
  }
  return around;
}

/* Folders separated by colons, such as that of a compiler outside of /usr; after /tmp is made, where
 * they may lie. The workbook itself, solutions and all, is hidden should it lie where a sandbox can
 * look. */
static void show_readable(Words *words, const char *folders) {
  char workbook[PATH_MAX];
  if (!getcwd(workbook, sizeof workbook))
    bad_input("the workbook's folder: %s", strerror(errno));
  bool hide = show_folders(words, folders, workbook, false) || lies_in(workbook, "/usr");
  if (hide) {
    say(words, "--tmpfs");
    say(words, workbook);
  }
  show_folders(words, folders, workbook, true);
  if (hide) {
    say(words, "--remount-ro");
    say(words, workbook);
  }
}

static void show_program(Words *words, const Sandbox *box, const char *program) {
  if (box->on_gpu) {
    say3(words, "--ro-bind", "/usr", "/usr"); /* the driver's libraries, the toolkit's */
    show_gpu(words);
  }
  show_libraries(words);
  small_folder(words, "/tmp", "33554432");
  show_readable(words, box->on_gpu ? box->readable : NULL);
  say3(words, "--ro-bind", program, SANDBOX_ROOT "/program");
  if (box->object)
    say3(words, "--ro-bind", box->object, SANDBOX_OBJECT);
  if (box->transcript)
    say3(words, "--ro-bind", box->transcript, SANDBOX_TRANSCRIPT);
  if (box->recorded)
    say3(words, "--ro-bind", box->recorded, SANDBOX_RECORDED);
}

static void show_compiler(Words *words, const Sandbox *box) {
  static const char *const links[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64"};
  char path[PATH_MAX];
  say3(words, "--ro-bind", "/usr", "/usr");
  for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
    show_system(words, links[i]);
  small_folder(words, "/tmp", "536870912");
  show_readable(words, box->readable);
  say3(words, "--ro-bind", "common", SANDBOX_ROOT "/common");
  if (access("common/emulator/tests", F_OK) == 0) { /* finished kernels are among them */
    say(words, "--tmpfs");
    say(words, SANDBOX_ROOT "/common/emulator/tests");
  }
  snprintf(path, sizeof path, "%s/labs", box->work);
  say3(words, "--ro-bind", path, SANDBOX_ROOT "/labs");
  snprintf(path, sizeof path, "%s/parsed", box->work);
  say3(words, "--ro-bind-try", path, SANDBOX_ROOT "/parsed");
  snprintf(path, sizeof path, "%s/out", box->work);
  say3(words, "--bind", path, SANDBOX_ROOT "/out");
}

/* A compiler has no /proc, which tells of the machine, and could be included. For root, it holds files that change the whole
 * machine. NVIDIA's driver writes the names of its threads there, so on a GPU only the parts that belong to the machine are
 * closed. */
static void show_processes(Words *words, const Sandbox *box) {
  static const char *const machine[] = {
      "/proc/sys",  "/proc/sysrq-trigger", "/proc/irq",    "/proc/bus",  "/proc/fs",
      "/proc/acpi", "/proc/scsi",          "/proc/driver", "/proc/mtrr", "/proc/timer_list"};
  if (box->work)
    return;
  say(words, "--proc");
  say(words, "/proc");
  if (!box->on_gpu) {
    say(words, "--remount-ro");
    say(words, "/proc");
    return;
  }
  for (size_t i = 0; i < sizeof machine / sizeof machine[0]; i++)
    say3(words, "--ro-bind-try", machine[i], machine[i]);
}

/* The same for all. */
static void say_walls(Words *words, const Sandbox *box) {
  static const char *const walls[] = {"bwrap",      "--unshare-all", "--die-with-parent",
                                      "--cap-drop", "ALL",           "--new-session",
                                      "--uid",      "65534",         "--gid",
                                      "65534",      "--dev",         "/dev",
                                      "--hostname", "lockstep"};
  for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++)
    say(words, walls[i]);
  show_processes(words, box);
}

char **sandbox_command(const Sandbox *box, const char *const *arguments, int status, int *filter) {
  Words *words = calloc(1, sizeof *words);
  if (!words)
    bad_input("out of memory");
  say_walls(words, box);
  if (box->work)
    show_compiler(words, box);
  else
    show_program(words, box, arguments[0]);
  say3(words, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache");
  say3(words, "--ro-bind-try", "/etc/alternatives", "/etc/alternatives");
  small_folder(words, "/dev/shm", "16777216");
  say3(words, "--remount-ro", "/dev", "--remount-ro");
  say3(words, "/", "--chdir", SANDBOX_ROOT);
  *filter = filter_pipe(box);
  say_number(words, "--seccomp", *filter);
  say_number(words, "--json-status-fd", status);
  say(words, "--");
  say(words, box->work ? arguments[0] : SANDBOX_ROOT "/program");
  for (size_t i = 1; arguments[i]; i++)
    say(words, arguments[i]);
  return words->word;
}

bool sandbox_wanted(const Settings *settings) {
  return settings->sandbox && strcmp(settings->sandbox, "bwrap") == 0;
}

/* ---- does it work here? ---------------------------------------------------------------------- */

static bool answers(const char *command) {
  int status = system(command);
  return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool sandbox_has_sizes(void) {
  static int known = -1;
  if (known < 0)
    known = answers("bwrap --help 2>&1 | grep -q -e '--size BYTES'");
  return known;
}

void sandbox_check(void) {
  char said[160] = "";
  FILE *probe = popen("bwrap --unshare-all --cap-drop ALL --ro-bind / / --proc /proc --dev /dev "
                      "-- true 2>&1",
                      "r");
  if (probe && fgets(said, sizeof said, probe))
    said[strcspn(said, "\r\n")] = '\0';
  if (!probe || pclose(probe) != 0)
    bad_input("no sandbox here (%s): install bubblewrap and allow user namespaces, or say "
              "SANDBOX=none to grade without a sandbox",
              said[0] ? said : "bwrap does not start");
}
