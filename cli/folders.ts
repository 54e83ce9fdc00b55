import type { Command } from 'commander'
import type { FolderChange } from '#server/folders/store.ts'
import { heldFiles } from '#server/folders/held-files.ts'
import { paths } from '#shared/paths.ts'
import { about, changeFrom, onlyNow, tellPassword, type About } from './folder-change.ts'
import { addPicks } from './folder-picks.ts'
import { addFolderStats } from './folder-stats.ts'
import * as options from './options.ts'
import { heldLines, known, syncLines, whole } from './folder-views.ts'
import { when, type Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

/** `folders`: directories under DATA_DIR/folders that clients see at /s/{key}. */
export function addFolders(program: Command, useContext: UseContext, print: Print): void {
  const folders = program.command('folders').description('galleries that are shared with clients')

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
        const ends = context.clock() + 90 * 86_400_000
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
        print.json({ ...whole(folder, context), sync: result, ...onlyNow(password) })
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
      const wanted = id === undefined ? noun.store.list() : [known(noun.store.find(id), id)]
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

  folders
    .command('list')
    .description('the folders, oldest first')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const context = await useContext()
      const rows = context.features.folders.store.list().map((folder) => {
        const all = whole(folder, context)
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
      const folder = known(store.find(id), id)
      const held = heldFiles(store, folder)
      const facts = whole(folder, context)
      if (json) print.json({ ...facts, held })
      else {
        print.facts(facts)
        heldLines(print, folder, held)
      }
    })

  about(folders.command('set <folder>'))
    .alias('edit')
    .description('change a folder; a new password asks everybody again')
    .option('--no-password', 'let everybody in who knows the address')
    .option('--no-alias', 'take its alias away')
    .option('--anyone', 'let in whoever has the address, also when it stands in a panel')
    .option('--no-anyone', 'a folder in a panel is for the clients of that panel alone, as usual')
    .option('--reopen', 'undo a revocation')
    .action(async (id: string, told: About & { json?: boolean; reopen?: boolean }) => {
      const context = await useContext()
      const { store } = context.features.folders
      const folder = known(store.find(id), id)
      const { change, password } = await changeFrom(context, told)
      const next = { ...change, ...(told.reopen && { revokedAt: null }) }
      if (Object.keys(next).length === 0) program.error('error: say what to change')
      const changed = await context.commit((tx) => store.change(tx, folder, next))
      const facts = whole(changed, context)
      if (told.json) print.json({ ...facts, ...onlyNow(password) })
      else {
        print.facts(facts)
        tellPassword(print, password)
      }
    })

  const changed = async (id: string, change: (now: number) => FolderChange) => {
    const {
      commit,
      clock,
      features: {
        folders: { store },
      },
    } = await useContext()
    const folder = known(store.find(id), id)
    return commit((tx) => store.change(tx, folder, change(clock())))
  }
  folders
    .command('expire <folder>')
    .description('end a folder now; set --expires opens it again')
    .action(async (id: string) => {
      const { title, expiresAt } = await changed(id, (now) => ({ expiresAt: now }))
      print.line(`${harmless(title)}: closed ${when(expiresAt)}`)
    })
  folders
    .command('revoke <folder>')
    .alias('disable')
    .description('close a folder at once, whatever its end; enable undoes it')
    .action(async (id: string) => {
      const { title, revokedAt } = await changed(id, (now) => ({ revokedAt: now }))
      print.line(`${harmless(title)}: closed ${when(revokedAt)}`)
    })
  folders
    .command('enable <folder>')
    .description('open a folder again that was closed, until its end')
    .action(async (id: string) => {
      const { title } = await changed(id, () => ({ revokedAt: null }))
      print.line(`${harmless(title)}: open`)
    })

  addFolderStats(folders, useContext, print)
  addPicks(folders, useContext, print)
}

/** How far a sync is, where somebody is looking. */
function progress(done: number, all: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(done + 1 < all ? `\r${done + 1} of ${all} files` : '\r\u001b[K')
}
