import { filesPerPage, type FolderView } from '#shared/folders.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { FolderAccess } from './access.ts'
import type { Folders } from './folders.ts'
import { heldTotal } from './held-files.ts'
import { lockedView } from './locked-view.ts'
import type { Pickers } from './pickers.ts'
import type { Picker } from './picker-store.ts'
import { problem } from './problems.ts'
import { shownFiles, type FileViewer } from './shown-files.ts'
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

type OpenFolders = Pick<Folders, 'store' | 'picks'>

/** Makes the answer that the page of a folder is drawn from. */
export function createView({
  folders,
  access,
  pickers,
}: {
  folders: OpenFolders
  access: FolderAccess
  pickers: Pickers
}) {
  const openView = createOpenView(folders)
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
    const { folder, rights } = allowed
    const picker = folders.picks.of(folder.id, pickers.find(folder, requestContext))
    return { folder, view: openView(folder, input, { picker, rights }) }
  }
}

/** Makes what shows a folder to a visitor who may see it. */
function createOpenView(folders: OpenFolders) {
  const { store, picks } = folders
  const sectionsOf = createSections(store)
  return (folder: Folder, input: ViewInput, viewer: FileViewer): FolderView => {
    const { picker, rights } = viewer
    const { originals, web, select } = rights
    const { page, pages, found, files, shown } = pageOf(folders, folder, input, picker)
    const sections = sectionsOf(folder)
    const names = sections.map(({ name }) => name)
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
      files: shownFiles(picks, folder, files, names, viewer),
      picks: picks.summary(select ? folder : { ...folder, rounds: 'none' }, picker),
      may: { originals, web },
      shown,
    }
  }
}

/** Makes what knows the sections: only a sync changes them, and finding them takes a look at every file. */
function createSections(store: Folders['store']) {
  const known = new Map<number, { syncedAt: number | null; sections: Section[] }>()
  return ({ id, syncedAt }: Folder): Section[] => {
    const before = known.get(id)
    if (before && before.syncedAt === syncedAt) return before.sections
    const sections = store.sections(id)
    known.set(id, { syncedAt, sections })
    return sections
  }
}

/** The files of the page that is asked for, or of the one with the file that is to be open. */
function pageOf(
  { store, picks }: OpenFolders,
  { id, fileCount }: Folder,
  { page: asked, show, open }: ViewInput,
  picker: Picker | null,
) {
  const shown = open === null ? null : store.file(id, open)
  const hearts = show === 'favourites' ? (picker ? picks.hearts(picker.id) : []) : null
  const found = hearts ? hearts.length : fileCount
  const pages = Math.max(1, Math.ceil(found / filesPerPage))
  const wanted = shown && !hearts ? Math.floor(shown.position / filesPerPage) + 1 : asked
  const page = Math.min(wanted, pages)
  const from = (page - 1) * filesPerPage
  const files = hearts
    ? store.some(id, hearts.slice(from, from + filesPerPage))
    : store.page(id, from, filesPerPage)
  return { page, pages, found, files, shown: shown?.id ?? null }
}
