/* `checker --class DIRECTORY` combines the marks of all students of a class. `make grade
 * SUBMISSIONS=...` makes the directory, which contains:
 *
 *   roster.json            the students and what they handed in:
 *                          [{"id","name","kind","problem","unread","labs":{..},
 *                            "files":{..},"untouched":[..],"notes":[..]},..] (intake/class.c)
 *   marks/ID/NN-name.json  the output of `checker --json`; marks/ID/NN-name.txt the printed text
 *
 * The checker writes reports/ID.txt, results/ID.json (Gradescope), grades.csv, grades.xml (JUnit)
 * and class.html into it, and runs no program. The same input gives the same bytes: the files have
 * no dates, times or paths, and list students in the order of their ids.
 *
 * read.c reads, entry.c describes an entry, causes.c counts, late.c takes points off for late work.
 * student_reports.c, gradescope.c, tables.c, gradebook.c, page.c and lists.c each write their files
 * with file.c. */
#ifndef CLASS_H
#define CLASS_H

#include "say/report.h"

enum { CLASS_LABS = 24, CLASS_NAME = 200 };

typedef enum EntryState {
  ENTRY_MISSING,  /* Nothing was handed in: 0 points. */
  ENTRY_PROBLEM,  /* The submission cannot be used: 0 points. */
  ENTRY_UNGRADED, /* There are no marks yet, or the checker failed: no points. */
  ENTRY_GRADED
} EntryState;

/* One lab of one student. */
typedef struct Entry {
  EntryState state;
  /* The JSON of the checker. NULL unless the state is ENTRY_GRADED. */
  json_t *marks;
  /* The reason for ENTRY_PROBLEM or ENTRY_UNGRADED, otherwise NULL. */
  char *why;
  /* The points before late days are subtracted. */
  int score;
  /* The points after late days are subtracted. */
  double counts;
  /* late_days: the number of days late. free_days: the number of these days that cost no points. */
  int late_days, free_days;
  /* true: the date of submission is the date of the file, because no platform gave one. */
  bool by_file;
} Entry;

typedef struct Student {
  /* The student's id: letters of any script, digits, ".", "_" and "-". */
  const char *id;
  /* The name of the folder or archive, without unprintable characters. */
  char name[CLASS_NAME];
  /* A problem with the whole submission, or NULL. */
  const char *problem;
  /* Sentences about decisions of intake, such as the choice between two files for one lab. */
  const json_t *notes;
  /* The path and the date of the file of each lab. */
  const json_t *files;
  Entry entries[CLASS_LABS];
  /* The sum over all labs of points times weight. */
  double total;
  /* complete: no lab is ENTRY_UNGRADED. no_walls: at least one lab was graded without a sandbox. */
  bool complete, no_walls;
} Student;

typedef struct Class {
  /* The JSON of roster.json, which owns the texts of all students. */
  json_t *roster;
  const char *folder;
  /* The last part of the path of the folder. */
  char title[CLASS_NAME];
  const Sheet *labs[CLASS_LABS];
  /* counts[lab][task] is true if the task is graded on the device of this class. */
  bool counts[CLASS_LABS][TASKS_MAX];
  int points[CLASS_LABS];
  /* The highest possible total: the sum over all labs of points times weight. */
  double all_points;
  size_t lab_count, count;
  Student *students;
  bool no_walls;
  /* The number of pairs and groups of submissions that are alike (alike.h). */
  size_t look_alikes;
} Class;

/* ---- read.c ---------------------------------------------------------------------------------- */
void class_read(Class *, const Settings *, const char *folder);
void class_free(Class *);

/* ---- entry.c --------------------------------------------------------------------------------- */
/* Returns the marks of one task in a graded entry. */
const json_t *task_of(const Entry *, size_t task);
bool task_is(const Entry *, size_t task, const char *status);
/* Returns the points for this task. A task that failed has the points of its right parts. */
int task_score(const Entry *, const Sheet *, size_t task);
const char *entry_words(EntryState); /* Returns text such as "not handed in". */
/* Writes the state with its reason: "cannot be graded: naive.cu is a symbolic link". */
void entry_describe(const Entry *, char *out, size_t size);

/* Writes points without trailing zeros, such as 90 or 7.5, to `out`, and returns `out`. */
const char *points_text(double points, char out[24]);

/* ---- late.c ---------------------------------------------------------------------------------- */
/* Sets late_days, free_days, by_file and counts for all labs of a student. */
void late_apply(const Class *, Student *);
/* Writes "2 days late, 1 of them free: -10", or "" if the lab is not late. */
void late_describe(const Entry *, char *out, size_t size);
bool late_matters(const Class *); /* Returns true if a lab has a due date. */

/* ---- causes.c: counts over the class --------------------------------------------------------- */
/* The reason why tasks failed, and the students with this reason. */
typedef struct Cause {
  size_t lab;
  /* Bit i is set if task i + 1 failed for this cause. */
  unsigned tasks;
  VerdictKind kind;
  /* The sentences of the first student's verdict. */
  Said headline, why;
  /* The indices of `count` students, each once, sorted by id. */
  size_t *students, count;
} Cause;

/* A student's task, or whole lab if task == task_count, whose work is above the median. */
typedef struct Costly {
  size_t student, lab, task;
  /* The number of thread instructions that the device executed. */
  json_int_t work;
  /* The work divided by the median work of the students whose task is right, or whose lab has full
   * marks. */
  double ratio;
} Costly;

/* Finds the causes, sorted by number of students, then by lab. The caller frees them with
 * causes_free. */
size_t causes_find(const Class *, Cause **);
void causes_free(Cause *, size_t count);
/* slowest_tasks lists, for each student and lab, the task that passed with the highest ratio of
 * work to the median. slowest_labs lists the labs with the most work. Both functions store at most
 * `most` elements, the largest first, and return the number of stored elements. */
size_t slowest_tasks(const Class *, Costly *, size_t most);
size_t slowest_labs(const Class *, Costly *, size_t most);
size_t count_entries(const Class *, size_t lab, EntryState);
size_t count_tasks(const Class *, size_t lab, size_t task, const char *status);
/* Selects the points before or after late days are subtracted. */
typedef enum Points { POINTS_OF_WORK, POINTS_THAT_COUNT } Points;
/* Returns the number of students with full marks. */
size_t count_full(const Class *, size_t lab, Points);
/* Return the mean and the median of the points of a lab that was graded. If lab == lab_count,
 * return the mean and the median of the totals of all students whose labs are all graded. Return 0
 * if there are no points. */
double mean_score(const Class *, size_t lab);
double median_score(const Class *, size_t lab);

/* ---- student_reports.c, gradescope.c, tables.c, gradebook.c, page.c -------------------------- */
/* Prints the lines at the top of a student's report: the points of each lab, and the reason for
 * missing points. */
void summary_print(FILE *, const Class *, const Student *);
void reports_write(const Class *);
json_t *gradescope_json(const Class *, const Student *);
void gradescope_write(const Class *);
/* Write CSV for spreadsheets: a byte order mark for UTF-8, then fields in quotes. */
void csv_begin(FILE *);
void csv_field(FILE *, const char *text);
void csv_points(FILE *, const Entry *); /* Writes a comma and the points. */
void csv_write(const Class *);
/* Writes the tables, and appends ", folder/file" to `said` for each of them. */
void gradebooks_write(const Class *, char *said, size_t size);
void junit_write(const Class *);
void page_write(const Class *);
/* Writes the HTML head that all pages of a class share. This head forbids scripts and downloads. */
void page_head(FILE *, const char *title, const char *more_css);

/* ---- lists.c: sections of the page ----------------------------------------------------------- */
void write_causes(FILE *, const Class *);
void write_slowest(FILE *, const Class *);
void write_ungraded(FILE *, const Class *);
void write_students(FILE *, const Class *);
/* Writes a student's id as a link to the report. */
void write_link(FILE *, const Student *);

/* ---- file.c ---------------------------------------------------------------------------------- */
/* A file of the class that is being written. class_close renames it to its final name. */
typedef struct ClassFile {
  FILE *out;
  char path[1024];
} ClassFile;

ClassFile class_open(const Class *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void class_close(ClassFile *);

/* Writes all files of a class and prints a summary. Returns the exit status. */
int class_report(const Settings *, const char *folder);

#endif
