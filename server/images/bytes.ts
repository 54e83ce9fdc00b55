/**
 * What looking into one file may cost. A camera's file needs a few dozen reads and a handful of
 * patches; what asks for more was made to keep the server busy, or is none that anyone takes.
 */
const limits = {
  /** Pieces of the file that are read. */
  reads: 20_000,
  /** Bytes of all of them. */
  bytes: 16 * 1024 * 1024,
  /** Entries of directories that are looked at. */
  entries: 20_000,
  /** Stretches that are to be hidden. */
  patches: 20_000,
} as const

type Kind = keyof typeof limits

/** Counts what is done for one file. */
export type Budget = {
  /** What has been spent so far. */
  readonly spent: Readonly<Record<Kind, number>>
  /** @throws BudgetExceeded when there is not as much left */
  spend(kind: Kind, count: number): void
}

/** Thrown when a file costs more than it may. */
export class BudgetExceeded extends Error {}

/** Creates the budget of one file. */
export function createBudget(): Budget {
  const spent = { reads: 0, bytes: 0, entries: 0, patches: 0 }
  return {
    spent,
    spend(kind, count) {
      spent[kind] += count
      if (spent[kind] > limits[kind]) throw new BudgetExceeded(`More than ${limits[kind]} ${kind}.`)
    },
  }
}

/** Bytes of known number that can be read from anywhere, such as an open file. */
export type ReadableBytes = {
  readonly size: number
  /**
   * Reads bytes into a buffer.
   * @param position of the first byte
   * @returns how many were read; at least one while position is before the end
   */
  read(into: Buffer, position: number): Promise<number>
}

/** A file that is being looked into: what is read of it, and of all its parts, is counted. */
export type MetadataSource = ReadableBytes & { readonly budget: Budget }

/**
 * Bytes that replace others of the same number: a file is changed without its length, so that
 * ranges and lengths stay true. A number fills the whole stretch with that byte.
 */
export type Patch = {
  readonly at: number
  readonly length: number
  readonly bytes: Buffer | number
}

/** The same bytes, with every read counted. */
export const metered = (source: ReadableBytes, budget: Budget): MetadataSource => ({
  size: source.size,
  budget,
  read(into, position) {
    budget.spend('reads', 1)
    budget.spend('bytes', into.length)
    return source.read(into, position)
  },
})

/** The bytes of a stretch, fewer where the file ends before. */
export async function take(source: ReadableBytes, at: number, length: number): Promise<Buffer> {
  const room = Buffer.alloc(Math.max(0, Math.min(length, source.size - at)))
  let filled = 0
  while (filled < room.length) {
    const read = await source.read(room.subarray(filled), at + filled)
    if (read === 0) break
    filled += read
  }
  return room.subarray(0, filled)
}

/** A stretch of a source as its own source. */
export function part({ size: whole, budget, read }: MetadataSource, start: number, end: number) {
  const size = Math.max(0, Math.min(end, whole) - start)
  return {
    size,
    budget,
    read: (into, position) =>
      position >= size
        ? Promise.resolve(0)
        : read(into.subarray(0, size - position), start + position),
  } satisfies MetadataSource
}

/** The same patches in the counting of the file that a {@link part} was taken from. */
export const moved = (patches: readonly Patch[], by: number): Patch[] =>
  patches.map((patch) => ({ ...patch, at: patch.at + by }))

/**
 * Patches that lie over each other as patches that do not, in the order of the file: a later one
 * covers an earlier one. What is laid over a file a thousand times costs as much as once.
 */
export function flattened(patches: readonly Patch[]): Patch[] {
  const edges = [
    ...new Set(patches.flatMap(({ at, length }) => [at, at + Math.max(0, length)])),
  ].toSorted((a, b) => a - b)
  const index = new Map(edges.map((edge, number) => [edge, number]))
  // Of each stretch between two edges the first free one from there on, and the patch on top of it.
  const following = Int32Array.from(edges.keys())
  const top: (Patch | undefined)[] = Array.from({ length: edges.length })
  const free = (from: number) => {
    let at = from
    while (following[at] !== at) at = following[at] = following[following[at]!]!
    return at
  }
  for (const patch of patches.toReversed()) {
    if (patch.length <= 0) continue
    const end = index.get(patch.at + patch.length)!
    for (let at = free(index.get(patch.at)!); at < end; at = free(at)) {
      top[at] = patch
      following[at] = at + 1
    }
  }
  const flat: Patch[] = []
  for (const [number, patch] of top.entries()) {
    if (!patch) continue
    const [at, end] = [edges[number]!, edges[number + 1]!]
    const last = flat.at(-1)
    const { bytes } = patch
    if (typeof bytes === 'number' && last?.bytes === bytes && last.at + last.length === at) {
      flat[flat.length - 1] = { ...last, length: end - last.at }
    } else if (typeof bytes === 'number') flat.push({ at, length: end - at, bytes })
    else flat.push({ at, length: end - at, bytes: bytes.subarray(at - patch.at, end - patch.at) })
  }
  return flat
}

/**
 * Puts patches over a piece of a file.
 * @param at where in the file the piece begins
 * @param patches as {@link flattened} gives them
 */
export function overlay(piece: Buffer, at: number, patches: readonly Patch[]): void {
  for (let index = firstAfter(patches, at); index < patches.length; index += 1) {
    const { at: start, length, bytes } = patches[index]!
    if (start >= at + piece.length) return
    const from = Math.max(start, at)
    const to = Math.min(start + length, at + piece.length)
    if (typeof bytes === 'number') piece.fill(bytes, from - at, to - at)
    else bytes.copy(piece, from - at, from - start, to - start)
  }
}

/** The index of the first patch that ends after a place. */
function firstAfter(patches: readonly Patch[], place: number): number {
  let [low, high] = [0, patches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const { at, length } = patches[middle]!
    if (at + length <= place) low = middle + 1
    else high = middle
  }
  return low
}
