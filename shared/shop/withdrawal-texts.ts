import type { PageTexts } from '../page-texts.ts'

export const withdrawTexts = {
  title: 'Withdraw from contract here',
  description:
    'Withdraw from an order within 14 days: two steps, no account, no reason needed. We email you an acknowledgement straight away.',
  lead: 'Two steps, no account and no reason needed. We email you an acknowledgement straight away.',
} as const satisfies PageTexts
