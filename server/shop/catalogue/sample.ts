import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from '../../feature.ts'
import { decodedText } from '../../text/decoded-text.ts'
import { inWordsForStaff } from '../../text/schema-words.ts'
import type { Catalogue } from './catalogue.ts'
import type { Editing } from './editing.ts'
import { brokenAt, lineOf } from '../../content/files/json-position.ts'
import { catalogueFile } from '../extra-content-files.ts'
import { catalogueSchema, type ProductFile } from './product-file.ts'

/**
 * Reads a catalogue file with the texts that are beside it.
 * @param directory of the file; texts lie below it
 * @throws with every mistake and its place
 */
export function readCatalogue(
  file: string,
  directory: string,
): { product: ProductFile; description: string }[] {
  const text = decodedText(readFileSync(file))
  // Such as a workbook or a ZIP under a name of its own choice.
  if (text.includes('\0')) {
    throw new Error(
      `${file} isn’t text. Save a spreadsheet as CSV; a list of products is JSON or NDJSON.`,
    )
  }
  const isList = text.trimStart().startsWith('[')
  const parsed = catalogueSchema.safeParse(
    isList ? readList(file, text) : readLines(file, text),
    inWordsForStaff,
  )
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) =>
        `${isList ? `line ${lineOf(text, path)}: ` : ''}${path.map(String).join('.')}: ${message}`,
    )
    throw new Error(`${file} can’t be imported:\n${problems.join('\n')}`)
  }
  return parsed.data.map((product) => ({ product, description: textOf(product, directory) }))
}

/** A list of products as JSON. */
function readList(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { line, column } = brokenAt(text)
    throw new Error(`${file} isn’t valid JSON from line ${line}, column ${column}.`)
  }
}

/** A product as JSON on each line. */
const readLines = (file: string, text: string): unknown =>
  text.split('\n').flatMap((line, index): unknown[] => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line)]
    } catch {
      const { column } = brokenAt(line)
      throw new Error(
        `${file} isn’t valid JSON from line ${index + 1}, column ${column}. It has to be a list of products as JSON, one product a line as NDJSON, or end in .csv.`,
      )
    }
  })

function textOf({ description }: ProductFile, directory: string): string {
  if (typeof description === 'string') return description
  const path = join(directory, description.$file)
  // A file of ours never leads out of its directory, and no other may.
  if (!path.startsWith(join(directory, '/')))
    throw new Error(`${description.$file} is outside the folder.`)
  return decodedText(readFileSync(path))
}

/**
 * Imports the sample catalogue of the embedded content into an empty shop. A catalogue with mistakes
 * leaves the shop empty; it never keeps the site from starting.
 * @param broken called with what is wrong
 * @returns how many products
 */
export async function importSample(
  { config, commit }: Pick<Platform, 'config' | 'commit'>,
  { catalogue, editing }: { catalogue: Catalogue; editing: Editing },
  broken: (problem: string) => void,
): Promise<number> {
  const file = join(config.contentDir, catalogueFile)
  if (config.content || catalogue.count() > 0 || !existsSync(file)) return 0
  let products: ReturnType<typeof readCatalogue>
  try {
    products = readCatalogue(file, config.contentDir)
  } catch (error) {
    broken((error as Error).message)
    return 0
  }
  try {
    return await commit((tx) => {
      // Another process may have been faster.
      if (catalogue.count() > 0) return 0
      for (const { product, description } of products) {
        try {
          editing.save(tx, product, description)
        } catch (cause) {
          throw new Error(`${product.handle}: ${(cause as Error).message}`, { cause })
        }
      }
      return products.length
    })
  } catch (error) {
    broken((error as Error).message)
    return 0
  }
}
