import type { FolderFile } from '#shared/folders.ts'
import { cannotBeCleaned } from './checksums.ts'
import type { StoredFile } from './file-store.ts'
import type { PickStore } from './picks.ts'
import type { Picker } from './picker-store.ts'
import { isGranted, type Rights } from './rights.ts'
import type { Folder } from './store.ts'

/** Who looks at the files of a folder. */
export type FileViewer = { picker: Picker | null; rights: Rights }

/**
 * Files as the page of their folder shows them to a visitor, with what he marked.
 * @param sections the names of the folder's sections, in their order
 */
export function shownFiles(
  picks: PickStore,
  { keepLocation }: Folder,
  files: readonly StoredFile[],
  sections: readonly string[],
  { picker, rights }: FileViewer,
): FolderFile[] {
  const ids = files.map(({ id }) => id)
  const marks = new Map(picker ? picks.marks(picker.id, ids).map((mark) => [mark.file, mark]) : [])
  return files.map((file) => {
    const { id, name, kind, size, width, height, poster, mtime, section, broken } = file
    return {
      id,
      name,
      kind,
      size,
      width,
      height,
      // A picture of unknown size is one that could not be read.
      pixels: (kind === 'image' || poster !== null) && width !== null,
      version: `${mtime.toString(36)}-${size.toString(36)}`,
      section: sections.indexOf(section),
      broken: broken === 1,
      held: keepLocation === 0 && cannotBeCleaned(file),
      allowed: isGranted('file', file, rights),
      heart: marks.get(id)?.heart === 1,
      comment: marks.get(id)?.comment ?? null,
    }
  })
}
