import { runOn } from './in-process-cli.ts'
import type { Site } from './site.ts'

/** Credits a part of an order, as staff do. @param told the options of `orders credit` */
export const credit = (site: Site, order: string, ...told: string[]) =>
  runOn(site, 'orders', 'credit', order, '--reason', 'scratched', ...told)
/** What `orders show` has of the money of an order. */
export const shownOrder = async (site: Site, order: string) =>
  JSON.parse(await runOn(site, 'orders', 'show', order, '--json')) as {
    state: string
    total: number
    paid: number
    credited: number
    open: number
  }
