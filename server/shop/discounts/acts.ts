import { failure } from '#shared/failures.ts'
import { normalCode } from '#shared/shop/discounts.ts'
import { euros } from '#shared/money.ts'
import type { Platform } from '../../feature.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Discount, NewDiscount } from '../schema.ts'
import { checkDiscount, minimumOf } from './rules.ts'
import type { DiscountStore } from './store.ts'

/** What staff say of a new code; a minimum of null is the least that there has to be. */
export type DiscountRequest = Omit<NewDiscount, 'minimum' | 'product' | 'fromAt'> & {
  readonly minimum: number | null
  /** The handle of the only product that it is for. */
  readonly product: string | null
  /** Null for at once. */
  readonly fromAt: number | null
}

/** What staff do with discount codes. */
export type DiscountActs = ReturnType<typeof createDiscountActs>

class Rehearsed extends Error {}

/** Creates the staff's acts on discount codes; each is one transaction with its timeline entry. */
export function createDiscountActs(
  { commit, clock, timeline }: Pick<Platform, 'commit' | 'clock' | 'timeline'>,
  { store, catalogue }: { store: DiscountStore; catalogue: Catalogue },
) {
  /** @throws missing */
  const known = (typed: string): Discount => {
    const discount = store.find(typed)
    if (!discount) throw failure('missing', { message: `No discount code ${normalCode(typed)}.` })
    return discount
  }

  /** Does something, of which a rehearsal keeps nothing. */
  const perform = async (
    { isRehearsal, actor }: { isRehearsal: boolean; actor: string },
    work: (tx: Parameters<Parameters<typeof commit>[0]>[0]) => {
      discount: Discount
      act: string
      note: string | null
    },
  ): Promise<Discount> => {
    let done: Discount | null = null
    try {
      await commit((tx) => {
        const { discount, act, note } = work(tx)
        timeline.record(tx, { thing: 'discount', thingId: discount.code, actor, act, note })
        done = discount
        if (isRehearsal) throw new Rehearsed()
      })
    } catch (error) {
      if (!(error instanceof Rehearsed)) throw error
    }
    return done!
  }

  return {
    known,
    list: store.list,
    usesOf: store.usesOf,
    count: store.count,
    /** What a code takes off, in words. */
    saving: ({ percent, amount }: Pick<Discount, 'percent' | 'amount'>): string =>
      percent === null ? euros(amount ?? 0) : `${percent} %`,

    /** The current state of a code. */
    stateOf(discount: Discount): 'valid' | 'coming' | 'used up' | 'over' {
      const { endedAt, untilAt, fromAt, maxUses } = discount
      const now = clock()
      if (endedAt !== null || (untilAt !== null && untilAt <= now)) return 'over'
      if (fromAt > now) return 'coming'
      return maxUses !== null && store.count(discount) >= maxUses ? 'used up' : 'valid'
    },

    /**
     * Makes a code. Codes are never changed afterwards: end one and make another.
     * @throws invalid with what is wrong; duplicate when there is one of the name; missing for a product
     */
    add(
      { product: handle, minimum, fromAt, ...request }: DiscountRequest,
      options: { isRehearsal: boolean; actor: string },
    ): Promise<Discount> {
      return perform(options, (tx) => {
        const product = handle === null ? null : catalogue.find(handle)
        if (handle !== null && !product) {
          throw failure('missing', { message: `Product not found: ${handle}.` })
        }
        const given: NewDiscount = {
          ...request,
          code: normalCode(request.code),
          minimum: minimum ?? minimumOf(request.amount),
          fromAt: fromAt ?? clock(),
          product: product?.id ?? null,
        }
        checkDiscount(given)
        const discount = store.insert(tx, given)
        if (!discount) {
          throw failure('duplicate', { message: `There is a code ${given.code} already.` })
        }
        return { discount, act: 'added', note: null }
      })
    },

    /** Ends a code at once; orders that used it stay as they are. @throws missing; wrong-state once it has ended */
    end: (typed: string, options: { isRehearsal: boolean; actor: string }): Promise<Discount> =>
      perform(options, (tx) => {
        const discount = known(typed)
        if (!store.end(tx, discount)) {
          throw failure('wrong-state', { message: `${discount.code} has ended already.` })
        }
        return { discount: known(typed), act: 'ended', note: null }
      }),
  }
}
