import { open, type FileHandle } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import { overlay, type Patch, type ReadableBytes } from '../images/bytes.ts'

/** Bytes on their way at a time; the only memory that a download takes. */
const pieceBytes = 64 * 1024

/**
 * Sends a file from disk piece by piece, as fast as the client takes it, or the range of it that is
 * asked for (RFC 9110, section 14). The headers must be set, but for those about its length.
 * @param etag strong, with its quotes; a range of another version is answered with the whole
 * @param hide finds what has to stand over parts of the file
 * @throws when it cannot be opened; nothing is sent then
 */
export async function sendFile(
  request: Request,
  response: Response,
  {
    path,
    etag,
    hide = async () => [],
  }: {
    path: string
    etag: string
    hide?: (source: ReadableBytes) => Promise<readonly Patch[]>
  },
): Promise<void> {
  await using file = await open(path)
  const { size } = await file.stat()
  const patches = await hide({ size, read: (into, position) => readAt(file, into, position) })
  const wanted = rangeOf(request, size, etag)
  response.setHeader('Accept-Ranges', 'bytes')
  if (wanted === 'beyond') {
    response.setHeader('Content-Range', `bytes */${size}`)
    response.setHeader('Content-Length', 0)
    response.status(416).end()
    return
  }
  const { start, end } = wanted ?? { start: 0, end: size - 1 }
  if (wanted) response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${size}`)
  response.setHeader('Content-Length', end - start + 1)
  if (request.method === 'HEAD' || end < start) {
    response.end()
    return
  }
  const bytes = file.createReadStream({ start, end, highWaterMark: pieceBytes, autoClose: false })
  await pipeline(bytes, covered(start, end, patches), response).catch((err: unknown) => {
    // A client may leave whenever it likes.
    if (!response.closed && !response.destroyed) throw err
  })
}

async function readAt(file: FileHandle, into: Buffer, position: number): Promise<number> {
  return (await file.read(into, 0, into.length, position)).bytesRead
}

/** Puts patches over what passes, and fails when it is less than was promised. */
function covered(start: number, end: number, patches: readonly Patch[]): Transform {
  let at = start
  return new Transform({
    highWaterMark: pieceBytes,
    transform(chunk: Buffer, _encoding, done) {
      overlay(chunk, at, patches)
      at += chunk.length
      done(null, chunk)
    },
    flush(done) {
      done(at === end + 1 ? null : new Error('The file became shorter while it was sent.'))
    },
  })
}

/** One range; several, and what cannot be read, are answered with the whole, as the standard allows. */
function rangeOf(
  request: Request,
  size: number,
  etag: string,
): { start: number; end: number } | 'beyond' | null {
  const condition = request.get('if-range')
  if (condition !== undefined && condition !== etag) return null
  const ranges = request.range(size)
  if (ranges === -1) return 'beyond'
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes') return null
  return ranges.length === 1 ? ranges[0]! : null
}
