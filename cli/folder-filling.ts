import type { Command } from 'commander'
import { dayMs } from '#shared/durations.ts'
import { paths } from '#shared/paths.ts'
import { about, changeFrom, onlyNow, tellPassword, type About } from './folder-change.ts'
import * as options from './options.ts'
import { mustFind, syncLines, fullRow } from './folder-views.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

/** `folders add` and `sync`: a directory becomes a gallery, and one again after a change. */
export function addFolderFilling(folders: Command, useContext: UseContext, print: Print): void {
  about(folders.command('add <directory>'))
    .description('share a directory below DATA_DIR/folders; for 90 days unless told otherwise')
    .action(async (given: string, { title, ...told }: About & { json?: boolean }) => {
      const context = await useContext()
      const { store, root, sync } = context.features.folders
      const { directoryName } = await import('#server/folders/sync.ts')
      const directory = await directoryName(given, root)
      if (store.ofDirectory(directory)) {
        throw new Error(`${harmless(directory)} is shared already; see folders list.`)
      }
      // Asked before anything is made, so that giving up leaves nothing behind.
      const { change, password } = await changeFrom(context, told)
      const { siteUrl } = context.config
      const made = await context.commit((tx) => {
        const ends = context.clock() + 90 * dayMs
        const added = store.add(tx, {
          directory,
          title: title ?? directory.split('/').at(-1)!,
          client: told.client ?? null,
          season: told.season ?? null,
          expiresAt: ends,
        })
        return store.change(tx, added, change)
      })
      const result = await sync(made, progress)
      const folder = store.find(made.key)!
      if (told.json) {
        print.json({ ...fullRow(folder, context), sync: result, ...onlyNow(password) })
        return
      }
      syncLines(print, folder, result)
      print.line(siteUrl + paths.folder(folder.alias ?? folder.key))
      tellPassword(print, password)
    })

  folders
    .command('sync [folder]')
    .description('look again at what is in a directory, or in all of them')
    .addOption(options.json())
    .action(async (id: string | undefined, { json }: { json?: boolean }) => {
      const {
        features: { folders: noun },
      } = await useContext()
      const wanted = id === undefined ? noun.store.list() : [mustFind(noun.store.find(id), id)]
      const rows: Record<string, unknown>[] = []
      for (const folder of wanted) {
        const result = await noun.sync(folder, progress)
        rows.push({ folder: folder.key, ...result })
        if (!json) {
          print.line(harmless(folder.title))
          syncLines(print, folder, result)
        }
      }
      if (json) print.json(rows)
      else if (rows.length === 0) print.line('No folders.')
    })
}

/** How far a sync is, on a terminal. */
function progress(done: number, all: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(done + 1 < all ? `\r${done + 1} of ${all} files` : '\r\u001b[K')
}
