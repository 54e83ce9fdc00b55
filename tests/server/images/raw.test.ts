import { describe, expect, test } from 'vitest'
import { privateMetadata, withoutPrivateMetadata } from '#server/images/metadata.ts'
import { kindOf } from '#server/transfers/file-kinds.ts'
import { box, cr3, record, timed } from '../../support/cr3-file.ts'
import {
  arw,
  canonFields,
  cr2,
  dng,
  jpeg,
  nef,
  packet,
  pef,
  raf,
  secrets,
} from '../../support/raw-files.ts'
import { tiff } from '../../support/tiff-writer.ts'

const typeOf = (name: string) => kindOf(name).type

/** What is found in a file of this name; null where it is held back. */
const patchesOf = (bytes: Buffer, name: string) =>
  privateMetadata(
    { size: bytes.length, read: async (into, position) => bytes.copy(into, 0, position) },
    typeOf(name),
  )

/** What is left of a secret, to the end of its word. */
const leaks = /(?:SERIAL|OWNER|PLACE)[-\w]*/g

const words = (bytes: Buffer) => bytes.toString('latin1').match(/KEEP(?:(?!SERIAL)[A-Za-z0-9 ])+/g)

const cleanable = {
  'a.CR2': cr2(),
  'a.cr3': cr3(),
  'a.dng': dng(),
  'a.gpr': dng(),
  'a.arw': arw(),
  'a.PEF': pef(),
  'b.pef': pef({ mark: 'PENTAX \0MM', from: 'notes' }),
  'a.raf': raf(),
  'a.xmp': Buffer.from(packet),
}

describe.each(Object.entries(cleanable))('%s', (name, given) => {
  test('loses place, owner and serial numbers, and keeps what it is developed from', async () => {
    expect(given.toString('latin1')).toMatch(secrets)
    const clean = await withoutPrivateMetadata(given, typeOf(name))
    expect(clean).toHaveLength(given.length)
    expect(clean.toString('latin1').match(leaks)).toBeNull()
    expect(words(clean)).toEqual(words(given))
  })

  test('is the same under a name that lies', async () => {
    const clean = await withoutPrivateMetadata(given, typeOf(name))
    for (const other of ['a.tif', 'a.jpg', 'a.bin', 'a', 'a.mp4']) {
      expect((await withoutPrivateMetadata(given, typeOf(other))).equals(clean)).toBe(true)
    }
  })

  test('is cut anywhere and still never more than what is clean, and never a throw', async () => {
    const step = Math.max(1, Math.floor(given.length / 150))
    for (let length = 0; length < given.length; length += step) {
      const cut = given.subarray(0, length)
      const patches = await patchesOf(cut, name)
      if (patches === null) continue
      const clean = await withoutPrivateMetadata(cut, typeOf(name))
      expect(clean.toString('latin1').match(leaks)).toBeNull()
    }
  })

  test('is damaged in any byte without a throw, within a moment', async () => {
    const started = performance.now()
    for (let at = 0; at < given.length; at += 7) {
      const damaged = Buffer.from(given)
      damaged[at] = 0xff
      await patchesOf(damaged, name)
    }
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

/** Beginnings of formats that nothing is known of but that cameras write them. */
const others = {
  'a.orf': 'IIRO\x08\0\0\0',
  'a.rw2': 'IIU\0\x18\0\0\0',
  'a.x3f': 'FOVb\0\0\x02\0',
  'a.mrw': '\0MRM\0\0\0\0',
  'a.crw': 'II\x1a\0\0\0HEAPCCDR',
  'a.iiq': 'II*\0\x08\0\0\0IIIITwaR',
  'a.r3d': '\0\0\x01\0RED2',
  'big.dng': 'II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0',
}

describe('what cannot be cleaned is held back', () => {
  test('since it needs its serial number, whatever its name is', async () => {
    for (const name of ['a.nef', 'a.NRW', 'a.tif', 'a.jpg', 'a.bin', 'a', 'a.mp4']) {
      expect([name, await patchesOf(nef(), name)]).toEqual([name, null])
    }
  })

  test('since its format is not known', async () => {
    for (const [name, begin] of Object.entries(others)) {
      const file = Buffer.concat([Buffer.from(begin, 'latin1'), Buffer.alloc(2_000)])
      for (const other of [name, name.toUpperCase(), 'a.bin', 'a.tif']) {
        expect([name, other, await patchesOf(file, other)]).toEqual([name, other, null])
      }
    }
    for (const ending of ['3fr', 'fff', 'eip', 'kdc', 'sr2', 'SRF', 'srw', 'mos', 'gpr', 'braw']) {
      expect([ending, await patchesOf(Buffer.alloc(500, 7), `a.${ending}`)]).toEqual([ending, null])
    }
  })

  test('since it is not what its name says', async () => {
    const picture = tiff([{ 0x010f: 'Canon', 0x0106: { shorts: [2] } }])
    for (const name of ['a.cr2', 'a.nef', 'a.arw', 'a.dng']) {
      expect([name, await patchesOf(picture, name)]).toEqual([name, null])
      expect([name, await patchesOf(jpeg(), name)]).toEqual([name, null])
      expect([name, await patchesOf(Buffer.alloc(0), name)]).toEqual([name, null])
    }
  })

  test('since its notes are not made as they should be', async () => {
    const outside = { ...canonFields, 0x4001: { pointer: Buffer.from('x') } }
    // Notes of other makers, notes that are cut, and none at all in the place of Canon's.
    expect(await patchesOf(cr2({}), 'a.cr2')).toBeNull()
    expect(await patchesOf(pef({ mark: 'AOC\0MM', from: 'notes' }), 'a.pef')).toBeNull()
    expect(await patchesOf(pef({ mark: 'QVC\0MM' }), 'a.pef')).toBeNull()
    expect(await patchesOf(arw('DSLR-A100'), 'a.arw')).toBeNull()
    expect(await patchesOf(cr2(outside), 'a.cr2')).not.toBeNull()
    const wrong = cr2()
    const at = wrong.indexOf('KEEP color data')
    const offset = wrong.indexOf(Buffer.from(Uint32Array.of(at).buffer))
    wrong.writeUInt32LE(at + 100_000, offset)
    expect(await patchesOf(wrong, 'a.cr2')).toBeNull()
    wrong.writeUInt32LE(12, offset)
    expect(await patchesOf(wrong, 'a.cr2')).toBeNull()
  })

  test('since a block in it cannot be read', async () => {
    for (const part of [
      { notes: Buffer.from('SERIAL-OF-ANOTHER-KIND') },
      { notes: tiff([{}]) },
      { sample: Buffer.from('SERIAL-OF-ANOTHER-KIND') },
      { sample: record(8, Buffer.from('SERIAL-OF-ANOTHER-KIND')) },
      { sample: timed().subarray(0, 200) },
    ]) {
      expect(await patchesOf(cr3(part), 'a.cr3')).toBeNull()
    }
  })
})

describe('what no camera has written leaves', () => {
  test('though it begins like a camera file', async () => {
    for (const text of ['MMORPG and other words', 'ARRIVAL TIMES', 'THE RED1 team', 'IIRO', '']) {
      expect([text, await patchesOf(Buffer.from(text), 'a.txt')]).toEqual([text, []])
    }
    // The same grey all over, with its pixels right behind the header.
    const grey = tiff([{ 0x0106: { shorts: [1] } }], { head: Buffer.alloc(600, 'I') })
    expect(await patchesOf(grey, 'a.tif')).toEqual([])
  })

  test('though it has many pages', async () => {
    const pages = tiff(Array.from({ length: 300 }, () => ({ 0x0106: { shorts: [1] } })))
    expect(await patchesOf(pages, 'a.tif')).toEqual([])
  })
})

describe('hostile files take little time', () => {
  const quick = async (file: Buffer, name: string) => {
    const started = performance.now()
    await patchesOf(file, name)
    expect(performance.now() - started).toBeLessThan(2_000)
  }

  test('directories that lead to each other, and many that claim a lot', async () => {
    const loop = dng()
    loop.writeUInt32LE(8, loop.indexOf(Buffer.from([0x69, 0x87, 4, 0])) + 8)
    await quick(loop, 'a.dng')
    const many = tiff([{ 0xc612: Buffer.from([1, 4, 0, 0]) }], { head: Buffer.alloc(200_000, 1) })
    await quick(many, 'a.dng')
    // Each leads to a thousand others, all of them with the most entries there may be.
    const list = Array.from({ length: 1_000 }, (_, index) => 8 + index * 2)
    const fan = tiff([{ 0x014a: { longs: list }, 0xc612: Buffer.from([1, 4, 0, 0]) }], {
      head: Buffer.concat(Array.from({ length: 20_000 }, () => Buffer.from([0xd0, 7]))),
    })
    await quick(fan, 'a.dng')
    const claims = cr2({ ...canonFields, 0x4001: { longs: Array(2_000).fill(0xffffffff) } })
    await quick(claims, 'a.cr2')
  })

  test('boxes in boxes, boxes by the thousand, and tables without an end', async () => {
    let nested = Buffer.alloc(0)
    for (let depth = 0; depth < 10_000; depth += 1) {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(8 + nested.length)
      head.write(depth % 2 ? 'trak' : 'udta', 4, 'latin1')
      nested = Buffer.concat([head, nested])
    }
    const wide = Buffer.concat(Array.from({ length: 10_000 }, () => box('trak')))
    for (const more of [nested, wide]) {
      await quick(cr3({ more }), 'a.cr3')
      const film = Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', more)])
      await quick(film, 'a.mp4')
    }
    const endless = cr3()
    const sizes = endless.indexOf('stsz')
    endless.writeUInt32BE(0xffffffff, sizes + 4 + 8)
    expect(await patchesOf(endless, 'a.cr3')).toBeNull()
  })
})
