import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtraContentFiles, Note } from '../content/files/extra-content-files.ts'
import { brokenAt } from '../content/files/json-position.ts'
import { decodedText } from '../text/decoded-text.ts'
import { inWordsForStaff } from '../text/schema-words.ts'
import { licenceProblems } from './catalogue/licence-terms.ts'
import { catalogueSchema, type ProductFile } from './catalogue/product-file.ts'

/** The name of the file with what an empty shop begins with. */
export const catalogueFile = 'products.json'

/** The catalogue beside the content, with its texts and the files of digital goods. */
export const catalogue: ExtraContentFiles = {
  has: (path) => path === catalogueFile || /^products\/(?:files\/[^/]+|[^/]+\.html?)$/.test(path),
  async check(dir, files, noteOf) {
    if (!files.has(catalogueFile)) return
    const products = await readProducts(join(dir, catalogueFile), noteOf(catalogueFile, null))
    for (const product of products) {
      const note = noteOf(catalogueFile, { id: product.handle })
      checkProduct(product, files, note)
      const { description } = product
      const text =
        typeof description === 'string'
          ? description
          : await readFile(join(dir, description.$file)).then(decodedText, () => '')
      for (const problem of licenceProblems(product, text)) note(problem)
    }
  },
  async pictures(dir) {
    const file = join(dir, catalogueFile)
    const products = existsSync(file) ? await readProducts(file, () => {}) : []
    return products.flatMap(shownPictures)
  },
  note: (path) =>
    path === catalogueFile
      ? 'products.json is only read into an empty shop; to change a shop, use products import.'
      : null,
}

async function readProducts(file: string, note: Note): Promise<readonly ProductFile[]> {
  const source = decodedText(await readFile(file))
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    const { line, column } = brokenAt(source)
    note(`not valid JSON from line ${line}, column ${column}`)
    return []
  }
  const { success, data, error } = catalogueSchema.safeParse(value, inWordsForStaff)
  if (success) return data
  for (const { path, message } of error.issues) note(message, path.map(String).join('.'))
  return []
}

function checkProduct(product: ProductFile, files: ReadonlySet<string>, note: Note): void {
  const { description, variants } = product
  if (typeof description !== 'string' && !files.has(description.$file)) {
    note(`file not found: ${description.$file}`, 'description')
  }
  for (const id of shownPictures(product)) {
    if (![...files].some((file) => file.startsWith(`assets/${id}.`))) {
      note(`file not found: assets/${id}.*`, 'pictures')
    }
  }
  for (const name of new Set(variants.flatMap((variant) => variant.files))) {
    // It may lie in DATA_DIR/products, where the files of a running shop are.
    if (!files.has(`products/files/${name}`)) {
      note(`file not found: products/files/${name}`, 'variants', 'warning')
    }
  }
}

/** The pictures of a product, those on walls too. */
const shownPictures = ({ pictures, variants }: ProductFile): string[] => [
  ...new Set([...pictures, ...variants.flatMap(({ wall }) => wall?.picture ?? [])]),
]
