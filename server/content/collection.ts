import * as z from 'zod/mini'

/**
 * What a field holds beyond its schema: a number (which Directus may send as text), a date or time, a
 * link, a record of links, the id of a picture or another file, a list of them, or short rich text, which is sanitised.
 * Every other field is plain text.
 */
export type FieldKind = 'number' | 'date' | 'link' | 'links' | 'picture' | 'pictures' | 'rich'

/** The shape of rows. */
type RowSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>

/** A collection of the content service, defined by its feature. */
export type CollectionDefinition<Schema extends RowSchema = RowSchema> = {
  /** The shape of its rows; other fields are dropped. */
  readonly schema: Schema
  readonly kinds?: { readonly [Field in keyof z.output<Schema>]?: FieldKind }
  /** The field with a long rich text, which is read separately. */
  readonly longText?: string
  /** Sort order on pages, with `-` for descending; default `sort`. */
  readonly order?: readonly string[]
  /** Directus may lack it altogether (docs/contract.md, Content service). */
  readonly optional?: true
  /** Fields for internal use that no page shows. */
  readonly unshown?: readonly string[]
  /** Fields that decide, besides status and date, whether a row is shown: an invalid one hides it. */
  readonly deciding?: readonly string[]
  /** What a row's page here is found by, null without one; of rows that share it the first is shown. */
  addressOf?(row: z.output<Schema>): string | null
  /** Rows without a status are hidden. */
  readonly needsStatus?: true
  /** Whether a row may be shown, regardless of status. */
  isAllowed?(row: StoredRow): boolean
  /** The status of a row, if not in `Status` or `status`. */
  statusOf?(row: StoredRow): unknown
  /** Normalises a valid row in place. @returns a problem, or null */
  settle?(row: z.output<Schema>): Problem | null
}

/** The id of a row. */
export const id = z.union([z.string(), z.number()])
/** A required text. */
export const text = z.string()
/** A required text by which a row is named: a heading or a link of nothing leads nowhere. */
export const title = text.check(z.refine((words) => words.trim() !== '', 'Missing'))
/** A word by which a row has its page: no page is at an empty one, nor at a step through folders. */
export const slug = text.check(
  z.refine((word) => !['', '.', '..'].includes(word.trim()), 'No page can have this address'),
)
/** An optional text. */
export const optionalText = z.optional(z.nullable(z.string()))
/** Longer lists are mistakes, and no page could show them. */
const maxEntries = 500
const tooMany = `More than ${maxEntries} entries`
/** An optional list. */
export const listOf = <Entry extends z.ZodMiniType>(entry: Entry) =>
  z.optional(z.nullable(z.array(entry).check(z.maxLength(maxEntries, tooMany))))
/** An optional list of texts. */
export const texts = listOf(z.string())
/** An optional number within a range. */
export const numberWithin = (from: number, to: number) =>
  z.optional(
    z.nullable(
      z
        .number()
        .check(z.refine((value) => value >= from && value <= to, `Not between ${from} and ${to}`)),
    ),
  )
/** An optional whole number within a range. */
export const wholeNumber = (from: number, to: number) =>
  z.optional(
    z.nullable(
      z
        .number()
        .check(
          z.refine(
            (value) => Number.isInteger(value) && value >= from && value <= to,
            `Not a whole number between ${from} and ${to}`,
          ),
        ),
    ),
  )
/** The highest amount in euros. */
const maxEuros = 1_000_000
/** An optional amount in euros: 490, 490.5 or 490.50, as text also 490,50. */
export const euros = z.optional(
  z.nullable(
    z
      .number()
      .check(
        z.refine(
          (value) =>
            value >= 0 &&
            value <= maxEuros &&
            Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
          `Not an amount in euros with two decimals at most, up to ${maxEuros}`,
        ),
      ),
  ),
)
/** An optional amount in euro cents. */
export const euroCents = wholeNumber(0, maxEuros * 100)
export const optionalFlag = z.optional(z.nullable(z.boolean()))
/** Published, draft or archived; none means published. */
export const status = z.optional(z.nullable(z.string()))
/** Position in the list. */
export const sort = z.optional(z.nullable(z.number()))

/** A row as it is stored: drafts, unknown fields and wrong types included. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Something wrong with a field. */
export type Problem = { field: string; problem: string }
