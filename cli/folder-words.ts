import type { Context } from '#server/context.ts'
import { stateOf, type Folder } from '#server/folders/store.ts'
import type { SyncResult } from '#server/folders/sync.ts'
import { paths } from '#shared/paths.ts'
import { when, type Print } from './print.ts'
import { harmless } from './terminal.ts'

/** A folder that must be there. @throws when it is not */
export function known(folder: Folder | null, id: string): Folder {
  if (folder === null) throw new Error(`There is no folder ${harmless(id)}.`)
  return folder
}

/** Everything about a folder but its password. */
export function whole(folder: Folder, { clock, config, features: { folders, clients } }: Context) {
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

/** Says what a sync did. */
export function syncLines(
  print: Print,
  { files, bytes, added, changed, removed, refused }: SyncResult,
): void {
  const size = (bytes / 1e6).toFixed(1)
  print.line(`${files} files, ${size} MB: ${added} new, ${changed} changed, ${removed} gone`)
  for (const { path, why } of refused) print.line(`left out: ${harmless(path)} (${why})`)
}
