import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import exifReader from 'exif-reader'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { ProductView } from '#shared/shop/shop.ts'
import { startDirectus } from '../support/directus-double.ts'
import { eventually } from '../support/eventually.ts'
import { siteFor } from '../support/hurried-directus.ts'
import { runOn } from '../support/in-process-cli.ts'
import { startSite, type Site } from '../support/site.ts'

const handle = 'yearbook-2026'

const run = (site: Pick<Site, 'context'>, ...args: string[]) => runOn(site, 'products', ...args)
const pictures = async (site: Site) =>
  ((await site.get(`/api/shop/products/${handle}`)).json as ProductView).pictures.map(
    ({ id, alt, width, height }) => ({ id, alt, width, height }),
  )

/** A photo as a camera writes it: on its side, with its place. */
const photo = (colour: string) =>
  sharp({ create: { width: 3000, height: 1500, channels: 3, background: colour } })
    .withExif({ IFD0: { Copyright: 'K. Laine' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()

/** A site with content of its own, which goes with it. */
async function ownSite() {
  const dir = mkdtempSync(join(tmpdir(), 'pictures-'))
  cpSync('data/content', dir, { recursive: true })
  const site = await startSite({ sending: false, env: { CONTENT_DIR: dir } })
  return {
    ...site,
    dir,
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true })
    },
  }
}

test('pictures come by command, in their order, with their words and without their place', async () => {
  await using site = await ownSite()
  const [red, blue] = [join(site.dataDir, 'Côté Piste.JPG'), join(site.dataDir, 'Back.png')]
  writeFileSync(red, await photo('#a00'))
  writeFileSync(
    blue,
    await sharp(await photo('#00a'))
      .png()
      .toBuffer(),
  )
  // What a crash left behind, under the process ID that a container gives to each run.
  writeFileSync(join(site.dir, `.media.json.${process.pid}.part`), '[')
  const edit = (...args: string[]) => run(site, 'edit', handle, ...args)
  await edit('--picture', red, blue, 'shop-tube', '--alt', 'The cover', 'The back', 'In its tube')
  const size = { width: expect.any(Number), height: expect.any(Number) }
  const expected = [
    { id: 'cote-piste', alt: 'The cover', width: 1200, height: 2400 },
    { id: 'back', alt: 'The back', width: 2400, height: 1200 },
    { id: 'shop-tube', alt: 'In its tube', ...size },
  ]
  await eventually(async () => expect(await pictures(site)).toEqual(expected))
  const kept = await sharp(join(site.dir, 'assets/cote-piste.jpg')).metadata()
  expect([kept.width, kept.height, kept.exif && exifReader(kept.exif)]).toEqual([
    1200,
    2400,
    undefined,
  ])
  expect((await site.get('/assets/cote-piste')).status).toBe(200)
  // Another order keeps files and words; the same picture under another name is not kept twice.
  await edit('--picture', 'back', red)
  await eventually(async () =>
    expect((await pictures(site)).map(({ id, alt }) => [id, alt])).toEqual([
      ['back', 'The back'],
      ['cote-piste', 'The cover'],
    ]),
  )
  // Another picture with the same name gets its own id.
  writeFileSync(red, await photo('#0a0'))
  await edit('--picture', red)
  await eventually(async () =>
    expect((await pictures(site)).map(({ id }) => id)).toEqual(['cote-piste-2']),
  )
  await edit('--no-picture')
  await eventually(async () => expect(await pictures(site)).toEqual([]))
})

test('what is no picture, or is not there, is named, and nothing changes', async () => {
  await using site = await ownSite()
  const file = join(site.dataDir, 'poster.jpg')
  writeFileSync(file, 'not a picture')
  const drawing = join(site.dataDir, 'drawing.svg')
  writeFileSync(drawing, '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const rows = () => readFileSync(join(site.dir, 'media.json'), 'utf8')
  const before = [rows(), await pictures(site)]
  const edit = (...args: string[]) => run(site, 'edit', handle, ...args)
  await expect(edit('--picture', file)).rejects.toThrow('poster.jpg can’t be read as a picture')
  await expect(edit('--picture', drawing)).rejects.toThrow('can’t be read as a picture')
  await expect(edit('--picture', 'no-such-id')).rejects.toThrow('Picture not found: no-such-id')
  await expect(edit('--picture', 'shop-tube', '--alt', 'a', 'b')).rejects.toThrow(
    '1 pictures and 2',
  )
  await expect(run(site, 'edit', 'no-such', '--picture', 'shop-tube')).rejects.toThrow('not found')
  writeFileSync(join(site.dir, 'media.json'), '[{')
  await expect(edit('--picture', 'shop-tube', '--alt', 'a')).rejects.toThrow('media.json')
  expect([rows(), await pictures(site)]).toEqual(['[{', before[1]])
})

test('with a Directus, pictures are its files, by id or address', async () => {
  const id = '0b1f2c3d-0000-4000-8000-000000000001'
  const bytes = await photo('#a00')
  await using directus = await startDirectus({
    collections: {
      directus_files: [{ id, width: 3000, height: 1500, description: 'A red car' }],
    },
    assets: { [id]: { type: 'image/jpeg', bytes } },
  })
  await using site = await siteFor(directus)
  const file = join(site.dataDir, 'car.jpg')
  writeFileSync(file, bytes)
  const add = ['add', handle, '--title', 'Yearbook', '--kind', 'physical', '--category', 'prints']
  await run(site, ...add, '--price', '34.00')
  await eventually(async () => expect((await site.context.content.picture(id))?.width).toBe(3000))
  await run(site, 'edit', handle, '--picture', `${directus.url}/assets/${id}`)
  await run(site, 'publish', handle)
  expect(await pictures(site)).toMatchObject([{ id, alt: 'A red car', width: 3000 }])
  const other = id.replace(/1$/, '2')
  for (const [args, problem] of [
    [[file], /upload .*car\.jpg to that content service/],
    [[other], `Picture not found in the content service: ${other}`],
    [[id, '--alt', 'Words'], 'describe the image in that content service'],
  ] as const) {
    await expect(run(site, 'edit', handle, '--picture', ...args)).rejects.toThrow(problem)
  }
  expect(await pictures(site)).toMatchObject([{ id }])
})
