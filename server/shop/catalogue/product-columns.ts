import * as z from 'zod'
import { civilDate } from '#shared/dates/civil-dates.ts'
import { customsSchema, dispatchSchema, makerSchema, sizeSchema } from '#shared/shop/delivery.ts'
import { decimal, parseEuros } from '#shared/money.ts'
import type { ProductInput } from './product-file.ts'

/** The columns of a product sheet: how each fact is written in a cell, and what a cell of it means. */

/** A cell that empties what is there. */
export const emptied = '-'

/** Between the entries of a cell; tags and names of files may have a comma. */
export const between = ' | '

/** Characters that spreadsheets keep in one cell; a longer text is left out rather than cut. */
export const maxCell = 32_000

export type Variant = ProductInput['variants'][number]
export type Change = Record<string, unknown>

/** A column with one fact: how it is written, and what a cell of it means. */
export type Column = {
  readonly name: string
  /** A cell in the one spelling of its value. @throws an Error that says what is wrong */
  readonly tidy: (cell: string) => string
  /** Sets the value of a tidy cell. */
  readonly set: (to: Change, cell: string) => void
}
type ProductColumn = Column & { readonly show: (product: ProductInput) => string }
type VariantColumn = Column & { readonly show: (variant: Variant) => string }

export const text = (cell: string) => cell.replaceAll(/\r\n?/g, '\n').trim()

const flag = (cell: string): string => {
  if (/^(?:yes|true|1)$/i.test(cell)) return 'yes'
  if (/^(?:no|false|0)$/i.test(cell)) return 'no'
  throw new Error('use yes or no')
}

export const entriesOf = (cell: string): string[] =>
  cell
    .split('|')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

const list = (cell: string) => entriesOf(cell).join(between)

export const whole = (cell: string): string => {
  const bare = cell.replaceAll(/\s/g, '')
  if (/^unlimited$/i.test(bare)) return 'unlimited'
  if (/^\d{1,9}$/.test(bare)) return String(Number(bare))
  throw new Error('use a whole number, or unlimited')
}

const centimetres = (cell: string): string => {
  if (/^\d{1,3}(?:[.,]\d)?$/.test(cell)) return String(Number(cell.replace(',', '.')))
  throw new Error('use centimetres such as 42 or 29.7')
}

/**
 * An amount as spreadsheets of any country write it: `89`, `89.9`, `89,90`, `1 234,50`, `1.234,50`,
 * `1,234.50`. A comma or point before three digits alone may be either, so it is refused.
 */
export const amount = (cell: string): string => {
  const bare = cell.replaceAll(/[\s\u00a0\u202f'’]|€|EUR/g, '')
  const isPointed = /^\d{1,3}(?:,\d{3})+\.\d{1,2}$/.test(bare)
  const isComma = /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(bare)
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(bare)) {
    const digits = bare.replaceAll(/[.,]/g, '')
    throw new Error(`${cell} may be read in two ways; for a price in thousands use ${digits}.00`)
  }
  const cents = parseEuros(
    isPointed ? bare.replaceAll(',', '') : isComma ? bare.replaceAll('.', '') : bare,
  )
  if (cents === null) throw new Error(`${cell} is not an amount in euros such as 89.00`)
  return decimal(cents)
}

export const date = (cell: string): string => {
  const [, day, month, year] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(cell) ?? []
  const iso = year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : cell
  if (civilDate(iso)) return iso
  throw new Error(`${cell} is not a date such as 2026-11-30`)
}

/** Volume prices: `10: 19,90 | 20: 17,90`. */
const volumeSteps = (cell: string): string =>
  entriesOf(cell)
    .map((entry) => {
      const [, from, price] = /^(\d{1,3})\s?[:=]\s?(.{1,30})$/.exec(entry) ?? []
      if (!from) throw new Error('use pieces and prices such as 10: 19.90 | 20: 17.90')
      return `${Number(from)}: ${amount(price!)}`
    })
    .join(between)

const volumeIn = (cell: string) =>
  entriesOf(cell).map((entry) => {
    const [from, price] = entry.split(': ')
    return { from: Number(from), price }
  })

/** Numbers apart as entries are, since spreadsheets take `1-3` for a date. */
const numbers =
  (count: number, what: string) =>
  (cell: string): string => {
    const parts = cell.split(/[|–x×-]/).map((part) => part.trim())
    if (parts.length === count && parts.every((part) => /^\d{1,5}$/.test(part))) {
      return parts.map(Number).join(between)
    }
    throw new Error(`use ${what}`)
  }

const numbersIn = (cell: string) => entriesOf(cell).map(Number)

/** Parts of a cell by their names, such as who made a product and where. */
const named = (names: readonly string[], separator: string) => (cell: string) => {
  const parts = cell.split(separator)
  return Object.fromEntries(names.map((name, at) => [name, parts[at]?.trim() ?? '']))
}

/** What sets a text; an emptied one is left out where it may be missing. */
const fact =
  (name: string, { optional = false, value = (cell: string): unknown => cell } = {}) =>
  (to: Change, cell: string): void => {
    if (cell !== emptied) to[name] = value(cell)
    else if (optional) delete to[name]
    else to[name] = ''
  }

const entries = (name: string) => (to: Change, cell: string) => {
  to[name] = cell === emptied ? [] : entriesOf(cell)
}

export const number = (cell: string) => (cell === 'unlimited' ? null : Number(cell))
const yes = (cell: string) => cell === 'yes'
const shown = (value: boolean | undefined) => (value ? 'yes' : 'no')
export const limit = (value: number | null | undefined) =>
  value === undefined ? '' : String(value ?? 'unlimited')

/** What belongs to a product, in the order of the sheet. */
export const productColumns: readonly ProductColumn[] = [
  { name: 'title', tidy: text, show: ({ title }) => title, set: fact('title') },
  { name: 'kind', tidy: text, show: ({ kind }) => kind, set: fact('kind') },
  { name: 'category', tidy: text, show: ({ category }) => category, set: fact('category') },
  {
    name: 'published',
    tidy: flag,
    show: ({ published }) => shown(published),
    set: fact('published', { value: yes }),
  },
  {
    name: 'vat',
    tidy: text,
    show: ({ vat }) => vat ?? '',
    set: fact('vat', { optional: true }),
  },
  {
    name: 'madeToOrder',
    tidy: flag,
    show: ({ madeToOrder }) => shown(madeToOrder),
    set: fact('madeToOrder', { value: yes }),
  },
  {
    name: 'licence',
    tidy: text,
    show: ({ licence }) => licence ?? '',
    set: fact('licence', { optional: true }),
  },
  {
    name: 'soldOutNote',
    tidy: text,
    show: ({ soldOutNote }) => soldOutNote ?? '',
    set: fact('soldOutNote', { optional: true }),
  },
  {
    name: 'dispatch',
    tidy: numbers(2, 'working days such as 1 | 3'),
    show: ({ dispatch }) =>
      dispatch === undefined ? '' : dispatchSchema.parse(dispatch).join(between),
    set: fact('dispatch', { optional: true, value: numbersIn }),
  },
  {
    name: 'maker',
    tidy: list,
    show({ maker }) {
      if (maker === undefined) return ''
      const { name, address, contact } = makerSchema.parse(maker)
      return [name, address, contact].join(between)
    },
    set: fact('maker', { optional: true, value: named(['name', 'address', 'contact'], '|') }),
  },
  {
    name: 'safety',
    tidy: text,
    show: ({ safety }) => safety ?? '',
    set: fact('safety', { optional: true }),
  },
  {
    name: 'customs',
    tidy: text,
    show({ customs }) {
      if (customs === undefined) return ''
      const { code, origin } = customsSchema.parse(customs)
      return `${code}/${origin}`
    },
    set: fact('customs', { optional: true, value: named(['code', 'origin'], '/') }),
  },
  { name: 'tags', tidy: list, show: ({ tags = [] }) => tags.join(between), set: entries('tags') },
  {
    name: 'pictures',
    tidy: list,
    show: ({ pictures = [] }) => pictures.join(between),
    set: entries('pictures'),
  },
  {
    name: 'formerHandles',
    tidy: list,
    show: ({ formerHandles = [] }) => formerHandles.join(between),
    set: entries('formerHandles'),
  },
  { name: 'summary', tidy: text, show: ({ summary }) => summary ?? '', set: fact('summary') },
  {
    name: 'description',
    tidy: text,
    show: ({ description }) => (typeof description === 'string' ? description : ''),
    set: fact('description'),
  },
]

const partFacts = z.record(z.string(), z.unknown())

/** A column with a fact of a variant's licence, or of how it looks on a wall. */
const partColumn = <Part extends 'licence' | 'wall'>(
  part: Part,
  name: string,
  {
    field,
    tidy = text,
    value = (cell) => cell,
    show,
  }: {
    field: string
    tidy?: Column['tidy']
    value?: (cell: string) => unknown
    show: (known: NonNullable<Variant[Part]>) => string
  },
): VariantColumn => ({
  name,
  tidy,
  show: ({ [part]: known }) => (known ? show(known) : ''),
  set(to, cell) {
    const said = { ...partFacts.parse(to[part] ?? {}) }
    fact(field, { optional: true, value })(said, cell)
    to[part] = said
  },
})

/** What belongs to a variant and is one fact; its stock and its prices are apart. */
export const variantColumns: readonly VariantColumn[] = [
  { name: 'variantTitle', tidy: text, show: ({ title }) => title, set: fact('title') },
  {
    name: 'price',
    tidy: amount,
    show: ({ price }) => price,
    set: fact('price'),
  },
  {
    name: 'weight',
    tidy: whole,
    show: ({ weight }) => (weight === undefined ? '' : String(weight)),
    set: fact('weight', { optional: true, value: number }),
  },
  {
    name: 'sku',
    tidy: text,
    show: ({ sku }) => sku ?? '',
    set: fact('sku', { optional: true }),
  },
  {
    name: 'size',
    tidy: numbers(3, 'length, width and height in millimetres such as 700 | 500 | 60'),
    show: ({ size }) => (size === undefined ? '' : sizeSchema.parse(size).join(between)),
    set: fact('size', { optional: true, value: numbersIn }),
  },
  {
    name: 'files',
    tidy: list,
    show: ({ files = [] }) => files.join(between),
    set: entries('files'),
  },
  partColumn('licence', 'licenceUse', { field: 'use', show: ({ use }) => use ?? '' }),
  partColumn('licence', 'licenceTerritory', {
    field: 'territory',
    show: ({ territory }) => territory ?? '',
  }),
  partColumn('licence', 'licenceMonths', {
    field: 'months',
    tidy: whole,
    value: number,
    show: ({ months }) => limit(months),
  }),
  partColumn('licence', 'licenceExclusive', {
    field: 'exclusive',
    tidy: flag,
    value: yes,
    show: ({ exclusive }) => (exclusive === undefined ? '' : shown(exclusive)),
  }),
  partColumn('licence', 'licencePrintRun', {
    field: 'printRun',
    tidy: whole,
    value: number,
    show: ({ printRun }) => limit(printRun),
  }),
  partColumn('wall', 'wallWidth', {
    field: 'width',
    tidy: centimetres,
    value: Number,
    show: ({ width }) => String(width),
  }),
  partColumn('wall', 'wallHeight', {
    field: 'height',
    tidy: centimetres,
    value: Number,
    show: ({ height }) => String(height),
  }),
  partColumn('wall', 'wallFrame', { field: 'frame', show: ({ frame }) => frame ?? '' }),
  partColumn('wall', 'wallPicture', { field: 'picture', show: ({ picture }) => picture }),
  {
    name: 'volumePrices',
    tidy: volumeSteps,
    show: ({ volume = [] }) => volume.map(({ from, price }) => `${from}: ${price}`).join(between),
    set: fact('volume', { optional: true, value: volumeIn }),
  },
  partColumn('licence', 'licensee', { field: 'licensee', show: ({ licensee }) => licensee ?? '' }),
]
