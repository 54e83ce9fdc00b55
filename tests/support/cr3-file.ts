import { canonFields, credit, jpeg, packet } from './raw-files.ts'
import { tiff, type Fields } from './tiff-writer.ts'

/** A box of an ISO base media file. */
export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

const uuid = (id: string, ...content: readonly Buffer[]) =>
  box('uuid', Buffer.from(id.replaceAll('-', ''), 'hex'), ...content)

/** Numbers of four bytes. */
const longs = (...given: readonly number[]) => {
  const bytes = Buffer.alloc(4 * given.length)
  for (const [index, value] of given.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

const exif: Fields = { 0xa430: 'OWNER-CMT2', 0xa431: 'SERIAL-CMT2', 0xa435: 'SERIAL-CMT2-LENS' }
const position: Fields = { 0x0001: 'N', 0x001d: 'PLACE-CMT4' }

/** A record of Canon's timed metadata. */
export function record(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(12 + content.length)
  head.writeUInt16LE(type, 4)
  return Buffer.concat([head, content])
}

const block = (tag: number, content: Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32LE(8 + content.length)
  head.writeUInt32LE(tag, 4)
  return Buffer.concat([head, content])
}

/** Notes with other words, so that it shows where each of them is. */
const notesOf = (where: string): Fields => ({
  ...canonFields,
  0x4001: Buffer.from(`KEEP color data of ${where}`),
})

export const timed = () =>
  Buffer.concat([
    record(1, Buffer.from('KEEP time')),
    record(
      7,
      Buffer.concat([
        block(0x8769, tiff([{ ...exif, 0x829a: { longs: [1] } }])),
        block(0x927c, tiff([notesOf('record 7')])),
      ]),
    ),
    record(8, block(0x927c, tiff([notesOf('record 8')]))),
    record(99, Buffer.from('SERIAL-IN-UNKNOWN-RECORD')),
  ])

/** What is in a CR3 beside the usual, and what stands in the place of it. */
export type Parts = {
  notes?: Buffer
  sample?: Buffer
  more?: Buffer
}

/** A CR3 with a preview in full size and timed metadata as its tracks. */
export function cr3({ notes = tiff([canonFields]), sample = timed(), more }: Parts = {}): Buffer {
  const picture = jpeg()
  const head = box('ftyp', Buffer.from('crx \0\0\0\x01crx isom', 'latin1'))
  const film = (places: readonly [number, number]) =>
    box(
      'moov',
      uuid(
        '85c0b687-820f-11e0-8111-f4ce462b6a48',
        box('CNCV', Buffer.from('CanonCR3_001/00.09.00/00.00.00')),
        box('CMT1', tiff([{ 0x010f: 'Canon', 0x0110: 'Canon EOS R5', ...credit }])),
        box('CMT2', tiff([exif])),
        box('CMT3', notes),
        box('CMT4', tiff([position])),
        box('THMB', Buffer.alloc(16), picture),
        box('CNEW', Buffer.from('SERIAL-IN-UNKNOWN-BOX')),
      ),
      track('CRAW', places[0], picture.length),
      track('CTMD', places[1], sample.length),
      more ?? Buffer.alloc(0),
    )
  const others = Buffer.concat([
    uuid('be7acfcb-97a9-42e8-9c71-999491e3afac', Buffer.from(packet)),
    uuid(
      'eaf42b5e-1c98-4b88-b9fb-b7dc406e4d16',
      Buffer.alloc(8),
      box('PRVW', Buffer.alloc(16), picture),
    ),
    uuid('00000000-0000-4000-8000-000000000001', Buffer.from('SERIAL-IN-UNKNOWN-UUID')),
  ])
  const from = head.length + film([0, 0]).length + others.length + 8
  return Buffer.concat([
    head,
    film([from, from + picture.length]),
    others,
    box('mdat', picture, sample, Buffer.from('KEEP pixels')),
  ])
}

function track(type: string, place: number, length: number): Buffer {
  return box(
    'trak',
    box(
      'mdia',
      box(
        'minf',
        box(
          'stbl',
          box('stsd', longs(0, 1), box(type, Buffer.alloc(8))),
          box('stsz', longs(0, length, 1)),
          box('stsc', longs(0, 1, 1, 1, 1)),
          box('co64', longs(0, 1, 0, place)),
        ),
      ),
    ),
  )
}
