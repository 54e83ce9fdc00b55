import { InvalidArgumentError, Option, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import { dateAt } from '#shared/dates/civil-dates.ts'
import { euros } from '#shared/money.ts'
import { placeOf } from '#shared/shop/tax.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import { withHints } from '../common/refused.ts'
import { minute, type Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import { writeWhole } from '../common/whole-file.ts'
import { mustFind } from './lookup.ts'

type Piece = { line: number; quantity?: number }

type NewAddress = Partial<
  Record<'street' | 'street2' | 'postcode' | 'city' | 'state' | 'phone', string>
>

type Shipped = {
  tracking?: string
  carrier?: string
  line?: Piece[]
  unpaid?: boolean
  despiteWithdrawal?: boolean
  despiteLostPayment?: boolean
  by: string
}

/** `orders ship`, `address`, `ready`, `pack`, `packing` and `customs`: how goods leave. */
export function addOrderShipping(orders: Command, useContext: UseContext, print: Print): void {
  orders
    .command('address <order>')
    .description(
      'change where the rest of an order goes, within its country, and email the buyer of a new address; the invoice stays',
    )
    .option('--street <text>', 'street and number')
    .option('--street2 <text>', 'flat, floor or building; "" for none')
    .option('--postcode <code>', 'postal code')
    .option('--city <name>', 'town')
    .option('--state <name>', 'state or province, in the United States and Canada')
    .option('--phone <number>', 'phone, for the carrier; "" for none')
    .addOption(options.by())
    .action(async (number: string, flags: NewAddress & { by: string }, verb: Command) => {
      options.mustChangeSomething(verb)
      const context = await useContext()
      const { by, ...entries } = flags
      const { number: found } = mustFind(context, number)
      const order = await context.features.orders.actions.changeAddress(found, entries, by)
      const address = context.features.orders.actions.addressOf(order).join(', ')
      print.line(harmless(`${order.number} goes to ${address}`))
    })

  orders
    .command('ship <order>')
    .description('mark as shipped and email the buyer: all that remains, or chosen lines')
    .option('--carrier <name>', 'carrier, such as Posti')
    .option('--tracking <number>', 'tracking number')
    .addOption(
      new Option(
        '--line <line...>',
        'part shipment: 2 (the rest of line 2) or 2x3 (three pieces of it)',
      ).argParser(pieces),
    )
    .option('--unpaid', 'allow it for a company’s unpaid order')
    .option('--despite-withdrawal', 'include pieces the buyer has withdrawn from')
    .option('--despite-lost-payment', 'allow it for an order whose payment went back')
    .addOption(options.by())
    .action(async (number: string, flags: Shipped) => {
      const context = await useContext()
      const { actions } = context.features.orders
      const before = mustFind(context, number)
      const shipped = actions.ship(before.number, {
        carrier: flags.carrier,
        tracking: flags.tracking,
        ...(flags.line && { lines: flags.line }),
        isUnpaid: flags.unpaid ?? false,
        despiteWithdrawal: flags.despiteWithdrawal ?? false,
        despiteLostPayment: flags.despiteLostPayment ?? false,
        actor: flags.by,
      })
      const { order, left } = await withHints(shipped, {
        unpaid: 'A company can pay later: --unpaid.',
        withdrawn: 'Ship the rest alone with --line, or everything with --despite-withdrawal.',
        gone: 'To ship it all the same: --despite-lost-payment.',
      })
      print.line(`${order.number}: ${before.state} → ${order.state}`)
      if (left > 0) print.line(`${left} ${left === 1 ? 'piece is' : 'pieces are'} left to ship.`)
      if (actions.withdrawals.cases().some((each) => each.order?.id === order.id)) {
        print.line('The buyer has withdrawn from this order: see orders withdrawals.')
      }
    })

  orders
    .command('ready <order>')
    .description('tell the buyer that the order is ready for pickup')
    .addOption(options.by())
    .action(async (number: string, { by }: { by: string }) => {
      const context = await useContext()
      const order = mustFind(context, number)
      await context.features.orders.actions.ready(order.number, by)
      print.line(`${order.number}: ready to pick up, the buyer has been told`)
    })

  orders
    .command('pack')
    .description('list what to pack, oldest order first')
    .option('--out <file>', 'also write packing slips (PDF), except for orders with a warning')
    .addOption(options.json())
    .action(async ({ json, out }: { json?: boolean; out?: string }) => {
      const context = await useContext()
      const { actions, pdfs } = context.features.orders
      const list = actions.toPack()
      const rows = list.map(({ order, lines, weight, withdrawn, gone }) => ({
        order: order.number,
        placed: minute(order.placedAt),
        name: order.company ?? order.name,
        to: order.pickup ? 'pickup' : order.country,
        items: lines.map(({ line, rest }) => `${rest} × ${line.sku ?? line.title}`).join(', '),
        grams: weight,
        warning: [
          withdrawn > 0 && `withdrawn: ${withdrawn}`,
          gone > 0 && `payment went back: ${euros(gone)}`,
        ]
          .filter(Boolean)
          .join(', '),
      }))
      print.listing(rows, { json, none: 'Nothing to pack.' })
      const slips = list
        .filter(({ withdrawn, gone }) => withdrawn === 0 && gone === 0)
        .map(({ order }) => actions.slip(order.number))
      if (out === undefined || slips.length === 0) return
      await writeWhole(out, await pdfs.packing(slips, dateAt(context.clock())))
      if (!json) print.line(`${counted(slips.length, 'packing slip')} written to ${harmless(out)}`)
    })

  orders
    .command('packing <orders...>')
    .description('write packing slips with customs data, one page per order')
    .requiredOption('--out <file>', 'PDF to write (it appears once complete)')
    .action(async (numbers: string[], { out }: { out: string }) => {
      const context = await useContext()
      const { actions, pdfs } = context.features.orders
      const wanted = numbers.map((number) => mustFind(context, number))
      const slips = wanted.map(({ number }) => actions.slip(number))
      for (const order of wanted) {
        const packed = actions.toPackOf(order)
        const withdrawn = actions.withdrawnOf(order)
        if (!packed) print.line(`${order.number} is ${order.state}: nothing of it may leave yet.`)
        if (withdrawn > 0) {
          print.line(
            `${order.number}: the buyer has withdrawn from ${withdrawn} of these; see orders withdrawals.`,
          )
        }
        if (packed && packed.gone > 0) {
          print.line(
            `${order.number}: ${euros(packed.gone)} of the payment went back; see orders show.`,
          )
        }
      }
      await writeWhole(out, await pdfs.packing(slips, dateAt(context.clock())))
      print.line(`${counted(slips.length, 'packing slip')} written to ${harmless(out)}`)
    })

  orders
    .command('customs <order>')
    .description('show the customs data (CN22 or CN23) of the next parcel')
    .addOption(options.json())
    .action(async (number: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const order = mustFind(context, number)
      const { customs } = context.features.orders.actions.slip(order.number)
      if (json) {
        print.json(customs)
        return
      }
      if (!customs) {
        print.line(`${order.number} ${withoutCustoms(order)}`)
        return
      }
      const { items, missing, value, postage, weight, ...facts } = customs
      print.facts({
        ...facts,
        weight: `${weight} g`,
        value: euros(value),
        postage: euros(postage),
        missing: missing.join(', '),
      })
      print.line('')
      print.listing(
        items.map((item) => ({ ...item, value: euros(item.value) })),
        { none: '' },
      )
    })
}

/** Why an order has no customs form, and what goes with it instead. */
function withoutCustoms({ pickup, country, postcode }: ReturnType<typeof mustFind>): string {
  if (pickup) return 'is picked up: it needs no customs form.'
  return placeOf({ country, postcode }).area === 'aland'
    ? 'goes to Åland, across the VAT border: it needs no customs form and pays no duty. Put a copy of its invoice with the address label. The buyer declares it to Finnish Customs and pays the VAT.'
    : 'stays in the EU: it needs no customs form.'
}

/** Reads `2` and `2x3`, one after the other. */
function pieces(text: string, before: Piece[] = []): Piece[] {
  const [, line = '', quantity] = /^([1-9]\d?)(?:x([1-9]\d?))?$/.exec(text) ?? []
  if (!line) throw new InvalidArgumentError('Use a line such as 2, or with pieces 2x3.')
  return [
    ...before,
    { line: Number(line) - 1, ...(quantity !== undefined && { quantity: Number(quantity) }) },
  ]
}
