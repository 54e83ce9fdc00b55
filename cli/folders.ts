import type { Command } from 'commander'
import { heldFiles } from '#server/folders/held-files.ts'
import { addFolderAccess } from './folder-access.ts'
import { addFolderFilling } from './folder-filling.ts'
import { addPicks } from './folder-picks.ts'
import { addFolderStats } from './folder-stats.ts'
import * as options from './options.ts'
import { heldLines, mustFind, fullRow } from './folder-views.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'

/** `folders`: directories under DATA_DIR/folders that clients see at /s/{key}. */
export function addFolders(program: Command, useContext: UseContext, print: Print): void {
  const folders = program.command('folders').description('galleries that are shared with clients')

  addFolderFilling(folders, useContext, print)

  folders
    .command('list')
    .description('the folders, oldest first')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const context = await useContext()
      const rows = context.features.folders.store.list().map((folder) => {
        const all = fullRow(folder, context)
        if (json) return all
        const { folder: key, title, client, state, files, views, downloads, expires: ends } = all
        return {
          folder: key,
          title,
          client,
          state,
          files,
          views,
          downloads,
          ends: ends?.slice(0, 10) ?? 'never',
        }
      })
      print.listing(rows, { json, none: 'No folders.' })
    })

  folders
    .command('show <folder>')
    .description('one folder, with its address and the files that are held back')
    .addOption(options.json())
    .action(async (id: string, { json }: { json?: boolean }) => {
      const context = await useContext()
      const { store } = context.features.folders
      const folder = mustFind(store.find(id), id)
      const held = heldFiles(store, folder)
      const facts = fullRow(folder, context)
      if (json) print.json({ ...facts, held })
      else {
        print.facts(facts)
        heldLines(print, folder, held)
      }
    })

  addFolderAccess(program, folders, useContext, print)
  addFolderStats(folders, useContext, print)
  addPicks(folders, useContext, print)
}
