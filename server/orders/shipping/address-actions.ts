import * as z from 'zod/mini'
import { hasStates, missingAddress } from '#shared/shop/address-rules.ts'
import { failure } from '#shared/failures.ts'
import { checkForm } from '#shared/forms/form.ts'
import { checkoutRequest } from '#shared/shop/orders.ts'
import { placeOf } from '#shared/shop/tax.ts'
import type { Platform } from '../../feature.ts'
import { orderMail } from '../mails/mails.ts'
import { addressOf, type Order } from '../order.ts'
import type { OrderDeps } from '../order-deps.ts'
import { changed, known } from '../staff-actions.ts'

const addressRequest = z.pick(checkoutRequest, {
  street: true,
  street2: true,
  postcode: true,
  city: true,
  state: true,
  phone: true,
})

const addressFields = ['street', 'street2', 'postcode', 'city', 'region', 'phone'] as const

/** What staff enter of an address; what is left out stays, an empty text takes it off. */
export type AddressEntries = {
  readonly [Name in keyof z.output<typeof addressRequest>]?: string | undefined
}

/** Creates the act that changes where an order goes. */
export function addressActions(
  { commit, mails, outbox, timeline }: Pick<Platform, 'commit' | 'mails' | 'outbox' | 'timeline'>,
  { orders, parcels }: Pick<OrderDeps, 'orders' | 'parcels'>,
) {
  /** Why the address of an order stays as it is; null where it can be changed. */
  const whyFixed = (order: Order): string | null => {
    const { number, state, pickup } = order
    if (!['open', 'paid', 'shipped'].includes(state)) {
      return `This order is ${state}, so that can’t be done.`
    }
    if (pickup) return `${number} is for pickup, so it has no delivery address.`
    const progress = parcels.progress(order)
    if (progress.length === 0)
      return `${number} has nothing to ship, so it has no delivery address.`
    return progress.some(({ rest }) => rest > 0)
      ? null
      : `${number} has been sent in full, so its address can’t be changed.`
  }

  return {
    /** The address of an order, a line each. */
    addressOf: (order: Order): string[] => addressOf(order),
    /** Whether staff can change where an order goes. */
    canMove: (order: Order): boolean => whyFixed(order) === null,

    /**
     * Sends what is left of an order to another address in its country, and tells the buyer, unless
     * only the phone number is another one. VAT, delivery and the invoice stay as they were agreed, so
     * an address that is taxed in another way is refused.
     * @throws invalid by field; wrong-state where nothing is left to send, and for the address that it
     *   has; changed
     */
    async changeAddress(number: string, entries: AddressEntries, actor: string): Promise<Order> {
      const moved = await commit((tx) => {
        const order = known(orders.find(number))
        const why = whyFixed(order)
        if (why !== null) throw failure('wrong-state', { message: why })
        const { street, street2, postcode, city, region, phone, country } = order
        const present = { street, street2, postcode, city, state: region, phone }
        const given = Object.entries(entries).filter(([, text]) => text !== undefined)
        const { value, errors } = checkForm(addressRequest, {
          ...Object.fromEntries(Object.entries(present).map(([name, text]) => [name, text ?? ''])),
          ...Object.fromEntries(given),
        })
        if (!value) throw refused(errors)
        const missing = missingAddress({ ...value, country })
        // One that the order came with must not hold up a change to something else.
        if (value.postcode && value.postcode === postcode) delete missing.postcode
        if (Object.keys(missing).length > 0) throw refused(missing)
        if (!hasStates(country) && (value.state ?? null) !== region) {
          throw refused({ state: 'Addresses of this country have no state or province' })
        }
        const to = { country, postcode: value.postcode }
        if (placeOf(to).area !== placeOf(order).area) {
          throw refused({
            postcode:
              'VAT is different there. Please cancel or refund this order, so that the buyer can place it again',
          })
        }
        const entered = {
          street: value.street ?? null,
          street2: value.street2 ?? null,
          postcode: value.postcode ?? null,
          city: value.city ?? null,
          region: value.state ?? null,
          phone: value.phone ?? null,
        }
        const differs = addressFields.filter((name) => entered[name] !== order[name])
        // A form that was sent twice, or as it stood, is no news to the buyer.
        if (differs.length === 0) {
          throw failure('wrong-state', { message: `${number} already has this address.` })
        }
        const after = changed(orders.change(tx, order, entered))
        // The addresses themselves are kept with the order and its invoice, and erased with them.
        const isElsewhere = differs.some((name) => name !== 'phone')
        timeline.record(tx, {
          thing: 'order',
          thingId: order.number,
          actor,
          act: isElsewhere ? 'address changed' : 'phone changed',
        })
        if (isElsewhere) orderMail(tx, mails, 'orderAddress', after, null)
        return after
      })
      outbox.wake()
      return moved
    },
  }
}

/** What is wrong with an address, by field and in words. */
const refused = (errors: Readonly<Record<string, string>>) =>
  failure('invalid', { message: `${Object.values(errors).join('. ')}.`, errors })
