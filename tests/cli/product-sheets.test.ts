import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { expect, test } from 'vitest'
import type { ProductView } from '#shared/shop/shop.ts'
import { parseCsv } from '#cli/common/csv.ts'
import { runOn } from '../support/in-process-cli.ts'
import { orderByInvoice } from '../support/shop.ts'
import { startSite, type Site } from '../support/site.ts'

const day = 86_400_000
const print = 'blue-hour-fine-art-print'
const small = '30x40-matte'

type Fields = Record<string, string>
type Exported = {
  handle: string
  title: string
  description: string
  variants: Record<string, unknown>[]
}

const run = (site: Site, ...args: string[]) => runOn(site, 'products', ...args)
const exported = async (site: Site) => JSON.parse(await run(site, 'export')) as Exported[]
const product = async (site: Site, handle: string) =>
  (await exported(site)).find((each) => each.handle === handle)!
const sheetOf = async (site: Site): Promise<Fields[]> =>
  parseCsv(await run(site, 'export', '--format', 'csv')).map(({ fields }) => fields)

/** Imports lines as a spreadsheet writes them. */
async function importing(
  site: Site,
  rows: readonly Fields[],
  {
    delimiter = ',',
    encode = (text: string): Uint8Array => Buffer.from(text),
    more = [] as string[],
  } = {},
): Promise<string> {
  const file = join(site.dataDir, 'sheet.csv')
  writeFileSync(file, encode(stringify([...rows], { header: true, delimiter })))
  return run(site, 'import', file, ...more)
}

/** Letters that Windows-1252 does not have become question marks, as spreadsheets write them. */
const narrow = (text: string): Uint8Array => {
  const known = new TextDecoder('windows-1252').decode(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
  )
  return Uint8Array.from(text.split(''), (letter) => {
    const byte = known.indexOf(letter)
    return byte < 0 ? 0x3f : byte
  })
}

const wide = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le')

test('a sheet that nobody has edited changes nothing, in any encoding of a spreadsheet', async () => {
  await using site = await startSite({ sending: false })
  await site.context.features.shop.acts.edit(
    print,
    { title: 'Blue Hour ☀ Żubr', description: '<p>Žluťoučký</p>\r\n<p>=1+1</p>\n' },
    'test',
  )
  const before = await exported(site)
  const sheet = await sheetOf(site)
  const none = '0 added, 0 changed\n'
  expect(await importing(site, sheet)).toBe(none)
  expect(await importing(site, sheet, { delimiter: ';' })).toBe(none)
  expect(await importing(site, sheet, { encode: (text) => Buffer.from(`\ufeff${text}`) })).toBe(
    none,
  )
  expect(await importing(site, sheet, { delimiter: ';', encode: narrow })).toBe(none)
  expect(await importing(site, sheet, { delimiter: '\t', encode: wide })).toBe(none)
  expect(await exported(site)).toEqual(before)
})

test('a sheet makes the same products in another shop, prices of the past included', async () => {
  await using site = await startSite({ sending: false })
  await run(site, 'rename', print, 'blue-hour')
  site.clock.advance(40 * day)
  await run(site, 'price', 'blue-hour', small, '79.00', '--to', '2027-01-31')
  const sheet = await sheetOf(site)
  expect(
    sheet.find(({ handle, variant }) => handle === 'blue-hour' && variant === small),
  ).toMatchObject(
    // The price without its sale: else importing it would make the sale last.
    { price: '89.00', saleprice: '79.00', salefrom: '2026-12-30', saleto: '2027-01-31' },
  )
  await using other = await startSite({ sending: false, env: { CONTENT_DIR: site.dataDir } })
  other.clock.advance(40 * day)
  expect(await exported(other)).toEqual([])
  const count = (await exported(site)).length
  expect(await importing(other, sheet)).toBe(`${count} added, 0 changed\n`)
  const tidied = async (from: Site) =>
    (await exported(from)).map((each) => ({ ...each, description: each.description.trim() }))
  expect(await tidied(other)).toEqual(await tidied(site))
})

test('what a sheet changes is changed, and the rest is left alone', async () => {
  await using site = await startSite({ sending: false })
  const before = await product(site, print)
  const rest = (await exported(site)).filter(({ handle }) => handle !== print)
  const rows = [
    {
      handle: print,
      variant: small,
      price: '1 289,50',
      tags: 'rally | winter, late',
      title: 'Blue',
    },
    { handle: print, variant: '50x70-matte', price: '159', weight: '600' },
  ].map((row): Fields => Object.assign({ price: '', tags: '', title: '', weight: '' }, row))
  expect(await importing(site, rows, { delimiter: ';', more: ['--rehearse'] })).toBe(
    '0 added, 1 changed\n\nDry run: nothing changed. Run it without --dry-run to import them.\n',
  )
  expect(await product(site, print)).toEqual(before)
  expect(await importing(site, rows, { delimiter: ';' })).toBe('0 added, 1 changed\n')
  const after = await product(site, print)
  expect(after).toMatchObject({ title: 'Blue', tags: ['rally', 'winter, late'] })
  expect(after.variants).toEqual([
    { ...before.variants[0], price: '1289.50' },
    { ...before.variants[1], weight: 600 },
    ...before.variants.slice(2),
  ])
  expect((await exported(site)).filter(({ handle }) => handle !== print)).toEqual(rest)
})

test('pieces that are sold while a sheet is open stay sold', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const sheet = await sheetOf(site)
  await orderByInvoice(site, [[print, small, 3]])
  const stock = async () => (await product(site, print)).variants[0]!.stock
  expect(await stock()).toBe(11)
  expect(await importing(site, sheet)).toBe('0 added, 0 changed\n')
  expect(await stock()).toBe(11)
  const row = { handle: print, variant: small }
  // Ten came while three were sold.
  await importing(site, [{ ...row, stock: '24', stockatexport: '14' }])
  expect(await stock()).toBe(21)
  await expect(importing(site, [{ ...row, stock: '0', stockatexport: '24' }])).rejects.toThrow(
    /Line 2: stock.*only 21 are left/,
  )
  await importing(site, [{ ...row, title: 'Blue' }])
  expect(await stock()).toBe(21)
  // A count without the one before it is what is there.
  await importing(site, [{ ...row, stock: '8' }])
  expect(await stock()).toBe(8)
  await importing(site, [{ ...row, stock: 'unlimited' }])
  expect(await stock()).toBe(null)
})

test('amounts and dates are read as spreadsheets write them, and never guessed', async () => {
  await using site = await startSite({ sending: false })
  const row = { handle: print, variant: small }
  const price = async () => (await product(site, print)).variants[0]!.price
  for (const [cell, cents] of [
    ['91', '91.00'],
    ['91,5', '91.50'],
    ['91.25', '91.25'],
    ['€ 1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1 234,50 €', '1234.50'],
  ]) {
    await importing(site, [{ ...row, price: cell! }])
    expect(await price()).toBe(cents)
  }
  const before = await exported(site)
  for (const [cells, problem] of [
    [{ price: '1.234' }, /Line 2: price: 1\.234 may be read in two ways.*1234\.00/],
    [{ price: '1,234' }, 'two ways'],
    [{ price: 'cheap' }, 'cheap is not an amount'],
    [{ price: '89', saleprice: '79', saleto: '30/11/2026' }, 'not a date such as 2026-11-30'],
    [{ saleprice: '79' }, 'a sale needs salePrice and saleTo'],
    [{ stock: '1,5' }, 'use a whole number, or unlimited'],
    [{ published: 'perhaps' }, 'use yes or no'],
    [{ kind: 'gold' }, /blue-hour-fine-art-print \(line 2\): kind/],
    [{ stok: '5' }, 'the column “stok” is none of'],
  ] as const) {
    await expect(importing(site, [{ ...row, ...cells }])).rejects.toThrow(problem)
  }
  expect(await exported(site)).toEqual(before)
  // Dates as in Finland; the sale has its thirty days behind it.
  await importing(site, [{ ...row, price: '89' }])
  site.clock.advance(40 * day)
  await importing(site, [{ ...row, saleprice: '60', saleto: '31.1.2027' }])
  site.clock.advance(day)
  const shown = JSON.parse(await run(site, 'show', print, '--json')) as Exported
  expect(shown.variants[0]).toMatchObject({ price: '60.00', lowestBefore: '89.00' })
})

test('how a print hangs is changed by a sheet, and shown in the size that is written there', async () => {
  await using site = await startSite({ sending: false })
  const row = { handle: 'wall-calendar-2027', variant: 'a3' }
  const wall = { wallwidth: '29,7', wallheight: '42', wallframe: 'paper', wallpicture: 'shop-tube' }
  await importing(site, [{ ...row, ...wall }])
  const view = (await site.get(`/api/shop/products/${row.handle}`)).json as ProductView
  expect(view.variants.map((each) => each.wall)).toEqual([
    {
      width: 29.7,
      height: 42,
      frame: 'paper',
      picture: expect.objectContaining({ id: 'shop-tube' }),
    },
    undefined,
  ])
  await expect(importing(site, [{ ...row, wallwidth: '2.970' }])).rejects.toThrow('centimetres')
  await expect(importing(site, [{ ...row, wallframe: 'gold' }])).rejects.toThrow('wall.frame')
  // A picture that is gone leaves no empty wall.
  await importing(site, [{ ...row, wallpicture: 'no-such-picture' }])
  const without = (await site.get(`/api/shop/products/${row.handle}`)).json as ProductView
  expect(without.variants[0]).not.toHaveProperty('wall')
})

test('lines that contradict each other are named, and nothing is changed', async () => {
  await using site = await startSite({ sending: false })
  const before = await exported(site)
  const lines = [
    { handle: print, variant: small, title: 'One', price: '1' },
    { handle: print, variant: '50x70-matte', title: 'Another', price: '' },
    { handle: print, variant: small, title: '', price: '2' },
    { handle: '', variant: 'x', title: '', price: '' },
    { handle: print, variant: '', title: '', price: '' },
  ]
  await expect(importing(site, lines)).rejects.toThrow(
    /Line 3: title: line 2 says something else[^]*Line 4: .*in line 2 already[^]*Line 6: .*which variant[^]*Line 5: it has no handle/,
  )
  // A reduction without thirty days behind it is refused by this way in, too.
  await run(
    site,
    'add',
    'mug',
    '--kind',
    'physical',
    '--category',
    'prints',
    '--price',
    '14.90',
    '--title',
    'Mug',
  )
  await expect(
    importing(site, [{ handle: 'mug', variant: '', saleprice: '9.90', saleto: '2026-12-24' }]),
  ).rejects.toThrow(/mug: A sale must show the lowest price of the previous 30 days/)
  expect((await exported(site)).filter(({ handle }) => handle !== 'mug')).toEqual(before)
})

test('a sheet adds products and variants, names the new variants, and empties cells on purpose', async () => {
  await using site = await startSite({ sending: false })
  const fields = { title: 'Mug', kind: 'physical', category: 'prints', varianttitle: 'Red' }
  const mug = { handle: 'mug', variant: 'red', price: '14,90', tags: 'mug | gift', ...fields }
  expect(await importing(site, [mug])).toBe('1 added, 0 changed\n')
  const blue = { handle: 'mug', variant: 'blue', price: '14,90', varianttitle: 'Blue', tags: '-' }
  expect(await importing(site, [blue])).toBe('New variant: mug blue\n0 added, 1 changed\n')
  expect(await product(site, 'mug')).toMatchObject({
    tags: [],
    published: false,
    variants: [
      { variant: 'red', price: '14.90', stock: null },
      { variant: 'blue', price: '14.90', stock: null },
    ],
  })
  // A new variant that says nothing of its pieces has no end of them, so it can't be sold once.
  const exclusive = {
    handle: 'once',
    variant: 'all',
    title: 'Once',
    kind: 'digital',
    category: 'licences',
    price: '900',
    varianttitle: 'All of it',
    licence: 'exclusive',
    licenceterritory: 'worldwide',
    licencemonths: '12',
    licensee: 'one company',
  }
  await expect(importing(site, [exclusive])).rejects.toThrow('can be sold once')
  expect(await importing(site, [{ ...exclusive, stock: '1' }])).toBe('1 added, 0 changed\n')
})
