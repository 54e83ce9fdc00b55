import { runOn } from './in-process-cli.ts'
import { orderByInvoice } from './shop.ts'
import type { Site } from './site.ts'

/** What is ordered. */
export const print = ['blue-hour-fine-art-print', '30x40-matte'] as const
export const postcards = ['paddock-postcards', 'box-of-twelve'] as const

/** Orders two prints and postcards. @returns the number of the order */
export const order = async (site: Site, changes: Record<string, unknown> = {}) =>
  (
    await orderByInvoice(
      site,
      [
        [...print, 2],
        [...postcards, 1],
      ],
      changes,
    )
  ).order

/** An order as `orders list --json` has it. */
export type ListedOrder = {
  order: string
  state: string
  payment: string
  total: number
  paid: number
  reference: string
  invoice: string
  lines: unknown[]
}

/** Runs `orders list --json`. */
export const list = async (site: Site, ...args: string[]) =>
  JSON.parse(await runOn(site, 'orders', 'list', '--json', ...args)) as ListedOrder[]
