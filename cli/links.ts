import { writeFileSync } from 'node:fs'
import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import { qrPng, qrSvg, qrTerminal } from '#server/links/qr-code.ts'
import type { Link } from '#server/links/store.ts'
import { dayMs } from '#shared/durations.ts'
import { linkStates, type LinkState } from '#shared/link-rules.ts'
import { addLinkCreate, addLinkEdit } from './link-editing.ts'
import { addLinkFiles } from './link-files.ts'
import { addLinkStats } from './link-stats.ts'
import { mustFind, fullRow } from './link-views.ts'
import * as options from './options.ts'
import { minute, type Print, type Row } from './print.ts'
import type { UseContext } from './command.ts'

/** `links`: short links, their targets and their clicks. */
export function addLinks(program: Command, useContext: UseContext, print: Print): void {
  const links = program.command('links').description('short links and their clicks')
  addLinkCreate(links, useContext, print)
  addReading(links, useContext, print)
  addLinkEdit(links, useContext, print)
  addLinkStats(links, useContext, print)
  addQrCode(links, useContext, print)
  addPurging(links, useContext, print)
  addLinkFiles(links, useContext, print)
}

function addReading(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('list')
    .description('the links, newest first')
    .option('--search <text>', 'only those with this in code, target or note')
    .addOption(new Option('--state <state>', 'only these').choices(linkStates))
    .option('--limit <number>', 'at most so many (default: 100, with --json all)', options.count)
    .addOption(options.json())
    .action(
      async (told: { search?: string; state?: LinkState; limit?: number; json?: boolean }) => {
        const context = await useContext()
        const search = { text: told.search ?? '', state: told.state ?? null }
        // A program that reads JSON is not told that more were left out, so none are.
        const most = told.limit ?? (told.json ? Number.MAX_SAFE_INTEGER : 100)
        const { links: found, total } = await context.features.links.list(search, 0, most)
        const rows = found.map((link) =>
          told.json ? fullRow(context, link) : tableRow(context, link),
        )
        print.listing(rows, { json: told.json, none: 'No links.' })
        if (!told.json && total > rows.length) print.line(`… and ${total - rows.length} more`)
      },
    )

  links
    .command('show <code>')
    .description('one link')
    .addOption(options.json())
    .action(async (code: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const row = fullRow(context, mustFind(context, code))
      if (json) print.json(row)
      else print.facts(row)
    })
}

function addQrCode(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('qr <code>')
    .description('the QR code in the terminal, or as a file')
    .option('--out <file>', 'write a PNG where the name ends so, else an SVG')
    .action(async (code: string, { out }: { out?: string }) => {
      const context = await useContext()
      const address = context.features.links.addressOf(mustFind(context, code))
      if (out === undefined) print.line(`${qrTerminal(address)}\n${address}`)
      else {
        writeFileSync(out, out.endsWith('.png') ? await qrPng(address) : qrSvg(address))
        print.line(out)
      }
    })
}

function addPurging(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('purge-expired')
    .description('remove links that expired long ago, with their counts')
    .option('--days <number>', 'expired for so many days', options.count, 30)
    .option('--dry-run', 'only say how many')
    .action(async ({ days, dryRun }: { days: number; dryRun?: boolean }) => {
      const {
        clock,
        commit,
        features: { links: all },
      } = await useContext()
      const before = clock() - days * dayMs
      const removed = dryRun
        ? all.expiredBefore(before)
        : await commit((tx) => all.purge(tx, before))
      print.line(`${removed} link(s) ${dryRun ? 'would be ' : ''}removed`)
    })
}

const tableRow = ({ features: { links } }: Context, link: Link): Row => ({
  code: link.code,
  state: links.state(link),
  people: link.human,
  machines: link.bot,
  expires: link.expiresAt === null ? '' : minute(link.expiresAt),
  target: link.target,
  note: link.note,
})
