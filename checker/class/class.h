/* A class: `checker --class DIRECTORY` combines the marks of all its students. `make grade
 * SUBMISSIONS=...` makes the directory:
 *
 *   roster.json            the students and what they handed in:
 *                          [{"id","name","kind","problem","unread","labs":{..},
 *                            "files":{..},"untouched":[..],"notes":[..]},..] (intake/class.c)
 *   marks/ID/NN-name.json  the output of `checker --json`; marks/ID/NN-name.txt the printed text
 *
 * Written are reports/ID.txt, results/ID.json (Gradescope), grades.csv, grades.xml (JUnit) and
 * class.html. Nothing is run here. The same input gives the same bytes: no dates, no seconds, no
 * paths, and no order except that of the ids.
 *
 * read.c reads, entry.c describes an entry, causes.c counts, late.c takes points off for late work.
 * student_reports.c, gradescope.c, tables.c, gradebook.c, page.c and lists.c each write their files
 * with file.c. */
#ifndef CLASS_H
#define CLASS_H

#include "say/report.h"

enum { CLASS_LABS = 24, CLASS_NAME = 200 };

typedef enum EntryState {
  ENTRY_MISSING,  /* Not handed in: 0 points. */
  ENTRY_PROBLEM,  /* Handed in, but unusable: 0 points. */
  ENTRY_UNGRADED, /* No marks yet, or the checker could not grade: no points. */
  ENTRY_GRADED
} EntryState;

/* One lab of one student. */
typedef struct Entry {
  EntryState state;
  /* Only if graded. */
  json_t *marks;
  /* Only for a problem or an ungraded lab. */
  char *why;
  /* The points of the work itself. */
  int score;
  /* The points after those for late days are taken off. */
  double counts;
  /* The number of days late, and how many of them are free. */
  int late_days, free_days;
  /* The date is the file's own, not a platform's. */
  bool by_file;
} Entry;

typedef struct Student {
  /* Letters of any script, digits, ".", "_", "-". */
  const char *id;
  /* The name of the folder or archive, without unprintable characters. */
  char name[CLASS_NAME];
  /* A problem with the submission as a whole. NULL: none. */
  const char *problem;
  /* Texts that say how doubtful cases were decided, such as two files for one lab. */
  const json_t *notes;
  /* For each lab, where its file was found, and its date. */
  const json_t *files;
  Entry entries[CLASS_LABS];
  /* The sum of each lab's points times its weight. */
  double total;
  /* complete: no lab is ungraded. no_walls: a lab was graded without a sandbox. */
  bool complete, no_walls;
} Student;

typedef struct Class {
  /* Owns ids and problems. */
  json_t *roster;
  const char *folder;
  /* The folder's name. */
  char title[CLASS_NAME];
  const Sheet *labs[CLASS_LABS];
  /* Whether the task is graded on the device of this class. */
  bool counts[CLASS_LABS][TASKS_MAX];
  int points[CLASS_LABS];
  /* The points of all labs, times their weights. */
  double all_points;
  size_t lab_count, count;
  Student *students;
  bool no_walls;
  /* The number of pairs. */
  size_t look_alikes;
} Class;

/* ---- read.c ---------------------------------------------------------------------------------- */
void class_read(Class *, const Settings *, const char *folder);
void class_free(Class *);

/* ---- entry.c --------------------------------------------------------------------------------- */
/* Returns the marks of one task in a graded entry. */
const json_t *task_of(const Entry *, size_t task);
bool task_is(const Entry *, size_t task, const char *status);
/* Returns the points of this task: all, or those of its right parts. */
int task_score(const Entry *, const Sheet *, size_t task);
const char *entry_words(EntryState); /* Such as "not handed in". */
/* Writes "cannot be graded: naive.cu is a symbolic link", ... */
void entry_describe(const Entry *, char *out, size_t size);

/* Returns points as they are written: 90, 7.5. */
const char *points_text(double points, char out[24]);

/* ---- late.c ---------------------------------------------------------------------------------- */
/* Fills in the days late of this student's labs, and the points that count. */
void late_apply(const Class *, Student *);
/* Writes "2 days late, 1 of them free: -10", or "" if it is not late. */
void late_describe(const Entry *, char *out, size_t size);
bool late_matters(const Class *); /* Returns true if any lab is due. */

/* ---- causes.c: counts over the class --------------------------------------------------------- */
typedef struct Cause {
  size_t lab;
  /* Bit i: seen in task i + 1. */
  unsigned tasks;
  VerdictKind kind;
  /* The sentences of the first of these students' verdicts. */
  Said headline, why;
  /* Each student once, sorted by id. */
  size_t *students, count;
} Cause;

typedef struct Costly {
  size_t student, lab, task;
  /* The work, in thread instructions. */
  json_int_t work;
  /* The work divided by the median of all right tasks, or of all labs with full marks. */
  double ratio;
} Costly;

/* Finds the causes, sorted by number of students, then by lab. The caller frees them with
 * causes_free. */
size_t causes_find(const Class *, Cause **);
void causes_free(Cause *, size_t count);
/* List right tasks with more work than others' right ones, the worst of each lab, or the whole labs
 * with the most work. The largest comes first. At most `most` are listed. */
size_t slowest_tasks(const Class *, Costly *, size_t most);
size_t slowest_labs(const Class *, Costly *, size_t most);
size_t count_entries(const Class *, size_t lab, EntryState);
size_t count_tasks(const Class *, size_t lab, size_t task, const char *status);
/* Counts full marks, before or after points are taken off for late work. */
typedef enum Points { POINTS_OF_WORK, POINTS_THAT_COUNT } Points;
size_t count_full(const Class *, size_t lab, Points);
/* Means: of a lab over all that was graded; of all labs together (lab == lab_count) over all totals
 * that cannot grow any more. 0 if there are none. */
double mean_score(const Class *, size_t lab);
double median_score(const Class *, size_t lab);

/* ---- student_reports.c, gradescope.c, tables.c, gradebook.c, page.c -------------------------- */
/* Prints the lines at the top of a student's report: each lab, and why it has not full marks. */
void summary_print(FILE *, const Class *, const Student *);
void reports_write(const Class *);
json_t *gradescope_json(const Class *, const Student *);
void gradescope_write(const Class *);
/* CSV as spreadsheets open it: begins with a mark for UTF-8, and has fields in quotes. */
void csv_begin(FILE *);
void csv_field(FILE *, const char *text);
void csv_points(FILE *, const Entry *); /* Begins with a comma. */
void csv_write(const Class *);
/* Writes the tables, and into `said` their names: ", folder/file" for each. */
void gradebooks_write(const Class *, char *said, size_t size);
void junit_write(const Class *);
void page_write(const Class *);
/* Writes the head of every page of a class. A page fetches and executes nothing. */
void page_head(FILE *, const char *title, const char *more_css);

/* ---- lists.c: sections of the page ----------------------------------------------------------- */
void write_causes(FILE *, const Class *);
void write_slowest(FILE *, const Class *);
void write_ungraded(FILE *, const Class *);
void write_students(FILE *, const Class *);
/* Writes a student's id as a link to the report. */
void write_link(FILE *, const Student *);

/* ---- file.c ---------------------------------------------------------------------------------- */
/* A file of the class. It gets its name when it is complete. */
typedef struct ClassFile {
  FILE *out;
  char path[1024];
} ClassFile;

ClassFile class_open(const Class *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void class_close(ClassFile *);

/* Writes all files of a class. Returns the exit status. */
int class_report(const Settings *, const char *folder);

#endif
