import { isUtf8 } from 'node:buffer'
import * as z from 'zod'
import { civilDate, dateAt } from '#shared/civil-dates.ts'
import { customsSchema, dispatchSchema, makerSchema, sizeSchema } from '#shared/delivery.ts'
import { failure } from '#shared/failures.ts'
import { decimal, parseEuros } from '#shared/money.ts'
import { decodedText } from '../../text/decoded-text.ts'
import type { ProductFile, ProductInput } from './product-file.ts'

/**
 * Products as a spreadsheet has them (docs/contract.md, Shop): a line for each variant, what belongs
 * to the product in each of its lines. A sheet changes what it says and leaves the rest alone: columns
 * that are not there, cells that are empty, and products and variants that it does not name.
 */

/** A line of a sheet, its cells by the lower-case names of its columns. */
export type SheetRecord = {
  readonly line: number
  readonly fields: Readonly<Record<string, string>>
  readonly problem?: string
}

/** A cell that empties what is there. */
const emptied = '-'

/** Between the entries of a cell; tags and names of files may have a comma. */
const between = ' | '

/** Characters that spreadsheets keep in one cell; a longer text is left out rather than cut. */
const maxCell = 32_000

type Variant = ProductInput['variants'][number]
type Change = Record<string, unknown>

/** A column with one fact: how it is written, and what a cell of it means. */
type Column = {
  readonly name: string
  /** A cell in the one spelling of its value. @throws an Error that says what is wrong */
  readonly tidy: (cell: string) => string
  /** Sets the value of a tidy cell. */
  readonly set: (to: Change, cell: string) => void
}
type ProductColumn = Column & { readonly show: (product: ProductInput) => string }
type VariantColumn = Column & { readonly show: (variant: Variant) => string }

const text = (cell: string) => cell.replaceAll(/\r\n?/g, '\n').trim()

const flag = (cell: string): string => {
  if (/^(?:yes|true|1)$/i.test(cell)) return 'yes'
  if (/^(?:no|false|0)$/i.test(cell)) return 'no'
  throw new Error('use yes or no')
}

const entriesOf = (cell: string): string[] =>
  cell
    .split('|')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

const list = (cell: string) => entriesOf(cell).join(between)

const whole = (cell: string): string => {
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
const amount = (cell: string): string => {
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

const date = (cell: string): string => {
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

const number = (cell: string) => (cell === 'unlimited' ? null : Number(cell))
const yes = (cell: string) => cell === 'yes'
const shown = (value: boolean | undefined) => (value ? 'yes' : 'no')
const limit = (value: number | null | undefined) =>
  value === undefined ? '' : String(value ?? 'unlimited')

/** What belongs to a product, in the order of the sheet. */
const productColumns: readonly ProductColumn[] = [
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
const variantColumns: readonly VariantColumn[] = [
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

const stockColumns = ['stock', 'stockAtExport'] as const
const saleColumns = ['salePrice', 'saleFrom', 'saleTo'] as const

/** The columns of a sheet, in their order. */
export const sheetColumns: readonly string[] = [
  'handle',
  'variant',
  'title',
  'kind',
  'category',
  'published',
  'price',
  ...stockColumns,
  'variantTitle',
  ...saleColumns,
  ...productColumns.slice(4).map(({ name }) => name),
  ...variantColumns.slice(2).map(({ name }) => name),
  'history',
]

/** The lines of a product, by the names of {@link sheetColumns}. @param now milliseconds */
export function sheetRowsOf(product: ProductInput, now: number): Record<string, string>[] {
  const facts = productColumns.map(({ name, show }) => [name, cellOf(show(product))] as const)
  return product.variants.map((variant) => {
    const history = historyOf(product, variant.variant)
    const sale = saleOf(history, now)
    const stock = limit(variant.stock)
    return {
      handle: product.handle,
      variant: variant.variant,
      ...Object.fromEntries(facts),
      ...Object.fromEntries(variantColumns.map(({ name, show }) => [name, cellOf(show(variant))])),
      stock,
      stockAtExport: stock,
      salePrice: sale?.price ?? '',
      saleFrom: sale?.from ?? '',
      saleTo: sale?.to ?? '',
      history: cellOf(history.map(pastCell).join(between)),
    }
  })
}

/** The text of a sheet in any encoding of office programs, and whether that may lack letters. */
export const sheetText = (bytes: Uint8Array): { text: string; isNarrow: boolean } => ({
  text: decodedText(bytes),
  isNarrow: !isUtf8(bytes),
})

/**
 * What a sheet makes of the products.
 * @param options `find` gives a product as it is; `isNarrow` says that the file's encoding may have
 *   replaced letters, so that a text that differs in those alone is left as it is
 * @returns the products that differ from what is there, whole
 * @throws invalid with every mistake and its line
 */
export function changesOfSheet(
  records: readonly SheetRecord[],
  {
    find,
    now,
    isNarrow = false,
  }: { find: (handle: string) => ProductInput | null; now: number; isNarrow?: boolean },
): { product: Change & { handle: string }; lines: readonly number[] }[] {
  const problems = new Map<string, true>()
  const note = (line: number, problem: string) => problems.set(`Line ${line}: ${problem}`, true)
  checkColumns(records, note)
  const isSame = (cell: string, known: string) =>
    cell === known || (isNarrow && isSameButLetters(cell, known))
  const byHandle = Map.groupBy(records, ({ fields }) => fields.handle ?? '')
  const changed = [...byHandle].flatMap(([handle, lines]) => {
    for (const { line, problem } of lines) if (problem !== undefined) note(line, problem)
    if (handle === '') {
      for (const { line } of lines) note(line, 'it has no handle')
      return []
    }
    const present = find(handle)
    const product = productOf(handle, { lines, present, now, isSame, note })
    return product ? [{ product, lines: lines.map(({ line }) => line) }] : []
  })
  if (problems.size > 0) throw failure('invalid', { message: [...problems.keys()].join('\n') })
  return changed
}

type Sheet = {
  readonly lines: readonly SheetRecord[]
  /** The product as it is; null for a new one. */
  readonly present: ProductInput | null
  readonly now: number
  readonly isSame: (cell: string, known: string) => boolean
  readonly note: (line: number, problem: string) => void
}

/** A product with what its lines change; null where that is nothing. */
function productOf(handle: string, sheet: Sheet): (Change & { handle: string }) | null {
  const { lines, present, note } = sheet
  const product: Change & { handle: string } = present
    ? { ...present }
    : { handle, description: '' }
  let isChanged = !present
  for (const column of productColumns) {
    const known = present ? column.show(present) : ''
    const given = lines.flatMap((record) => {
      const cell = readCell(record, column, known, sheet)
      return cell === null ? [] : [{ line: record.line, cell }]
    })
    const [first, ...others] = given
    if (!first) continue
    const other = others.find(({ cell }) => cell !== first.cell)
    if (other) note(other.line, `${column.name}: line ${first.line} says something else`)
    column.set(product, first.cell)
    isChanged = true
  }
  const variants: Change[] = (present?.variants ?? []).map((each) => ({ ...each }))
  const history: ProductFile['history'][number][] | Change[] = [...(present?.history ?? [])]
  const seen = new Map<string, number>()
  for (const record of lines) {
    const name = nameOf(record, sheet)
    if (name === null) continue
    const twice = seen.get(name)
    if (twice !== undefined) {
      note(record.line, `${handle} ${name} is in line ${twice} already`)
      continue
    }
    seen.set(name, record.line)
    const known = present?.variants.find(({ variant }) => variant === name) ?? null
    const at = variants.findIndex(({ variant }) => variant === name)
    const variant: Change = at < 0 ? { variant: name } : variants[at]!
    if (at < 0) variants.push(variant)
    const past = present ? historyOf(present, name) : []
    const isOther = [
      setFacts(variant, { record, known, sheet }),
      setStock(variant, { record, known, sheet }),
      addPrices(history, { record, name, past, sheet }),
    ].includes(true)
    if (isOther || !known) isChanged = true
  }
  if (!isChanged) return null
  return { ...product, variants, history }
}

/** The variant that a line is about; a product's only one may go without its name. */
function nameOf({ line, fields }: SheetRecord, { present, note }: Sheet): string | null {
  if (fields.variant) return fields.variant
  const [only, ...others] = present?.variants ?? []
  if (only && others.length === 0) return only.variant
  note(line, 'it does not say which variant')
  return null
}

type Line = {
  readonly record: SheetRecord
  /** The variant as it is; null for a new one. */
  readonly known: Variant | null
  readonly sheet: Sheet
}

/** @returns whether anything is different */
function setFacts(variant: Change, { record, known, sheet }: Line): boolean {
  let isChanged = false
  for (const column of variantColumns) {
    const cell = readCell(record, column, known ? column.show(known) : '', sheet)
    if (cell === null) continue
    column.set(variant, cell)
    isChanged = true
  }
  return isChanged
}

/**
 * Sets the stock. Pieces are sold while a sheet is open, so a count that nobody has changed in it is
 * left alone, and of one that was changed the difference counts.
 * @returns whether it is different
 */
function setStock(variant: Change, { record, known, sheet: { note } }: Line): boolean {
  const present = known?.stock
  delete variant.stock
  try {
    const wanted = tidied(record, 'stock', whole)
    if (wanted === null) return false
    const exported = known && tidied(record, 'stockAtExport', whole)
    if (wanted === exported) return false
    const difference = Number(wanted) - Number(exported ?? Number.NaN)
    const counts = Number.isNaN(difference) || typeof present !== 'number'
    const stock = counts ? number(wanted) : present + difference
    if (stock !== null && stock < 0) {
      throw new Error(`of ${exported} pieces only ${present} are left, which is too few for that`)
    }
    if (stock === present) return false
    variant.stock = stock
    return true
  } catch (error) {
    note(record.line, `stock: ${(error as Error).message}`)
    return false
  }
}

/** Adds the sale price and the past prices that are not known yet. @returns whether there are any */
function addPrices(
  history: Change[],
  {
    record,
    name,
    past,
    sheet: { note, now },
  }: {
    record: SheetRecord
    name: string
    past: readonly Past[]
    sheet: Sheet
  },
): boolean {
  const before = history.length
  const add = (price: Past) => {
    if (!past.some((known) => pastCell(known) === pastCell(price))) {
      history.push({ variant: name, ...price })
    }
  }
  try {
    for (const entry of entriesOf(record.fields.history ?? '')) add(pastOf(entry))
    const price = tidied(record, 'salePrice', amount)
    const from = tidied(record, 'saleFrom', date)
    const to = tidied(record, 'saleTo', date)
    if (price === emptied || from === emptied || to === emptied) {
      throw new Error('a sale that was announced can’t be taken back')
    }
    if (price !== null || from !== null || to !== null) {
      if (price === null || to === null) throw new Error('a sale needs salePrice and saleTo')
      add({ price, from: from ?? dateAt(now), to })
    }
  } catch (error) {
    note(record.line, (error as Error).message)
  }
  return history.length > before
}

type Past = { readonly price: string; readonly from: string; readonly to?: string | undefined }

const historyOf = (product: ProductInput, name: string): Past[] =>
  (product.history ?? []).filter(({ variant }) => variant === name)

/** The reduction that counts now, or is the next to come. */
function saleOf(history: readonly Past[], now: number): (Past & { to: string }) | null {
  const today = dateAt(now)
  const open = history.flatMap((past) =>
    past.to !== undefined && past.to >= today ? [{ ...past, to: past.to }] : [],
  )
  return open.toSorted((a, b) => (a.from < b.from ? -1 : 1))[0] ?? null
}

/** A price of the past in a cell: `2026-01-01 89.00`, of a reduction `2026-11-01..2026-11-30 79.00`. */
const pastCell = ({ price, from, to }: Past): string =>
  `${from}${to === undefined ? '' : `..${to}`} ${price}`

function pastOf(entry: string): Past {
  const [, from, to, price] =
    /^(\d{4}-\d\d-\d\d)(?:\.\.(\d{4}-\d\d-\d\d))? (\d+\.\d\d)$/.exec(entry) ?? []
  if (!from || !price) throw new Error(`history: ${entry} is not like 2026-01-01 89.00`)
  return { price, from: date(from), ...(to && { to: date(to) }) }
}

/** A cell with a column's value; null where it says nothing, or what is there already. */
function readCell(
  record: SheetRecord,
  { name, tidy }: Column,
  known: string,
  { isSame, note }: Sheet,
): string | null {
  try {
    const cell = tidied(record, name, tidy)
    return cell === null || isSame(cell, known === '' ? '' : tidy(known)) ? null : cell
  } catch (error) {
    note(record.line, `${name}: ${(error as Error).message}`)
    return null
  }
}

/** @returns null where there is no such column, or nothing in it */
function tidied({ fields }: SheetRecord, name: string, tidy: Column['tidy']): string | null {
  const cell = fields[name.toLowerCase()] ?? ''
  return cell === '' || cell === emptied ? cell || null : tidy(cell)
}

function checkColumns(records: readonly SheetRecord[], note: Sheet['note']): void {
  const known = new Set(sheetColumns.map((name) => name.toLowerCase()))
  for (const name of Object.keys(records[0]?.fields ?? {})) {
    const isUsed = records.some(({ fields }) => fields[name])
    if (!known.has(name) && isUsed) {
      note(1, `the column “${name}” is none of ${sheetColumns.join(', ')}`)
    }
  }
}

/** What a cell holds; a text that would be cut is left out, which leaves it alone. */
const cellOf = (value: string) => (value.length > maxCell ? '' : value)

const narrowLetters = new Set(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
)

/** Whether a text is a known one, but for letters that Windows-1252 does not have: it is as long. */
function isSameButLetters(cell: string, known: string): boolean {
  const letters = known.split('')
  return (
    cell.length === letters.length &&
    letters.every((letter, at) => letter === cell[at] || !narrowLetters.has(letter))
  )
}
