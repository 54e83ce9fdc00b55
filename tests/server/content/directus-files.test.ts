import sharp from 'sharp'
import { expect, test } from 'vitest'
import { catalogueSchema } from '#server/shop/catalogue/product-file.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { eventually } from '../../support/eventually.ts'
import { siteFor } from '../../support/hurried-directus.ts'

const id = (last: number) => `0b1f2c3d-0000-4000-8000-00000000000${last}`
const file = (last: number, more: object = {}) => ({
  id: id(last),
  width: 400,
  height: 200,
  description: null,
  focal_point_x: null,
  focal_point_y: null,
  ...more,
})
const jpeg = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#a00' } })
    .jpeg()
    .toBuffer()

test('a picture is described by its file, unless the media collection does', async () => {
  const words = [
    file(1, { alt: 'A car', description: 'Long', focal_point_x: 100, focal_point_y: 150 }),
    file(2, { alt: '  ', description: 'Described' }),
    file(3, { alt: 'Theirs', focal_point_x: 400, focal_point_y: 0 }),
    file(4, { alt: null }),
  ]
  await using directus = await startDirectus({
    collections: {
      directus_files: words,
      media: [{ id: id(3), alt: 'Ours', focal_x: 0.25, focal_y: null }],
    },
  })
  await using site = await siteFor(directus)
  const { content } = site.context
  await eventually(async () => {
    expect(await content.picture(id(1))).toMatchObject({
      alt: 'A car',
      width: 400,
      height: 200,
      focal: [0.25, 0.75],
    })
  })
  expect(await content.picture(id(2))).toMatchObject({ alt: 'Described', focal: [0.5, 0.5] })
  expect(await content.picture(id(3))).toMatchObject({ alt: 'Ours', width: 400, focal: [0.25, 0] })
  expect(await content.picture(id(4))).toMatchObject({ alt: '', width: 400 })

  // It changes like everything else.
  const version = content.version()
  words[0] = file(1, { alt: 'Another car' })
  await eventually(async () => {
    expect(content.version()).toBeGreaterThan(version)
    expect(await content.picture(id(1))).toMatchObject({ alt: 'Another car', focal: [0.5, 0.5] })
  })
})

test('where nobody has made the field alt, the description counts', async () => {
  await using directus = await startDirectus({
    collections: { directus_files: [file(1, { description: 'Described' })] },
  })
  await using site = await siteFor(directus)
  expect(await site.context.content.picture(id(1))).toMatchObject({ alt: 'Described', width: 400 })
  // The field is asked for once in a while, and not each time.
  const refused = () => directus.answered.filter((line) => line === 'GET /files 403').length
  await eventually(() => expect(refused() * 2).toBeLessThan(directus.hits('/files')))
})

test('a Directus that says nothing of its files is no trouble', async () => {
  await using directus = await startDirectus({ collections: { services: [] } })
  await using site = await siteFor(directus)
  expect(await site.context.content.picture(id(1))).toMatchObject({ alt: '', width: null })
  await eventually(() => expect(directus.hits('/files')).toBeGreaterThan(2))
  expect(site.context.content.outage()).toBeNull()
})

test('pictures of products are asked for with the token, those of drafts are not', async () => {
  await using directus = await startDirectus({
    assets: {
      [id(1)]: { type: 'image/jpeg', bytes: await jpeg(), private: true },
      [id(2)]: { type: 'image/jpeg', bytes: await jpeg(), private: true },
    },
    token: 't',
  })
  await using site = await siteFor(directus, { env: { CONTENT_TOKEN: 't' } })
  const { commit, features } = site.context
  const product = (handle: string, more: object) =>
    catalogueSchema.parse([
      {
        handle,
        title: 'T',
        kind: 'physical',
        category: 'prints',
        description: '',
        variants: [{ variant: 'a', title: 'A', price: '10.00' }],
        ...more,
      },
    ])[0]!
  await commit((tx) => {
    const { save } = features.shop.editing
    save(tx, product('shown', { pictures: [id(1)], published: true }), '<p>x</p>')
    save(tx, product('draft', { pictures: [id(2)], published: false }), '<p>x</p>')
  })
  expect((await site.get(`/assets/${id(1)}`)).status).toBe(200)
  expect((await site.get(`/assets/${id(2)}`)).status).toBe(404)
})
