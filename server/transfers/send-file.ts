import { open } from 'node:fs/promises'
import type { Request, Response } from 'express'
import type { Patch, ReadableBytes } from '../images/bytes.ts'
import { patched } from '../images/metadata.ts'
import { readRange, sendRanged } from './ranged.ts'

/**
 * Sends a file from disk as fast as the client takes it, or the range of it that is asked for. The
 * headers must be set, but for those about its length.
 * @param etag strong, with its quotes; a range of another version is answered with the whole
 * @param hide finds what has to overwrite parts of the file
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
  const read: ReadableBytes['read'] = async (into, position) =>
    (await file.read(into, 0, into.length, position)).bytesRead
  const patches = await hide({ size, read })
  const range = readRange(request, size, etag)
  await sendRanged(request, response, { size, etag, range, transfer: null }, async () =>
    patched({ size, read, close: async () => {} }, patches),
  )
}
