import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseCsv } from '#cli/common/csv.ts'
import { runOn } from '../support/in-process-cli.ts'
import { runCli } from '../support/run-cli.ts'
import { startSite, type Site } from '../support/site.ts'

const day = 86_400_000
const print = 'blue-hour-fine-art-print'

type Shown = {
  handle: string
  title: string
  kind: string
  published: boolean
  variants: { variant: string; price: string; lowestBefore: string | null; stock: number | null }[]
}

const run = (site: Site, ...args: string[]) => runOn(site, 'products', ...args)
const show = async (site: Site, handle: string) =>
  JSON.parse(await run(site, 'show', handle, '--json')) as Shown

test('products are listed with their variants, prices in euros and pieces', async () => {
  await using site = await startSite({ sending: false })
  const found = JSON.parse(await run(site, 'list', '--json')) as Shown[]
  expect(found.length).toBeGreaterThanOrEqual(16)
  expect(found.find(({ handle }) => handle === print)).toMatchObject({
    title: expect.any(String),
    kind: 'physical',
    published: true,
    variants: expect.arrayContaining([
      expect.objectContaining({ variant: '30x40-matte', price: '89.00', stock: 14 }),
    ]),
  })
  expect(await run(site, 'list')).toContain('30x40-matte')
})

test('a product is added as a draft, changed, published, renamed and taken out', async () => {
  await using site = await startSite({ sending: false })
  const add = ['add', 'rally-mug', '--kind', 'physical', '--category', 'prints', '--price', '14.90']
  await run(site, ...add, '--title', 'Rally mug', '--stock', '12', '--weight', '300')
  await expect(run(site, ...add, '--title', 'Rally mug')).rejects.toThrow('already exists')
  expect(await show(site, 'rally-mug')).toMatchObject({
    published: false,
    variants: [{ variant: 'standard', price: '14.90', stock: 12 }],
  })
  expect((await site.get('/api/shop/products/rally-mug')).status).toBe(404)
  await run(site, 'edit', 'rally-mug', '--title', 'Rally mug, enamel', '--tags', 'mug, gift')
  await run(site, 'publish', 'rally-mug')
  await run(site, 'stock', 'rally-mug', 'standard', '+5')
  expect(await show(site, 'rally-mug')).toMatchObject({
    title: 'Rally mug, enamel',
    tags: ['mug', 'gift'],
    published: true,
    variants: [{ price: '14.90', stock: 17 }],
  })
  await run(site, 'rename', 'rally-mug', 'enamel-mug')
  const moved = await site.get('/api/shop/products/rally-mug')
  expect(moved.json).toEqual({ movedTo: '/shop/products/enamel-mug' })
  await expect(run(site, 'show', 'rally-mug')).rejects.toThrow('has been renamed enamel-mug')
  await expect(run(site, 'rename', 'enamel-mug', print)).rejects.toThrow('already exists')
  await run(site, 'unpublish', 'enamel-mug')
  expect((await site.get('/api/shop/products/enamel-mug')).status).toBe(404)
})

test('SKU, weight and size of a variant are changed by edit, and everything else of it stays', async () => {
  await using site = await startSite({ sending: false })
  const { catalogue } = site.context.features.shop
  const variantOf = () =>
    catalogue.find(print)!.variants.find((each) => each.variant === '30x40-matte')!
  const { sku: _, weight: __, size: ___, ...rest } = variantOf()
  const edit = (...args: string[]) => run(site, 'edit', print, ...args)
  const pack = ['--sku', 'PR-BH-30', '--weight', '410', '--size', '420x320x30'] as const
  await expect(edit(...pack)).rejects.toThrow()
  expect(await edit('--variant', '30x40-matte', ...pack)).toContain('30x40-matte: changed')
  const packed = { sku: 'PR-BH-30', weight: 410, size: [420, 320, 30] }
  expect(variantOf()).toEqual({ ...rest, ...packed })
  await expect(edit('--variant', '30x40-matte', '--sku', 'not an sku')).rejects.toThrow('sku')
  await expect(edit('--variant', '30x40-matte', '--weight', 'heavy')).rejects.toThrow()
  await expect(edit('--variant', 'none-such', '--weight', '5')).rejects.toThrow('none-such')
  expect(variantOf()).toEqual({ ...rest, ...packed })
  await edit('--variant', '30x40-matte', '--size', 'none', '--weight', 'none', '--sku', 'none')
  expect(variantOf()).toEqual({ ...rest, sku: null, weight: null, size: null })
  expect(await run(site, 'show', print)).toContain('variant changed')
})

test('a reduction without thirty days of prices is refused and said why; with them it shows the lowest', async () => {
  await using site = await startSite({ sending: false })
  const add = ['add', 'rally-mug', '--title', 'Rally mug', '--kind', 'physical']
  await run(site, ...add, '--category', 'prints', '--price', '89.00')
  const price = (...args: string[]) => run(site, 'price', 'rally-mug', 'standard', ...args)
  await expect(price('79.00', '--to', '2026-11-30')).rejects.toThrow(
    /lowest price of the previous 30 days.*20 December 2026/,
  )
  await price('85.00')
  site.clock.advance(31 * day)
  await price('95.00')
  await expect(price('85.00', '--to', '2026-12-30')).rejects.toThrow('85.00')
  await expect(price('79.00', '--from', '2026-12-01')).rejects.toThrow('in the past')
  await price('79.00', '--to', '2026-12-30')
  expect((await show(site, 'rally-mug')).variants).toMatchObject([
    { price: '79.00', lowestBefore: '85.00' },
  ])
  site.clock.advance(30 * day)
  expect((await show(site, 'rally-mug')).variants).toMatchObject([
    { price: '95.00', lowestBefore: null },
  ])
})

test('products are exported as lines, and as a table with a row for each variant', async () => {
  await using site = await startSite({ sending: false })
  const all = JSON.parse(await run(site, 'export')) as { handle: string; published: boolean }[]
  const lines = (await run(site, 'export', '--format', 'ndjson')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(all)
  const file = join(site.dataDir, 'lines.ndjson')
  writeFileSync(file, lines.join('\n'))
  // Nothing is different, and nothing is said to be.
  expect(await run(site, 'import', file)).toBe('0 added, 0 changed\n')
  expect(await runOn(site, 'history', '--thing', 'product')).not.toContain('imported')
  const other = { ...(JSON.parse(lines[0]!) as object), title: 'Another title' }
  writeFileSync(file, [JSON.stringify(other), ...lines.slice(1)].join('\n'))
  expect(await run(site, 'import', file)).toBe('0 added, 1 changed\n')
  writeFileSync(file, lines.join('\n'))
  expect(await run(site, 'import', file)).toBe('0 added, 1 changed\n')
  const sheet = parseCsv(await run(site, 'export', '--format', 'csv'))
  expect(Object.keys(sheet[0]!.fields).join()).toContain(
    'handle,variant,title,kind,category,published,price,stock',
  )
  expect(sheet.length).toBeGreaterThan(all.length)
  const drafts = JSON.parse(await run(site, 'export', '--status', 'draft')) as unknown[]
  expect(drafts).toHaveLength(all.filter(({ published }) => !published).length)
  expect(JSON.parse(await run(site, 'export', '--to', '2020-01-01'))).toEqual([])
})

test('an export is imported without change into the same shop, and whole into another', async () => {
  await using site = await startSite({ sending: false })
  await run(site, 'rename', print, 'blue-hour')
  const file = join(site.dataDir, 'products.json')
  await run(site, 'export', '--out', file)
  await run(site, 'import', file)
  await run(site, 'export', '--out', `${file}.again`)
  const exported = JSON.parse(readFileSync(file, 'utf8')) as unknown
  expect(JSON.parse(readFileSync(`${file}.again`, 'utf8'))).toEqual(exported)
  await using other = await startSite({ sending: false, env: { CONTENT_DIR: site.dataDir } })
  expect(other.context.features.shop.catalogue.count()).toBe(
    site.context.features.shop.catalogue.count(),
  )
  expect(JSON.parse(await run(other, 'export'))).toEqual(exported)
  expect((await other.get(`/api/shop/products/${print}`)).json).toEqual({
    movedTo: '/shop/products/blue-hour',
  })
})

test('a file with a mistake is refused whole, and every mistake named', async () => {
  await using site = await startSite({ sending: false })
  const file = join(site.dataDir, 'products.json')
  const products = JSON.parse(await run(site, 'export')) as Record<string, unknown>[]
  writeFileSync(
    file,
    JSON.stringify([
      { ...products[0], title: 'Changed' },
      { ...products[1], kind: 'gold', secret: 1 },
    ]),
  )
  await expect(run(site, 'import', file)).rejects.toThrow(/1\.kind[^]*secret/)
  writeFileSync(file, '[{')
  await expect(run(site, 'import', file)).rejects.toThrow()
  writeFileSync(file, `${JSON.stringify(products[0])}\n\n{"handle": }\n`)
  await expect(run(site, 'import', file)).rejects.toThrow(
    /products\.json isn’t valid JSON from line 3, column 12\. It has to be/,
  )
  // The beginning of a ZIP, as of a workbook, under three names.
  const zip = Buffer.from('504b0304140000000000d8787b28c8f4', 'hex')
  for (const name of ['products.zip', 'products.xlsx', 'products.csv']) {
    const workbook = join(site.dataDir, name)
    writeFileSync(workbook, zip)
    await expect(run(site, 'import', workbook)).rejects.toThrow(/isn’t text.* CSV/)
  }
  const reduced = { variant: '30x40-matte', price: '1.00', from: '2026-11-20', to: '2026-11-30' }
  const early = { ...products[0], handle: 'new-one', history: [], formerHandles: [] }
  writeFileSync(
    file,
    JSON.stringify([
      { ...products[0], title: 'Changed' },
      { ...early, reduction: reduced },
    ]),
  )
  await expect(run(site, 'import', file)).rejects.toThrow(
    /new-one: A sale must show the lowest price of the previous 30 days/,
  )
  expect(JSON.parse(await run(site, 'export'))).toEqual(products)
})

test('an import cannot rewrite prices that were charged to make a reduction look larger', async () => {
  await using site = await startSite({ sending: false })
  await run(site, 'price', print, '30x40-matte', '69.00')
  site.clock.advance(40 * day)
  const file = join(site.dataDir, 'products.json')
  const [product] = JSON.parse(await run(site, 'export')) as [
    { handle: string; history: Record<string, string>[] },
  ]
  const importing = async (change: Record<string, unknown>) => {
    writeFileSync(file, JSON.stringify([{ ...product, ...change }]))
    return run(site, 'import', file)
  }
  const at = { variant: '30x40-matte' }
  const before = await run(site, 'export')
  // A price that was never asked, begun after the real one.
  const invented = { ...at, price: '120.00', from: '2026-11-25' }
  await expect(importing({ history: [...product.history, invented] })).rejects.toThrow(
    /€120\.00 from 25 November 2026.*can’t be changed/,
  )
  // A reduction that begins before the last thirty days, when the price was higher.
  const reduction = { ...at, price: '60.00', from: '2026-11-15', to: '2027-01-31' }
  await expect(importing({ reduction })).rejects.toThrow('can’t be changed')
  expect(await run(site, 'export')).toBe(before)
  // What was charged before the shop knew the product may be told later.
  await importing({
    history: [...product.history, { ...at, price: '55.00', from: '2020-01-01' }],
    reduction: { ...reduction, from: '2026-12-30' },
  })
  expect((await show(site, print)).variants[0]).toMatchObject({
    price: '60.00',
    lowestBefore: '69.00',
  })
})

test('files of digital goods are put there and listed with their products', async () => {
  await using site = await startSite({ sending: false })
  const file = join(site.dataDir, 'new-looks.zip')
  writeFileSync(file, 'PK')
  const rows = JSON.parse(await run(site, 'files', '--add', file, '--json')) as unknown[]
  expect(rows).toContainEqual({ file: 'new-looks.zip', bytes: 2, state: 'there', products: '' })
  expect(rows).toContainEqual(
    expect.objectContaining({
      file: 'northern-light-looks.zip',
      products: 'northern-light-colour-looks',
    }),
  )
})

test('exit codes tell done, failed and wrong use apart', async () => {
  await using site = await startSite({ sending: false })
  const code = async (...args: string[]) => (await runCli(['products', ...args], site)).code
  expect(await code('list')).toBe(0)
  expect(await code('show', 'nothing')).toBe(1)
  expect(await code('price', print, '30x40-matte', 'cheap')).toBe(2)
  expect(await code('stock', print, '30x40-matte', '1.5')).toBe(2)
  const add = ['add', 'x', '--kind', 'physical', '--price', '5.00']
  expect(await code(...add, '--title', 'X')).toBe(2)
  expect(await code(...add, '--category', 'prints')).toBe(2)
  expect(await code('edit', print, '--dispatch', 'soon')).toBe(2)
  expect(await code(...add, '--title', 'X', '--category', 'prints')).toBe(0)
})

test('what is wrong with a product is said in words for staff, never in those of a schema', async () => {
  await using site = await startSite({ sending: false })
  const refusal = (...args: string[]) =>
    run(site, ...args).then(
      () => 'nothing',
      (error: unknown) => (error as Error).message,
    )
  expect(await refusal('edit', print, '--title', '')).toBe('title: This is empty')
  const maker = await refusal('edit', print, '--maker', 'Paino Oy')
  expect(maker).toContain('maker.address: This is empty')
  const size = await refusal('edit', print, '--variant', '30x40-matte', '--size', '420x320')
  expect(size).toContain('size: At least 3 entries')
  const file = join(site.dataDir, 'odd.json')
  const odd = { title: 5, kind: 'phys', tags: 'x', colour: 'red', pictures: [''] }
  writeFileSync(file, JSON.stringify([{ handle: 'x-y', category: 'prints', ...odd }]))
  const told = await refusal('import', file)
  expect(told).toContain('0.title: Use a text')
  expect(told).toContain('0.kind: Use one of physical, digital, service')
  expect(told).toContain('0.tags: Use a list')
  expect(told).toContain('0.variants: This is missing')
  expect(told).toContain('0: Unknown: colour')
  expect(told).not.toMatch(/expected|Invalid input|Too small/)
})

test('nothing is sold for nothing: such an order would wait for its payment for good', async () => {
  await using site = await startSite({ sending: false })
  const refused = 'A price is €0.01 or more'
  const price = ['price', print, '30x40-matte', '0']
  await expect(run(site, ...price)).rejects.toThrow(refused)
  await expect(run(site, ...price, '--from', '2027-01-01')).rejects.toThrow(refused)
  await expect(run(site, ...price, '--to', '2026-12-24')).rejects.toThrow(refused)
  const facts = ['--kind', 'physical', '--category', 'prints', '--title', 'Rally mug']
  await expect(run(site, 'add', 'rally-mug', ...facts, '--price', '0.00')).rejects.toThrow(refused)
  await expect(run(site, 'volume', print, '30x40-matte', '10:0')).rejects.toThrow(refused)
  const products = JSON.parse(await run(site, 'export')) as Shown[]
  const one = products.find(({ handle }) => handle === print)!
  one.variants[0]!.price = '0.00'
  const file = join(site.dataDir, 'free.json')
  writeFileSync(file, JSON.stringify([one]))
  await expect(run(site, 'import', file)).rejects.toThrow(refused)
  expect((await show(site, print)).variants[0]).toMatchObject({ price: '89.00' })
  await run(site, 'price', print, '30x40-matte', '0.01')
  expect((await show(site, print)).variants[0]).toMatchObject({ price: '0.01' })
})
