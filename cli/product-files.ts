import { copyFile, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Option, type Command } from 'commander'
import type { Product } from '#server/shop/product.ts'
import { toFile } from '#server/shop/product-file.ts'
import { readCatalogue } from '#server/shop/sample.ts'
import type { ExportTo, Print } from './print.ts'
import { harmless } from './terminal.ts'
import * as options from './options.ts'
import { variantRows } from './product-rows.ts'
import type { UseContext } from './command.ts'

/** Which products an export holds: made from (inclusive) and before `to`, in a state. */
type Range = { from?: number; to?: number; status?: 'published' | 'draft' }

/** The columns of a spreadsheet. */
const columns = ['handle', 'variant', 'title', 'kind', 'category', 'published', 'price', 'stock']

/** `products export`, `import` and `files`. */
export function addProductFiles(products: Command, useContext: UseContext, print: Print): void {
  addExport(products, useContext, print)
  addImport(products, useContext, print)
  addFiles(products, useContext, print)
}

function addExport(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('export')
    .description('every product with every price, as an import reads it; csv: a line per variant')
    .addOption(options.format().default('json'))
    .addOption(options.from())
    .addOption(options.to())
    .addOption(new Option('--status <status>', 'only these').choices(['published', 'draft']))
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ from = 0, to = Infinity, status, format, ...told }: Range & ExportTo) => {
      const { features, clock } = await useContext()
      const { catalogue } = features.shop
      const wanted = catalogue
        .list()
        .filter(({ createdAt }) => createdAt >= from && createdAt < to)
        .filter(({ published }) => status === undefined || published === (status === 'published'))
      if (format === 'csv') {
        await print.export(wanted.flatMap(variantRows), { columns, format, ...told })
        return
      }
      const files = wanted.map((product) =>
        toFile(product, {
          historyOf: catalogue.historyOf,
          formerHandles: catalogue.formerHandles(product.id),
          now: clock(),
        }),
      )
      await print.exportJson(files, { format, ...told })
    })
}

function addImport(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('import <file>')
    .description(
      'add and change products from JSON or NDJSON: all of a file, or none when one of them is wrong',
    )
    .option('--rehearse', 'only tell whether the file can be imported')
    .action(async (file: string, { rehearse }: { rehearse?: boolean }) => {
      const path = resolve(file)
      const { commit, features } = await useContext()
      const { catalogue, editing } = features.shop
      const read = readCatalogue(path, dirname(path))
      let added = 0
      const rehearsed = new Error('rehearsed')
      try {
        await commit((tx) => {
          for (const { product, description } of read) {
            if (!catalogue.find(product.handle)) added += 1
            try {
              editing.save(tx, product, description)
            } catch (error) {
              throw new Error(`${product.handle}: ${(error as Error).message}`, { cause: error })
            }
          }
          if (rehearse) throw rehearsed
        })
      } catch (error) {
        if (error !== rehearsed) throw error
      }
      print.line(
        `${added} added, ${read.length - added} changed${rehearse ? '; nothing was changed' : ''}`,
      )
    })
}

function addFiles(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('files')
    .description('the files of digital goods, and which products they belong to')
    .option('--add <files...>', 'put files into DATA_DIR/products first')
    .addOption(options.json())
    .action(async ({ add = [], json }: { add?: string[]; json?: boolean }) => {
      const { config, features } = await useContext()
      const directory = join(config.dataDir, 'products')
      await mkdir(directory, { recursive: true, mode: 0o700 })
      for (const file of add) await copyInto(directory, file)
      const lists = [directory, join(config.contentDir, 'products/files')].map(filesOf)
      const all = new Map((await Promise.all(lists)).toReversed().flat())
      const users = productsByFile(features.shop.catalogue.list())
      const names = [...new Set([...all.keys(), ...users.keys()])].toSorted()
      const rows = names.map((name) => ({
        file: name,
        bytes: all.get(name) ?? null,
        state: all.has(name) ? 'there' : 'missing',
        products: (users.get(name) ?? []).map(({ handle }) => handle).join(', '),
      }))
      print.listing(rows, { json, none: 'No files.' })
    })
}

/** Copies a file into a directory, where it appears only when it is whole. */
async function copyInto(directory: string, file: string): Promise<void> {
  const name = basename(file)
  if (name.startsWith('.')) throw new Error(`${harmless(name)} is a hidden file.`)
  const part = join(directory, `.${name}.${process.pid}.part`)
  await copyFile(file, part)
  await rename(part, join(directory, name))
}

/** The products that each file belongs to. */
function productsByFile(products: readonly Product[]) {
  const uses = products.flatMap(({ handle, variants }) =>
    [...new Set(variants.flatMap(({ files }) => files))].map((file) => ({ handle, file })),
  )
  return Map.groupBy(uses, ({ file }) => file)
}

/** Files of a directory with their bytes; none where there is no such directory. */
async function filesOf(directory: string): Promise<[string, number][]> {
  const names = await readdir(directory).catch(() => [])
  const found: [string, number][] = []
  for (const name of names) {
    const file = await stat(join(directory, name)).catch(() => null)
    if (!name.startsWith('.') && file?.isFile()) found.push([name, file.size])
  }
  return found
}
