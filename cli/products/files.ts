import { copyFile, mkdir, readFile, readdir, rename, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { Option, type Command } from 'commander'
import type { Product } from '#server/shop/feature.ts'
import type { ExportTo, Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import * as options from '../common/options.ts'
import { parseCsvRows } from '../common/csv.ts'
import type { UseContext } from '../common/command.ts'

/** Which products an export holds: made from (inclusive) and before `to`, in a state. */
type Range = { from?: number; to?: number; status?: 'published' | 'draft' }

/** `products export`, `import` and `files`. */
export function addProductFiles(products: Command, useContext: UseContext, print: Print): void {
  addExport(products, useContext, print)
  addImport(products, useContext, print)
  addFiles(products, useContext, print)
}

function addExport(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('export')
    .description('export products and prices in import format; csv: one line per variant')
    .addOption(options.format().default('json'))
    .addOption(options.from())
    .addOption(options.to())
    .addOption(
      new Option('--status <status>', 'only rows with this status').choices(['published', 'draft']),
    )
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ from = 0, to = Infinity, status, format, ...flags }: Range & ExportTo) => {
      const { catalogue, acts, sheet } = (await useContext()).features.shop
      const wanted = catalogue
        .list()
        .filter(({ createdAt }) => createdAt >= from && createdAt < to)
        .filter(({ published }) => status === undefined || published === (status === 'published'))
      if (format === 'csv') {
        const { columns } = sheet
        await print.export(wanted.flatMap(acts.sheetRows), { columns, format, ...flags })
        return
      }
      const files = wanted.map(acts.asFile)
      await print.exportJson(files, { format, ...flags })
    })
}

function addImport(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('import <file>')
    .description('add and change products from JSON, NDJSON or .csv, all or nothing')
    .addOption(options.rehearse())
    .addOption(options.by())
    .action(async (file: string, { dryRun: rehearse, by }: { dryRun?: boolean; by: string }) => {
      const path = resolve(file)
      const { acts, readCatalogue, sheet } = (await useContext()).features.shop
      const sayDryRun = () => {
        if (rehearse) print.line(options.dryRun('import them', 'without --dry-run'))
      }
      if (extname(path).toLowerCase() === '.csv') {
        const { text, isNarrow } = sheet.textOf(await readFile(path))
        const done = await acts.importSheet(parseCsvRows(text), { actor: by, rehearse, isNarrow })
        for (const variant of done.variants) print.line(`New variant: ${variant}`)
        print.line(`${done.added} added, ${done.changed} changed`)
        sayDryRun()
        return
      }
      const read = readCatalogue(path, dirname(path))
      const { added, changed } = await acts.import(read, { actor: by, rehearse })
      print.line(`${added} added, ${changed} changed`)
      sayDryRun()
    })
}

function addFiles(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('files')
    .description('list files of digital products and the products that use them')
    .option('--add <files...>', 'copy files into DATA_DIR/products first')
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
