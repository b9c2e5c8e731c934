/* Makes the command that runs untrusted code in a sandbox with bubblewrap.
 *
 * A run of a lab program sees the system's libraries, read-only, an empty /tmp, its own processes,
 * and only its own files of the workbook. It may write two files, which it gets as open
 * descriptors, so it can neither replace them nor create others. A compiler also sees the system's
 * programs and headers, common/ and the student's source, all read-only, and one folder for its
 * output. There is no network, no other process, and no environment.
 *
 * A filter for system calls reduces the attack surface of the kernel. A lab starts threads but no
 * processes. It needs no sockets, no memory that is not charged to it, and no access to the memory
 * of other processes. On the emulated device a system call for one of these kills the program.
 * Compilers and NVIDIA's driver have legitimate uses, so for them the call returns an error. */
#include "facts/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- system calls ---------------------------------------------------------------------------- */

/* System calls that concern other processes or rare features of the kernel, or that allocate memory
 * which is charged to no process. */
static const int never[] = {
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(fsopen),
    SCMP_SYS(fspick),
    SCMP_SYS(fsmount),
    SCMP_SYS(open_tree),
    SCMP_SYS(move_mount),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(personality),
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(msgget),
    SCMP_SYS(semget),
    SCMP_SYS(mq_open),
    SCMP_SYS(memfd_secret),
    SCMP_SYS(quotactl),
    SCMP_SYS(swapon),
};
/* System calls that NVIDIA's driver and compilers may make, but a lab on the emulated device never
 * makes. */
static const int not_emulated[] = {
    SCMP_SYS(socket),   SCMP_SYS(socketpair), SCMP_SYS(memfd_create),
    SCMP_SYS(execveat), SCMP_SYS(fork),       SCMP_SYS(vfork),
};

static void must(int result) {
  if (result < 0)
    bad_input("no filter of system calls: %s", strerror(-result));
}

static void refuse(scmp_filter_ctx filter, const int *calls, size_t count, uint32_t no) {
  for (size_t i = 0; i < count; i++)
    must(seccomp_rule_add(filter, no, calls[i], 0));
}

/* Makes the filter. Shared mappings are refused, because their pages are charged only to processes
 * that map them. No lab needs such mappings. clone is allowed for threads only. clone3, whose flags
 * a filter cannot read, returns ENOSYS; the C library then calls clone. A system call of another
 * architecture kills the process. */
static scmp_filter_ctx make_filter(const Sandbox *box) {
  bool strict = !box->work && !box->on_gpu;
  uint32_t no = strict ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM);
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter)
    bad_input("no filter of system calls: out of memory");
  must(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  refuse(filter, never, sizeof never / sizeof never[0], no);
  must(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
  if (strict)
    refuse(filter, not_emulated, sizeof not_emulated / sizeof not_emulated[0], no);
  for (int type = 1; strict && type <= 3; type += 2) /* MAP_SHARED, MAP_SHARED_VALIDATE */
    must(seccomp_rule_add(filter, no, SCMP_SYS(mmap), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, 15, type)));
  if (!box->work)
    must(seccomp_rule_add(filter, no, SCMP_SYS(clone), 1,
                          SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)));
  return filter;
}

/* Returns a descriptor of a sealed file that contains the filter. The file is made once for each
 * kind of run. The file is reopened for each bwrap, because two bwrap processes may start at the
 * same time (speed.c), and each needs a file position of its own. */
static int filter_file(const Sandbox *box) {
  static int files[3] = {-1, -1, -1};
  char path[40];
  int *file = &files[box->work ? 0 : box->on_gpu ? 1 : 2];
  if (*file < 0) {
    scmp_filter_ctx filter = make_filter(box);
    *file = memfd_create("filter", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*file < 0)
      bad_input("no filter of system calls: %s", strerror(errno));
    must(seccomp_export_bpf(filter, *file));
    must(fcntl(*file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE));
    seccomp_release(filter);
  }
  snprintf(path, sizeof path, "/proc/self/fd/%d", *file);
  int opened = open(path, O_RDONLY | O_CLOEXEC);
  if (opened < 0)
    bad_input("no filter of system calls: %s", strerror(errno));
  return opened;
}

/* ---- bwrap's options ------------------------------------------------------------------------- */

typedef struct Words {
  /* The words; NULL at the end. */
  char **word;
  size_t count, room;
} Words;

static void say(Words *words, const char *word) {
  if (words->count + 1 >= words->room) {
    words->room = 2 * words->room + 128;
    words->word = realloc(words->word, words->room * sizeof *words->word);
  }
  if (!words->word || !(words->word[words->count++] = strdup(word)))
    bad_input("out of memory");
  words->word[words->count] = NULL;
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

/* Shows a folder of the system. If it is a symbolic link, such as /lib to /usr/lib, makes the same
 * link. */
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
    /* If bwrap cannot limit the size, the folder is not made. */
    return;
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

/* Shows the listed folders that are inside the workbook if `within` is true, otherwise the listed
 * folders that are outside. Returns true if one of the shown folders contains the workbook. A
 * folder that contains /tmp is skipped, because it would replace the sandbox's own /tmp. */
static bool show_folders(Words *words, const char *folders, const char *workbook, bool within) {
  bool around = false;
  while (folders && *folders) {
    size_t length = strcspn(folders, ":");
    char folder[2 * PATH_MAX];
    /* A relative path begins at the workbook. The list has relative paths because the path of the
     * workbook may contain a colon. */
    bool relative = folders[0] != '/';
    snprintf(folder, sizeof folder, "%s%s%.*s", relative ? workbook : "", relative ? "/" : "",
             (int)length, folders);
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

/* Shows the folders of a list separated by colons, such as the folder of a compiler outside of
 * /usr. Called after the sandbox's /tmp is created, because the folders may be in /tmp. If a
 * visible folder contains the workbook, the workbook is hidden with its solutions. */
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

/* Hides the debug information of the system's libraries, which takes a long time to read. */
static void hide_debug(Words *words) {
  if (access("/usr/lib/debug", F_OK) == 0)
    say(words, "--tmpfs"), say(words, "/usr/lib/debug");
}

static void show_program(Words *words, const Sandbox *box, const char *program) {
  if (box->on_gpu) {
    say3(words, "--ro-bind", "/usr", "/usr"); /* for the driver and the toolkit */
    show_gpu(words);
  }
  show_libraries(words);
  hide_debug(words);
  if (box->on_gpu)
    /* On the emulated device no folder is writable. */
    small_folder(words, "/tmp", "33554432");
  show_readable(words, box->on_gpu ? box->readable : NULL);
  say3(words, "--ro-bind", program, SANDBOX_ROOT "/program");
  if (box->object)
    say3(words, "--ro-bind", box->object, SANDBOX_OBJECT);
  if (box->transcript)
    say3(words, "--ro-bind", box->transcript, SANDBOX_TRANSCRIPT);
  if (box->recorded)
    say3(words, "--ro-bind", box->recorded, SANDBOX_RECORDED);
  if (box->kernels)
    say3(words, "--ro-bind", box->kernels, SANDBOX_KERNELS);
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
  if (access("common/emulator/tests", F_OK) == 0) {
    /* Hides the folder of tests, which contains finished kernels. */
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

/* Shows /proc. A compiler does not see it, because a source could include its files, which describe
 * the machine. A program on the emulated device sees it read-only, because as root it could change
 * the machine there. On a GPU, where the driver writes the names of its threads to /proc, only its
 * parts about the machine are read-only. */
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

/* Adds the options that all sandboxes have. */
static void say_walls(Words *words, const Sandbox *box) {
  static const char *const walls[] = {"bwrap",      "--unshare-all", "--die-with-parent",
                                      "--cap-drop", "ALL",           "--new-session",
                                      "--uid",      "65534",         "--gid",
                                      "65534",      "--dev",         "/dev",
                                      "--hostname", "lockstep"};
  for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++)
    say(words, walls[i]);
  if (box->offline)
    /* There is no network to isolate from, and creating a network namespace takes as long as all
     * other steps together. */
    say(words, "--share-net");
  show_processes(words, box);
}

char **sandbox_command(const Sandbox *box, const char *const *arguments, int status, int *filter) {
  Words words = {.count = 0};
  say_walls(&words, box);
  if (box->work)
    show_compiler(&words, box);
  else
    show_program(&words, box, arguments[0]);
  say3(&words, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache");
  say3(&words, "--ro-bind-try", "/etc/alternatives", "/etc/alternatives");
  if (box->work || box->on_gpu)
    small_folder(&words, "/dev/shm", "16777216");
  say3(&words, "--remount-ro", "/dev", "--remount-ro");
  say3(&words, "/", "--chdir", SANDBOX_ROOT);
  *filter = filter_file(box);
  say_number(&words, "--seccomp", *filter);
  say_number(&words, "--json-status-fd", status);
  say(&words, "--");
  say(&words, box->work ? arguments[0] : SANDBOX_ROOT "/program");
  for (size_t i = 1; arguments[i]; i++)
    say(&words, arguments[i]);
  return words.word;
}

bool sandbox_wanted(const Settings *settings) {
  return settings->walls.sandbox && strcmp(settings->walls.sandbox, "bwrap") == 0;
}

/* ---- availability ---------------------------------------------------------------------------- */

static bool answers(const char *command) {
  int status = system(command);
  return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void not_started(const Settings *settings, const char *program, const ChildEnd *end) {
  if (sandbox_wanted(settings))
    bad_input("no sandbox (%s): SANDBOX=none grades without one",
              *end->last_words ? end->last_words : "bubblewrap did not start");
  bad_input("%s: cannot be started (%s): build it first", program, strerror(end->code));
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
