import { longDate } from '#shared/date-format.ts'
import { dateAt } from '#shared/civil-dates.ts'
import type { Download } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import type { OrderAccess } from './access.ts'
import type { ProductFiles } from './files.ts'
import type { Order } from '../order.ts'
import { downloadsOpenOn } from '../withdrawal/right.ts'

type DownloadDeps = {
  access: OrderAccess
  files: ProductFiles
  clock: () => number
  /** Why the reader gets none of the files; null where nothing stands against it. */
  refusal: string | null
}

/** The files of an order's digital goods: a link that works for an hour, or why they still wait. */
export function downloadsOf(
  order: Order,
  { access, files, clock, refusal }: DownloadDeps,
): Download[] {
  const waits = refusal ?? whyNot(order, clock())
  return order.lines.flatMap((line, index) =>
    line.kind !== 'digital'
      ? []
      : line.files.map((name) => ({
          name,
          bytes: files.size(name),
          href: waits ? null : paths.download(access.downloadToken(order, index), name),
          waits,
        })),
  )
}

function whyNot(order: Order, now: number): string | null {
  if (order.state !== 'paid' && order.state !== 'shipped') {
    return 'It opens once your payment has arrived.'
  }
  const opensOn = downloadsOpenOn(order)
  return order.digitalWaiver || dateAt(now) >= opensOn
    ? null
    : `It opens on ${longDate(opensOn)}, when your right of withdrawal has ended.`
}
