import type { Request, Response } from 'express'
import { isKnown } from '../http/replies/known-version.ts'
import type { ByteSource } from './disk.ts'
import type { Transfer } from './transfers.ts'

/** Bytes that are read and handed to the socket at a time; the only memory that a download takes. */
const chunkBytes = 256 * 1024

/** Which bytes a request asks for. */
export type RangeRequest =
  /** The client has this version already. */
  | { kind: 'known' }
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'beyond' }

/**
 * Reads If-None-Match, Range and If-Range (RFC 9110, 13.2.2 and section 14). What cannot be read, several ranges at once, and
 * a range of another version are answered with the whole, as the standard allows.
 * @param etag strong, with its quotes
 * @param end of a part is inclusive
 */
export function readRange(request: Request, size: number, etag: string): RangeRequest {
  if (isKnown(request, etag)) return { kind: 'known' }
  const condition = request.get('if-range')
  if (request.get('range') === undefined) return { kind: 'whole' }
  if (condition !== undefined && condition !== etag) return { kind: 'whole' }
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(request.get('range')!.trim()) ?? []
  // As many bytes from the end; of a shorter file that is all of it.
  if (from === '') {
    if (to === '') return { kind: 'whole' }
    const start = Math.max(0, size - Number(to))
    return start < size ? { kind: 'part', start, end: size - 1 } : { kind: 'beyond' }
  }
  const [start, end] = [Number(from), to === '' ? Infinity : Number(to)]
  if (end < start) return { kind: 'whole' }
  return start < size ? { kind: 'part', start, end: Math.min(end, size - 1) } : { kind: 'beyond' }
}

/** Whether what is asked for has bytes to send, so that it counts as a download. */
export const hasBytes = ({ kind }: RangeRequest): boolean => kind === 'whole' || kind === 'part'

/** Milliseconds, twice that at most, after which a connection that takes nothing is cut; it can be resumed. */
const silenceMs = 25_000

/** Milliseconds between looks at whether who reads may still have it. */
const lookMs = 1000

/** What is sent, and the place that it has among the long downloads; null for HEAD. */
export type Sent = {
  size: number
  etag: string
  range: RangeRequest
  transfer: Transfer | null
  /** Whether who began to read may still have it; asked for once a second. */
  mayGoOn?: () => boolean
}

/**
 * Sends bytes: all of them, or the range that is asked for. The headers of the reply must be set,
 * but for those about its length.
 * @param open called only when bytes are to be sent, before anything of the reply has left
 * @returns when the last byte is with the socket, or the client has gone
 * @throws what `open` throws; and when the bytes cannot be read, with the connection cut, as its
 *   length was promised
 */
export async function sendRanged(
  request: Request,
  response: Response,
  { size, etag, range, transfer, mayGoOn = () => true }: Sent,
  open: () => Promise<ByteSource>,
): Promise<void> {
  const sendsBytes = request.method !== 'HEAD' && hasBytes(range)
  const source = sendsBytes ? await open() : null
  try {
    response.setHeader('Accept-Ranges', 'bytes')
    response.setHeader('ETag', etag)
    if (range.kind === 'known') {
      response.removeHeader('Content-Disposition')
      response.status(304).end()
      return
    }
    if (range.kind === 'beyond') {
      response.removeHeader('Content-Disposition')
      response.status(416).setHeader('Content-Range', `bytes */${size}`)
      response.setHeader('Content-Length', 0)
      response.end()
      return
    }
    const [start, end] = range.kind === 'part' ? [range.start, range.end] : [0, size - 1]
    if (range.kind === 'part') {
      response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${size}`)
    }
    response.setHeader('Content-Length', end - start + 1)
    response.setTimeout(silenceMs, () => response.destroy())
    if (!source) response.end()
    else await pour(source, response, { start, end, transfer, mayGoOn })
  } catch (error) {
    response.destroy()
    throw error
  } finally {
    await source?.close()
  }
}

/** One buffer at a time: it is filled again only when the socket has taken it. */
async function pour(
  source: ByteSource,
  response: Response,
  {
    start,
    end,
    transfer,
    mayGoOn,
  }: { start: number; end: number } & Pick<Sent, 'transfer'> & Required<Pick<Sent, 'mayGoOn'>>,
): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, end - start + 1))
  let lookedAt = performance.now()
  for (let at = start; at <= end && !response.destroyed;) {
    if (performance.now() - lookedAt >= lookMs) {
      lookedAt = performance.now()
      // Its length was promised, so nothing but the end of the connection says that it isn't whole.
      if (!mayGoOn()) return void response.destroy()
    }
    const room = buffer.subarray(0, Math.min(buffer.length, end - at + 1))
    const read = await source.read(room, at)
    if (read === 0) throw new Error('The response is shorter than announced.')
    at += read
    transfer?.waits()
    await written(response, room.subarray(0, read))
    transfer?.took(read)
  }
  if (!response.destroyed) response.end()
}

/** Resolves when the socket has taken the bytes, or will never. */
function written(response: Response, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    response.write(bytes, done)
  })
}
