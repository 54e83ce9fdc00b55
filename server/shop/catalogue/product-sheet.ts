import { isUtf8 } from 'node:buffer'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { failure } from '#shared/failures.ts'
import { decodedText } from '../../text/decoded-text.ts'
import {
  amount,
  between,
  date,
  emptied,
  entriesOf,
  limit,
  maxCell,
  number,
  productColumns,
  variantColumns,
  whole,
  type Change,
  type Column,
  type Variant,
} from './product-columns.ts'
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
 * Sets the stock. Pieces are sold while a sheet is open, so a count that no one has changed in it is
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
