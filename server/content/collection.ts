import * as z from 'zod/mini'
import type { Problem, StoredRow } from './stored-row.ts'

/**
 * What a field holds beside what its schema says: a number that a Directus may give as a text, an
 * address, a record of addresses, the id of a picture, a list of them, or a short rich text, which is
 * sanitised in rows. Every other field is plain text.
 */
export type FieldKind = 'number' | 'link' | 'links' | 'picture' | 'pictures' | 'rich'

/** The shape of rows. */
type RowSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>

/** A collection of the content service, as the noun that it belongs to describes it. */
export type CollectionDefinition<Schema extends RowSchema = RowSchema> = {
  /** The shape of its rows; what a row has beyond it is dropped. */
  readonly schema: Schema
  readonly kinds?: { readonly [Field in keyof z.output<Schema>]?: FieldKind }
  /** The field with a long rich text, which is read apart from the rows. */
  readonly longText?: string
  /** In which order pages show the rows, with `-` for falling; `sort` unless given. */
  readonly order?: readonly string[]
  /** A Directus may lack it altogether; pages do without (docs/contract.md, Content service). */
  readonly optional?: true
  /** Fields that no page shows; they are for the site itself. */
  readonly unshown?: readonly string[]
  /** Fields that decide, beside status and date, whether a row may be shown: a wrong one hides it. */
  readonly deciding?: readonly string[]
  /** A row without a status is not shown. */
  readonly needsStatus?: true
  /** Whether a row may be shown at all, whatever its status. */
  isAllowed?(row: StoredRow): boolean
  /** The status of a row, where it is not `Status` or `status`. */
  statusOf?(row: StoredRow): unknown
  /** Brings a valid row to one shape. @returns what is wrong with it; null where nothing is */
  settle?(row: z.output<Schema>): Problem | null
}

/** The id of a row. */
export const id = z.union([z.string(), z.number()])
/** A text that must be there. */
export const text = z.string()
/** A text that may be missing. */
export const optionalText = z.optional(z.nullable(z.string()))
/** A list of texts that may be missing. */
export const texts = z.optional(z.nullable(z.array(z.string())))
/** A number that may be missing. */
export const optionalNumber = z.optional(z.nullable(z.number()))
/** Yes, no or nothing. */
export const optionalFlag = z.optional(z.nullable(z.boolean()))
/** Published, draft or archived; a record without a status counts as published. */
export const status = z.optional(z.nullable(z.string()))
/** The place among the others. */
export const sort = z.optional(z.nullable(z.number()))
