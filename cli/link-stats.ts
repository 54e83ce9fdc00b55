import type { Command } from 'commander'
import { statisticsOf } from '#server/links/show.ts'
import type { UseContext } from './command.ts'
import * as options from './options.ts'
import type { Print, Row } from './print.ts'

/** `links stats`. */
export function addLinkStats(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('stats <code>')
    .description('clicks by day in Helsinki; those of the last second may be missing')
    .option('--days <number>', 'how many days', options.count, 30)
    .addOption(options.json())
    .action(async (code: string, { days, json }: { days: number; json?: boolean }) => {
      const {
        clock,
        features: { links: all },
      } = await useContext()
      const found = await statisticsOf(all, code, Math.min(days, 3660), clock())
      if (!found) throw new Error(`There is no link ${code}.`)
      const { link, ...counts } = found
      if (json) {
        print.json({ code: link.code, ...link.clicks, ...counts })
        return
      }
      print.facts({ link: link.address, people: link.clicks.human, machines: link.clicks.bot })
      const rows = counts.days.filter(({ human, bot }) => human + bot > 0)
      for (const part of [rows, counts.referrers, counts.devices]) {
        if (part.length === 0) continue
        print.line('')
        print.listing(
          part.map((row): Row =>
            'name' in row && row.name === '' ? { ...row, name: '(direct)' } : row,
          ),
          { none: '' },
        )
      }
    })
}
