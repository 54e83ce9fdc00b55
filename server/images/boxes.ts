import { take, type Patch, type ReadableBytes } from './bytes.ts'

/** A box of an ISO base media file (ISO/IEC 14496-12): its bytes, header included, and its content. */
export type Box = {
  type: string
  at: number
  start: number
  end: number
  /** False for one that claims to go on where its stretch has ended. */
  whole: boolean
}

/** Adobe's box for XMP. */
export const xmpUuid = 'be7acfcb97a942e89c71999491e3afac'

/** Boxes of one level that are looked at; no camera writes as many. */
export const mostBoxes = 4_000

/**
 * The boxes of a stretch, one after the other; those that are cut short end where the stretch does.
 * @returns at most {@link mostBoxes}, fewer where a box claims less than its own header
 */
export async function boxes(source: ReadableBytes, from: number, to: number): Promise<Box[]> {
  const found: Box[] = []
  for (let at = from; at + 8 <= to && found.length < mostBoxes;) {
    const head = await take(source, at, 16)
    if (head.length < 8) break
    const small = head.readUInt32BE(0)
    const large = small === 1 && head.length === 16
    const size = large ? Number(head.readBigUInt64BE(8)) : small === 0 ? to - at : small
    if (size < (large ? 16 : 8)) break
    const type = head.toString('latin1', 4, 8)
    const [start, end] = [at + (large ? 16 : 8), Math.min(at + size, to)]
    found.push({ type, at, start, end, whole: at + size <= to })
    at += size
  }
  return found
}

/** Boxes become free space, which players skip. */
export const freed = ({ at, start, end }: Box): Patch[] => [
  { at: at + 4, length: 4, bytes: Buffer.from('free') },
  { at: start, length: end - start, bytes: 0 },
]

/** The identifier of a box of the type `uuid`, in hexadecimal digits. */
export const uuidOf = async (source: ReadableBytes, { start, end }: Box): Promise<string> =>
  (await take(source, start, Math.min(16, end - start))).toString('hex')
