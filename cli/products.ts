import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Product } from '#server/shop/product.ts'
import { decimal } from '#shared/money.ts'
import * as options from './options.ts'
import { handle } from './product-options.ts'
import { mustFind } from './product-lookup.ts'
import { addProductPrices } from './product-prices.ts'
import { addProductEditing } from './product-editing.ts'
import { addProductFiles } from './product-files.ts'
import { variantRows } from './product-rows.ts'
import { when, type Print } from './print.ts'
import type { UseContext } from './command.ts'

/** `products`: what the shop sells, its prices and pieces. */
export function addProducts(program: Command, useContext: UseContext, print: Print): void {
  const products = program.command('products').description('what the shop sells')
  addReading(products, useContext, print)
  addPublishing(products, useContext, print)
  addRenaming(products, useContext, print)
  addProductPrices(products, useContext, print)
  addProductEditing(products, useContext, print)
  addProductFiles(products, useContext, print)
}

function addReading(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('list')
    .description('every product, drafts too')
    .addOption(new Option('--status <status>', 'only these').choices(['published', 'draft']))
    .addOption(options.json())
    .action(async ({ status, json }: { status?: string; json?: boolean }) => {
      const { catalogue } = (await useContext()).features.shop
      const found = catalogue
        .list()
        .filter(({ published }) => status === undefined || published === (status === 'published'))
      if (json) print.json(found.map(fullRow))
      else print.listing(found.flatMap(variantRows), { none: 'No products.' })
    })

  products
    .command('show <handle>')
    .description('one product, with every price that it ever had')
    .addOption(options.json())
    .action(async (name: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const product = mustFind(context, name)
      const prices = pricesOf(product, context)
      if (json) print.json({ ...fullRow(product), description: product.description, prices })
      else {
        const { variants: _variants, tags, pictures, ...facts } = fullRow(product)
        print.facts({ ...facts, tags: tags.join(', '), pictures: pictures.length })
        print.line('')
        print.listing(variantRows(product), { none: 'No variants.' })
        print.line('')
        print.listing(prices, { none: 'No prices.' })
      }
    })
}

function addPublishing(products: Command, useContext: UseContext, print: Print): void {
  for (const [verb, published] of [
    ['publish', true],
    ['unpublish', false],
  ] as const) {
    products
      .command(`${verb} <handle>`)
      .description(published ? 'show a product in the shop' : 'take a product out of the shop')
      .action(async (name: string) => {
        const context = await useContext()
        const product = mustFind(context, name)
        if (published && product.variants.every(({ price }) => price === null)) {
          throw new Error(`${product.handle} has no price yet.`)
        }
        await context.commit((tx) =>
          context.features.shop.editing.publish(tx, product.id, published),
        )
        print.line(`${product.handle}: ${published ? 'published' : 'draft'}`)
      })
  }
}

function addRenaming(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('rename <handle> <new>')
    .description('give a product another handle; the old address leads to the new one')
    .action(async (name: string, to: string) => {
      const context = await useContext()
      const product = mustFind(context, name)
      const wanted = handle(to)
      if (context.features.shop.catalogue.find(wanted))
        throw new Error(`${wanted} is there already.`)
      await context.commit((tx) => context.features.shop.editing.rename(tx, product.handle, wanted))
      print.line(`${product.handle} → ${wanted}`)
    })
}

/** Every price that a product ever had. */
function pricesOf(product: Product, { features, clock }: Context) {
  return product.variants.flatMap(({ id, variant }) =>
    features.shop.catalogue.historyOf(id).map(({ price, fromAt, untilAt }) => ({
      variant,
      price: decimal(price),
      from: when(fromAt),
      until: when(untilAt),
      counts: fromAt <= clock() && (untilAt === null || untilAt > clock()),
    })),
  )
}

/** Prices are euros with two decimals. */
const fullRow = ({
  id: _id,
  description: _text,
  createdAt,
  changedAt,
  variants,
  ...facts
}: Product) => ({
  ...facts,
  createdAt: when(createdAt),
  changedAt: when(changedAt),
  variants: variants.map(({ variant, title, price, stock, weight, files }) => ({
    variant,
    title,
    price: price && decimal(price.price),
    lowestBefore: price?.before ? decimal(price.before) : null,
    stock,
    weight,
    files,
  })),
})
