/* Defines the table of the operations in arithmetic.def, the search by spelling, and the names of
 * special registers and types. */
#include <pthread.h>
#include <stdlib.h>

#include "ptx.h"

/* Maps the type names of arithmetic.def to PtxType. */
enum {
  TYPE_u8 = PTX_U8,
  TYPE_s8 = PTX_S8,
  TYPE_u16 = PTX_U16,
  TYPE_s16 = PTX_S16,
  TYPE_u32 = PTX_U32,
  TYPE_s32 = PTX_S32,
  TYPE_u64 = PTX_U64,
  TYPE_s64 = PTX_S64,
  TYPE_f16 = PTX_F16,
  TYPE_f32 = PTX_F32,
  TYPE_r32 = PTX_F32,
  TYPE_f16x2 = PTX_F16X2,
  TYPE_bf16 = PTX_B16, /* there is no PtxType for bf16 */
  TYPE_bf16x2 = PTX_B32,
  TYPE_f64 = PTX_F64,
  TYPE_pred = PTX_PRED,
  TYPE_none = PTX_TYPES
};

const Operation operations[PTX_OP_COUNT] = {
#define PTX_ROW(id, spelling, kind, D, A, B, C, flop, meaning)                                     \
  {spelling, meaning, kind, {TYPE_##D, TYPE_##A, TYPE_##B, TYPE_##C}, flop},
#include "arithmetic.def"
};

static uint16_t by_spelling[PTX_OP_COUNT];

static int compare_operations(const void *a, const void *b) {
  return strcmp(operations[*(const uint16_t *)a].spelling,
                operations[*(const uint16_t *)b].spelling);
}

static void sort_operations(void) {
  for (unsigned i = 0; i < PTX_OP_COUNT; i++)
    by_spelling[i] = (uint16_t)i;
  qsort(by_spelling, PTX_OP_COUNT, sizeof by_spelling[0], compare_operations);
}

static int compare_spelling(const void *key, const void *operation) {
  return strcmp(key, operations[*(const uint16_t *)operation].spelling);
}

PtxOp find_operation(const char *spelling) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, sort_operations);
  const uint16_t *found =
      bsearch(spelling, by_spelling, PTX_OP_COUNT, sizeof by_spelling[0], compare_spelling);
  return found ? (PtxOp)*found : PTX_OP_NONE;
}

static const char *const special_names[PTX_SPECIALS] = {
    [PTX_TID_X] = "%tid.x",
    "%tid.y",
    "%tid.z",
    [PTX_NTID_X] = "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    [PTX_CTAID_X] = "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    [PTX_NCTAID_X] = "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    [PTX_LANEID] = "%laneid",
    [PTX_WARPID] = "%warpid",
    [PTX_NWARPID] = "%nwarpid",
    [PTX_SMID] = "%smid",
    [PTX_NSMID] = "%nsmid",
    [PTX_GRIDID] = "%gridid",
    [PTX_LANEMASK_EQ] = "%lanemask_eq",
    [PTX_LANEMASK_LE] = "%lanemask_le",
    [PTX_LANEMASK_LT] = "%lanemask_lt",
    [PTX_LANEMASK_GE] = "%lanemask_ge",
    [PTX_LANEMASK_GT] = "%lanemask_gt",
    [PTX_CLOCK] = "%clock",
    [PTX_CLOCK64] = "%clock64",
    [PTX_CLOCK_HI] = "%clock_hi",
    [PTX_GLOBALTIMER_LO] = "%globaltimer_lo",
    [PTX_GLOBALTIMER_HI] = "%globaltimer_hi",
    [PTX_GLOBALTIMER] = "%globaltimer",
    [PTX_DYNAMIC_SMEM_SIZE] = "%dynamic_smem_size",
    [PTX_TOTAL_SMEM_SIZE] = "%total_smem_size",
    [PTX_ENVREG1] = "%envreg1",
    [PTX_ENVREG2] = "%envreg2",
    [PTX_CLUSTERID_X] = "%clusterid.x",
    "%clusterid.y",
    "%clusterid.z",
    [PTX_NCLUSTERID_X] = "%nclusterid.x",
    "%nclusterid.y",
    "%nclusterid.z",
    [PTX_CLUSTER_NCTAID_X] = "%cluster_nctaid.x",
    "%cluster_nctaid.y",
    "%cluster_nctaid.z",
    [PTX_CLUSTER_NCTARANK] = "%cluster_nctarank",
    [PTX_CLUSTER_CTAID_X] = "%cluster_ctaid.x",
    "%cluster_ctaid.y",
    "%cluster_ctaid.z",
    [PTX_CLUSTER_CTARANK] = "%cluster_ctarank",
};

PtxSpecial find_special(Slice name) {
  unsigned i = 0;
  while (i < PTX_SPECIALS && !slice_is(name, special_names[i]))
    i++;
  return (PtxSpecial)i;
}

const char *ptx_op_name(PtxOp op) { return op < PTX_OP_COUNT ? operations[op].spelling : "?"; }

const char *ptx_special_name(PtxSpecial i) { return i < PTX_SPECIALS ? special_names[i] : "?"; }

const char *ptx_op_meaning(PtxOp op) { return op < PTX_OP_COUNT ? operations[op].meaning : "?"; }

unsigned ptx_op_flop(PtxOp op) { return operations[op].flop; }
bool ptx_op_is_select(PtxOp op) { return operations[op].kind == SELECT; }

const uint8_t ptx_type_size[PTX_TYPES] = {
    [PTX_B8] = 1,  [PTX_U8] = 1,  [PTX_S8] = 1,  [PTX_B16] = 2, [PTX_U16] = 2, [PTX_S16] = 2,
    [PTX_F16] = 2, [PTX_B32] = 4, [PTX_U32] = 4, [PTX_S32] = 4, [PTX_F32] = 4, [PTX_F16X2] = 4,
    [PTX_B64] = 8, [PTX_U64] = 8, [PTX_S64] = 8, [PTX_F64] = 8, [PTX_PRED] = 0};

static const char *const type_names[PTX_TYPES] = {"pred",  "b8",  "u8",  "s8",  "b16", "u16",
                                                  "s16",   "f16", "b32", "u32", "s32", "f32",
                                                  "f16x2", "b64", "u64", "s64", "f64"};

const char *ptx_type_name(PtxType type) { return type < PTX_TYPES ? type_names[type] : "?"; }
