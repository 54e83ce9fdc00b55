import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'

/** Unpacks a ZIP, checking every checksum and refusing names that lead elsewhere. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await openZip(bytes)
  const files = new Map<string, Buffer>()
  for (const entry of await entriesOf(zip)) files.set(entry.fileName, await contentOf(zip, entry))
  return files
}

/** Opens a ZIP that is in memory. */
export function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    )
  })
}

/** All entries of the directory of a ZIP. */
export function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry: Entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.once('end', () => resolve(entries))
    zip.once('error', reject)
    zip.readEntry()
  })
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened)))
  })
  return buffer(stream)
}
