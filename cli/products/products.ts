import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Product } from '#server/shop/feature.ts'
import { workingDays } from '#shared/shop/delivery-words.ts'
import { decimal } from '#shared/money.ts'
import { printFound, searchOptions, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import { handle } from './options.ts'
import { historyOf } from '../history.ts'
import { addProductPrices } from './prices.ts'
import { addProductEditing } from './editing.ts'
import { addProductLicences } from './licences.ts'
import { addProductFiles } from './files.ts'
import { addVolumePrices } from './volume.ts'
import { productNamed, variantRows } from './rows.ts'
import { when, type Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'

/** `products`: what the shop sells, its prices and pieces. */
export function addProducts(products: Command, useContext: UseContext, print: Print): void {
  addReading(products, useContext, print)
  addPublishing(products, useContext, print)
  addRenaming(products, useContext, print)
  addProductPrices(products, useContext, print)
  addProductEditing(products, useContext, print)
  addVolumePrices(products, useContext, print)
  addProductLicences(products, useContext, print)
  addProductFiles(products, useContext, print)
}

function addReading(products: Command, useContext: UseContext, print: Print): void {
  searchOptions(products.command('list'))
    .description('list products, drafts included, newest first')
    .addOption(
      new Option('--status <status>', 'only rows with this status').choices(['published', 'draft']),
    )
    .action(async (flags: ListedProducts) => {
      const { status, json, limit, since = 0 } = flags
      const { catalogue } = (await useContext()).features.shop
      const found = catalogue
        .list()
        .filter(
          ({ published, createdAt }) =>
            (status === undefined || published === (status === 'published')) && createdAt >= since,
        )
      if (!json || limit !== undefined) {
        found.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
      }
      printFound(print, found, flags, {
        textsOf,
        what: 'products',
        none: 'No products.',
        row: variantRows,
        full: fullRow,
      })
    })

  products
    .command('show <handle>')
    .description('show a product and its price history')
    .addOption(options.json())
    .action(async (name: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const product = productNamed(context, name)
      const history = historyOf(context.timeline, 'product', String(product.id))
      const prices = pricesOf(product, context)
      if (json)
        print.json({ ...fullRow(product), description: product.description, prices, history })
      else {
        const { variants: _variants, tags, pictures, ...facts } = fullRow(product)
        print.facts({
          ...facts,
          tags: tags.join(', '),
          pictures: pictures.length,
          dispatch: facts.dispatch && workingDays(facts.dispatch),
          maker: facts.maker && Object.values(facts.maker).join('; '),
          customs: facts.customs && Object.values(facts.customs).join('/'),
        })
        print.line('')
        const { alertsFor } = context.features.shop
        const rows = variantRows(product).map((row, at) => ({
          ...row,
          waiting: alertsFor(product.variants[at]!.id),
        }))
        print.listing(rows, { none: 'No variants.' })
        print.line('')
        print.listing(prices, { none: 'No prices.' })
        print.line('')
        print.listing(history, { none: 'No history yet.' })
      }
    })
}

type ListedProducts = SearchFlags & { status?: string }

/** What people know a product by. */
const textsOf = ({ handle: name, title, kind, category, tags, variants }: Product) => [
  name,
  title,
  kind,
  category,
  ...tags,
  ...variants.map(({ variant }) => variant),
]

function addPublishing(products: Command, useContext: UseContext, print: Print): void {
  for (const [verb, published] of [
    ['publish', true],
    ['unpublish', false],
  ] as const) {
    products
      .command(`${verb} <handle>`)
      .description(published ? 'publish a product' : 'unpublish a product')
      .addOption(options.by())
      .action(async (given: string, { by }: { by: string }) => {
        const context = await useContext()
        const { handle: name } = productNamed(context, given)
        await context.features.shop.acts.publish(name, published, by)
        print.line(`${name}: ${published ? 'published' : 'draft'}`)
      })
  }
}

function addRenaming(products: Command, useContext: UseContext, print: Print): void {
  products
    .command('rename <handle> <new>')
    .description('change a product’s handle; the old URL redirects')
    .addOption(options.by())
    .action(async (given: string, to: string, { by }: { by: string }) => {
      const wanted = handle(to)
      const context = await useContext()
      const { handle: name } = productNamed(context, given)
      await context.features.shop.acts.rename(name, wanted, by)
      print.line(`${name} → ${wanted}`)
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
  variants: variants.map(({ variant, title, price, stock, weight, files, licence, wall }) => ({
    variant,
    title,
    price: price && decimal(price.price),
    lowestBefore: price?.before ? decimal(price.before) : null,
    stock,
    weight,
    files,
    licence,
    wall,
  })),
})
