import { boxes, type Box } from './boxes.ts'
import { take, type ReadableBytes } from './bytes.ts'

/** A piece of a track in the file; the type is that of the track's first sample description. */
export type Sample = { readonly type: string; readonly at: number; readonly length: number }

/**
 * Where the samples of a track are (ISO/IEC 14496-12, 8.5 to 8.7).
 * @param most samples that are looked for
 * @returns null when there are more, or the tables are not whole
 */
export async function samplesOf(
  source: ReadableBytes,
  track: Box,
  most: number,
): Promise<Sample[] | null> {
  let inside: Box | undefined = track
  for (const name of ['mdia', 'minf', 'stbl']) {
    const found: Box[] = inside ? await boxes(source, inside.start, inside.end) : []
    inside = found.find(({ type }) => type === name)
  }
  if (!inside) return null
  const tables = await boxes(source, inside.start, inside.end)
  const table = async (name: string, length: number) => {
    const box = tables.find(({ type }) => type === name)
    return box ? take(source, box.start, Math.min(box.end - box.start, length)) : null
  }
  const [description, sizes, runs, small, large] = [
    await table('stsd', 16),
    await table('stsz', 12 + 4 * most),
    await table('stsc', 8 + 12 * most),
    await table('stco', 8 + 4 * most),
    await table('co64', 8 + 8 * most),
  ]
  if (!description || !sizes || !runs || !(large ?? small)) return null
  try {
    const lengths = lengthsOf(sizes, most)
    const chunks = large ? placesOf(large, 8, most) : placesOf(small!, 4, most)
    const type = description.toString('latin1', 12, 16)
    return lengths && chunks && place({ type, lengths, chunks, runs })
  } catch (err) {
    if (err instanceof RangeError) return null
    throw err
  }
}

function lengthsOf(sizes: Buffer, most: number): number[] | null {
  const [same, count] = [sizes.readUInt32BE(4), sizes.readUInt32BE(8)]
  if (count > most) return null
  return Array.from({ length: count }, (_, each) => same || sizes.readUInt32BE(12 + 4 * each))
}

function placesOf(table: Buffer, width: 4 | 8, most: number): number[] | null {
  const count = table.readUInt32BE(4)
  if (count > most) return null
  return Array.from({ length: count }, (_, each) =>
    width === 4 ? table.readUInt32BE(8 + 4 * each) : Number(table.readBigUInt64BE(8 + 8 * each)),
  )
}

/** Samples lie in chunks one after the other; runs say how many are in each chunk from a number on. */
function place({
  type,
  lengths,
  chunks,
  runs,
}: {
  type: string
  lengths: readonly number[]
  chunks: readonly number[]
  runs: Buffer
}): Sample[] | null {
  const samples: Sample[] = []
  const last = runs.readUInt32BE(4)
  let run = -1
  for (const [index, chunk] of chunks.entries()) {
    while (run + 1 < last && runs.readUInt32BE(8 + 12 * (run + 1)) <= index + 1) run += 1
    if (run < 0) return null
    const inChunk = runs.readUInt32BE(8 + 12 * run + 4)
    let at = chunk
    for (let each = 0; each < inChunk && samples.length < lengths.length; each += 1) {
      const length = lengths[samples.length]!
      samples.push({ type, at, length })
      at += length
    }
  }
  return samples.length === lengths.length ? samples : null
}
