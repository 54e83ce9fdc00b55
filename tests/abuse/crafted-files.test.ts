import * as fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { parseCsvRows } from '#cli/common/csv.ts'
import { eventsOfCsv } from '#server/calendar/import/csv.ts'
import { eventsOfIcs } from '#server/calendar/import/icalendar.ts'
import { createBudget, flattened, overlay, type Patch } from '#server/images/bytes.ts'
import { creditOf } from '#server/images/credit.ts'
import { inMemory, privateMetadata } from '#server/images/metadata.ts'
import { readBankFile } from '#server/orders/bank/statement.ts'
import { box } from '../support/boxes.ts'
import { jpeg, packet, picture } from '../support/raw-files.ts'
import { photo } from '../support/shared-folder.ts'

/** What was found in a file, and what that has cost. */
async function look(file: Buffer, type = '') {
  const budget = createBudget()
  const patches = await privateMetadata(inMemory(file), type, budget)
  return { patches, spent: budget.spent }
}

/** Work of a few milliseconds here and there; the last read may go beyond the budget, and is not made. */
function expectBounded({ reads, bytes }: { reads: number; bytes: number }) {
  expect(reads).toBeLessThanOrEqual(20_001)
  expect(bytes).toBeLessThanOrEqual(20 * 1024 * 1024)
}

/** In the order of the file, inside of it, and none over another. */
function expectFlat(patches: readonly Patch[]) {
  for (const [index, { at, length, bytes }] of patches.entries()) {
    const before = patches[index - 1]
    expect(length).toBeGreaterThan(0)
    if (before) expect(at).toBeGreaterThanOrEqual(before.at + before.length)
    if (typeof bytes !== 'number') expect(bytes).toHaveLength(length)
  }
}

const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer)
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)

/** A TIFF of directories full of one tag, each of which claims the same bytes at the end. */
function repeated(tag: number, type: number, directories: number, value: Buffer): Buffer {
  const each = 2_000
  const length = 2 + 12 * each + 4
  const end = 8 + length * directories
  const entry = Buffer.concat([u16(tag), u16(type), u32(value.length), u32(end)])
  const bodies = Array.from({ length: directories }, (_, index) =>
    Buffer.concat([
      u16(each),
      ...Array.from({ length: each }, () => entry),
      u32(index + 1 < directories ? 8 + length * (index + 1) : 0),
    ]),
  )
  return Buffer.concat([Buffer.from('II*\0', 'latin1'), u32(8), ...bodies, value])
}

const webpOf = (type: string, content: Buffer) => {
  const chunk = Buffer.concat([Buffer.from(type, 'latin1'), u32(content.length), content])
  return Buffer.concat([Buffer.from('RIFF'), u32(chunk.length + 4), Buffer.from('WEBP'), chunk])
}

const pngChunk = (type: string, content: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), content, Buffer.alloc(4)])
}
const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Items whose places take no bytes in their table, but count as many pieces as may be. */
const pieces = () => {
  const infos = Array.from({ length: 100 }, (_, id) =>
    box('infe', Buffer.from([2, 0, 0, 0, 0, id, 0, 0]), Buffer.from('Exif')),
  )
  const places = Array.from({ length: 100 }, (_, id) => Buffer.from([0, id, 0, 0, 0xff, 0xff]))
  return Buffer.concat([
    box('ftyp', Buffer.from('heic')),
    box(
      'meta',
      Buffer.alloc(4),
      box('iinf', Buffer.from([0, 0, 0, 0, 0, 100]), ...infos),
      box('iloc', Buffer.from([0, 0, 0, 0, 0, 0, 0, 100]), ...places),
    ),
  ])
}

/** Files that say little and ask for much. */
const hostile: Record<string, () => Buffer> = {
  'a WebP that repeats its notes': () =>
    webpOf('EXIF', repeated(0x927c, 7, 9, Buffer.alloc(4_000_000, 1))),
  'a TIFF that repeats its XMP': () => repeated(0x02bc, 7, 9, Buffer.from(packet.repeat(4_000))),
  'a TIFF that repeats its position': () =>
    repeated(0x8825, 4, 9, repeated(1, 2, 1, Buffer.alloc(9))),
  'a TIFF whose directories lead everywhere': () => repeated(0x014a, 4, 9, Buffer.alloc(8_000, 9)),
  'a JPEG of filling bytes': () =>
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(3_000_000, 0xff)]),
  'a JPEG of empty segments': () =>
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      Buffer.alloc(400_000, Buffer.from([0xff, 0xe1, 0, 2])),
    ]),
  'a PNG of empty chunks': () =>
    Buffer.concat([
      pngStart,
      ...Array.from({ length: 50_000 }, () => pngChunk('eXIf', Buffer.alloc(0))),
    ]),
  'a PNG with one long chunk': () =>
    Buffer.concat([pngStart, pngChunk('eXIf', Buffer.alloc(3_000_000))]),
  'a HEIC whose items have no end of pieces': pieces,
  'a film of empty tracks': () =>
    Buffer.concat([
      box('ftyp', Buffer.from('isom')),
      box('moov', ...Array.from({ length: 40_000 }, () => box('trak'))),
    ]),
  'a film of tracks in tracks': () => {
    let inner: Buffer = Buffer.alloc(0)
    for (let depth = 0; depth < 3_000; depth += 1) inner = box(depth % 2 ? 'trak' : 'udta', inner)
    return Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', inner)])
  },
  'XMP of nothing but places': () => Buffer.from(`<x:xmpmeta ${'exif:GPSa="" '.repeat(250_000)}`),
  'XMP that is never closed': () => Buffer.from(`<x:xmpmeta ${'<exif:GPSa '.repeat(300_000)}`),
  'XMP longer than any': () => webpOf('XMP ', Buffer.alloc(6_000_000, '<a gps="1"/>')),
}

describe.each(Object.entries(hostile))('%s', (_, make) => {
  test('costs no more than any other file', async () => {
    const file = make()
    const { patches, spent } = await look(file)
    expectBounded(spent)
    expect(patches?.length ?? 0).toBeLessThan(50)
    expectFlat(patches ?? [])
  })
})

test('notes that are claimed thousands of times are hidden once', async () => {
  const { patches } = await look(hostile['a WebP that repeats its notes']!())
  // Nine directories without entries, and what they all led to.
  expect(patches).toHaveLength(10)
  expect(patches!.at(-1)).toMatchObject({ length: 4_000_000, bytes: 0 })
})

test('a file that costs too much is held back rather than sent with half of its metadata', async () => {
  for (const name of [
    'a TIFF that repeats its XMP',
    'a JPEG of filling bytes',
    'a PNG with one long chunk',
    'a HEIC whose items have no end of pieces',
    'XMP of nothing but places',
  ]) {
    expect([name, (await look(hostile[name]!())).patches]).toEqual([name, null])
  }
})

const seeds: Record<string, () => Promise<Buffer> | Buffer> = {
  JPEG: jpeg,
  photo: () => photo(),
  TIFF: picture,
  PNG: async () =>
    sharp(await photo())
      .withMetadata()
      .png()
      .toBuffer(),
  WebP: async () =>
    sharp(await photo())
      .withMetadata()
      .withXmp(packet)
      .webp()
      .toBuffer(),
  AVIF: async () =>
    sharp(await photo())
      .withMetadata()
      .withXmp(packet)
      .avif({ effort: 0 })
      .toBuffer(),
  film: () =>
    Buffer.concat([
      box('ftyp', Buffer.from('isom')),
      box(
        'moov',
        box('udta', box('\xa9xyz', Buffer.from('+60.1+24.9/'))),
        box('XMP_', Buffer.from(packet)),
      ),
    ]),
  XMP: () => Buffer.from(packet),
}

const options = (seed: number) => ({ seed, numRuns: 250 })

describe.each(Object.entries(seeds))('damaged: %s', (name, make) => {
  test('nothing is thrown, nothing grows, and what is hidden lies in the file', async () => {
    const given = await make()
    const place = fc.nat(given.length - 1)
    const change = fc.tuple(place, fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff, 8, 12))
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 12 }),
        fc.option(place, { freq: 3 }),
        async (changes, cut) => {
          const file = Buffer.from(given)
          for (const [at, byte] of changes) file[at] = byte
          const { patches, spent } = await look(file.subarray(0, cut ?? file.length), name)
          expectBounded(spent)
          expectFlat(patches ?? [])
        },
      ),
      options(20_261_123),
    )
  })
})

test('patches over each other are as if they had been put there one by one', () => {
  const patch = fc.record({
    at: fc.nat(60),
    length: fc.nat(30),
    bytes: fc.oneof(fc.constantFrom(0, 32), fc.constant(null)),
  })
  fc.assert(
    fc.property(fc.array(patch, { maxLength: 40 }), fc.nat(50), fc.nat(40), (given, from, size) => {
      const patches: Patch[] = given.map(({ at, length, bytes }, index) => ({
        at,
        length,
        bytes: bytes ?? Buffer.alloc(length, index + 100),
      }))
      const expected = Buffer.alloc(100, 1)
      for (const { at, length, bytes } of patches) {
        if (typeof bytes === 'number') expected.fill(bytes, at, at + length)
        else bytes.copy(expected, at)
      }
      const flat = flattened(patches)
      expectFlat(flat)
      const piece = Buffer.alloc(size, 1)
      overlay(piece, from, flat)
      expect(piece.equals(expected.subarray(from, from + size))).toBe(true)
    }),
    options(7),
  )
})

test('author and copyright are read from EXIF that claims more than there is', async () => {
  const crowded = repeated(0x9000, 1, 1, Buffer.alloc(100_000))
  expect(await creditOf({ exif: crowded })).toEqual({})
  const repeatedName = repeated(0x013b, 2, 9, Buffer.from('Aino Kamera\0'.repeat(99)))
  expect(await creditOf({ exif: repeatedName })).toEqual({ Artist: 'Aino Kamera' })
  const given = (await sharp(await photo()).metadata()).exif!
  expect(await creditOf({ exif: given })).toEqual({
    Artist: 'A. Kuvaaja',
    Copyright: 'Pitlane Media',
  })
  const change = fc.tuple(fc.nat(given.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 9 }), async (changes) => {
      const file = Buffer.from(given)
      for (const [at, byte] of changes) file[at] = byte
      for (const text of Object.values(await creditOf({ exif: file })))
        expect(text.length).toBeLessThan(501)
    }),
    options(11),
  )
})

/** Files that staff read in, and how a good one begins. */
const usual = { zone: null, series: null, now: Date.UTC(2026, 10, 20) }

const readers: Record<string, { read: (text: string) => unknown; good: string }> = {
  'calendar files': {
    read: (text) => eventsOfIcs(text, usual),
    good: [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:x',
      'BEGIN:VEVENT',
      'UID:a-1',
      'DTSTAMP:20260101T000000Z',
      'DTSTART;VALUE=DATE:20260501',
      'DTEND;VALUE=DATE:20260503',
      'SUMMARY:Arctic Rally',
      'LOCATION:Rovaniemi',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  },
  'event tables': {
    read: (text) => eventsOfCsv(parseCsvRows(text), usual),
    good: 'id,title,start,end,venue,city,country,series,status\r\na-1,"Arctic, Rally",2026-05-01,2026-05-03,Ring,Rovaniemi,FI,Rally,scheduled\r\n',
  },
  'bank tables': {
    read: (text) => readBankFile(Buffer.from(text)),
    good: 'Kirjauspäivä;Määrä;Viite;Maksaja;Arkistointitunnus\r\n4.12.2026;89,00;1232;Aino;A1\r\n',
  },
  'bank statements': {
    read: (text) => readBankFile(Buffer.from(text)),
    good: '<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">89.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-12-04</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>',
  },
}

describe.each(Object.entries(readers))('%s', (_, { read, good }) => {
  test('that are damaged are read or refused in a sentence, never with the stack of a parser', () => {
    expect(read(good)).toHaveLength(1)
    const change = fc.tuple(
      fc.nat(good.length),
      fc.nat(6),
      fc.string({ maxLength: 8, unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
        let text = good
        for (const [at, length, piece] of changes)
          text = text.slice(0, at) + piece + text.slice(at + length)
        try {
          read(text)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
          expect(error).not.toBeInstanceOf(TypeError)
          expect(error).not.toBeInstanceOf(RangeError)
        }
      }),
      options(23),
    )
  })
})

test('an event that lasts for ever is refused before its days are counted', () => {
  const lasting = readers['calendar files']!.good.replace(
    'DTEND;VALUE=DATE:20260503',
    'DURATION:P999999999999W',
  )
  const [row] = eventsOfIcs(lasting, usual)
  expect(row?.problem).toContain('lasts longer than a year')
})

test('a bank statement of elements that never end is refused in a line, not in all of them', () => {
  const read = () => readBankFile(Buffer.from(`<Document>${'<a>'.repeat(10_000)}`))
  expect(read).toThrow(/^Line 1: .{1,201}$/s)
})
