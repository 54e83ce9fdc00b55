import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startSite, type Site } from '../../support/site.ts'

const dir = 'data/content'
const name = z.string().check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/))
const text = z.string().check(z.minLength(1))
const price = z.string().check(z.regex(/^(?:0|[1-9]\d*)\.\d\d$/))
const day = z.iso.date()

/** The import format of the shop (docs/contract.md, Shop); nothing beyond it may be in the file. */
const catalogue = z.array(
  z.strictObject({
    handle: name,
    title: text,
    kind: z.enum(['physical', 'digital', 'service']),
    category: z.enum(['prints', 'licences', 'files', 'services']),
    summary: text.check(z.maxLength(160)),
    description: z.strictObject({ $file: text }),
    pictures: z.array(name).check(z.minLength(1)),
    vat: z.enum(['standard', 'reduced', 'book', 'low', 'zero']),
    published: z.boolean(),
    tags: z.array(text),
    madeToOrder: z.optional(z.literal(true)),
    licence: z.optional(text),
    soldOutNote: z.optional(text),
    dispatch: z.optional(z.tuple([z.int(), z.int()])),
    maker: z.optional(z.strictObject({ name: text, address: text, contact: text })),
    safety: z.optional(text),
    customs: z.optional(
      z.strictObject({
        code: z.string().check(z.regex(/^\d{6,10}$/)),
        origin: z.string().check(z.length(2)),
      }),
    ),
    formerHandles: z.optional(z.array(name)),
    variants: z
      .array(
        z.strictObject({
          variant: name,
          title: text,
          price,
          stock: z.nullable(z.int().check(z.gte(0))),
          weight: z.optional(z.int().check(z.gt(0))),
          sku: z.optional(z.string().check(z.regex(/^[A-Z0-9-]{1,40}$/))),
          size: z.optional(z.array(z.int()).check(z.length(3))),
          wall: z.optional(
            z.strictObject({
              width: z.int(),
              height: z.int(),
              frame: z.enum(['none', 'paper', 'oak', 'walnut', 'black']),
              picture: name,
            }),
          ),
          volume: z.optional(z.array(z.strictObject({ from: z.int().check(z.gte(2)), price }))),
          files: z.optional(z.array(text).check(z.minLength(1))),
          licence: z.optional(
            z.strictObject({
              use: z.optional(text),
              territory: z.optional(text),
              months: z.optional(z.nullable(z.int())),
              exclusive: z.optional(z.boolean()),
              printRun: z.optional(z.nullable(z.int())),
              licensee: z.optional(text),
            }),
          ),
        }),
      )
      .check(z.minLength(1)),
    history: z.optional(z.array(z.strictObject({ variant: name, price, from: day }))),
    reduction: z.optional(z.strictObject({ variant: name, price, from: day, to: day })),
  }),
)

const products = catalogue.parse(JSON.parse(readFileSync(join(dir, 'products.json'), 'utf8')))
const cents = (euros: string) => Math.round(Number(euros) * 100)

let site: Site

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site[Symbol.asyncDispose]())

test('the sample catalogue has enough of every kind, and a case for each rule of the shop', () => {
  expect(products.length).toBeGreaterThanOrEqual(20)
  const kinds = new Set(products.map(({ kind }) => kind))
  expect(kinds).toEqual(new Set(['physical', 'digital', 'service']))
  const categories = new Set(products.map(({ category }) => category))
  expect(categories).toEqual(new Set(['prints', 'licences', 'files', 'services']))
  expect(new Set(products.map(({ vat }) => vat))).toEqual(new Set(['standard', 'book', 'low']))
  expect(products.some(({ madeToOrder }) => madeToOrder)).toBe(true)
  expect(products.some(({ formerHandles }) => formerHandles)).toBe(true)
  const soldOut = products.filter(({ variants }) => variants.every(({ stock }) => stock === 0))
  expect(soldOut.length).toBeGreaterThan(0)
})

test('handles lead to one product each, variants to one of its choices', () => {
  const handles = products.flatMap(({ handle, formerHandles = [] }) => [handle, ...formerHandles])
  expect(new Set(handles).size).toBe(handles.length)
  for (const { handle, variants, history = [], reduction } of products) {
    const choices = variants.map(({ variant }) => variant)
    expect(new Set(choices).size, handle).toBe(choices.length)
    for (const { variant } of [...history, ...(reduction ? [reduction] : [])]) {
      expect(choices, handle).toContain(variant)
    }
  }
})

test('every kind says what it takes to deliver it', () => {
  for (const { handle, kind, variants, soldOutNote } of products) {
    for (const { variant, weight, files, stock } of variants) {
      const where = `${handle} ${variant}`
      expect(weight !== undefined, where).toBe(kind === 'physical')
      expect(files !== undefined, where).toBe(kind === 'digital')
      if (stock === 0) expect(soldOutNote, where).toBeTruthy()
    }
  }
})

test('a reduction is lower than every price of the 30 days before, which stand in the history', () => {
  const reduced = products.filter(({ reduction }) => reduction)
  expect(reduced.length).toBeGreaterThan(0)
  for (const { handle, reduction, history = [], variants } of reduced) {
    const { variant, price: now, from, to } = reduction!
    const before = history.filter((each) => each.variant === variant && each.from < from)
    const since = before.map((each) => Date.parse(from) - Date.parse(each.from))
    expect(Math.max(...since), handle).toBeGreaterThan(30 * 86_400_000)
    for (const each of before) expect(cents(now), handle).toBeLessThan(cents(each.price))
    const current = variants.find((each) => each.variant === variant)!
    const last = before.toSorted((a, b) => (a.from < b.from ? 1 : -1))[0]!
    expect(last.price, handle).toBe(current.price)
    expect(to >= from, handle).toBe(true)
  }
})

test('every text, picture and file of the catalogue is there, and none is left over', async () => {
  const texts = products.map(({ description }) => description.$file)
  expect(texts.toSorted()).toEqual(
    products.map(({ handle }) => `products/${handle}.html`).toSorted(),
  )
  for (const file of texts) {
    const html = readFileSync(join(dir, file), 'utf8')
    expect(html.match(/<p>/g)?.length, file).toBeGreaterThanOrEqual(2)
    expect(html.length, file).toBeGreaterThan(400)
  }
  const files = new Set(products.flatMap((each) => each.variants.flatMap((one) => one.files ?? [])))
  expect(readdirSync(join(dir, 'products/files')).toSorted()).toEqual([...files].toSorted())
  for (const file of files) {
    expect(statSync(join(dir, 'products/files', file)).size, file).toBeLessThan(205_000)
  }
  for (const { handle, pictures } of products) {
    for (const id of pictures) {
      expect(existsSync(join(dir, 'assets', `${id}.jpg`)), `${handle} ${id}`).toBe(true)
      const picture = await site.context.content.picture(id)
      expect(picture?.alt, `${handle} ${id}`).toBeTruthy()
      expect(picture?.width, `${handle} ${id}`).toBeGreaterThan(0)
    }
  }
})

test('every product has a first picture of its own, good for a large screen', async () => {
  const first = products.map(({ pictures }) => pictures[0]!)
  expect(new Set(first).size).toBe(first.length)
  for (const id of first) {
    const picture = (await site.context.content.picture(id))!
    expect([id, picture.width, picture.height]).toEqual([id, 1600, 2000])
    const { size } = statSync(join(dir, 'assets', `${id}.jpg`))
    expect(size, id).toBeLessThan(260_000)
  }
})

test('neither the catalogue nor what it sells can be read over the network', async () => {
  for (const path of ['/items/products', '/items/products/1']) {
    expect([path, (await site.get(path)).status]).toEqual([path, 403])
  }
  expect((await site.get('/assets/five-red-lights-2400')).status).toBe(404)
  const paths = [
    '/data/content/products.json',
    '/products.json',
    '/content/products.json',
    '/products/five-red-lights-poster.html',
    '/products/files/five-red-lights-2400.jpg',
    '/assets/products/files/five-red-lights-2400.jpg',
    '/assets/..%2Fproducts%2Ffiles%2Ffive-red-lights-2400.jpg',
    '/assets/..%2Fproducts.json',
  ]
  for (const path of paths) {
    // Without the built pages some of these are an empty page; none may be the file.
    const reply = await site.get(path)
    expect(reply.headers['content-type'] ?? '', path).not.toMatch(/^image\//)
    expect(reply.text, path).not.toContain('Offset print')
    expect(reply.text, path).not.toContain('five-red-lights-poster"')
  }
})
