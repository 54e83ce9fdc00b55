import type { Command } from 'commander'
import type { FolderChange } from '#server/folders/store.ts'
import { about, changeFrom, onlyNow, tellPassword, type About } from './folder-change.ts'
import { mustFind, fullRow } from './folder-views.ts'
import { when, type Print } from './print.ts'
import type { UseContext } from './command.ts'
import { harmless } from './terminal.ts'

/** `folders set`, `expire`, `revoke` and `enable`: who may see a folder, and for how long. */
export function addFolderAccess(
  program: Command,
  folders: Command,
  useContext: UseContext,
  print: Print,
): void {
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
      const folder = mustFind(store.find(id), id)
      const { change, password } = await changeFrom(context, told)
      const next = { ...change, ...(told.reopen && { revokedAt: null }) }
      if (Object.keys(next).length === 0) program.error('error: say what to change')
      const changed = await context.commit((tx) => store.change(tx, folder, next))
      const facts = fullRow(changed, context)
      if (told.json) print.json({ ...facts, ...onlyNow(password) })
      else {
        print.facts(facts)
        tellPassword(print, password)
      }
    })

  const changed = async (id: string, change: (now: number) => FolderChange) => {
    const { commit, clock, features } = await useContext()
    const { store } = features.folders
    const folder = mustFind(store.find(id), id)
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
}
