import type { Context } from '#server/context.ts'
import { heldTotal } from '#server/folders/held-files.ts'
import { stateOf, type Folder } from '#server/folders/store.ts'
import type { SyncResult } from '#server/folders/sync.ts'
import { paths } from '#shared/paths.ts'
import { when, type Print } from './print.ts'
import { harmless } from './terminal.ts'

/** A folder that must be there. @throws when it is not */
export function mustFind(folder: Folder | null, id: string): Folder {
  if (folder === null) throw new Error(`There is no folder ${harmless(id)}.`)
  return folder
}

/** Everything about a folder but its password. */
export function fullRow(
  folder: Folder,
  { clock, config, features: { folders, clients } }: Context,
) {
  const { key, alias, directory, title, client, season } = folder
  const totals = folders.counts.totals(folder.id)
  return {
    folder: key,
    address: config.siteUrl + paths.folder(alias ?? key),
    title,
    client,
    season,
    state: stateOf(folder, clock()),
    expires: when(folder.expiresAt),
    revoked: when(folder.revokedAt),
    password: folder.password !== null,
    alias,
    panels: clients.panels.withFolder(folder).join(' '),
    anyone: folder.anyone === 1,
    keepLocation: folder.keepLocation === 1,
    heldBack: heldTotal(folders.store, folder).count,
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
    downloadsMost: folder.downloadsMost,
    created: when(folder.createdAt),
  }
}

/** Files that are named; staff find further ones by --json. */
const mostNamed = 10

/** Says which files of a folder are shown and not given away, and what opens them. */
export function heldLines(print: Print, { key }: Folder, held: readonly string[]): void {
  if (held.length === 0) return
  for (const path of held.slice(0, mostNamed)) print.line(`held back: ${harmless(path)}`)
  if (held.length > mostNamed) print.line(`held back: ${held.length - mostNamed} more`)
  print.line(
    `Serial numbers cannot be taken out of these camera files, so nobody gets them;\nfolders set ${key} --keep-location lets all files of the folder leave as they are.`,
  )
}

/** Says what a sync did. */
export function syncLines(
  print: Print,
  folder: Folder,
  { files, bytes, added, changed, removed, refused, held }: SyncResult,
): void {
  const size = (bytes / 1e6).toFixed(1)
  print.line(`${files} files, ${size} MB: ${added} new, ${changed} changed, ${removed} gone`)
  for (const { path, why } of refused) print.line(`left out: ${harmless(path)} (${why})`)
  heldLines(print, folder, held)
}
