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

/**
 * Bytes that stand over others of the same number: a file is changed without its length, so that
 * ranges and lengths stay true. A number fills the whole stretch with that byte.
 */
export type Patch = {
  readonly at: number
  readonly length: number
  readonly bytes: Buffer | number
}

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

/** A stretch of a source as a source of its own. */
export function part(source: ReadableBytes, start: number, end: number): ReadableBytes {
  const size = Math.max(0, Math.min(end, source.size) - start)
  return {
    size,
    read: (into, position) =>
      position >= size
        ? Promise.resolve(0)
        : source.read(into.subarray(0, size - position), start + position),
  }
}

/** The same patches in the counting of the file that a {@link part} was taken from. */
export const moved = (patches: readonly Patch[], by: number): Patch[] =>
  patches.map((patch) => ({ ...patch, at: patch.at + by }))

/** Puts patches over a piece of a file. @param at where in the file the piece begins */
export function overlay(piece: Buffer, at: number, patches: readonly Patch[]): void {
  for (const { at: start, length, bytes } of patches) {
    const from = Math.max(start, at)
    const to = Math.min(start + length, at + piece.length)
    if (from >= to) continue
    if (typeof bytes === 'number') piece.fill(bytes, from - at, to - at)
    else bytes.copy(piece, from - at, from - start, to - start)
  }
}
