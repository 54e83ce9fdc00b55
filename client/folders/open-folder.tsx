import { useEffect } from 'react'
import type { OpenFolder as Folder } from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { Pager } from '../ui/lists/pager.tsx'
import button from '../ui/button.module.css'
import { FolderHead, coverOf } from './folder-head.tsx'
import { FolderTools, pageHref } from './folder-tools.tsx'
import { Gallery } from './gallery/gallery.tsx'
import { FavouritesForm } from './favourites/favourites-form.tsx'
import { SelectionBar } from './favourites/selection-bar.tsx'
import { useFavourites } from './favourites/use-favourites.ts'
import { useSelection } from './favourites/use-selection.ts'
import { useOnDemand } from '../site/use-on-demand.ts'
import { useViewer } from './gallery/use-viewer.ts'
import styles from './open-folder.module.css'

const loadNewFiles = () => import('./gallery/new-files.tsx')

/** Milliseconds between two questions of a gallery that someone looks at, and before the first. */
const askEvery = 15_000

/**
 * An open folder. Everything on it is links and plain forms; with scripts, pictures open in a
 * lightbox, hearts are kept at once, and a selection goes over several pages.
 */
export function OpenFolder({ folder }: { folder: Folder }) {
  const { id, files, filter, page, pages, found, count } = folder
  const favourites = useFavourites(folder)
  const selection = useSelection(id)
  const here = pageHref(folder, page)
  const [news, loadNews] = useOnDemand(loadNewFiles)
  // Nothing can be new at once, so what asks comes with the first question; without it the page is as it was.
  useEffect(() => {
    if (news) return undefined
    const load = () => {
      if (document.visibilityState === 'visible') void loadNews().catch(() => {})
    }
    const timer = setInterval(load, askEvery)
    document.addEventListener('visibilitychange', load)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', load)
    }
  }, [news, loadNews])
  const seen = files.filter(({ kind, broken }) => kind !== 'document' && !broken)
  const viewer = useViewer(folder, seen)
  const cover = coverOf(folder)
  return (
    <>
      <FolderHead folder={folder} cover={cover} />
      {count === 0 ? (
        <EmptyState title="Nothing here yet">
          <p>Your files are on their way. Check back on this link.</p>
          <a href={paths.contact()} data-contact="A gallery" className={button.button}>
            Contact us
          </a>
        </EmptyState>
      ) : (
        <form method="post" action={paths.folderZip(id)} className={styles.form}>
          <input type="hidden" name="to" value={here} />
          {selection.ids.length > 0 && (
            <input type="hidden" name="files" value={selection.ids.join()} />
          )}
          <FolderTools folder={folder} favourites={favourites} selection={selection} />
          {found === 0 ? (
            <EmptyState title={filter === 'new' ? 'Nothing new' : 'No favourites yet'}>
              <p>
                {filter === 'new'
                  ? 'You’ve seen everything in this gallery.'
                  : 'Tap the heart on any photo to add it here.'}
              </p>
              <a href={paths.folder(id)} className={button.button}>
                Show all files
              </a>
            </EmptyState>
          ) : (
            <Gallery
              folder={folder}
              isBelowCover={cover !== null}
              favourites={favourites}
              selection={selection}
              onOpen={({ id: file }) => viewer.show(file)}
            />
          )}
          {/* Who may not have the originals gets every choice in web size. */}
          {!folder.may.originals && <input type="hidden" name="size" value="web" />}
          <SelectionBar selection={selection} folder={folder} />
        </form>
      )}
      <Pager page={page} pages={pages} href={(to) => pageHref(folder, to)} />
      <FavouritesForm folder={folder} favourites={favourites} to={here} />
      <p role="status" className={styles.error}>
        {favourites.error?.message}
      </p>
      {news && (
        <news.NewFiles folder={folder} askEvery={askEvery} isRaised={selection.ids.length > 0} />
      )}
      {viewer.shown !== null && viewer.Viewer && (
        <viewer.Viewer
          folder={folder}
          files={seen}
          shown={viewer.shown}
          favourites={favourites}
          selection={selection}
          onShow={viewer.show}
          onTurn={viewer.turn}
        />
      )}
    </>
  )
}
