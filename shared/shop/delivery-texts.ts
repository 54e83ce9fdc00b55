import type { PageTexts } from '../page-texts.ts'

export const deliveryTexts = {
  title: 'Delivery, pickup and legal guarantee',
  heading: 'Delivery and guarantee',
  description:
    'Where we deliver to, what it costs and how long it takes, pickup in Helsinki, customs outside the EU, and the legal guarantee of at least two years.',
  lead: 'Where we deliver to, what it costs, and what the law guarantees you.',
} as const satisfies PageTexts
