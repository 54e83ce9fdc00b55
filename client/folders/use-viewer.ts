import { useEffect, useState } from 'react'
import { useLocation, useNavigate, type Location } from 'react-router'
import type { OpenFolder } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'
import { useOnDemand } from '../site/use-on-demand.ts'

const loadLightbox = () => import('./folder-lightbox.tsx')

/** The file that an address asks to open. */
const openIn = (search: string): number | null =>
  Number(new URLSearchParams(search).get('open') ?? 0) || null

/**
 * The lightbox: its code comes with the first picture, and the address says what is shown. Opening it
 * is a step of the browser's history, so that Back closes it and leads no further; moving in it is none.
 */
export function useViewer({ id: folder, shown: asked }: OpenFolder) {
  const [code, load] = useOnDemand(loadLightbox)
  const [shown, setShown] = useState(asked)
  const { search, state } = useLocation() as Location<{ opened?: boolean } | null>
  const navigate = useNavigate()

  useEffect(() => {
    // Without the code there is still the file.
    if (shown !== null) load().catch(() => location.assign(paths.folderFile(folder, shown)))
  }, [shown, load, folder])
  useEffect(() => {
    const follow = () => setShown(openIn(location.search))
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  return {
    Viewer: code?.FolderLightbox,
    shown,
    show(file: number | null) {
      setShown(file)
      if (file === null && state?.opened) return void navigate(-1)
      const query = new URLSearchParams(search)
      query.delete('open')
      if (file !== null) query.set('open', String(file))
      const opened = shown === null && file !== null
      // What the address held before stays where it is, one step back.
      const options = { replace: !opened, state: opened ? { opened } : state }
      return void navigate({ search: String(query) }, { ...options, preventScrollReset: true })
    },
  }
}
