import { InvalidArgumentError, Option, type Command } from 'commander'
import type { ChosenFavourite, FolderVisitor, Submission } from '#server/folders/schema.ts'
import { folderOf } from './views.ts'
import * as options from '../common/options.ts'
import { when, type Print, type Row } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'
import { harmless } from '../common/terminal.ts'

type FavouriteFlags = {
  format?: 'txt' | 'csv' | 'json'
  json?: boolean
  names?: boolean
  picker?: number
  by: string
  reopen?: boolean
  separator: 'comma' | 'space' | 'line'
}

/** `folders favourites`: the clients' favourites, also as a list of names that Lightroom's search takes. */
export function addFavourites(folders: Command, useContext: UseContext, print: Print): void {
  folders
    .command('favourites <folder>')
    .alias('picks')
    .description('favourites and comments (--format txt --names for a Lightroom search)')
    .addOption(new Option('--format <format>', 'output format').choices(['txt', 'csv', 'json']))
    // Two answers to one question are refused, instead of one of them winning silently.
    .addOption(options.json().conflicts('format'))
    .option('--names', 'txt: file names without directory and extension')
    .addOption(
      new Option('--separator <separator>', 'txt: separator between names')
        .choices(['comma', 'space', 'line'])
        .default('comma'),
    )
    .addOption(
      new Option('--picker <number>', 'only one visitor, by number').argParser(options.count),
    )
    .option('--reopen', 'unlock the favourites of the visitor given by --picker')
    .addOption(options.by())
    .action(async (id: string, { json, ...rest }: FavouriteFlags) => {
      const flags: FavouriteFlags = json ? { ...rest, format: 'json' } : rest
      const context = await useContext()
      const { favourites, acts } = context.features.folders
      const folder = folderOf(context, id)
      if (flags.reopen) {
        if (flags.picker === undefined) {
          throw new InvalidArgumentError('--reopen needs --picker.')
        }
        const opened = await acts.reopenFavourites(folder, flags.picker, flags.by)
        print.line(opened ? 'Reopened for another round.' : 'These favourites aren’t locked.')
        return
      }
      const all = favourites.visitors(folder.id)
      const visitors =
        flags.picker === undefined ? all : all.filter((one) => one.id === flags.picker)
      if (flags.picker !== undefined && visitors.length === 0) {
        throw new Error(`No visitor ${flags.picker} in this folder.`)
      }
      const rows = visitors.flatMap((visitor) =>
        favourites.chosen(visitor).map((favourite) => rowOf(visitor, favourite)),
      )
      if (flags.format === 'txt') print.line(nameList(rows, flags))
      else if (flags.format === 'csv') await print.export(rows, { columns, format: 'csv' })
      else if (flags.format === 'json') {
        const rounds = favourites
          .submissions(folder.id)
          .map((submission) => submissionRow(submission, favourites.ofRound(submission)))
        print.json({ picks: rows, rounds })
      } else print.listing(rows, { none: 'No favourites yet.' })
    })
}

const columns = ['picker', 'name', 'round', 'submitted', 'path', 'favourite', 'comment', 'gone']

const rowOf = (
  { id, name, round, submittedAt }: FolderVisitor,
  { path, heart, comment, file }: ChosenFavourite,
) => ({
  picker: id,
  name,
  round,
  submitted: when(submittedAt),
  path,
  favourite: heart,
  comment,
  gone: file === null,
})

/** A submission as scripts of staff read it. */
const submissionRow = (
  { visitor, round, name, note, at }: Submission,
  chosen: readonly ChosenFavourite[],
) => ({
  picker: visitor,
  round,
  name,
  note,
  at,
  picks: chosen.map(({ file, ...favourite }) => ({ ...favourite, gone: file === null })),
})

const separators = { comma: ', ', space: ' ', line: '\n' }

/** The favourites as one text, each name once. */
function nameList(rows: readonly Row[], { names, separator }: FavouriteFlags): string {
  const paths = rows.filter(({ favourite }) => favourite === true).map(({ path }) => String(path))
  const shown = names
    ? paths.map((path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''))
    : paths
  return harmless([...new Set(shown)].join(separators[separator]))
}
