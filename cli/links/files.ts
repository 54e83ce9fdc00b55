import { readFileSync } from 'node:fs'
import { Option, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { Context } from '#server/context.ts'
import type { ImportedLink } from '#server/links/acts.ts'
import { linkStates, utmNames, type LinkState, type Utm } from '#shared/link-rules.ts'
import { clientOf } from '../clients/clients.ts'
import { parseRecords } from '../common/records.ts'
import { fullRow } from './views.ts'
import * as options from '../common/options.ts'
import { printProblems, type ExportTo, type Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'

/** The columns of an export, which an import understands. */
const columns = [
  'code target note state client author created starts expires maxClicks disabled forwardQuery tags locked',
  utmNames.map((name) => `utm_${name}`).join(' '),
  'dead checked people machines lastClick address',
].flatMap((names) => names.split(' '))

/** Which links an export holds: made from (inclusive) and before `to`, in a state. */
type Range = { from?: number; to?: number; status?: LinkState }

/** `links export` and `links import`. */
export function addLinkFiles(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('export')
    .description('export all links with their clicks')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(new Option('--status <state>', 'only this state').choices(linkStates))
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ from, to, status, ...flags }: Range & ExportTo) => {
      const context = await useContext()
      await print.export(rowsOf(context, { from, to, status }), { columns, ...flags })
    })

  links
    .command('import <file>')
    .description('create links from a file: an export, or CSV with a target and any of its columns')
    .option('--skip-invalid', 'skip invalid lines instead of importing nothing')
    .addOption(options.rehearse())
    .addOption(options.by())
    .action(
      async (file: string, flags: { skipInvalid?: boolean; dryRun?: boolean; by: string }) => {
        const { skipInvalid = false, dryRun = false, by } = flags
        const context = await useContext()
        const { acts } = context.features.links
        const lines = parseRecords(acts.textOf(readFileSync(file))).map((line) =>
          readLine(context, line),
        )
        const { added, kept, wrong, isDone } = await acts.import(lines, by, {
          skipInvalid,
          rehearse: dryRun,
        })
        printProblems(wrong, print)
        if (!isDone) {
          throw new Error(`Nothing was imported: ${counted(wrong.length, 'invalid line')}.`)
        }
        print.line(`${added} added, ${kept} already there, ${wrong.length} skipped`)
        if (dryRun) print.line(options.dryRun('import them', 'without --dry-run'))
      },
    )
}

function* rowsOf(context: Context, { from = 0, to = Infinity, status }: Range) {
  for (const link of context.features.links.all()) {
    if (link.createdAt < from || link.createdAt >= to) continue
    const row = fullRow(context, link)
    if (status === undefined || row.state === status) yield row
  }
}

type Line = { line: number; fields: Record<string, string> }

/** Spreadsheets write what is true in capitals. */
const isTrue = (text: string | undefined): boolean => text?.toLowerCase() === 'true'

/** What a line says of a link, or why it cannot be read. */
function readLine(context: Context, { line, fields }: Line): ImportedLink {
  try {
    const link = linkFieldsOf(context, fields)
    const hasPassword = isTrue(fields.locked)
    return { line, link: { ...link, disabled: Boolean(fields.disabled), hasPassword } }
  } catch (error) {
    return { line, problem: (error as Error).message }
  }
}

/** A line in the words of the links. @throws an Error that says what cannot be read */
function linkFieldsOf(context: Context, fields: Record<string, string>) {
  const text = (name: string) => fields[name.toLowerCase()] || undefined
  const target = text('target')
  if (target === undefined) throw new Error('target is missing.')
  const moment = (name: string) => {
    const given = text(name)
    if (given === undefined) return null
    const at = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(given) ? Date.parse(given) : Number.NaN
    if (Number.isNaN(at)) throw new Error(`${name} is not an ISO timestamp with offset.`)
    return at
  }
  const max = text('maxClicks')
  if (max !== undefined && !/^[1-9]\d{0,8}$/.test(max)) {
    throw new Error('maxClicks must be a number from 1.')
  }
  const utm: Utm = {}
  for (const name of utmNames) {
    const value = text(`utm_${name}`)
    if (value) utm[name] = value
  }
  const client = text('client')
  const code = text('code')
  return {
    target,
    ...(code !== undefined && { code }),
    note: text('note') ?? '',
    startsAt: moment('starts'),
    expiresAt: moment('expires'),
    maxClicks: max === undefined ? null : Number(max),
    forwardQuery: isTrue(text('forwardQuery')),
    tags: (text('tags') ?? '').split(','),
    utm,
    clientId: client === undefined ? null : clientOf(context, client).id,
  }
}
