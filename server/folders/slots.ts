/** Gives a place to a long download, to be given back; null when there is none. */
export type Slots = (address: string) => (() => void) | null

/**
 * Makes places for long downloads.
 * @param options `most` at once, and how many of them for one client address
 */
export function createSlots({ most, each }: { most: number; each: number }): Slots {
  const taken = new Map<string, number>()
  let all = 0
  return (address) => {
    const own = taken.get(address) ?? 0
    if (all >= most || own >= each) return null
    all += 1
    taken.set(address, own + 1)
    let given = false
    return () => {
      if (given) return
      given = true
      all -= 1
      const left = taken.get(address)! - 1
      if (left === 0) taken.delete(address)
      else taken.set(address, left)
    }
  }
}
