import { basename } from 'node:path'
import { isFailure } from '#shared/failures.ts'
import { Option, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { FolderActs, FolderEntry } from '#server/folders/acts.ts'
import type { Folder } from '#server/folders/schema.ts'
import { paths } from '#shared/paths.ts'
import * as options from '../common/options.ts'
import { when, type Print } from '../common/print.ts'
import { readSecret } from '../common/secret-input.ts'
import { folderOf, fullRow, shownRow, syncLines } from './views.ts'
import type { UseContext } from '../common/command.ts'
import { harmless } from '../common/terminal.ts'

/** What a command line says about a folder. */
type FolderFlags = {
  title?: string
  client?: string
  season?: string
  /** False by `--no-alias`. */
  alias?: string | false
  expires?: options.Limit
  password?: boolean
  randomPassword?: boolean
  keepLocation?: boolean
  watermark?: boolean
  anyone?: boolean
  downloads?: { max: number | null }
  rounds?: Folder['rounds']
  by: string
}

/** What `folders set` says in addition to these. */
type SetFlags = FolderFlags & { json?: boolean; reopen?: boolean }

/** The options that say something about a folder. */
const about = (command: Command) =>
  command
    .option('--title <text>', 'title shown to clients')
    .option('--client <name>', 'client name shown on the page')
    .option('--season <text>', 'season, event or date')
    .option('--alias <name>', 'readable address; needs a password')
    .addOption(options.expires())
    .option('--password', 'set a password (asked here, or read from standard input)')
    .addOption(
      new Option('--random-password', 'generate a password and print it once').conflicts(
        'password',
      ),
    )
    .option(
      '--keep-location',
      'keep GPS, serial numbers and owner in delivered files, RAW included',
    )
    .option('--no-keep-location', 'remove them (default)')
    .option('--watermark', 'proofs: your name across every photo, and no originals')
    .option('--no-watermark', 'deliver photos unchanged (default)')
    .addOption(
      new Option('--downloads <number>', 'maximum downloads, or "unlimited"').argParser(
        (text: string) => ({
          max: text === 'unlimited' || text === 'any' ? null : options.count(text),
        }),
      ),
    )
    .addOption(
      new Option('--rounds <rounds>', 'whether and how often clients can send favourites').choices([
        'none',
        'one',
        'many',
      ]),
    )
    .addOption(options.by())
    .addOption(options.json())

/** What the options say of a folder; the password is asked for. */
const entryOf = ({
  title,
  client,
  season,
  alias,
  expires,
  anyone,
  keepLocation,
  watermark,
  downloads,
  rounds,
  password,
  randomPassword,
}: FolderFlags): FolderEntry => ({
  ...(title !== undefined && { title }),
  ...(client !== undefined && { client }),
  ...(season !== undefined && { season }),
  ...(alias !== undefined && { alias: alias === false ? null : alias }),
  ...(expires && { expiresAt: expires.at }),
  ...(anyone !== undefined && { anyone }),
  ...(keepLocation !== undefined && { keepLocation }),
  ...(watermark !== undefined && { watermark }),
  ...(downloads && { maxDownloads: downloads.max }),
  ...(rounds !== undefined && { rounds }),
  ...(password === true && { password: () => readSecret('Password of the folder: ') }),
  ...(password === false && { password: null }),
  ...(randomPassword && { password: 'random' }),
})

/** For JSON: a password that was made just now. */
const onlyNow = (password: string | null) => password !== null && { newPassword: password }

/** For people: the same, once. */
function printPassword(print: Print, password: string | null): void {
  if (password === null) return
  print.line(`Password: ${password}\nShown only once: save it or send it now.`)
}

/** `folders set`, `expire`, `revoke` and `enable`: who may see a folder, and for how long. */
export function addFolderAccess(folders: Command, useContext: UseContext, print: Print): void {
  about(folders.command('set <folder>'))
    .alias('edit')
    .description('change a folder; a new password signs everyone out')
    .option('--no-password', 'remove the password')
    .option('--no-alias', 'remove the alias')
    .option('--anyone', 'open to anyone with the link')
    .option('--no-anyone', 'open only to clients of its panels (default once it was in one)')
    .option('--reopen', 'reopen after revoke')
    .action(async (id: string, flags: SetFlags, verb: Command) => {
      options.mustChangeSomething(verb)
      const context = await useContext()
      const folder = folderOf(context, id)
      const entry = { ...entryOf(flags), ...(flags.reopen && { reopen: true }) }
      const { acts } = context.features.folders
      const { folder: changed, password } = await acts.change(folder, entry, flags.by)
      if (flags.json) print.json({ ...fullRow(changed, context), ...onlyNow(password) })
      else {
        print.facts(shownRow(changed, context))
        printPassword(print, password)
      }
    })

  const act = async (id: string, name: 'expire' | 'revoke' | 'enable', { by }: { by: string }) => {
    const context = await useContext()
    return context.features.folders.acts[name](folderOf(context, id), by)
  }
  folders
    .command('rename <folder> <title>')
    .description('change the title of a folder; its address stays')
    .addOption(options.by())
    .action(async (id: string, title: string, { by }: { by: string }) => {
      const context = await useContext()
      const { acts } = context.features.folders
      const before = folderOf(context, id)
      const { folder } = await acts.change(before, { title }, by)
      print.line(`${harmless(before.title)} → ${harmless(folder.title)}`)
    })

  folders
    .command('remove <folder>')
    .description('remove a folder with its favourites and statistics; the files stay on disk')
    .addOption(options.yes())
    .addOption(options.by())
    .action(async (id: string, { yes, by }: { yes?: boolean; by: string }) => {
      const context = await useContext()
      const folder = folderOf(context, id, { exactly: true })
      const lost = await context.features.folders.acts.remove(folder, by, { rehearse: !yes })
      const what = `${harmless(folder.title)}: ${counted(lost.favourites, 'favourite')}, ${counted(lost.panels, 'panel')}`
      print.line(yes ? `${what}: removed. Its files are still in ${lost.directory}.` : what)
      if (!yes) print.line(options.dryRun('remove it'))
    })

  folders
    .command('notify <folder>')
    .description('tell the client that a gallery is ready (dry run without --send)')
    .option(
      '--to <emails...>',
      'send to these addresses instead of the clients whose panels have it',
    )
    .option('--send', 'send it')
    .addOption(options.by())
    .action(async (id: string, { to, send, by }: { to?: string[]; send?: boolean; by: string }) => {
      const context = await useContext()
      const { acts } = context.features.folders
      const folder = folderOf(context, id)
      const emails = to ?? acts.clientsOf(folder)
      if (!send) {
        const { title, files, opensWith, key } = acts.galleryFor(folder, '')
        print.facts({
          to: emails.join(', ') || '(no client with it in a panel has an email address: add --to)',
          gallery: `${title}, ${counted(files, 'file')}, opens with ${opensWith}`,
          link: context.config.siteUrl + paths.folder(key),
          told: folder.toldAt === null ? 'not yet' : when(folder.toldAt),
        })
        print.line(options.dryRun('email it', '--send'))
        return
      }
      const recipients = await acts.tellReady(folder, emails, by)
      print.line(
        recipients.length > 0
          ? `On its way to ${recipients.join(', ')}.`
          : 'They’ve already heard of the gallery as it is.',
      )
    })

  folders
    .command('renew <folder>')
    .description('give a folder a new address; the old link and its alias stop working')
    .addOption(options.by())
    .action(async (id: string, { by }: { by: string }) => {
      const context = await useContext()
      // Throws where the address of the site is not known, before anything ends.
      const { siteUrl } = context.config
      const { key } = await context.features.folders.acts.renew(folderOf(context, id), by)
      print.line(siteUrl + paths.folder(key))
    })

  folders
    .command('expire <folder>')
    .description('expire a folder now (undo with set --expires)')
    .addOption(options.by())
    .action(async (id: string, flags: { by: string }) => {
      const { title, expiresAt } = await act(id, 'expire', flags)
      print.line(`${harmless(title)}: closed ${when(expiresAt)}`)
    })
  folders
    .command('revoke <folder>')
    .alias('disable')
    .description('close a folder immediately (undo with enable)')
    .addOption(options.by())
    .action(async (id: string, flags: { by: string }) => {
      const { title, revokedAt } = await act(id, 'revoke', flags)
      print.line(`${harmless(title)}: closed ${when(revokedAt)}`)
    })
  folders
    .command('enable <folder>')
    .description('reopen a closed folder until it expires')
    .addOption(options.by())
    .action(async (id: string, flags: { by: string }) => {
      const { title } = await act(id, 'enable', flags)
      print.line(`${harmless(title)}: open`)
    })
}

/** `folders add`, `upload`, `watch` and `sync`: a directory becomes a gallery, and one again after a change. */
export function addFolderFilling(folders: Command, useContext: UseContext, print: Print): void {
  about(folders.command('add <directory>'))
    .description('share a directory below DATA_DIR/folders (expires in 90 days by default)')
    .action(async (given: string, flags: FolderFlags & { json?: boolean }) => {
      const context = await useContext()
      // Throws where the address of the site is not known, before anything is shared.
      const { siteUrl } = context.config
      const { acts } = context.features.folders
      const made = await acts.share(given, entryOf(flags), flags.by, progress)
      const { folder, password, sync: result } = made
      if (flags.json) {
        print.json({ ...fullRow(folder, context), sync: result, ...onlyNow(password) })
        return
      }
      syncLines(print, folder, result)
      print.line(siteUrl + paths.folder(folder.alias ?? folder.key))
      printPassword(print, password)
    })

  folders
    .command('upload <folder> <files...>')
    .description(
      'copy photos and other files into a folder; an interrupted copy goes on when repeated',
    )
    .option('--section <name>', 'the section they belong to, such as "Day 1"; made if missing')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (id: string, given: string[], flags: UploadFlags) => {
      const { by, json, section } = flags
      const context = await useContext()
      const { acts } = context.features.folders
      const folder = folderOf(context, id)
      const rows: Record<string, string>[] = []
      const result = await acts.upload(folder, { paths: given, section }, by, (file, placed) => {
        const became = placed.state === 'refused' ? placed.why : placed.path
        rows.push({ file, state: placed.state, became })
        if (!json) print.line(uploadLine(file, placed))
      })
      const added = rows.flatMap(({ state, became }) => (state === 'added' ? (became ?? []) : []))
      const noPreview = acts.withoutPreview(folder, added)
      if (json) print.json({ folder: folder.key, files: rows, sync: result, noPreview })
      else if (result) syncLines(print, folder, result)
      for (const path of json ? [] : noPreview) {
        print.line(`no preview: ${harmless(path)} (clients see its name alone)`)
      }
      const refused = rows.filter(({ state }) => state === 'refused').length
      if (refused > 0) throw new Error(`${refused} of ${rows.length} files weren’t taken.`)
    })

  folders
    .command('watch <folder>')
    .description('sync a folder as files appear in its directory, until Ctrl-C')
    .action(async (id: string) => {
      const context = await useContext()
      const { acts } = context.features.folders
      const folder = folderOf(context, id)
      const ending = new AbortController()
      const end = () => ending.abort()
      process.once('SIGINT', end).once('SIGTERM', end)
      let total = 0
      let isFirst = true
      const came = ({ sync, added }: Parameters<Parameters<typeof acts.watch>[1]>[0]) => {
        for (const path of added) print.line(`new: ${harmless(path)}`)
        total += added.length
        syncLines(print, folder, sync)
        if (isFirst) print.line(`Watching ${harmless(folder.title)}. Ctrl-C ends.`)
        isFirst = false
      }
      try {
        await acts.watch(folder, came, ending.signal)
      } finally {
        process.off('SIGINT', end).off('SIGTERM', end)
      }
      print.line(total === 1 ? '1 new file.' : `${total} new files.`)
    })

  folders
    .command('sync [folder]')
    .description('rescan one folder or all')
    .option('--accept-gone', 'its files are all meant to be gone, with what visitors marked')
    .addOption(options.json())
    .action(async (id: string | undefined, flags: { acceptGone?: boolean; json?: boolean }) => {
      const { json, acceptGone: isGoneMeant } = flags
      const context = await useContext()
      const { folders: noun } = context.features
      const wanted = id === undefined ? noun.store.list() : [folderOf(context, id)]
      const rows: Record<string, unknown>[] = []
      const failed: string[] = []
      for (const folder of wanted) {
        try {
          const result = await noun.sync(folder, progress, { isGoneMeant: isGoneMeant ?? false })
          rows.push({ folder: folder.key, ...result })
          if (!json) {
            print.line(harmless(folder.title))
            syncLines(print, folder, result)
          }
        } catch (error) {
          // The disk of one folder that is away doesn't keep the others from theirs.
          if (!isFailure(error)) throw error
          failed.push(harmless(error.message))
        }
      }
      if (json) print.json(rows)
      else if (wanted.length === 0) print.line('No folders.')
      if (failed.length > 0) throw new Error(failed.join('\n'))
    })
}

type UploadFlags = { section?: string; by: string; json?: boolean }

/** What became of a file that was to be copied into a folder. */
function uploadLine(file: string, placed: Parameters<Parameters<FolderActs['upload']>[3]>[1]) {
  const name = harmless(basename(file))
  if (placed.state === 'refused') return `refused: ${name} (${placed.why})`
  if (placed.state === 'same') return `already there: ${name}`
  // macOS writes ä as a and a diaeresis; galleries have it as one letter.
  const other =
    placed.path === basename(file).normalize('NFC') ? '' : ` as ${harmless(placed.path)}`
  return `added: ${name}${other}`
}

/** How far a sync is, on a terminal. */
function progress(done: number, all: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(done + 1 < all ? `\r${done + 1} of ${all} files` : '\r\u001b[K')
}
