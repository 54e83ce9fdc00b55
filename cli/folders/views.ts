import type { Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { SharedFolder } from '#server/folders/acts.ts'
import type { Folder } from '#server/folders/schema.ts'
import { bytesText } from '#shared/text/bytes.ts'
import { counted } from '#shared/text/counted.ts'
import { paths } from '#shared/paths.ts'
import { findByName, type Naming } from '../common/named.ts'
import { end, lastDay, when, type Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import * as options from '../common/options.ts'
import type { UseContext } from '../common/command.ts'

/**
 * A folder by its id or alias, or by words of its title, directory or client.
 * @throws when there is none; AmbiguousName when there are several
 */
export function folderOf({ features: { folders } }: Context, given: string, how?: Naming): Folder {
  return (
    folders.store.find(given) ??
    findByName(
      'Folder',
      given,
      folders.store.list(),
      { namesOf, ownNamesOf, about: candidate },
      how,
    )
  )
}

/** What people know a folder by. */
export const namesOf = ({ key, alias, title, client, season, directory }: Folder) => [
  title,
  directory,
  client,
  season,
  alias,
  key,
]

const ownNamesOf = ({ key, alias, title, directory }: Folder) => [title, directory, alias, key]

const candidate = ({ key, title, client, season }: Folder): string =>
  [key, title, client, season].filter(Boolean).join('  ')

/** A line of a table. */
export function tableRow(folder: Folder, context: Context) {
  const { folder: key, title, client, state, files, views, downloads } = fullRow(folder, context)
  return {
    folder: key,
    title,
    client,
    state,
    files,
    views,
    downloads,
    ends: lastDay(folder.expiresAt) ?? 'never',
  }
}

/** Everything about a folder but its password. */
export function fullRow(folder: Folder, { config, features: { folders, clients } }: Context) {
  const { key, alias, directory, title, client, season } = folder
  const totals = folders.counts.totals(folder.id)
  return {
    folder: key,
    address: config.siteUrl + paths.folder(alias ?? key),
    title,
    client,
    season,
    state: folders.acts.stateOf(folder),
    expires: when(folder.expiresAt),
    revoked: when(folder.revokedAt),
    password: folder.password !== null,
    alias,
    panels: clients.panels.withFolder(folder).join(' '),
    anyone: folder.anyone,
    keepLocation: folder.keepLocation,
    watermark: folder.watermark,
    heldBack: folders.acts.withheldCount(folder),
    directory,
    files: folder.fileCount,
    bytes: folder.totalBytes,
    synced: when(folder.syncedAt),
    rounds: folder.rounds,
    views: totals.views,
    visitors: totals.visitors,
    fileDownloads: totals.files,
    zipDownloads: totals.zips,
    downloads: folder.downloads,
    downloadsMost: folder.maxDownloads,
    created: when(folder.createdAt),
  }
}

/** The same for people. */
export const shownRow = (folder: Folder, context: Context) => ({
  ...fullRow(folder, context),
  expires: end(folder.expiresAt),
})

/** Files that are named; staff find further ones by --json. */
const maxNamed = 10

/** Says which files of a folder are shown and not given away, and what opens them. */
export function withheldLines(print: Print, { key }: Folder, withheld: readonly string[]): void {
  if (withheld.length === 0) return
  for (const path of withheld.slice(0, maxNamed)) print.line(`withheld: ${harmless(path)}`)
  if (withheld.length > maxNamed) print.line(`withheld: ${withheld.length - maxNamed} more`)
  print.line(
    `These RAW files aren’t delivered: their serial numbers can’t be removed.\nfolders set ${key} --keep-location delivers all files of the folder unchanged.`,
  )
}

/** Says what a sync did. */
export function syncLines(
  print: Print,
  folder: Folder,
  { files, bytes, added, changed, removed, refused, goneMarked, held }: SharedFolder['sync'],
): void {
  print.line(
    `${files === 1 ? '1 file' : `${files} files`}, ${bytesText(bytes)}: ${added} new, ${changed} changed, ${removed} gone`,
  )
  for (const { path, why } of refused) print.line(`skipped: ${harmless(path)} (${why})`)
  goneMarkedLines(print, goneMarked)
  withheldLines(print, folder, held)
}

/** Says which of the files that are gone visitors had marked. */
function goneMarkedLines(print: Print, gone: SharedFolder['sync']['goneMarked']): void {
  if (gone.length === 0) return
  for (const { path, visitors } of gone.slice(0, maxNamed)) {
    print.line(`gone: ${harmless(path)} (marked by ${counted(visitors, 'visitor')})`)
  }
  if (gone.length > maxNamed) print.line(`gone: ${gone.length - maxNamed} more that were marked`)
  print.line('Their favourites and comments are kept: put the files back and they’re marked again.')
}

/** `folders stats`: who looked and what was downloaded; machines are in none of it. */
export function addFolderStats(folders: Command, useContext: UseContext, print: Print): void {
  folders
    .command('stats <folder>')
    .description('daily views, visitors and downloads, or downloads per file')
    .option('--files', 'downloads per file')
    .addOption(options.json())
    .action(async (id: string, { files, json }: { files?: boolean; json?: boolean }) => {
      const context = await useContext()
      const { folders: noun } = context.features
      const folder = folderOf(context, id)
      const totals = noun.counts.totals(folder.id)
      const days = noun.counts.days(folder.id, 366)
      const byFile = noun.store
        .files(folder.id)
        .map(({ path, downloads }) => ({ path, downloads }))
        .toSorted((a, b) => b.downloads - a.downloads)
      if (json) {
        print.json({ folder: folder.key, title: folder.title, totals, days, files: byFile })
        return
      }
      print.line(
        harmless(
          `${folder.title}: ${counted(totals.views, 'view')}, ${counted(totals.visitors, 'daily visitor')}, ${counted(totals.files, 'file download')}, ${counted(totals.zips, 'ZIP download')}`,
        ),
      )
      print.listing(files ? byFile : days, { none: 'No visits yet.' })
    })
}
