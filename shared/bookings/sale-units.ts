/** How a service is sold. */
export const saleUnits = ['day', 'event', 'month', 'project'] as const

/** One of {@link saleUnits}. */
export type SaleUnit = (typeof saleUnits)[number]

/** Whether a service is sold by its dates; by month or project it holds no days and needs no crew. */
export const isByDates = (unit: SaleUnit): boolean => unit === 'day' || unit === 'event'
