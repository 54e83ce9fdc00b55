import type { VatClass } from '#shared/money.ts'

/** How the catalogue names its VAT, and what it is. */
export const vatClasses = {
  standard: 'general',
  reduced: 'reduced',
  // Reduced in Finland; another member state has its own rate for printed books (shared/shop/tax-rates.ts).
  book: 'reduced',
  low: 'press',
  zero: 'none',
} as const satisfies Record<string, VatClass>

/** One of {@link vatClasses}. */
export type ProductVat = keyof typeof vatClasses
