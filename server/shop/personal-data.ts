import { shopLimits } from '#shared/shop-limits.ts'
import type { PersonalData } from '../personal-data.ts'

/** The job that forgets carts. */
export const forgetKind = 'shop.forget'

/** What the shop keeps of people: carts, which carry nothing that tells whose they are. */
export const cartData: PersonalData = {
  name: 'carts',
  policy: [
    {
      what: 'Shopping cart',
      data: 'What you put in your cart, and a random cookie to find it again',
      ground: 'Steps before a contract, at your request (Art. 6(1)(b))',
      kept: `${shopLimits.cartDays} days after its last change`,
    },
  ],
  forgottenBy: { job: forgetKind },
  find: () => [],
  note: 'Carts hold no name or address, so they can’t be searched by one.',
}
