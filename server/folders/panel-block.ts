import type { BlockTile } from '#shared/clients.ts'
import { paths } from '#shared/paths.ts'
import type { BlockKinds } from '../clients/blocks.ts'
import { blockData, day } from '../clients/own-blocks.ts'
import { stateOf, type Folder, type FolderStore } from './store.ts'

/** Adds the block of shared folders: a card for each that is open, with its cover and its count. */
export function addFolderBlock(
  kinds: BlockKinds,
  { store, clock }: { store: FolderStore; clock: () => number },
): void {
  kinds.register('folders', {
    title: 'Folders',
    by: 'staff',
    load: ({ own }) => ({
      view: 'tiles',
      tiles: blockData.folders.parse(own?.data).folders.flatMap((id) => {
        const folder = store.find(id)
        return folder && stateOf(folder, clock()) === 'open' ? [tile(folder, store)] : []
      }),
    }),
  })
}

function tile(folder: Folder, store: FolderStore): BlockTile {
  const { id, key, title, fileCount, expiresAt } = folder
  const cover = store.cover(id)
  const count = `${fileCount} ${fileCount === 1 ? 'file' : 'files'}`
  return {
    title,
    detail: expiresAt === null ? count : `${count}, open until ${day(expiresAt)}`,
    href: paths.folder(key),
    picture: cover && paths.folderThumb(key, cover.id, `${cover.mtime}`),
  }
}
