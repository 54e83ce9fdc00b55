import { InvalidArgumentError, Option, type Command } from 'commander'
import { readFileSync } from 'node:fs'
import type { ShopFeature } from '#server/shop/feature.ts'
import { productCategories, productKinds } from '#shared/shop/limits.ts'
import { pieces } from './options.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'
import { productNamed } from './rows.ts'

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
  /** False for none. */
  picture?: string[] | false
  alt?: string[]
  dispatch?: number[]
  maker?: string
  safety?: string
  customs?: string
}

/** `products add` and `products edit`. */
export function addProductEditing(products: Command, useContext: UseContext, print: Print): void {
  addCreation(products, useContext, print)
  addChanging(products, useContext, print)
}

function addCreation(products: Command, useContext: UseContext, print: Print): void {
  facts(products.command('add <handle>'), { isNew: true })
    .description('add a draft product with one variant; use import for more')
    .addOption(
      new Option('--kind <kind>', 'kind of product').choices(productKinds).makeOptionMandatory(),
    )
    .requiredOption('--price <euros>', 'including VAT, such as 89.00')
    .option('--variant <name>', 'variant name in URLs', 'standard')
    .option('--variant-title <text>', 'variant name shown to buyers', 'Standard')
    .option('--stock <pieces>', 'a number, or "unlimited"', 'unlimited')
    .option('--weight <grams>', 'shipping weight', grams)
    .option('--file <names...>', 'files of a digital product; see products files')
    .action(
      async (
        name: string,
        flags: Facts & {
          kind: string
          price: string
          variant: string
          variantTitle: string
          stock: string
          weight?: number
          file?: string[]
          by: string
        },
      ) => {
        const { kind, price, variant, variantTitle, stock, weight, file, by, ...rest } = flags
        const count = pieces(stock)
        const { shop } = (await useContext()).features
        await shop.acts.add(
          {
            handle: name,
            kind,
            description: '',
            ...changes(rest, shop),
            ...(await pictures(shop, rest)),
            variants: [
              {
                variant,
                title: variantTitle,
                price,
                stock: 'pieces' in count ? count.pieces : count.added,
                ...(weight !== undefined && { weight }),
                files: file ?? [],
              },
            ],
          },
          by,
        )
        print.line(`${name}: added as a draft; publish it with products publish ${name}`)
      },
    )
}

/** What of a variant `products edit` changes; `none` takes it away. */
type VariantFacts = {
  variantTitle?: string
  sku?: string
  weight?: number | 'none'
  size?: number[] | 'none'
}

function addChanging(products: Command, useContext: UseContext, print: Print): void {
  facts(products.command('edit <handle>'))
    .description('change a product, or a variant of it; prices and stock have their own commands')
    .option('--variant <name>', 'the variant that SKU, weight, size and variant title are of')
    .option('--variant-title <text>', 'variant name shown to buyers')
    .option('--sku <sku>', 'as shelf and packing slip have it, or "none"')
    .addOption(
      new Option('--weight <grams>', 'shipping weight of a piece, or "none"').argParser(
        (text: string) => (text === 'none' ? text : wholeNumber(text)),
      ),
    )
    .addOption(
      new Option(
        '--size <millimetres>',
        'length, width and height of its package, such as 420x320x30, or "none"',
      ).argParser((text: string) => (text === 'none' ? text : text.split(/[x×]/).map(wholeNumber))),
    )
    .action(
      async (
        named: string,
        {
          by,
          variant,
          variantTitle,
          sku,
          weight,
          size,
          ...flags
        }: Facts & VariantFacts & { variant?: string; by: string },
        verb: Command,
      ) => {
        options.mustChangeSomething(verb)
        const context = await useContext()
        const { shop } = context.features
        const { handle, variants } = productNamed(context, named)
        const given = { title: variantTitle, sku, weight, size }
        const ofVariant = Object.fromEntries(
          Object.entries(given)
            .filter(([, value]) => value !== undefined)
            .map(([key, value]) => [key, value === 'none' ? null : value]),
        )
        const isOfVariant = Object.keys(ofVariant).length > 0
        const name = variant ?? (variants.length === 1 ? variants[0]!.variant : undefined)
        if (isOfVariant && name === undefined) {
          const names = variants.map((each) => each.variant).join(', ')
          verb.error(`error: say which variant with --variant: ${names}.`, { exitCode: 2 })
        }
        const ofProduct = { ...changes(flags, shop), ...(await pictures(shop, flags)) }
        if (Object.keys(ofProduct).length > 0 || !isOfVariant) {
          await shop.acts.edit(handle, ofProduct, by)
        }
        if (isOfVariant) await shop.acts.variant({ handle, variant: name! }, ofVariant, by)
        print.line(isOfVariant ? `${handle} ${name}: changed` : `${handle}: changed`)
      },
    )
}

function grams(text: string): number {
  if (/^\d{1,7}$/.test(text.trim())) return Number(text)
  throw new InvalidArgumentError('Use whole grams.')
}

/** The least and the most of a number of days. */
function dayRange(text: string): number[] {
  if (/^\d{1,3}-\d{1,3}$/.test(text)) return text.split('-').map(Number)
  throw new InvalidArgumentError('Use the least and the most, such as 1-3.')
}

function wholeNumber(text: string): number {
  if (/^\d{1,7}$/.test(text.trim())) return Number(text)
  throw new InvalidArgumentError('Use whole numbers, or "none".')
}

/** The options for what a product is; a new one needs its title and category. */
const facts = (command: Command, { isNew = false }: { isNew?: boolean } = {}) =>
  command
    .addOption(new Option('--title <text>').makeOptionMandatory(isNew))
    .addOption(
      new Option('--category <category>').choices(productCategories).makeOptionMandatory(isNew),
    )
    .option('--summary <text>')
    .option('--description <file>', 'HTML file with the description')
    .addOption(
      new Option('--vat <class>', 'book: printed books').choices([
        'standard',
        'reduced',
        'book',
        'low',
        'zero',
      ]),
    )
    .option('--tags <list>', 'comma-separated')
    .option('--licence <name>', 'licence the file is sold under')
    .option('--sold-out-note <text>', 'sold-out note')
    .option(
      '--picture <pictures...>',
      'image files, or IDs of images in the content, in this order; replaces the current ones',
    )
    .option('--no-picture', 'remove all images')
    .option('--alt <texts...>', 'alt text of each image, in the same order')
    .option('--made-to-order', 'made to order, so buyers can’t withdraw')
    .option('--no-made-to-order')
    .option('--dispatch <days>', 'working days until dispatch, such as 1-3', dayRange)
    .option('--maker <text>', 'who made it: "name; postal address; email or web address"')
    .option('--safety <text>', 'safety information for buyers')
    .option('--customs <text>', 'tariff number and country of origin, such as 491110/FI')
    .addOption(options.by())

/** What was flags, as a file of products has it. */
const changes = (
  { tags, description, picture: _picture, alt: _alt, dispatch, maker, customs, ...flags }: Facts,
  { sheet }: Pick<ShopFeature, 'sheet'>,
): Record<string, unknown> => ({
  ...flags,
  ...(dispatch !== undefined && { dispatch }),
  ...(maker !== undefined && { maker: named(maker.split(';'), ['name', 'address', 'contact']) }),
  ...(customs !== undefined && { customs: named(customs.split('/'), ['code', 'origin']) }),
  ...(description !== undefined && {
    description: sheet.textOf(readFileSync(description)).text,
  }),
  ...(tags !== undefined && {
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  }),
})

/** The pictures that were told, as a file of products has them; nothing where there were none. */
async function pictures(
  shop: Pick<ShopFeature, 'keepPictures'>,
  { picture, alt = [] }: Facts,
): Promise<{ pictures?: string[] }> {
  if (picture === false) return { pictures: [] }
  if (picture === undefined && alt.length === 0) return {}
  return { pictures: await shop.keepPictures({ pictures: picture ?? [], alts: alt }) }
}
/** Parts of a text by their names; the act says what is wrong with them. */
const named = (parts: readonly string[], names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, parts[at]?.trim() ?? '']))
