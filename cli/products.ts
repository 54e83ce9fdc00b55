import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Product, Variant } from '#server/shop/catalogue.ts'
import { lowestBefore } from '#server/shop/price-history.ts'
import { addDays, dateAt, dayStart } from '#shared/civil-dates.ts'
import { officeDate } from '#shared/helsinki-time.ts'
import { decimal } from '#shared/money.ts'
import * as options from './options.ts'
import { cents, handle, pieces, type Pieces } from './product-options.ts'
import { addProductEditing } from './product-editing.ts'
import { addProductFiles } from './product-files.ts'
import { when, type Print, type Row } from './print.ts'
import { harmless } from './terminal.ts'
import type { UseContext } from './command.ts'

/** `products`: what the shop sells, its prices and pieces. */
export function addProducts(program: Command, useContext: UseContext, print: Print): void {
  const products = program.command('products').description('what the shop sells')

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
      if (json) print.json(found.map(whole))
      else print.listing(found.flatMap(brief), { none: 'No products.' })
    })

  products
    .command('show <handle>')
    .description('one product, with every price that it ever had')
    .addOption(options.json())
    .action(async (name: string, { json }: { json?: boolean }) => {
      const { features, clock } = await useContext()
      const { catalogue } = features.shop
      const product = known({ features }, name)
      const prices = product.variants.flatMap(({ id, variant }) =>
        catalogue.historyOf(id).map(({ price, fromAt, untilAt }) => ({
          variant,
          price: decimal(price),
          from: when(fromAt),
          until: when(untilAt),
          counts: fromAt <= clock() && (untilAt === null || untilAt > clock()),
        })),
      )
      if (json) print.json({ ...whole(product), description: product.description, prices })
      else {
        const { variants: _variants, tags, pictures, ...facts } = whole(product)
        print.facts({ ...facts, tags: tags.join(', '), pictures: pictures.length })
        print.line('')
        print.listing(brief(product), { none: 'No variants.' })
        print.line('')
        print.listing(prices, { none: 'No prices.' })
      }
    })

  products
    .command('price <handle> <variant> <euros>')
    .description('set a price from now on; with --to it is a reduction, which ends')
    .addOption(options.from())
    .addOption(options.to())
    .action(
      async (
        name: string,
        variantName: string,
        euros: string,
        told: { from?: number; to?: number },
      ) => {
        const context = await useContext()
        const { product, variant } = knownVariant(context, name, variantName)
        const amount = cents(euros)
        const fromAt = beginOf(context, told.from)
        const untilAt = told.to ?? null
        if (untilAt !== null) mayReduce(context, variant, { amount, fromAt, untilAt })
        await context.commit((tx) =>
          context.features.shop.editing.price(tx, variant.id, { cents: amount, fromAt, untilAt }),
        )
        const range =
          untilAt === null
            ? `from ${officeDate(dateAt(fromAt))}`
            : `from ${officeDate(dateAt(fromAt))} to ${officeDate(dateAt(untilAt - 1))}`
        print.line(`${product.handle} ${variant.variant}: ${decimal(amount)} € ${range}`)
      },
    )

  products
    .command('stock <handle> <variant> <pieces>')
    .description('set how many pieces are there: a number, +5 for a delivery, or "unlimited"')
    .action(async (name: string, variantName: string, text: string) => {
      const wanted: Pieces = pieces(text)
      const context = await useContext()
      const { commit, features } = context
      const now = await commit((tx) => {
        const { variant } = knownVariant(context, name, variantName)
        const stock = wanted.added === null ? wanted.pieces : (variant.stock ?? 0) + wanted.added
        features.shop.editing.setStock(tx, variant.id, stock)
        return stock
      })
      print.line(`${name} ${variantName}: ${now ?? 'unlimited'}`)
    })

  for (const [verb, published] of [
    ['publish', true],
    ['unpublish', false],
  ] as const) {
    products
      .command(`${verb} <handle>`)
      .description(published ? 'show a product in the shop' : 'take a product out of the shop')
      .action(async (name: string) => {
        const context = await useContext()
        const product = known(context, name)
        if (published && product.variants.every(({ price }) => price === null)) {
          throw new Error(`${product.handle} has no price yet.`)
        }
        await context.commit((tx) =>
          context.features.shop.editing.publish(tx, product.id, published),
        )
        print.line(`${product.handle}: ${published ? 'published' : 'draft'}`)
      })
  }

  products
    .command('rename <handle> <new>')
    .description('give a product another handle; the old address leads to the new one')
    .action(async (name: string, to: string) => {
      const context = await useContext()
      const product = known(context, name)
      const wanted = handle(to)
      if (context.features.shop.catalogue.find(wanted))
        throw new Error(`${wanted} is there already.`)
      await context.commit((tx) => context.features.shop.editing.rename(tx, product.handle, wanted))
      print.line(`${product.handle} → ${wanted}`)
    })

  addProductEditing(products, useContext, print)
  addProductFiles(products, useContext, print)
}

/** @throws when there is no such product */
function known({ features }: Pick<Context, 'features'>, name: string): Product {
  const product = features.shop.catalogue.find(name)
  if (product) return product
  const moved = features.shop.catalogue.movedTo(name)
  throw new Error(
    moved ? `${harmless(name)} is called ${moved} now.` : `There is no product ${harmless(name)}.`,
  )
}

function knownVariant(context: Context, name: string, variantName: string) {
  const product = known(context, name)
  const variant = product.variants.find((each) => each.variant === variantName)
  if (variant) return { product, variant }
  const names = product.variants.map((each) => each.variant).join(', ')
  throw new Error(`${product.handle} has no variant ${harmless(variantName)}; it has ${names}.`)
}

/** When a price begins. A price is never written into the past: reductions look back on it. */
function beginOf({ clock }: Context, from: number | undefined): number {
  if (from === undefined) return clock()
  const today = dayStart(dateAt(clock()))
  if (from < today) throw new Error('A price cannot begin in the past.')
  return Math.max(from, clock())
}

/** @throws when a reduction may not be announced, and why */
function mayReduce(
  { features }: Context,
  variant: Variant,
  { amount, fromAt, untilAt }: { amount: number; fromAt: number; untilAt: number },
): void {
  if (untilAt <= fromAt) throw new Error('The reduction ends before it begins.')
  const history = features.shop.catalogue.historyOf(variant.id)
  const lowest = lowestBefore(history, fromAt)
  if (lowest === null) {
    const first = Math.min(...history.map((each) => each.fromAt))
    const day = Number.isFinite(first) ? officeDate(addDays(dateAt(first), 30)) : null
    throw new Error(
      'A reduction has to show the lowest price of the thirty days before it; this variant has no price that is so old' +
        (day ? ` before ${day}.` : '.'),
    )
  }
  if (amount >= lowest) {
    throw new Error(
      `This is no reduction: the lowest price of the thirty days before it is ${decimal(lowest)} €.`,
    )
  }
}

/** A line for each variant. */
const brief = ({ handle: name, title, kind, published, variants }: Product): Row[] =>
  variants.map(({ variant, price, stock }) => ({
    handle: name,
    variant,
    title,
    kind,
    published,
    price: price && decimal(price.price),
    stock: stock ?? 'unlimited',
  }))

/** Prices are euros with two decimals. */
const whole = ({
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
