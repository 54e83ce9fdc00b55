import type { ByteSource } from '../transfers/byte-source.ts'
import type { ZipLayout, ZipPart } from './zip-layout.ts'

/**
 * The bytes of a ZIP, read where they are asked for: one file is open at a time, and nothing of it
 * is held in memory.
 * @param data opens the data of the entry with an index
 */
export function zipSource(
  { size, parts }: ZipLayout,
  data: (entry: number) => Promise<ByteSource>,
): ByteSource {
  let opened: { entry: number; source: ByteSource } | null = null
  const dataOf = async (entry: number) => {
    if (opened?.entry === entry) return opened.source
    await opened?.source.close()
    opened = null
    const source = await data(entry)
    opened = { entry, source }
    return source
  }
  return {
    size,
    async read(into, position) {
      let filled = 0
      let index = partAt(parts, position)
      // Headers are small, so that as many parts as fit are read at once.
      while (filled < into.length && index < parts.length) {
        const part = parts[index]!
        const from = position + filled - part.start
        if (from >= part.length) {
          index += 1
          continue
        }
        const wanted = Math.min(part.length - from, into.length - filled)
        filled +=
          part.entry === null
            ? part.bytes().copy(into, filled, from, from + wanted)
            : await (await dataOf(part.entry)).read(into.subarray(filled, filled + wanted), from)
      }
      return filled
    },
    async close() {
      const last = opened
      opened = null
      await last?.source.close()
    },
  }
}

/** The index of the part that a byte is in. */
function partAt(parts: readonly ZipPart[], position: number): number {
  let low = 0
  let high = parts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (parts[middle]!.start <= position) low = middle
    else high = middle - 1
  }
  return low
}
