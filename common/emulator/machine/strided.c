/* Shared memory down a column: lanes a fixed distance apart, one word each.
 *
 * Nothing is gained by looking at such lanes one by one, and bank conflicts, which this device is
 * there to show, come from just these accesses. Checks and copies run over all lanes at once; the
 * wavefronts of a distance are worked out once per access.
 */
#include <string.h>

#include "../observe/banks.h"
#include "../observe/shared_shadow.h"
#include "vector.h"
#include "warp.h"

static void count_strided(Warp *w, const PtxInsn *insn, const uint64_t *address, unsigned bytes) {
  AccessCount *c = access_count(w, insn);
  uint64_t distance = address[1] - address[0];
  /* Starts as 0, a distance that does not come here. Where words come in pairs, it matters where the
   * first one lies. */
  if (c->distance != distance || w->worker->run->bank_bytes != BANKS_4) {
    c->distance = distance;
    c->use = banks_use(address, ALL_LANES, bytes, w->worker->run->bank_bytes, insn->form == PTX_LD);
  }
  c->requests++;
  c->lanes += WARP_LANES;
  c->wavefronts += c->use.wavefronts;
  c->ideal += c->use.ideal;
}

/* Does every lane's word lie in shared memory, aligned? */
static bool all_inside(const Warp *w, const uint64_t *address, unsigned bytes) {
  uint64_t low = address[0] < address[31] ? address[0] : address[31];
  uint64_t high = address[0] < address[31] ? address[31] : address[0];
  return high < w->shared_bytes && bytes <= w->shared_bytes - high && low % bytes == 0 &&
         (address[1] - address[0]) % bytes == 0;
}

bool strided_shared(Warp *w, const PtxInsn *insn, const uint64_t *address) {
  const unsigned bytes = ptx_type_bytes((PtxType)insn->type);
  const uint64_t distance = address[1] - address[0];
  bool plain = insn->count == 1 && insn->list[0] != PTX_NO_REG && !w->tainted &&
               (bytes == 8 || (bytes == 4 && insn->sub != 8));
  if (!plain || distance == 0 || !lanes_advance64(address, distance) ||
      !all_inside(w, address, bytes))
    return false;
  uint8_t *registers = warp_frame(w)->registers + insn->list[0];
  if (insn->form == PTX_LD) {
    if (w->checks && !shadow_read_column(w, insn, (uint32_t)address[0], (uint32_t)distance, bytes))
      return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      if (bytes == 4)
        memcpy(registers + lane * 4, w->shared + address[lane], 4);
      else
        memcpy(registers + lane * 8, w->shared + address[lane], 8);
  } else {
    if (w->checks && !shadow_write_column(w, insn, (uint32_t)address[0], (uint32_t)distance, bytes))
      return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      if (bytes == 4)
        memcpy(w->shared + address[lane], registers + lane * 4, 4);
      else
        memcpy(w->shared + address[lane], registers + lane * 8, 8);
  }
  count_strided(w, insn, address, bytes);
  return true;
}
