#ifndef LOCKSTEP_EDITS_REPAIR_H
#define LOCKSTEP_EDITS_REPAIR_H

/* What edits.c offers those who make changes, and who makes the changes that only a wrong file is tried with. */
#include "edits.h"
#include "edits_text.h"

/* From..to of the text becomes what the format makes of two texts and their lengths. */
void edit(size_t from, size_t to, const char *operation, const char *format, const char *a,
          int a_length, const char *b, int b_length);
/* A token becomes a text. */
void edit_token(size_t i, const char *operation, const char *text);
/* The texts of tokens a..b and c..d change places. */
void edit_exchange(size_t a, size_t b, size_t c, size_t d, const char *operation,
                   const char *between);
/* Of the last change: so many others of its kind are likelier. */
void edit_choice(size_t choice);

/* What a right file says, in a gap, as Edit.towards; returns the change, which another operator may have made before. */
Edit *edit_towards(int gap, Part, const char *text, int towards);

/* Does it stand in a line "#define PREDICT_..."? What a student is to predict no change may tell. */
bool is_prediction(size_t i);

/* All changes at token i; those of edits_guards.c are among them. */
void edits_repair(size_t i);
void edits_of_guards(size_t i);
/* All changes towards the solution, if there is one. */
void edits_of_solution(void);

#endif
