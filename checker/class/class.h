/* A class: what `checker --class DIRECTORY` makes of the marks of all its students. The directory
 * comes from `make grade SUBMISSIONS=...`:
 *
 *   roster.json            who handed in what:
 *                          [{"id","name","kind","problem","unread","labs":{..},
 *                            "files":{..},"untouched":[..],"notes":[..]},..] (intake/class.c)
 *   marks/ID/NN-name.json  what `checker --json` wrote; marks/ID/NN-name.txt what it printed
 *
 * and gets reports/ID.txt, results/ID.json (Gradescope), grades.csv, grades.xml (JUnit) and
 * class.html. Nothing is run here. The same input gives the same bytes: no dates, no seconds, no
 * paths, no order but that of the ids.
 *
 * read.c reads, entry.c says what an entry is, causes.c counts; late.c takes off what being late
 * costs; reports.c, gradescope.c, tables.c, gradebook.c, page.c and lists.c write, each its files
 * by way of file.c.
 */
#ifndef CLASS_H
#define CLASS_H

#include "say/report.h"

enum { CLASS_LABS = 24, CLASS_NAME = 200 };

typedef enum EntryState {
  ENTRY_MISSING,  /* not handed in: 0 points */
  ENTRY_PROBLEM,  /* handed in, and unusable: 0 points */
  ENTRY_UNGRADED, /* no marks yet, or the checker could not grade: no points */
  ENTRY_GRADED
} EntryState;

/* What became of one lab of one student. */
typedef struct Entry {
  EntryState state;
  json_t *marks;            /* of a graded one */
  char *why;                /* of a problem, of an ungraded one */
  int score;                /* what the work is worth */
  double counts;            /* the same after what being late has cost */
  int late_days, free_days; /* late, and how many of these days cost nothing */
  bool by_file;             /* the date is the file's own, and no platform's */
} Entry;

typedef struct Student {
  const char *id;        /* letters of any script, digits, ".", "_", "-" */
  char name[CLASS_NAME]; /* what the folder or archive was called; nothing unprintable left */
  const char *problem;   /* with what was handed in as a whole; NULL: none */
  const json_t *notes;   /* what was decided where two files could be meant, ...: texts */
  const json_t *files;   /* of each lab where it was found, and of when it is */
  Entry entries[CLASS_LABS];
  double total;            /* each lab's points times its weight */
  bool complete, no_walls; /* no lab ungraded; a lab was graded without a sandbox */
} Student;

typedef struct Class {
  json_t *roster; /* holds ids and problems */
  const char *folder;
  char title[CLASS_NAME]; /* the folder's name */
  const Sheet *labs[CLASS_LABS];
  bool counts[CLASS_LABS][TASKS_MAX]; /* is the task graded on the device of this class? */
  int points[CLASS_LABS];
  double all_points; /* with the labs' weights */
  size_t lab_count, count;
  Student *students;
  bool no_walls;
  size_t look_alikes; /* pairs */
} Class;

/* ---- read.c ---------------------------------------------------------------------------------- */
void class_read(Class *, const Settings *, const char *folder);
void class_free(Class *);

/* ---- entry.c ----------------------------------------------------------------------------------- */
/* A task's marks of a graded entry. */
const json_t *task_of(const Entry *, size_t task);
bool task_is(const Entry *, size_t task, const char *status);
/* The points that this task earned: all, or those of its right parts. */
int task_score(const Entry *, const Sheet *, size_t task);
const char *entry_words(EntryState); /* "not handed in" */
/* "cannot be graded: naive.cu is a symbolic link", ... */
void entry_describe(const Entry *, char *out, size_t size);

/* Points as they are written: 90, 7.5. */
const char *points_text(double points, char out[24]);

/* ---- late.c ---------------------------------------------------------------------------------- */
/* What being late costs this student's labs: days late, and what counts. */
void late_apply(const Class *, Student *);
/* "2 days late, 1 of them free: -10"; "" when it is not late. */
void late_describe(const Entry *, char *out, size_t size);
bool late_matters(const Class *); /* is a lab due at all? */

/* ---- causes.c: counted over the class -------------------------------------------------------- */
typedef struct Cause {
  size_t lab;
  unsigned tasks; /* bit i: seen in task i + 1 */
  VerdictKind kind;
  Said headline, why;      /* as the first of these students has them */
  size_t *students, count; /* each once, by id */
} Cause;

typedef struct Costly {
  size_t student, lab, task;
  json_int_t work; /* thread instructions */
  double ratio;    /* to the median of all whose task is right, or who have full marks */
} Costly;

/* By number of students, then by lab; to free with causes_free. */
size_t causes_find(const Class *, Cause **);
void causes_free(Cause *, size_t count);
/* Right, but with more work than others who are right, the worst task of each lab; and the most work
 * of a whole lab. The largest first, at most `most`. */
size_t slowest_tasks(const Class *, Costly *, size_t most);
size_t slowest_labs(const Class *, Costly *, size_t most);
size_t count_entries(const Class *, size_t lab, EntryState);
size_t count_tasks(const Class *, size_t lab, size_t task, const char *status);
/* With full marks, before or after what being late has cost. */
typedef enum Points { POINTS_OF_WORK, POINTS_THAT_COUNT } Points;
size_t count_full(const Class *, size_t lab, Points);
/* Of a lab what was graded; of all labs together (lab == lab_count) everybody's total but those that
 * may still grow. 0 without any. */
double mean_score(const Class *, size_t lab);
double median_score(const Class *, size_t lab);

/* ---- reports.c, gradescope.c, tables.c, gradebook.c, page.c ------------------------------------------------- */
/* The lines at the top of a student's report: each lab and why not full marks. */
void summary_print(FILE *, const Class *, const Student *);
void reports_write(const Class *);
json_t *gradescope_json(const Class *, const Student *);
void gradescope_write(const Class *);
/* CSV as spreadsheets open it: a mark for UTF-8 first, fields in quotes. */
void csv_begin(FILE *);
void csv_field(FILE *, const char *text);
void csv_points(FILE *, const Entry *); /* with a comma before */
void csv_write(const Class *);
/* Says which it wrote: ", folder/file" for each. */
void gradebooks_write(const Class *, char *said, size_t size);
void junit_write(const Class *);
void page_write(const Class *);
/* Of all pages of a class; it fetches and executes nothing. */
void page_head(FILE *, const char *title, const char *more_css);

/* ---- lists.c: sections of the page ------------------------------------------------------------- */
void write_causes(FILE *, const Class *);
void write_slowest(FILE *, const Class *);
void write_ungraded(FILE *, const Class *);
void write_students(FILE *, const Class *);
/* A student's id as a link to the report. */
void write_link(FILE *, const Student *);

/* ---- file.c ------------------------------------------------------------------------------------ */
/* A file of the class, which appears under its name when it is whole. */
typedef struct ClassFile {
  FILE *out;
  char path[1024];
} ClassFile;

ClassFile class_open(const Class *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void class_close(ClassFile *);

/* All that a class gets from its marks. Returns the exit status. */
int class_report(const Settings *, const char *folder);

#endif
