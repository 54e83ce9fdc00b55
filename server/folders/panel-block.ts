import * as z from 'zod/mini'
import { counted } from '#shared/text/counted.ts'
import type { BlockTile } from '#shared/clients/panel-block.ts'
import { paths } from '#shared/paths.ts'
import { panelDay, type PanelBlock } from '../contributions/panel-block.ts'
import type { FolderCounts } from './counts.ts'
import { stateOf, type FolderStore } from './store.ts'
import type { Folder } from './schema.ts'

/** What staff put into the block: the keys of folders. */
const blockData = z.object({ folders: z.array(z.string()) })

/**
 * The block of shared folders: a card for each that is open, with its cover, how much is in it, and
 * how often it was looked at and downloaded from.
 */
export const folderBlock = ({
  store,
  counts,
  clock,
}: {
  store: FolderStore
  counts: FolderCounts
  clock: () => number
}): PanelBlock => ({
  kind: 'folders',
  title: 'Folders',
  by: 'staff',
  content: {
    schema: blockData,
    options: ['folder'],
    // With their keys, since an alias may be another folder's one day.
    settle: (said) => ({ ...said, ...keysOf(said, store) }),
    note: 'A folder without a password now opens only for the clients of its panels;\nfolders set <folder> --anyone opens it to anyone with the link.',
  },
  load: ({ own }) => ({
    view: 'tiles',
    tiles: blockData.parse(own?.data).folders.flatMap((id) => {
      const folder = store.find(id)
      return folder && stateOf(folder, clock()) === 'open' ? [tile(folder, store, counts)] : []
    }),
  }),
})

function keysOf(said: Readonly<Record<string, unknown>>, store: Pick<FolderStore, 'find'>) {
  const { success, data } = blockData.safeParse(said)
  if (!success) return {}
  const folders = data.folders.map((id) => {
    const folder = store.find(id)
    if (!folder) throw new Error(`Folder not found: ${id}.`)
    return folder.key
  })
  return { folders }
}

function tile(folder: Folder, store: FolderStore, counts: FolderCounts): BlockTile {
  const { id, key, title, fileCount, expiresAt } = folder
  const cover = store.cover(id)
  const { views, files, zips } = counts.totals(id)
  const facts = [
    counted(fileCount, 'file'),
    views > 0 && counted(views, 'view'),
    files + zips > 0 && counted(files + zips, 'download'),
    expiresAt !== null && `open until ${panelDay(expiresAt - 1)}`,
  ]
  return {
    title,
    detail: facts.filter(Boolean).join(', '),
    href: paths.folder(key),
    picture: cover && paths.folderThumb(key, cover.id, `${cover.mtime}`),
  }
}
