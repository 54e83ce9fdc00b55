import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { DiscountRequest } from '#server/shop/discounts/acts.ts'
import { mostPercent } from '#shared/shop/discounts.ts'
import type { Discount } from '#server/shop/schema.ts'
import { euros } from '#shared/money.ts'
import { productCategories, type ProductCategory } from '#shared/shop/limits.ts'
import { historyOf } from './history.ts'
import type { UseContext } from './common/command.ts'
import { printFound, searchOptions, type SearchFlags } from './common/list.ts'
import * as options from './common/options.ts'
import { end, lastDay, when, type Print } from './common/print.ts'
import { cents } from './products/options.ts'

/** `discounts`: codes that make goods cheaper, and which orders used them. */
export function addDiscounts(discounts: Command, useContext: UseContext, print: Print): void {
  addMaking(discounts, useContext, print)
  addReading(discounts, useContext, print)
  addEnding(discounts, useContext, print)
}

type AddFlags = {
  percent?: number
  amount?: number
  from?: number
  until?: number
  min?: number
  uses?: number
  perEmail?: number
  category?: ProductCategory
  product?: string
  licences: boolean
  by: string
  dryRun?: boolean
  json?: boolean
}

/** @throws InvalidArgumentError */
function percentage(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= mostPercent) return Number(text)
  throw new InvalidArgumentError(`Use a whole percentage from 1 to ${mostPercent}.`)
}

function addMaking(discounts: Command, useContext: UseContext, print: Print): void {
  discounts
    .command('add <code>')
    .description('create a discount code, which buyers enter in the cart or at the checkout')
    .addOption(
      new Option('--percent <percent>', 'percent off the goods, 1 to 90')
        .argParser(percentage)
        .conflicts('amount'),
    )
    .addOption(new Option('--amount <euros>', 'euros off the goods, incl. VAT').argParser(cents))
    .addOption(
      new Option('--from <date>', 'first day (default: now)').argParser((text: string) =>
        options.instant(text, 0),
      ),
    )
    .addOption(
      new Option('--until <date>', 'last day, inclusive (default: until it is ended)').argParser(
        (text: string) => options.instant(text, 1),
      ),
    )
    .addOption(
      new Option(
        '--min <euros>',
        'minimum value of the eligible goods, incl. VAT (default: none, or the amount plus 1.00)',
      ).argParser(cents),
    )
    .addOption(new Option('--uses <count>', 'maximum orders in total').argParser(options.count))
    .addOption(
      new Option('--per-email <count>', 'maximum orders per email address').argParser(
        options.count,
      ),
    )
    .addOption(
      new Option('--category <category>', 'only for this group').choices(productCategories),
    )
    .option('--product <handle>', 'only for this product')
    .option('--no-licences', 'not for products with a licence')
    .addOption(options.by())
    .addOption(options.rehearse())
    .addOption(options.json())
    .action(async (code: string, { by, dryRun = false, json, ...given }: AddFlags) => {
      const context = await useContext()
      const request: DiscountRequest = {
        code,
        percent: given.percent ?? null,
        amount: given.amount ?? null,
        minimum: given.min ?? null,
        fromAt: given.from ?? null,
        untilAt: given.until ?? null,
        maxUses: given.uses ?? null,
        maxUsesEach: given.perEmail ?? null,
        category: given.category ?? null,
        product: given.product ?? null,
        withoutLicences: !given.licences,
      }
      const { discountActs } = context.features.shop
      const made = await discountActs.add(request, { isRehearsal: dryRun, actor: by })
      if (json) {
        print.json(fullRow(context, made))
        return
      }
      print.facts(shownRow(context, made))
      if (dryRun) print.line(options.dryRun('create it', 'without --dry-run'))
    })
}

function addReading(discounts: Command, useContext: UseContext, print: Print): void {
  searchOptions(discounts.command('list'))
    .description('list codes, newest first')
    .addOption(new Option('--status <status>', 'only rows with this status').choices(states))
    .action(async (flags: SearchFlags & { status?: string }) => {
      const context = await useContext()
      const { discountActs } = context.features.shop
      const { status, since = 0 } = flags
      const found = discountActs
        .list()
        .toReversed()
        .filter(
          (each) =>
            each.madeAt >= since &&
            (status === undefined || discountActs.stateOf(each).replace(' ', '-') === status),
        )
      printFound(print, found, flags, {
        textsOf: ({ code, category }) => [code, category],
        what: 'codes',
        none: 'No discount codes.',
        row: (discount) => {
          const { code, saving, state, uses } = shownRow(context, discount)
          return { code, saving, state, uses, until: lastDay(discount.untilAt) }
        },
        full: (discount) => fullRow(context, discount),
      })
    })

  discounts
    .command('show <code>')
    .description('show a code, the orders that used it and its history')
    .addOption(options.json())
    .action(async (code: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const { discountActs } = context.features.shop
      const discount = discountActs.known(code)
      const history = historyOf(context.timeline, 'discount', discount.code)
      const uses = discountActs.usesOf(discount).map(({ order: id, usedAt, givenBackAt }) => {
        const order = context.features.orders.actions.orders.findId(id)
        const off = order?.discount ?? 0
        return {
          order: order?.number ?? null,
          state: order?.state ?? null,
          off: json ? off : euros(off),
          usedAt: when(usedAt),
          givenBackAt: when(givenBackAt),
        }
      })
      if (json) {
        print.json({ ...fullRow(context, discount), orders: uses, history })
        return
      }
      print.facts(shownRow(context, discount))
      print.line('')
      print.listing(uses, { none: 'No order has used it.' })
      print.line('')
      print.listing(history, { none: 'No history yet.' })
    })
}

function addEnding(discounts: Command, useContext: UseContext, print: Print): void {
  discounts
    .command('end <code>')
    .description('end a code now; orders that used it don’t change')
    .addOption(options.by())
    .addOption(options.rehearse())
    .addOption(options.json())
    .action(
      async (
        code: string,
        { by, dryRun = false, json }: { by: string; dryRun?: boolean; json?: boolean },
      ) => {
        const context = await useContext()
        const { discountActs } = context.features.shop
        const ended = await discountActs.end(code, { isRehearsal: dryRun, actor: by })
        if (json) print.json(fullRow(context, ended))
        else print.line(`${ended.code} ${dryRun ? 'would end' : 'has ended'}.`)
        if (dryRun && !json) print.line(options.dryRun('end it', 'without --dry-run'))
      },
    )
}

const states = ['valid', 'coming', 'used-up', 'over']

/** A code with what it is for; money in cents. */
function fullRow({ features }: Context, discount: Discount) {
  const { discountActs, catalogue } = features.shop
  const { code, percent, amount, minimum, maxUses, maxUsesEach, category } = discount
  const product = discount.product === null ? null : catalogue.findId(discount.product)
  return {
    code,
    state: discountActs.stateOf(discount),
    percent,
    amount,
    minimum,
    uses: discountActs.count(discount),
    maxUses,
    maxUsesEach,
    category,
    product: product?.handle ?? null,
    withoutLicences: discount.withoutLicences,
    from: when(discount.fromAt),
    until: when(discount.untilAt),
    ended: when(discount.endedAt),
  }
}

/** The same for people. */
function shownRow(context: Context, discount: Discount) {
  const { percent: _p, amount: _a, maxUses, maxUsesEach, ...row } = fullRow(context, discount)
  const { saving } = context.features.shop.discountActs
  const { category, product, withoutLicences, ...facts } = row
  return {
    ...facts,
    until: end(discount.untilAt),
    saving: saving(discount),
    minimum: row.minimum === 0 ? null : euros(row.minimum),
    uses: maxUses === null ? String(row.uses) : `${row.uses} of ${maxUses}`,
    perEmail: maxUsesEach,
    only: [category, product, withoutLicences ? 'no licences' : null].filter(Boolean).join(', '),
  }
}
