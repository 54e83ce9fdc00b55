import { filesPerPage, type FolderFile, type FolderView } from '#shared/folders.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { FolderAccess } from './access.ts'
import { cannotBeCleaned } from './checksums.ts'
import type { Folders } from './folders.ts'
import { heldTotal } from './held-files.ts'
import { lockedView } from './locked-view.ts'
import type { Pickers } from './pickers.ts'
import type { Picker } from './picker-store.ts'
import { problem } from './problems.ts'
import { isGranted, type Rights } from './rights.ts'
import type { StoredFile } from './file-store.ts'
import type { Folder } from './store.ts'

/** What the page of a folder is asked for. */
export type ViewInput = {
  id: string
  page: number
  show: 'all' | 'favourites'
  open: number | null
  below?: string | undefined
}

type Section = { name: string; count: number; first: number }

/** Makes the answer that the page of a folder is drawn from. */
export function createView({
  folders,
  access,
  pickers,
}: {
  folders: Folders
  access: FolderAccess
  pickers: Pickers
}) {
  const { store, picks } = folders
  /** Only a sync changes them, and finding them takes a look at every file. */
  const known = new Map<number, { syncedAt: number | null; sections: Section[] }>()
  const sectionsOf = ({ id, syncedAt }: Folder): Section[] => {
    const before = known.get(id)
    if (before && before.syncedAt === syncedAt) return before.sections
    const sections = store.sections(id)
    known.set(id, { syncedAt, sections })
    return sections
  }
  return (
    input: ViewInput,
    requestContext: RequestContext,
  ): { view: FolderView; folder: Folder | null } => {
    const { id } = input
    const allowed = access.of(id, requestContext)
    if (allowed.state === 'missing') return { view: problem(id, 'missing'), folder: null }
    if (allowed.state === 'gone') return { view: problem(id, 'gone'), folder: null }
    if (allowed.state === 'locked')
      return { view: lockedView(id, allowed.by, requestContext), folder: null }
    if (input.below) return { view: problem(id, 'file'), folder: null }
    const { folder } = allowed
    const picker = picks.of(folder.id, pickers.find(folder, requestContext))
    return { folder, view: openView(folder, picker, input, allowed.rights) }
  }

  function openView(
    folder: Folder,
    picker: Picker | null,
    input: ViewInput,
    { originals, web, select }: Rights,
  ): FolderView {
    const shown = input.open === null ? null : store.file(folder.id, input.open)
    const hearts = input.show === 'favourites' ? (picker ? picks.hearts(picker.id) : []) : null
    const found = hearts ? hearts.length : folder.fileCount
    const pages = Math.max(1, Math.ceil(found / filesPerPage))
    const wanted = shown && !hearts ? Math.floor(shown.position / filesPerPage) + 1 : input.page
    const page = Math.min(wanted, pages)
    const from = (page - 1) * filesPerPage
    const files = hearts
      ? store.some(folder.id, hearts.slice(from, from + filesPerPage))
      : store.page(folder.id, from, filesPerPage)
    const sections = sectionsOf(folder)
    return {
      state: 'open',
      id: input.id,
      title: folder.title,
      client: folder.client,
      season: folder.season,
      count: folder.fileCount,
      bytes: folder.totalBytes,
      held: heldTotal(store, folder),
      expiresAt: folder.expiresAt === null ? null : new Date(folder.expiresAt).toISOString(),
      downloadsLeft:
        folder.downloadsMost === null ? null : Math.max(0, folder.downloadsMost - folder.downloads),
      filter: input.show,
      page,
      pages,
      found,
      sections: sections.map(({ name, count, first }) => ({
        name,
        count,
        page: Math.floor(first / filesPerPage) + 1,
      })),
      files: shownFiles(
        folder,
        files,
        sections.map(({ name }) => name),
        picker,
        { originals, web, select },
      ),
      picks: picks.summary(select ? folder : { ...folder, rounds: 'none' }, picker),
      may: { originals, web },
      shown: shown?.id ?? null,
    }
  }

  function shownFiles(
    { keepLocation }: Folder,
    files: readonly StoredFile[],
    sections: readonly string[],
    picker: Picker | null,
    rights: Rights,
  ): FolderFile[] {
    const ids = files.map(({ id }) => id)
    const marks = new Map(
      picker ? picks.marks(picker.id, ids).map((mark) => [mark.file, mark]) : [],
    )
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
}
