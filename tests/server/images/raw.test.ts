import { describe, expect, test } from 'vitest'
import { privateMetadata, withoutPrivateMetadata, inMemory } from '#server/images/metadata.ts'
import { kindOf } from '#server/transfers/file-kinds.ts'
import {
  arw,
  cr2,
  cr3,
  dng,
  jpeg,
  nef,
  pef,
  picture,
  raf,
  secrets,
} from '../../support/raw-files.ts'
import { tiff } from '../../support/tiff-writer.ts'

/** What is found in a file of this name; null where it is held back. */
const patchesOf = (bytes: Buffer, name: string) =>
  privateMetadata(inMemory(bytes), kindOf(name).type)

const cameras = {
  'a.cr2': cr2(),
  'a.CR3': cr3(),
  'a.dng': dng(),
  'a.arw': arw(),
  'a.PEF': pef(),
  'a.raf': raf(),
  'a.nef': nef(),
}

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

describe('camera files are held back', () => {
  test.each(Object.entries(cameras))(
    'by their bytes, whatever their name is: %s',
    async (name, file) => {
      for (const other of [name, 'a.tif', 'a.jpg', 'a.bin', 'a', 'a.mp4']) {
        expect([other, await patchesOf(file, other)]).toEqual([other, null])
      }
    },
  )

  test('by the beginnings that makers have chosen', async () => {
    for (const [name, begin] of Object.entries(others)) {
      const file = Buffer.concat([Buffer.from(begin, 'latin1'), Buffer.alloc(2_000)])
      for (const other of [name, name.toUpperCase(), 'a.bin', 'a.tif']) {
        expect([name, other, await patchesOf(file, other)]).toEqual([name, other, null])
      }
    }
  })

  test('by their name alone, whatever is in them', async () => {
    const endings = '3fr fff eip kdc sr2 SRF srw mos gpr braw cr2 NEF arw dng cr3 crm'
    for (const ending of endings.split(' ')) {
      for (const file of [Buffer.alloc(500, 7), picture(), jpeg(), Buffer.alloc(0)]) {
        expect([ending, await patchesOf(file, `a.${ending}`)]).toEqual([ending, null])
      }
    }
  })
})

describe('what no sensor has written leaves', () => {
  test('without its private metadata, and those of its preview', async () => {
    const given = picture()
    expect(given.toString('latin1')).toMatch(secrets)
    const clean = await withoutPrivateMetadata(given, 'image/tiff')
    expect(clean.toString('latin1')).not.toMatch(secrets)
    expect(clean.toString('latin1').match(/KEEP/g)).toEqual(given.toString('latin1').match(/KEEP/g))
    expect(clean).toHaveLength(given.length)
  })

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
