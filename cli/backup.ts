import { InvalidArgumentError, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { KeyInBackup, RestoredFromBackup } from '#server/backups/acts.ts'
import { printDoneSince } from './done-since.ts'
import * as options from './common/options.ts'
import { when, type Print } from './common/print.ts'
import type { UseConfig, UseContext } from './common/command.ts'

/** SQLite code is loaded only when a command needs it, so the others start at once. */
const load = () => import('#server/backups/acts.ts')

/**
 * `backup`: copies of the whole state. All but `create` open no database, since a broken one is
 * what they are for.
 */
export function addBackup(
  backup: Command,
  { useConfig, useContext }: { useConfig: UseConfig; useContext: UseContext },
  print: Print,
): void {
  addCreation(backup, useContext, print)
  addReading(backup, useConfig, print)
  addRestoring(backup, useConfig, print)
  addRemoval(backup, useConfig, print)
}

function addCreation(backup: Command, useContext: UseContext, print: Print): void {
  backup
    .command('create')
    .alias('add')
    .description('create a backup in BACKUP_DIR; the server can keep running')
    .option(
      '--out <dir>',
      'write it to this directory instead, outside DATA_DIR and CONTENT_DIR',
      (dir: string) => {
        // An unset variable of a script would name the program's own directory.
        if (dir.trim() === '') throw new InvalidArgumentError('It names no directory.')
        return dir
      },
    )
    .addOption(options.by())
    .action(async ({ out, by }: { out?: string; by: string }) => {
      const { features, config } = await useContext()
      const { path, size, manifest } = await features.backups.create({ out, by })
      print.line(`${path}: ${counted(manifest.files.length, 'file')}, ${size}.`)
      if (manifest.links.length > 0) {
        print.line(
          `${counted(manifest.links.length, 'link')} kept as links; files outside DATA_DIR they point to aren’t in the backup.`,
        )
      }
      if (config.secretKey !== null) {
        print.line('SECRET_KEY is set and isn’t in the backup; keep a copy of it.')
      } else if (config.backups.passphrase === null) {
        print.line(
          'The secret key isn’t in the backup. Set BACKUP_PASSPHRASE to include it encrypted, or save a copy with keys show --secret-to <file>.',
        )
      }
    })
}

function addReading(backup: Command, useConfig: UseConfig, print: Print): void {
  backup
    .command('list')
    .description('list backups in BACKUP_DIR and DATA_DIR/backups, newest first')
    .addOption(options.json())
    .action(async ({ json }: { json?: boolean }) => {
      const found = await (await load()).listForStaff(useConfig())
      const rows = found.map(({ madeAt, schema, bytes, size, name, kind, ...rest }) => ({
        name,
        kind,
        madeAt: when(madeAt),
        ...rest,
        ...(json ? { schema, bytes } : { size }),
      }))
      print.listing(rows, { json, none: 'No backups.' })
    })

  backup
    .command('check <name>')
    .description('verify a backup (name, or path of a directory)')
    .action(async (given: string) => {
      const { checkForStaff } = await load()
      const { path, files, key, hasSite, problems } = await checkForStaff(useConfig(), given)
      for (const problem of problems) print.line(problem)
      if (problems.length > 0) throw new Error(`${counted(problems.length, 'problem')} in ${path}.`)
      if (!hasSite) {
        print.line(
          `Files OK: ${path}, ${counted(files, 'file')}. It can’t be restored: there was no database when it was set aside.`,
        )
        return
      }
      print.line(`Backup OK: ${path}, ${counted(files, 'file')}.`)
      print.line(keyTexts[key])
    })
}

/** What is said of the secret key in a backup. */
const keyTexts: Readonly<Record<KeyInBackup, string>> = {
  no: 'It doesn’t include the secret key.',
  encrypted: 'It includes the secret key, encrypted with BACKUP_PASSPHRASE.',
  plain:
    'It includes the secret key unencrypted: anyone with this backup can forge links. Replace that key with keys rotate and keys revoke.',
}

function addRestoring(backup: Command, useConfig: UseConfig, print: Print): void {
  backup
    .command('restore <name>')
    .description('restore a backup (name, or path of a directory); the current state is kept aside')
    .option('--take-key', 'use the backup’s secret key instead of the current one')
    .option('--key-file <file>', 'use the secret key in a file written by keys show --secret-to')
    .option(
      '--last-invoice <number>',
      'the last invoice or credit note issued, if the state that issued it is lost: numbers continue after it',
      options.count,
    )
    .option('--yes', 'restore for real; stop the server first')
    .addOption(options.by())
    .action(async (given: string, asked: RestoreOptions) => {
      const { yes = false, takeKey, keyFile, lastInvoice, by } = asked
      if (takeKey && keyFile !== undefined) {
        throw new InvalidArgumentError('Use --take-key or --key-file, not both.')
      }
      const config = useConfig()
      const { restoreForStaff } = await load()
      const keys = { fromBackup: takeKey, file: keyFile }
      const restored = await restoreForStaff(config, given, {
        rehearse: !yes,
        keys,
        lastInvoice,
        by,
      })
      const {
        path,
        manifest,
        aside,
        key,
        invoices,
        since,
        stillListed,
        shortCards,
        contentIsBack,
      } = restored
      const from = when(manifest.madeAt)
      printKey(key, print)
      printInvoices(invoices, print)
      if (since) printDoneSince(since, { stillListed, shortCards, print })
      if (!yes) {
        print.line(`${path} is OK and would restore the state of ${from}.`)
        print.line(options.dryRun('restore it'))
        return
      }
      print.line(`Restored the state of ${from}.`)
      if (aside?.hadState) print.line(`The previous state is in ${aside.path}.`)
      else if (aside) {
        print.line(
          `There was no state here. What was in ${config.contentDir} before is in ${aside.path}/content-dir.`,
        )
      }
      if (!contentIsBack) {
        print.line(
          `${config.contentDir} isn’t writable: its files are in ${config.dataDir}/content-dir.`,
        )
      }
      print.line('Repeat any erasures made since then: see privacy erase.')
    })
}

type RestoreOptions = {
  yes?: boolean
  takeKey?: boolean
  keyFile?: string
  lastInvoice?: number
  by: string
}

/** Says after which number invoices go on, since no two may have the same one. */
function printInvoices(
  { inBackup, last, isKnown }: RestoredFromBackup['invoices'],
  print: Print,
): void {
  if (!isKnown) {
    const known = inBackup === null ? '' : ` The last one in it is ${inBackup}.`
    print.line(
      `There’s no state here that knows which invoices were issued after the backup.${known} If there were any, restore with --last-invoice <number>, or their numbers are given out again.`,
    )
  } else if (last !== null && last !== inBackup) {
    print.line(`Invoices continue with number ${last + 1}: ${last} was the last one issued.`)
  }
}

/** Says which key counts after a restore, and what is needed where the right one is missing. */
function printKey({ state, inBackup, counts }: RestoredFromBackup['key'], print: Print): void {
  if (state === 'set') print.line('Secret key replaced.')
  if (state === 'kept' && counts !== false) print.line('This machine’s secret key stays in use.')
  const how = [
    inBackup === 'encrypted' ? 'set BACKUP_PASSPHRASE and use --take-key' : null,
    inBackup === 'plain' ? 'say --take-key' : null,
    'pass it with --key-file <file>',
    'set SECRET_KEY, if it came from there',
  ].filter((each) => each !== null)
  if (state === 'missing') {
    print.line(
      `There is no secret key here. Without the backup’s key, its sessions, access codes and links won’t work, and the server doesn’t start. To restore that key: ${how.join(', or ')}. If it’s gone for good, run keys rotate --lost.`,
    )
  } else if (counts === false) {
    print.line(
      `The backup was made with a different secret key: its sessions, access codes and links won’t work. To restore that key: ${how.join(', or ')}.`,
    )
  }
}

function addRemoval(backup: Command, useConfig: UseConfig, print: Print): void {
  backup
    .command('remove <name>')
    .description('delete a backup')
    .addOption(options.yes())
    .addOption(options.by())
    .action(async (name: string, { yes, by }: { yes?: boolean; by: string }) => {
      const { backupForStaff, removeForStaff } = await load()
      if (yes) {
        await removeForStaff(useConfig(), name, by)
        print.line(`${name} is removed.`)
        return
      }
      const { kind, madeAt, size } = await backupForStaff(useConfig(), name)
      print.facts({ name, kind, madeAt: when(madeAt), size })
      print.line(options.dryRun('remove it'))
    })
}
