import { Option, type Command } from 'commander'
import { addFolderAccess, addFolderFilling } from './editing.ts'
import { addFavourites } from './favourites.ts'
import {
  addFolderStats,
  withheldLines,
  folderOf,
  fullRow,
  namesOf,
  shownRow,
  tableRow,
} from './views.ts'
import { searchOptions, searched, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'
import type { UseContext } from '../common/command.ts'

const folderStates = ['open', 'expired', 'revoked'] as const

type ListedFolders = SearchFlags & { status?: (typeof folderStates)[number] }

/** `folders`: directories under DATA_DIR/folders that clients see at /s/{key}. */
export function addFolders(folders: Command, useContext: UseContext, print: Print): void {
  addFolderFilling(folders, useContext, print)

  searchOptions(folders.command('list'))
    .description('list folders, newest first')
    .addOption(new Option('--status <state>', 'only rows with this status').choices(folderStates))
    .action(async ({ json, limit, search, since = 0, status }: ListedFolders) => {
      const context = await useContext()
      const { store, acts } = context.features.folders
      const found = store
        .list()
        .filter(
          (folder) =>
            folder.createdAt >= since && (status === undefined || acts.stateOf(folder) === status),
        )
        .toReversed()
      print.list(searched(found, search, namesOf), {
        json,
        limit,
        what: 'folders',
        isJsonOldestFirst: true,
        none: 'No folders.',
        row: (folder) => tableRow(folder, context),
        full: (folder) => fullRow(folder, context),
      })
    })

  folders
    .command('show <folder>')
    .description('show a folder, its address and withheld files')
    .addOption(options.json())
    .action(async (id: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const { acts } = context.features.folders
      const folder = folderOf(context, id)
      const held = acts.withheld(folder)
      if (json) print.json({ ...fullRow(folder, context), held })
      else {
        print.facts(shownRow(folder, context))
        withheldLines(print, folder, held)
      }
    })

  addFolderAccess(folders, useContext, print)
  addFolderStats(folders, useContext, print)
  addFavourites(folders, useContext, print)
}
