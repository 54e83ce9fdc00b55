import { writeFileSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import { qrPng, qrSvg, qrTerminal } from '#server/links/qr-code.ts'
import { statisticsOf } from '#server/links/show.ts'
import type { Link } from '#server/links/store.ts'
import { linkStates, utmNames, type LinkState, type Utm } from '#shared/link-rules.ts'
import { clientOf } from './clients.ts'
import { addLinkFiles } from './link-files.ts'
import { known, said, whole } from './link-views.ts'
import * as options from './options.ts'
import { minute, type Print, type Row } from './print.ts'
import type { UseContext } from './command.ts'

type Wishes = {
  note?: string
  starts?: options.Limit
  expires?: options.Limit
  maxClicks?: { most: number | null }
  client?: string
  forwardQuery?: boolean
} & { [name in `utm${Capitalize<(typeof utmNames)[number]>}`]?: string }

/** `links`: short links, their targets and their clicks. */
export function addLinks(program: Command, useContext: UseContext, print: Print): void {
  const links = program.command('links').description('short links and their clicks')

  wishes(links.command('create <target>'))
    .description('make a short link; without --code, six random characters')
    .option('--code <code>', '2 to 64 of A-Z a-z 0-9 - _, looked up without case')
    .addOption(options.by())
    .addOption(options.json())
    .action(
      async (
        target: string,
        { code, by, json, ...told }: Wishes & { code?: string; by: string; json?: boolean },
      ) => {
        const context = await useContext()
        const wanted = {
          target,
          ...(code !== undefined && { code }),
          ...fieldsOf(context, told, null),
        }
        const link = await said(
          context.commit((tx) => context.features.links.create(tx, wanted, by)),
        )
        if (json) print.json(whole(context, link))
        else print.line(context.features.links.addressOf(link))
      },
    )

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
        const rows = found.map((link) => (told.json ? whole(context, link) : brief(context, link)))
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
      const row = whole(context, known(context, code))
      if (json) print.json(row)
      else print.facts(row)
    })

  wishes(links.command('edit <code>'))
    .description('change what is given; an empty text, "never", "now" and "none" clear')
    .option('--target <address>', 'where it leads')
    .option('--no-forward-query', 'do not hand on the query any more')
    .action(async (code: string, { target, ...told }: Wishes & { target?: string }) => {
      const context = await useContext()
      const changes = fieldsOf(context, told, known(context, code))
      const link = await said(
        context.commit((tx) =>
          context.features.links.edit(tx, code, { ...changes, ...(target && { target }) }),
        ),
      )
      print.line(`${link.code}: changed`)
    })

  for (const [verb, disabled, does] of [
    ['disable', true, 'switch links off; they can be switched on again'],
    ['enable', false, 'switch links on again'],
  ] as const) {
    links
      .command(`${verb} <code...>`)
      .description(does)
      .action(async (codes: string[]) => {
        const context = await useContext()
        for (const code of codes) known(context, code)
        await context.commit((tx) => {
          for (const code of codes) context.features.links.edit(tx, code, { disabled })
        })
        for (const code of codes) print.line(`${code}: ${verb}d`)
      })
  }

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

  links
    .command('qr <code>')
    .description('the QR code in the terminal, or as a file')
    .option('--out <file>', 'write a PNG where the name ends so, else an SVG')
    .action(async (code: string, { out }: { out?: string }) => {
      const context = await useContext()
      const address = context.features.links.addressOf(known(context, code))
      if (out === undefined) print.line(`${qrTerminal(address)}\n${address}`)
      else {
        writeFileSync(out, out.endsWith('.png') ? await qrPng(address) : qrSvg(address))
        print.line(out)
      }
    })

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
      const before = clock() - days * 86_400_000
      const removed = dryRun
        ? all.expiredBefore(before)
        : await commit((tx) => all.purge(tx, before))
      print.line(`${removed} link(s) ${dryRun ? 'would be ' : ''}removed`)
    })

  addLinkFiles(links, useContext, print)
}

/** The options that `create` and `edit` share. */
function wishes(command: Command): Command {
  command
    .option('--note <text>', 'what it is for; staff and the client see it')
    .addOption(options.starts())
    .addOption(options.expires())
    .option('--max-clicks <number>', 'how often people may follow it, or "none"', clicks)
    .option('--client <panel>', 'in whose panel it stands, or "none"')
    .option('--forward-query', 'hand the query of the short address on to the target')
  for (const name of utmNames) command.option(`--utm-${name} <value>`, `adds utm_${name}`)
  return command
}

/** In an object, since commander makes an empty text of null. */
function clicks(text: string): { most: number | null } {
  if (text === 'none') return { most: null }
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('Use a number from 1, or "none".')
  return { most: Number(text) }
}

/** What was said, in the store's words; what was not said stays as it is. */
function fieldsOf(context: Context, told: Wishes, link: Link | null) {
  const { note, starts, expires, maxClicks, client, forwardQuery } = told
  const utm: Utm = { ...link?.utm }
  for (const name of utmNames) {
    const value = told[`utm${name[0]!.toUpperCase()}${name.slice(1)}` as keyof Wishes]
    if (typeof value === 'string') utm[name] = value
  }
  const clientId =
    client === undefined ? undefined : client === 'none' ? null : clientOf(context, client).id
  return {
    ...(note !== undefined && { note }),
    ...(starts !== undefined && { startsAt: starts.at }),
    ...(expires !== undefined && { expiresAt: expires.at }),
    ...(maxClicks !== undefined && { maxClicks: maxClicks.most }),
    ...(clientId !== undefined && { clientId }),
    ...(forwardQuery !== undefined && { forwardQuery }),
    utm,
  }
}

const brief = ({ features: { links } }: Context, link: Link): Row => ({
  code: link.code,
  state: links.state(link),
  people: link.human,
  machines: link.bot,
  expires: link.expiresAt === null ? '' : minute(link.expiresAt),
  target: link.target,
  note: link.note,
})
