/** Why a camera's file is shown and not given away, in one sentence for one file and for several. */
export const heldBack = {
  one: 'This camera file carries serial numbers that cannot be taken out of it.',
  many: 'These camera files carry serial numbers that cannot be taken out of them.',
} as const
