import { useEffect, useState } from 'react'
import { useLocation, useNavigate, type Location } from 'react-router'
import type { FolderFile, OpenFolder } from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import { pageHref } from '../folder-tools.tsx'
import { useOnDemand } from '../../site/use-on-demand.ts'

const loadLightbox = () => import('./folder-lightbox.tsx')

/** The file that an address asks to open. */
const openIn = (search: string): number | null =>
  Number(new URLSearchParams(search).get('open') ?? 0) || null

/**
 * The lightbox: its code comes with the first picture, and the address says what is shown. Opening it
 * is a step of the browser's history, so that Back closes it and leads no further; moving in it is none.
 * @param seen what can be looked at on this page, in order
 */
export function useViewer(opened: OpenFolder, seen: readonly FolderFile[]) {
  const { id: folder, page, shown: asked } = opened
  const [code, load] = useOnDemand(loadLightbox)
  const [chosen, setShown] = useState(asked)
  /** The page that was turned to, and the one that was left. */
  const [turn, setTurn] = useState<{ to: number; from: number } | null>(null)
  const { search, state } = useLocation() as Location<{ opened?: number } | null>
  const navigate = useNavigate()
  const edge = turn && seen.at(turn.to > turn.from ? 0 : -1)
  // In the same render as the other page, so that the lightbox stays.
  const shown = turn?.to === page ? (edge?.id ?? null) : chosen

  useEffect(() => {
    // Without the code there is still the file.
    if (shown !== null) load().catch(() => location.assign(paths.folderFile(folder, shown)))
  }, [shown, load, folder])
  useEffect(() => {
    const follow = () => {
      setTurn(null)
      setShown(openIn(location.search))
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  return {
    Viewer: code?.FolderLightbox,
    shown,
    show(file: number | null) {
      setTurn(null)
      setShown(file)
      // From another page than it was opened on, closing it stays there.
      if (file === null && state?.opened === page) return void navigate(-1)
      const query = new URLSearchParams(search)
      query.delete('open')
      if (file !== null) query.set('open', String(file))
      const isOpened = shown === null && file !== null
      // What the address held before stays where it is, one step back.
      const options = { replace: !isOpened, state: isOpened ? { opened: page } : state }
      return void navigate({ search: String(query) }, { ...options, preventScrollReset: true })
    },
    turn(to: number) {
      setTurn({ to, from: page })
      void navigate(pageHref(opened, to), { replace: true, state, preventScrollReset: true })
    },
  }
}
