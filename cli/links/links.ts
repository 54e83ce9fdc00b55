import { writeFileSync } from 'node:fs'
import { Option, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { Context } from '#server/context.ts'
import type { Link } from '#server/links/schema.ts'
import { deadAfter, linkStates, normalTags, type LinkState } from '#shared/link-rules.ts'
import { addLinkCreate, addLinkEdit, addLinkRemoval } from './editing.ts'
import { addLinkFiles } from './files.ts'
import { linkNamed, fullRow } from './views.ts'
import { searchOptions, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import { end, defaultRows, type Print, type Row } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'

/** `links`: short links, their targets and their clicks. */
export function addLinks(links: Command, useContext: UseContext, print: Print): void {
  addLinkCreate(links, useContext, print)
  addReading(links, useContext, print)
  addLinkEdit(links, useContext, print)
  addLinkRemoval(links, useContext, print)
  addLinkStats(links, useContext, print)
  addQrCode(links, useContext, print)
  addChecking(links, useContext, print)
  addPurging(links, useContext, print)
  addLinkFiles(links, useContext, print)
}

function addReading(links: Command, useContext: UseContext, print: Print): void {
  searchOptions(links.command('list'))
    .description('list links, newest first')
    .addOption(new Option('--status <state>', 'only this state').choices(linkStates))
    .addOption(new Option('--state <state>', 'as --status').choices(linkStates).hideHelp())
    .option('--tag <tag>', 'only links with this tag')
    .addOption(new Option('--dead', 'only links with a dead target').conflicts(['status', 'state']))
    .action(async ({ json, limit, search, since, status, state, tag, dead }: ListedLinks) => {
      const context = await useContext()
      const wanted = {
        text: search ?? '',
        state: dead ? ('dead' as const) : (status ?? state ?? null),
        tag: normalTags([tag ?? ''])[0],
        since,
      }
      // A program that reads JSON can’t see that rows were cut off, so none are.
      const max = limit ?? (json ? Number.MAX_SAFE_INTEGER : defaultRows)
      const { links: found, total } = await context.features.links.list(wanted, 0, max + 1)
      print.list(found, {
        json,
        limit: max,
        what: 'links',
        none: 'No links.',
        row: (link) => tableRow(context, link),
        full: (link) => fullRow(context, link),
        total: () => total,
      })
    })

  links
    .command('show <code>')
    .description('show a link')
    .addOption(options.json())
    .action(async (code: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const link = linkNamed(context, code)
      const row = fullRow(context, link)
      if (json) print.json(row)
      else print.facts({ ...row, expires: end(link.expiresAt) })
    })
}

type ListedLinks = SearchFlags & {
  status?: LinkState
  state?: LinkState
  tag?: string
  dead?: boolean
}

function addQrCode(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('qr <code>')
    .description('print a QR code, or write it to a file')
    .option('--out <file>', 'file to write (.png, otherwise SVG)')
    .action(async (code: string, { out }: { out?: string }) => {
      const context = await useContext()
      const { addressOf, qrCode } = context.features.links
      const address = addressOf(linkNamed(context, code))
      if (out === undefined) print.line(`${qrCode.terminal(address)}\n${address}`)
      else {
        writeFileSync(out, out.endsWith('.png') ? await qrCode.png(address) : qrCode.svg(address))
        print.line(out)
      }
    })
}

function addChecking(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('check <code...>')
    .description('check that the targets of links respond (a job checks all of them once a week)')
    .action(async (codes: string[]) => {
      const context = await useContext()
      const found = codes.map((code) => linkNamed(context, code))
      for (const { link, problem, isKnown } of await context.features.links.checks.check(found)) {
        print.line(
          `${link.code}: ${isKnown ? (problem ?? 'OK') : 'not checked: no public address'}`,
        )
      }
    })
}

function addPurging(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('purge-expired')
    .description('delete long-expired links and their statistics')
    .option('--days <number>', 'days since expiry', options.count, 30)
    .addOption(options.rehearse())
    .action(async ({ days, dryRun = false }: { days: number; dryRun?: boolean }) => {
      const { acts } = (await useContext()).features.links
      const removed = await acts.purge(days, { rehearse: dryRun })
      print.line(`${counted(removed, 'link')} ${dryRun ? 'would be ' : ''}removed`)
      if (!dryRun || removed === 0) return
      print.line(options.dryRun(options.toAll('remove', removed), 'without --dry-run'))
    })
}

const tableRow = ({ features: { links } }: Context, link: Link): Row => ({
  code: link.code,
  state: links.state(link),
  clicks: link.human,
  bots: link.bot,
  'last 30 days': sparkline(links.recentClicks(link)),
  expires: end(link.expiresAt),
  target: link.failures >= deadAfter ? `${link.target} (dead: ${link.problem})` : link.target,
  tags: link.tags.join(', '),
  note: link.note,
})

/** `links stats`. */
export function addLinkStats(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('stats <code>')
    .description('daily clicks, Helsinki time (may lag by a second)')
    .option('--days <number>', 'number of days', options.count, 30)
    .addOption(options.json())
    .action(async (code: string, { days, json }: { days: number; json?: boolean }) => {
      const context = await useContext()
      const { links: all } = context.features
      const found = await all.statistics(linkNamed(context, code).code, Math.min(days, 3660))
      if (!found) throw new Error(`Link not found: ${code}.`)
      const { link, ...counts } = found
      if (json) {
        print.json({ code: link.code, ...link.clicks, ...counts })
        return
      }
      print.facts({ link: link.address, clicks: link.clicks.human, bots: link.clicks.bot })
      const rows = counts.days
        .filter(({ human, bot }) => human + bot > 0)
        .map(({ day, human, bot }) => ({ day, clicks: human, bots: bot }))
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

const blocks = '▁▂▃▄▅▆▇█'

/** A small text chart of some numbers, scaled to the largest; a gap for each zero. */
function sparkline(numbers: readonly number[]): string {
  const max = Math.max(1, ...numbers)
  return numbers
    .map((each) => (each === 0 ? ' ' : blocks[Math.ceil((each / max) * blocks.length) - 1]!))
    .join('')
}
