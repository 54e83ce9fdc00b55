import { Readable } from 'node:stream'
import { fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl'
import { expect, test } from 'vitest'
import type { ByteSource } from '#server/transfers/disk.ts'
import { layOutZip, zipSource, type ZipEntry } from '#server/folders/zip/layout.ts'
import { zipNames } from '#server/folders/zip/names.ts'
import { entriesOf, openZip } from '../../support/unzip.ts'

const GiB = 2 ** 30
const mtime = Date.UTC(2026, 10, 20, 12)

/** A ZIP of nothing but zeros, which exists only as its layout. */
function emptyZip(entries: readonly ZipEntry[]) {
  const layout = layOutZip(entries)
  const zeros = async (index: number): Promise<ByteSource> => ({
    size: entries[index]!.size,
    async read(into, position) {
      const length = Math.min(into.length, entries[index]!.size - position)
      into.fill(0, 0, length)
      return length
    },
    async close() {},
  })
  return { layout, source: zipSource(layout, zeros) }
}

async function whole(source: ByteSource): Promise<Buffer> {
  const bytes = Buffer.alloc(source.size)
  expect(await source.read(bytes, 0)).toBe(source.size)
  return bytes
}

/** Lets another program's reader read it from anywhere. */
class Reader extends RandomAccessReader {
  readonly source: ByteSource

  constructor(source: ByteSource) {
    super()
    this.source = source
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { source } = this
    return Readable.from(
      (async function* () {
        for (let at = start; at < end;) {
          const piece = Buffer.alloc(Math.min(65_536, end - at))
          const read = await source.read(piece, at)
          yield piece.subarray(0, read)
          at += read
        }
      })(),
    )
  }
}

function open(source: ByteSource): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const reader = new Reader(source)
    fromRandomAccessReader(reader, source.size, { lazyEntries: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    )
  })
}

test('files beyond 4 GiB, and offsets beyond it, are found by another reader', async () => {
  const entries: ZipEntry[] = [
    { name: 'small.jpg', size: 1000, mtime, crc: 1 },
    { name: 'exactly 4 GiB less one.mov', size: 4 * GiB - 1, mtime, crc: 2 },
    { name: 'film.mov', size: 5 * GiB, mtime, crc: 3 },
    { name: 'behind.jpg', size: 77, mtime, crc: 4 },
  ]
  const { source } = emptyZip(entries)
  expect(source.size).toBeGreaterThan(9 * GiB)
  const zip = await open(source)
  const found = await entriesOf(zip)
  expect(
    found.map(({ fileName, uncompressedSize, crc32 }) => [fileName, uncompressedSize, crc32]),
  ).toEqual(entries.map(({ name, size, crc }) => [name, size, crc]))
  // The data begins where the local header says; the last one lies beyond 9 GiB.
  const offsets = found.map(({ relativeOffsetOfLocalHeader }) => relativeOffsetOfLocalHeader)
  expect(offsets[3]).toBeGreaterThan(9 * GiB)
  const header = Buffer.alloc(4)
  for (const offset of offsets) {
    await source.read(header, offset)
    expect(header.readUInt32LE()).toBe(0x04034b50)
  }
  expect(found[0]!.getLastModDate().getTime()).toBe(mtime)
})

test('more than 65 535 files are all found', async () => {
  const entries = Array.from({ length: 66_000 }, (_, index) => ({
    name: `${index}.jpg`,
    size: 0,
    mtime,
    crc: 0,
  }))
  const zip = await openZip(await whole(emptyZip(entries).source))
  expect(zip.entryCount).toBe(66_000)
  expect((await entriesOf(zip)).at(-1)?.fileName).toBe('65999.jpg')
})

test('the parts follow each other without a gap, and the same entries make the same bytes', async () => {
  const entries = [{ name: 'jää.jpg', size: 300, mtime, crc: 9 }]
  const { layout, source } = emptyZip(entries)
  let at = 0
  for (const { start, length } of layout.parts) {
    expect(start).toBe(at)
    at += length
  }
  expect(at).toBe(layout.size)
  expect(await whole(source)).toEqual(await whole(emptyZip(entries).source))
})

test('names stay as they are, but lead nowhere and clash with none', () => {
  const names = zipNames([
    'a/PIT_1.JPG',
    'a/pit_1.jpg',
    'a/pit_1 (2).jpg',
    'e\u0301.jpg',
    '\u00e9.jpg',
    String.raw`..\..\evil.exe`,
    '../up.jpg',
    'C:\\x.jpg',
    '_MISSING.txt',
    '.hidden..tar.gz',
    'Day 1?/"Start" <1> | 2*.jpg',
    'Day 1./notes ',
    'CON.jpg',
    'aux/lpt1.tar.gz',
    'a/Nul',
    'console/com10.jpg',
  ])
  expect(names).toEqual([
    'a/PIT_1.JPG',
    'a/pit_1 (2).jpg',
    'a/pit_1 (2) (2).jpg',
    'e\u0301.jpg',
    '\u00e9 (2).jpg',
    '.._.._evil.exe',
    'up.jpg',
    'C__x.jpg',
    '_MISSING (2).txt',
    '.hidden..tar.gz',
    'Day 1_/_Start_ _1_ _ 2_.jpg',
    'Day 1_/notes_',
    'CON_.jpg',
    'aux_/lpt1_.tar.gz',
    'a/Nul_',
    'console/com10.jpg',
  ])
})
