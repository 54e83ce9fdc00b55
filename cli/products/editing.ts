import { Option, type Command } from 'commander'
import { readFileSync } from 'node:fs'
import type { ShopFeature } from '#server/shop/feature.ts'
import { productCategories, productKinds } from '#shared/shop-limits.ts'
import { pieces } from './options.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'

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
  dispatch?: string
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
  facts(products.command('add <handle>'))
    .description('add a draft product with one variant; use import for more')
    .addOption(
      new Option('--kind <kind>', 'kind of product').choices(productKinds).makeOptionMandatory(),
    )
    .requiredOption('--price <euros>', 'including VAT, such as 89.00')
    .option('--variant <name>', 'variant name in URLs', 'standard')
    .option('--variant-title <text>', 'variant name shown to buyers', 'Standard')
    .option('--stock <pieces>', 'a number, or "unlimited"', 'unlimited')
    .option('--weight <grams>', 'shipping weight')
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
          weight?: string
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
            ...changes(rest),
            ...(await pictures(shop, rest)),
            variants: [
              {
                variant,
                title: variantTitle,
                price,
                stock: 'pieces' in count ? count.pieces : count.added,
                ...(weight !== undefined && { weight: Number(weight) }),
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

function addChanging(products: Command, useContext: UseContext, print: Print): void {
  facts(products.command('edit <handle>'))
    .description('change a product; prices and stock have their own commands')
    .action(async (name: string, { by, ...flags }: Facts & { by: string }) => {
      const { shop } = (await useContext()).features
      shop.acts.known(name)
      await shop.acts.edit(name, { ...changes(flags), ...(await pictures(shop, flags)) }, by)
      print.line(`${name}: changed`)
    })
}

const facts = (command: Command) =>
  command
    .option('--title <text>')
    .addOption(new Option('--category <category>').choices(productCategories))
    .option('--summary <text>')
    .option('--description <file>', 'HTML file with the description')
    .addOption(new Option('--vat <class>').choices(['standard', 'reduced', 'low', 'zero']))
    .option('--tags <list>', 'comma-separated')
    .option('--licence <name>', 'licence the file is sold under')
    .option('--sold-out-note <text>', 'sold-out note')
    .option(
      '--picture <pictures...>',
      'image files, or IDs of pictures in the content, in this order; replaces the current ones',
    )
    .option('--no-picture', 'remove all pictures')
    .option('--alt <texts...>', 'alt text of each picture, in the same order')
    .option('--made-to-order', 'made to order, so buyers can’t withdraw')
    .option('--no-made-to-order')
    .option('--dispatch <days>', 'working days until dispatch, such as 1-3')
    .option('--maker <text>', 'who made it: "name; postal address; email or web address"')
    .option('--safety <text>', 'safety information for buyers')
    .option('--customs <text>', 'tariff number and country of origin, such as 491110/FI')
    .addOption(options.by())

/** What was flags, as a file of products has it. */
const changes = ({
  tags,
  description,
  picture: _picture,
  alt: _alt,
  dispatch,
  maker,
  customs,
  ...flags
}: Facts): Record<string, unknown> => ({
  ...flags,
  ...(dispatch !== undefined && { dispatch: dispatch.split('-').map(Number) }),
  ...(maker !== undefined && { maker: named(maker.split(';'), ['name', 'address', 'contact']) }),
  ...(customs !== undefined && { customs: named(customs.split('/'), ['code', 'origin']) }),
  ...(description !== undefined && {
    description: readFileSync(description, 'utf8'),
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
