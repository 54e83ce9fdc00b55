import type { Command } from 'commander'
import { keepPrivate } from '#server/private-files.ts'
import * as options from './options.ts'
import { when, type Print } from './print.ts'
import type { UseConfig, UseContext } from './command.ts'

/** What knows SQLite is loaded by who needs it, so that other commands begin at once. */
const load = async () => ({
  ...(await import('#server/backups/check.ts')),
  ...(await import('#server/backups/files.ts')),
  ...(await import('#server/backups/restore.ts')),
  ...(await import('#server/backups/store.ts')),
})

/**
 * `backup`: copies of the whole state. All but `create` open no database, since a broken one is
 * what they are for.
 */
export function addBackup(
  program: Command,
  { useConfig, useContext }: { useConfig: UseConfig; useContext: UseContext },
  print: Print,
): void {
  const backup = program.command('backup').description('copies of the whole state')
  addCreation(backup, useContext, print)
  addReading(backup, useConfig, print)
  addRestoring(backup, useConfig, print)
  addRemoval(backup, useConfig, print)
}

function addCreation(backup: Command, useContext: UseContext, print: Print): void {
  backup
    .command('create')
    .alias('add')
    .description('copy the state while the server runs, into DATA_DIR/backups')
    .option('--out <dir>', 'a directory outside of DATA_DIR for it, such as another disk')
    .action(async ({ out }: { out?: string }) => {
      const { megabytes } = await load()
      const { features, config } = await useContext()
      const { path, bytes, manifest } = await features.backups.create({ out })
      print.line(`${path}: ${manifest.files.length} file(s), ${megabytes(bytes)}.`)
      if (manifest.links.length > 0) {
        print.line(
          `${manifest.links.length} link(s) stay links; what they lead to outside of DATA_DIR is not in the backup.`,
        )
      }
      if (config.secretKey !== null) {
        print.line('SECRET_KEY is set and not in the backup: keep it, too.')
      }
    })
}

function addReading(backup: Command, useConfig: UseConfig, print: Print): void {
  backup
    .command('list')
    .description('every backup below DATA_DIR/backups, the newest first')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const { backupsOf, listBackups, megabytes } = await load()
      const found = await listBackups(backupsOf(useConfig().dataDir))
      const rows = found.map(({ name, manifest, bytes }) => ({
        name,
        kind: manifest?.kind ?? 'damaged',
        madeAt: when(manifest?.madeAt ?? null),
        version: manifest?.version ?? null,
        files: manifest?.files.length ?? null,
        ...(json ? { schema: manifest?.schema ?? null, bytes } : { size: megabytes(bytes) }),
      }))
      print.listing(rows, { json, none: 'No backups.' })
    })

  backup
    .command('check <name>')
    .description('compare every byte of a backup with its manifest; also the path of a directory')
    .action(async (given: string) => {
      const { checkBackup, findBackup } = await load()
      const path = findBackup(useConfig().dataDir, given)
      const { manifest, problems } = await checkBackup(path)
      for (const problem of problems) print.line(problem)
      if (problems.length > 0) throw new Error(`${problems.length} problem(s) in ${path}.`)
      print.line(`${path} is sound: ${manifest.files.length} file(s).`)
    })
}

function addRestoring(backup: Command, useConfig: UseConfig, print: Print): void {
  backup
    .command('restore <name>')
    .description(
      'put a backup in the place of the state, which is kept; also the path of a directory',
    )
    .option('--yes', 'do it; the server has to be stopped')
    .action(async (given: string, { yes = false }: { yes?: boolean }) => {
      const { findBackup, restoreBackup } = await load()
      const { dataDir } = useConfig()
      keepPrivate(dataDir)
      const path = findBackup(dataDir, given)
      const asked = { dataDir, now: Date.now(), rehearse: !yes }
      const { manifest, aside } = await restoreBackup(asked, path)
      const from = when(manifest.madeAt)
      if (!yes) {
        print.line(`${path} is sound and would be restored: the state of ${from}.`)
        print.line('Nothing has been restored. To do it, say --yes.')
        return
      }
      print.line(`The state is that of ${from}.`)
      if (aside) print.line(`What was there before is kept in ${aside}.`)
      print.line('Erasures since then have to be repeated, see privacy erase.')
    })
}

function addRemoval(backup: Command, useConfig: UseConfig, print: Print): void {
  backup
    .command('remove <name>')
    .description('remove a backup below DATA_DIR/backups for good')
    .action(async (name: string) => {
      const { removeBackup } = await load()
      await removeBackup(useConfig().dataDir, name)
      print.line(`${name} is removed.`)
    })
}
