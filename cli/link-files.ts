import { readFileSync } from 'node:fs'
import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/group-commit.ts'
import type { LinkFields } from '#server/links/link-editing.ts'
import { linkStates, utmNames, type LinkState, type Utm } from '#shared/link-rules.ts'
import { clientOf } from './clients.ts'
import { parseCsv } from './csv.ts'
import { problemOf, fullRow } from './link-views.ts'
import * as options from './options.ts'
import type { ExportTo, Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

/** The columns of an export, which an import understands. */
const columns = [
  'code target note state client author created starts expires maxClicks disabled forwardQuery',
  utmNames.map((name) => `utm_${name}`).join(' '),
  'people machines lastClick address',
].flatMap((names) => names.split(' '))

/** Which links an export holds: made from (inclusive) and before `to`, in a state. */
type Range = { from?: number; to?: number; status?: LinkState }

/** `links export` and `links import`. */
export function addLinkFiles(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('export')
    .description('every link with its clicks')
    .addOption(options.format())
    .addOption(options.from())
    .addOption(options.to())
    .addOption(
      new Option('--status <state>', 'only these, as --state of the list').choices(linkStates),
    )
    .addOption(options.out())
    .addOption(options.raw())
    .action(async ({ from, to, status, ...told }: Range & ExportTo) => {
      const context = await useContext()
      await print.export(rowsOf(context, { from, to, status }), { columns, ...told })
    })

  links
    .command('import <file>')
    .description('make links from a CSV file: target, and any other column of an export')
    .option('--skip-invalid', 'leave out lines that are wrong, instead of importing nothing')
    .addOption(options.by())
    .action(async (file: string, { skipInvalid, by }: { skipInvalid?: boolean; by: string }) => {
      const context = await useContext()
      const rows = parseCsv(readFileSync(file, 'utf8'))
      const { added, kept, wrong } = await importRows(context, rows, { by, skipInvalid })
      for (const problem of wrong) print.line(harmless(problem))
      if (wrong.length > 0 && !skipInvalid) {
        throw new Error(`Nothing was imported: ${wrong.length} line(s) are wrong.`)
      }
      print.line(`${added} added, ${kept} there already, ${wrong.length} left out`)
    })
}

function* rowsOf(context: Context, { from = 0, to = Infinity, status }: Range) {
  for (const link of context.features.links.all()) {
    if (link.createdAt < from || link.createdAt >= to) continue
    const row = fullRow(context, link)
    if (status === undefined || row.state === status) yield row
  }
}

type Line = { line: number; fields: Record<string, string> }

/** Adds the links of some lines: all, or none when one of them is wrong and none may be left out. */
async function importRows(
  context: Context,
  rows: readonly Line[],
  { by, skipInvalid = false }: { by: string; skipInvalid?: boolean | undefined },
) {
  const {
    commit,
    features: { links },
  } = context
  const wrong: string[] = []
  let added = 0
  let kept = 0
  const work = (tx: Transaction) => {
    for (const { line, fields } of rows) {
      try {
        const link = linkFieldsOf(context, fields)
        const there = link.code ? links.find(link.code) : null
        if (there && there.target === new URL(link.target).href) kept += 1
        else {
          const { code } = links.create(tx, link, by)
          if (fields.disabled) links.edit(tx, code, { disabled: true })
          added += 1
        }
      } catch (error) {
        wrong.push(`Line ${line}: ${problemOf(error)}`)
      }
    }
    // Takes back what was added before the wrong line.
    if (wrong.length > 0 && !skipInvalid) throw new Incomplete()
  }
  try {
    await commit(work)
  } catch (error) {
    if (!(error instanceof Incomplete)) throw error
    added = 0
  }
  return { added, kept, wrong }
}

class Incomplete extends Error {}

/** A line in the words of the links. @throws an Error that says what cannot be read */
function linkFieldsOf(context: Context, fields: Record<string, string>): LinkFields {
  const text = (name: string) => fields[name.toLowerCase()] || undefined
  const target = text('target')
  if (target === undefined) throw new Error('There is no target.')
  const moment = (name: string) => {
    const given = text(name)
    if (given === undefined) return null
    const at = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(given) ? Date.parse(given) : Number.NaN
    if (Number.isNaN(at)) throw new Error(`${name} is not an ISO timestamp with its offset.`)
    return at
  }
  const most = text('maxClicks')
  if (most !== undefined && !/^[1-9]\d{0,8}$/.test(most)) {
    throw new Error('maxClicks is not a number from 1.')
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
    maxClicks: most === undefined ? null : Number(most),
    forwardQuery: text('forwardQuery') === 'true',
    utm,
    clientId: client === undefined ? null : clientOf(context, client).id,
  }
}
