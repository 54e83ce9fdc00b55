import { createWriteStream } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** Where a file is until it is whole. */
const partOf = (file: string) => join(dirname(file), `.${basename(file)}.${process.pid}.part`)

/** Writes a file that appears only when it is whole, for its owner alone. */
export async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  const part = partOf(file)
  try {
    await writeFile(part, content, { mode: 0o600, flush: true })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** The same for a content of any length. @param pour writes it, and may wait for the stream */
export async function intoFile(
  pour: (stream: Writable) => Promise<void>,
  file: string,
): Promise<void> {
  const part = partOf(file)
  const stream = createWriteStream(part, { mode: 0o600, flush: true })
  const written = finished(stream)
  try {
    // A path that cannot be written must surface here and not as an unhandled rejection.
    await Promise.race([pour(stream), written])
    stream.end()
    await written
    await rename(part, file)
  } catch (error) {
    stream.destroy()
    await written.catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}
