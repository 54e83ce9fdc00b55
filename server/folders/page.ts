import { basename } from 'node:path/posix'
import { failure } from '#shared/failures.ts'
import {
  getFolder,
  getFolderNews,
  setFavourite,
  filesPerPage,
  folderFilter,
  maxReviewed,
  type FavouriteFile,
  type FolderFile,
  type FolderFilter,
  type FolderView,
  type OpenFolder,
} from '#shared/folders/folders.ts'
import type { Entries } from '#shared/forms/form.ts'
import type { Platform } from '../feature.ts'
import type { Endpoints, Rules } from '../http/endpoints.ts'
import type { FolderAccess } from './access/access.ts'
import type { Folders } from './folders.ts'
import type { FavouriteVisitors } from './favourites/visitors.ts'
import { favouriteLimit } from './limits.ts'
import { asksFor, lockedView, problem, type createReplies } from './access/refusals.ts'
import type { RequestContext } from '../http/request-context.ts'
import { withheldTotal } from './files/withheld.ts'
import type { Favourites } from './favourites/store.ts'
import { cannotBeCleaned } from './files/checksums.ts'
import { isGranted, type Rights } from './access/rights.ts'
import type { Folder, FolderVisitor, StoredFile } from './schema.ts'

/** Serves the data of a folder's page, and the marks that scripts of the page set. */
export function serveFolder(
  { commit, log }: Pick<Platform, 'commit' | 'log'>,
  endpoints: Endpoints,
  {
    folders,
    access,
    visitors,
    replies,
  }: {
    folders: Folders
    access: FolderAccess
    visitors: FavouriteVisitors
    replies: ReturnType<typeof createReplies>
  },
): void {
  const { store, favourites, counts, visits } = folders
  const view = createView({ folders, access, visitors, replies })

  endpoints.serve(
    getFolder,
    { limit: 'read', access: 'public' },
    (input, requestContext): FolderView => {
      const refused = replies.refusedIn(requestContext)
      if (refused) return refused
      const form = replies.returnedIn(requestContext)
      const found = view(form ? { ...input, ...pageWith(form.entries) } : input, requestContext)
      const { folder } = found
      if (folder) {
        const visitor = visitors.known(folder, requestContext)
        const isDue = visitor !== null && visits.isDue(folder.id, visitor)
        commit(
          (tx) => {
            counts.view(tx, folder, requestContext)
            if (isDue) visits.note(tx, folder.id, visitor)
          },
          { durable: false },
        ).catch((err: unknown) => {
          log.error({ err }, 'view not counted')
        })
      }
      return form && found.view.state === 'open'
        ? { ...found.view, picks: { ...found.view.picks, form } }
        : found.view
    },
  )

  endpoints.serve(getFolderNews, { limit: 'read', access: 'public' }, ({ id, after }, context) => {
    const { folder } = openTo(access, id, context)
    return store.countAfter(folder.id, after)
  })

  const marking = { limit: ['read', favouriteLimit], access: 'csrf' } satisfies Rules
  endpoints.serve(setFavourite, marking, async (input, requestContext) => {
    const { id, file, heart, comment } = input
    const { folder, rights } = openTo(access, id, requestContext)
    if (!rights.select) throw failure('forbidden', { message: noPicks })
    if (!store.file(folder.id, file)) {
      // All that can be done with the mark of a file that has left the gallery is to take it away.
      const known = visitors.find(folder, requestContext)
      const isOut = heart === false && comment === ''
      if (!isOut || !known || !favourites.find(folder.id, known)) {
        throw failure('missing', { message: problem(id, 'file').message })
      }
      const visitor = await commit((tx) => favourites.unmarkLost(tx, folder, known, file))
      return { success: true as const, picks: favourites.summary(folder, visitor) }
    }
    const hash = visitors.findOrMake(folder, requestContext)
    const visitor = await commit((tx) =>
      favourites.save(tx, folder, hash, file, { heart, comment }),
    )
    return { success: true as const, picks: favourites.summary(folder, visitor) }
  })
}

/** A folder that a visitor may see. @throws gone, missing or signed-out for all others */
function openTo(access: FolderAccess, id: string, context: RequestContext) {
  const allowed = access.of(id, context)
  if (allowed.state === 'gone') throw failure('gone', { message: problem(id, 'gone').message })
  if (allowed.state === 'missing') throw failure('missing')
  if (allowed.state === 'locked') {
    throw failure('signed-out', { message: asksFor[allowed.by] })
  }
  return allowed
}

/** The page of the folder on which a form was filled in, which shows it again. */
function pageWith({ to = '' }: Entries): Pick<ViewInput, 'page' | 'show' | 'after' | 'below'> {
  const query = new URLSearchParams(to.split('?')[1])
  const page = Number(query.get('page'))
  const after = Number(query.get('after'))
  return {
    after: Number.isSafeInteger(after) && after > 0 ? after : null,
    page: Number.isInteger(page) && page > 0 ? page : 1,
    show: folderFilter(query.get('show')),
    below: undefined,
  }
}

const noPicks = 'Your code doesn’t include favourites and comments.'

/** What the page of a folder is asked for. */
export type ViewInput = {
  id: string
  page: number
  show: FolderFilter
  open: number | null
  after: number | null
  below?: string | undefined
}

type Section = { name: string; count: number; first: number }

type OpenFolders = Pick<Folders, 'store' | 'favourites' | 'visits'>

/** The data of the folder page, for every state a folder can be in. */
export function createView({
  folders,
  access,
  visitors,
  replies,
}: {
  folders: OpenFolders
  access: FolderAccess
  visitors: FavouriteVisitors
  replies: Pick<ReturnType<typeof createReplies>, 'isBarredForm'>
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
    if (allowed.state === 'locked') {
      const isBarredForm = replies.isBarredForm(requestContext)
      return { view: lockedView(id, allowed.by, requestContext, isBarredForm), folder: null }
    }
    if (input.below) return { view: problem(id, 'file'), folder: null }
    const { folder, rights } = allowed
    const visitor = folders.favourites.find(folder.id, visitors.find(folder, requestContext))
    const known = visitors.known(folder, requestContext)
    const since = known === null ? null : folders.visits.before(folder.id, known)
    return { folder, view: openView(folder, input, { visitor, rights, since }) }
  }
}

/** Creates the view of a folder for a visitor with access. */
function createOpenView(folders: OpenFolders) {
  const { store, favourites } = folders
  const sectionsOf = createSections(store)
  return (folder: Folder, input: ViewInput, viewer: FileViewer): FolderView => {
    const { visitor, rights, since } = viewer
    const { originals, web, select } = rights
    const after = input.show === 'new' ? input.after : null
    const fresh =
      after !== null
        ? store.after(folder.id, after)
        : since === null
          ? []
          : store.newer(folder.id, since)
    const { page, pages, found, files, shown } = pageOf(folders, folder, input, { visitor, fresh })
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
      held: withheldTotal(store, folder),
      expiresAt: folder.expiresAt === null ? null : new Date(folder.expiresAt).toISOString(),
      downloadsLeft:
        folder.maxDownloads === null ? null : Math.max(0, folder.maxDownloads - folder.downloads),
      filter: input.show,
      fresh: fresh.length,
      after,
      last: store.countAfter(folder.id, 0).last,
      page,
      pages,
      found,
      sections: sections.map(({ name, count, first }) => ({
        name,
        count,
        page: Math.floor(first / filesPerPage) + 1,
      })),
      files: shownFiles(favourites, folder, files, names, viewer),
      picks: favourites.summary(select ? folder : { ...folder, rounds: 'none' }, visitor),
      ...markedFiles(folders, folder, viewer),
      may: { originals, web },
      hasPictures:
        store.cover(folder.id)?.kind === 'image' || files.some(({ kind }) => kind === 'image'),
      isProof: folder.watermark,
      shown,
    }
  }
}

/** What a visitor has marked so far, to be looked at before and after it's sent. */
function markedFiles(
  { store, favourites }: OpenFolders,
  folder: Folder,
  viewer: FileViewer,
): Pick<OpenFolder, 'marked' | 'markedCount'> {
  if (!viewer.visitor || !viewer.rights.select) return { marked: [], markedCount: 0 }
  const all = favourites.chosen(viewer.visitor)
  const chosen = all.slice(0, maxReviewed)
  const ids = chosen.flatMap(({ file }) => file ?? [])
  const there = new Map(store.some(folder.id, ids).map((file) => [file.id, file]))
  const marked = chosen.map(({ path, heart, comment, file, lost }): FavouriteFile => {
    const stored = file === null ? undefined : there.get(file)
    return stored
      ? { ...pictureOf(stored), heart, comment }
      : { id: null, lost, name: basename(path), version: '', pixels: false, heart, comment }
  })
  return { marked, markedCount: all.length }
}

/** What shows a file anywhere on the page. */
const pictureOf = ({ id, name, kind, width, poster, mtime, size }: StoredFile) => ({
  id,
  name,
  // A picture of unknown size is one that could not be read.
  pixels: (kind === 'image' || poster !== null) && width !== null,
  version: `${mtime.toString(36)}-${size.toString(36)}`,
})

/**
 * Creates a cache of the sections: only a sync changes them, and finding them means reading every file.
 */
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
  { store, favourites }: OpenFolders,
  { id, fileCount }: Folder,
  { page: asked, show, open }: ViewInput,
  { visitor, fresh }: { visitor: FolderVisitor | null; fresh: readonly number[] },
) {
  const shown = open === null ? null : store.file(id, open)
  const hearts = visitor && show === 'favourites' ? favourites.fileIds(visitor) : []
  const some = show === 'all' ? null : show === 'new' ? fresh : hearts
  const found = some ? some.length : fileCount
  const pages = Math.max(1, Math.ceil(found / filesPerPage))
  const wanted = shown && !some ? Math.floor(shown.position / filesPerPage) + 1 : asked
  const page = Math.min(wanted, pages)
  const from = (page - 1) * filesPerPage
  const files = some
    ? store.some(id, some.slice(from, from + filesPerPage))
    : store.page(id, from, filesPerPage)
  return { page, pages, found, files, shown: shown?.id ?? null }
}

/** Who looks at the files of a folder. */
export type FileViewer = {
  visitor: FolderVisitor | null
  rights: Rights
  /** When the visit before this one ended; null where there was none. */
  since: number | null
}

/**
 * Files as the page of their folder shows them to a visitor, with what he marked.
 * @param sections the names of the folder's sections, in their order
 */
export function shownFiles(
  favourites: Favourites,
  { keepLocation }: Folder,
  files: readonly StoredFile[],
  sections: readonly string[],
  { visitor, rights, since }: FileViewer,
): FolderFile[] {
  const ids = files.map(({ id }) => id)
  const marks = new Map(
    visitor ? favourites.ofFiles(visitor, ids).map((entry) => [entry.file, entry]) : [],
  )
  return files.map((file) => {
    const { id, kind, size, width, height, section, broken, addedAt, caption } = file
    return {
      ...pictureOf(file),
      kind,
      size,
      width,
      height,
      section: sections.indexOf(section),
      broken,
      held: !keepLocation && cannotBeCleaned(file),
      allowed: isGranted('file', file, rights),
      heart: marks.get(id)?.heart ?? false,
      comment: marks.get(id)?.comment ?? null,
      isNew: since !== null && addedAt !== null && addedAt > since,
      caption: caption || null,
    }
  })
}
