import type { WithdrawReply } from '#shared/shop/orders.ts'
import { runOn } from './in-process-cli.ts'
import { mailFiles } from './mail-files.ts'
import type { Site } from './site.ts'

/** Who withdraws: the buyer of the orders in tests. */
export const buyer = { name: 'Aino Virtanen', email: 'aino@example.com' }

/** Pieces of a variant that are left; null for any number. */
export const stock = (site: Site, [handle, variant]: readonly [string, string]) =>
  site.context.features.shop.catalogue
    .find(handle)!
    .variants.find((each) => each.variant === variant)!.stock

/** States a withdrawal. */
export const withdraw = async (site: Site, order: string, more: Record<string, unknown> = {}) => {
  const reply = await site.post('/api/shop/withdraw', { order, ...buyer, ...more })
  return { status: reply.status, json: reply.json as WithdrawReply & { errors?: object } }
}

/** The withdrawals as `orders withdrawals list` has them. */
export const cases = async (site: Site, ...args: string[]) =>
  JSON.parse(await runOn(site, 'orders', 'withdrawals', 'list', '--json', ...args)) as {
    withdrawal: number
    stage: string
    payBy: string
    order: string | null
  }[]

/** Emails with these words in their subject. */
export const mailTo = (site: Site, subject: string) =>
  mailFiles(site.dataDir).filter((mail) => mail.subject.includes(subject))
