import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilesBeside, Note } from '../content/beside.ts'
import { brokenAt } from '../content/json-position.ts'
import { catalogueSchema, type ProductFile } from './product-file.ts'

/** The name of the file with what an empty shop begins with. */
export const catalogueFile = 'products.json'

/** The catalogue beside the content, with its texts and the files of digital goods. */
export const catalogue: FilesBeside = {
  has: (path) => path === catalogueFile || /^products\/(?:files\/[^/]+|[^/]+\.html?)$/.test(path),
  async check(dir, files, noteOf) {
    if (!files.has(catalogueFile)) return
    const products = await readProducts(join(dir, catalogueFile), noteOf(catalogueFile, null))
    for (const product of products) {
      checkProduct(product, files, noteOf(catalogueFile, { id: product.handle }))
    }
  },
  async pictures(dir) {
    const file = join(dir, catalogueFile)
    const products = existsSync(file) ? await readProducts(file, () => {}) : []
    return products.flatMap(({ pictures }) => pictures)
  },
  note: (path) =>
    path === catalogueFile
      ? 'Only an empty shop reads products.json; products import changes any shop.'
      : null,
}

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
