import { Option, type Command } from 'commander'
import type { Pick } from '#server/folders/mark-store.ts'
import type { Picker } from '#server/folders/picker-store.ts'
import { mustFind } from './folder-views.ts'
import * as options from './options.ts'
import { when, type Print, type Row } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

type Told = {
  format?: 'txt' | 'csv' | 'json'
  json?: boolean
  names?: boolean
  by?: number
  reopen?: boolean
  separator: 'comma' | 'space' | 'line'
}

/** `folders picks`: what clients picked, also as a list of names that Lightroom's search takes. */
export function addPicks(folders: Command, useContext: UseContext, print: Print): void {
  folders
    .command('picks <folder>')
    .description(
      'favourites and comments; --format txt --names gives what Lightroom can search for',
    )
    .addOption(new Option('--format <format>', 'how to write them').choices(['txt', 'csv', 'json']))
    // Two answers to one question are refused, instead of one of them winning silently.
    .addOption(options.json().conflicts('format'))
    .option('--names', 'txt: names without directory and extension')
    .addOption(
      new Option('--separator <separator>', 'txt: between names')
        .choices(['comma', 'space', 'line'])
        .default('comma'),
    )
    .addOption(
      new Option('--by <picker>', 'only those of one person, by number').argParser(options.count),
    )
    .option('--reopen', 'let the person named by --by pick again')
    .action(async (id: string, { json, ...rest }: Told) => {
      const told: Told = json ? { ...rest, format: 'json' } : rest
      const {
        commit,
        features: { folders: noun },
      } = await useContext()
      const folder = mustFind(noun.store.find(id), id)
      const all = noun.picks.pickers(folder.id)
      const pickers = told.by === undefined ? all : all.filter((one) => one.id === told.by)
      if (told.by !== undefined && pickers.length === 0) {
        throw new Error(`Nobody has the number ${told.by} in this folder.`)
      }
      if (told.reopen) {
        if (told.by === undefined) throw new Error('Say with --by who may pick again.')
        const opened = await commit((tx) => noun.picks.reopen(tx, told.by!))
        print.line(opened ? 'Open for another round.' : 'These picks are not locked.')
        return
      }
      const rows = pickers.flatMap((picker) =>
        noun.picks.picksOf(picker.id).map((pick) => rowOf(picker, pick)),
      )
      if (told.format === 'txt') print.line(nameList(rows, told))
      else if (told.format === 'csv') await print.export(rows, { columns, format: 'csv' })
      else if (told.format === 'json')
        print.json({ picks: rows, rounds: noun.picks.submissions(folder.id) })
      else print.listing(rows, { none: 'Nothing has been picked yet.' })
    })
}

const columns = ['picker', 'name', 'round', 'submitted', 'path', 'favourite', 'comment']

const rowOf = ({ id, name, round, submittedAt }: Picker, { path, heart, comment }: Pick) => ({
  picker: id,
  name,
  round,
  submitted: when(submittedAt),
  path,
  favourite: heart,
  comment,
})

const separators = { comma: ', ', space: ' ', line: '\n' }

/** The favourites as one text, each name once. */
function nameList(rows: readonly Row[], { names, separator }: Told): string {
  const paths = rows.filter(({ favourite }) => favourite === true).map(({ path }) => String(path))
  const shown = names
    ? paths.map((path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''))
    : paths
  return harmless([...new Set(shown)].join(separators[separator]))
}
