import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from '../feature.ts'
import type { Catalogue } from './catalogue.ts'
import type { Editing } from './editing.ts'
import { catalogueFile } from './beside-content.ts'
import { catalogueSchema, type ProductFile } from './product-file.ts'

/**
 * Reads a catalogue file with the texts that stand beside it.
 * @param directory of the file; texts lie below it
 * @throws with every mistake and its place
 */
export function readCatalogue(
  file: string,
  directory: string,
): { product: ProductFile; description: string }[] {
  const parsed = catalogueSchema.safeParse(readJson(readFileSync(file, 'utf8')))
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.')}: ${message}`,
    )
    throw new Error(`${file} cannot be imported:\n${problems.join('\n')}`)
  }
  return parsed.data.map((product) => ({ product, description: textOf(product, directory) }))
}

/** A list of products as JSON, or a product on each line. */
const readJson = (text: string): unknown =>
  text.trimStart().startsWith('[')
    ? JSON.parse(text)
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line): unknown => JSON.parse(line))

function textOf({ description }: ProductFile, directory: string): string {
  if (typeof description === 'string') return description
  const path = join(directory, description.$file)
  // A file of ours never leads out of its directory, and no other may.
  if (!path.startsWith(join(directory, '/')))
    throw new Error(`${description.$file} lies elsewhere.`)
  return readFileSync(path, 'utf8')
}

/**
 * Imports the sample catalogue of the embedded content into an empty shop.
 * @returns how many products
 */
export async function importSample(
  { config, commit }: Pick<Platform, 'config' | 'commit'>,
  { catalogue, editing }: { catalogue: Catalogue; editing: Editing },
): Promise<number> {
  const file = join(config.contentDir, catalogueFile)
  if (config.content || catalogue.count() > 0 || !existsSync(file)) return 0
  const products = readCatalogue(file, config.contentDir)
  return commit((tx) => {
    // Another process may have been faster.
    if (catalogue.count() > 0) return 0
    for (const { product, description } of products) editing.save(tx, product, description)
    return products.length
  })
}
