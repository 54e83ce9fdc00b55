import { Option, type Command } from 'commander'
import { readFileSync } from 'node:fs'
import type { Context } from '#server/context.ts'
import { productSchema, toFile } from '#server/shop/product-file.ts'
import { productCategories, productKinds } from '#shared/shop-limits.ts'
import { pieces } from './product-options.ts'
import type { Print } from './print.ts'
import { harmless } from './terminal.ts'
import type { UseContext } from './command.ts'

type Facts = {
  title?: string
  category?: string
  summary?: string
  description?: string
  vat?: string
  tags?: string
  licence?: string
  soldOutNote?: string
  madeToOrder?: boolean
}

/** `products add` and `products edit`. */
export function addProductEditing(products: Command, useContext: UseContext, print: Print): void {
  addCreation(products, useContext, print)
  addChanging(products, useContext, print)
}

function addCreation(products: Command, useContext: UseContext, print: Print): void {
  facts(products.command('add <handle>'))
    .description('add a product as a draft, with one variant; more come by import')
    .addOption(
      new Option('--kind <kind>', 'what it is').choices(productKinds).makeOptionMandatory(),
    )
    .requiredOption('--price <euros>', 'including VAT, such as 89.00')
    .option('--variant <name>', 'the name of its variant in addresses', 'standard')
    .option('--variant-title <text>', 'the name of its variant for people', 'Standard')
    .option('--stock <pieces>', 'a number, or "unlimited"', 'unlimited')
    .option('--weight <grams>', 'of what is sent')
    .option('--file <names...>', 'files of a digital good, see products files')
    .action(
      async (
        name: string,
        told: Facts & {
          kind: string
          price: string
          variant: string
          variantTitle: string
          stock: string
          weight?: string
          file?: string[]
        },
      ) => {
        const { kind, price, variant, variantTitle, stock, weight, file, ...rest } = told
        const { pieces: count } = pieces(stock)
        const context = await useContext()
        if (context.features.shop.catalogue.find(name)) {
          throw new Error(`${harmless(name)} is there already; see products edit.`)
        }
        await save(context, {
          handle: name,
          kind,
          description: '',
          ...changes(rest),
          variants: [
            {
              variant,
              title: variantTitle,
              price,
              stock: count,
              ...(weight !== undefined && { weight: Number(weight) }),
              files: file ?? [],
            },
          ],
        })
        print.line(`${name}: added as a draft; show it with products publish ${name}`)
      },
    )
}

function addChanging(products: Command, useContext: UseContext, print: Print): void {
  facts(products.command('edit <handle>'))
    .description('change what is said about a product; prices and pieces have verbs of their own')
    .action(async (name: string, told: Facts) => {
      const context = await useContext()
      const { catalogue } = context.features.shop
      const product = catalogue.find(name)
      if (!product) throw new Error(`There is no product ${harmless(name)}.`)
      const now = toFile(product, {
        historyOf: catalogue.historyOf,
        formerHandles: catalogue.formerHandles(product.id),
        now: context.clock(),
      })
      await save(context, { ...now, ...changes(told) })
      print.line(`${name}: changed`)
    })
}

const facts = (command: Command) =>
  command
    .option('--title <text>')
    .addOption(new Option('--category <category>').choices(productCategories))
    .option('--summary <text>')
    .option('--description <file>', 'a file with rich text')
    .addOption(new Option('--vat <class>').choices(['standard', 'reduced', 'low', 'zero']))
    .option('--tags <list>', 'with commas between them')
    .option('--licence <name>', 'the licence under which a file is sold')
    .option('--sold-out-note <text>', 'what is said while there are no pieces')
    .option('--made-to-order', 'it is made for its buyer, so it cannot be withdrawn from')
    .option('--no-made-to-order')

/** What was told, as a file of products has it. */
const changes = ({ tags, description, ...told }: Facts): Record<string, unknown> => ({
  ...told,
  ...(description !== undefined && { description: readFileSync(description, 'utf8') }),
  ...(tags !== undefined && {
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  }),
})

/** @throws an Error with every mistake and its field */
async function save(context: Context, product: Record<string, unknown>): Promise<void> {
  const read = productSchema.safeParse(product)
  if (!read.success) {
    const problems = read.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.')}: ${message}`,
    )
    throw new Error(problems.join('\n'))
  }
  const { description } = read.data
  await context.commit((tx) =>
    context.features.shop.editing.save(
      tx,
      read.data,
      typeof description === 'string' ? description : '',
    ),
  )
}
