import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRules } from '#server/bookings/rules.ts'
import { brokenAt } from '#server/content/json-position.ts'
import { catalogueSchema, type ProductFile } from '#server/shop/product-file.ts'
import type { Note } from './content-links.ts'

/** The rules of booking, and what an empty shop begins with. */
const rulesFile = 'booking-rules.json'
const catalogueFile = 'products.json'

/**
 * Whether a file lies beside the content without being a part of it: the content service neither
 * serves nor replaces it.
 */
export const isBeside = (path: string): boolean =>
  path === rulesFile ||
  path === catalogueFile ||
  /^products\/(?:files\/[^/]+|[^/]+\.html?)$/.test(path)

/** Checks the rules of booking and the catalogue of a content folder, where they are. */
export async function checkBeside(
  dir: string,
  files: ReadonlySet<string>,
  noteOf: (file: string, product: { id: string } | null) => Note,
): Promise<void> {
  if (files.has(rulesFile)) {
    const { problems } = readRules(await readFile(join(dir, rulesFile), 'utf8'))
    for (const problem of problems ?? []) noteOf(rulesFile, null)(problem)
  }
  if (!files.has(catalogueFile)) return
  const products = await readProducts(join(dir, catalogueFile), noteOf(catalogueFile, null))
  for (const product of products) checkProduct(product, files, noteOf(catalogueFile, idOf(product)))
}

/** The pictures that the catalogue of a folder names; none where there is none that can be read. */
export const productPictures = async (dir: string): Promise<string[]> => {
  const file = join(dir, catalogueFile)
  const products = existsSync(file) ? await readProducts(file, () => {}) : []
  return products.flatMap(({ pictures }) => pictures)
}

const idOf = ({ handle }: ProductFile) => ({ id: handle })

async function readProducts(file: string, note: Note): Promise<readonly ProductFile[]> {
  const source = await readFile(file, 'utf8')
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    const { line, column } = brokenAt(source)
    note(`is no JSON, from line ${line}, column ${column} on`)
    return []
  }
  const { success, data, error } = catalogueSchema.safeParse(value)
  if (success) return data
  for (const { path, message } of error.issues) note(message, path.map(String).join('.'))
  return []
}

function checkProduct(
  { description, pictures, variants }: ProductFile,
  files: ReadonlySet<string>,
  note: Note,
): void {
  if (typeof description !== 'string' && !files.has(description.$file)) {
    note(`there is no file ${description.$file}`, 'description')
  }
  for (const id of pictures) {
    if (![...files].some((file) => file.startsWith(`assets/${id}.`))) {
      note(`there is no file assets/${id}.*`, 'pictures')
    }
  }
  for (const name of new Set(variants.flatMap((variant) => variant.files))) {
    // It may lie in DATA_DIR/products, where the files of a running shop are.
    if (!files.has(`products/files/${name}`)) {
      note(`there is no file products/files/${name}`, 'variants', 'warning')
    }
  }
}
