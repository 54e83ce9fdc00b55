import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { OpenFolder } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'
import { useOnDemand } from '../site/use-on-demand.ts'

const loadLightbox = () => import('./folder-lightbox.tsx')

/** The lightbox: its code comes with the first picture, and the address says what is shown. */
export function useViewer({ id: folder, shown: asked }: OpenFolder) {
  const [code, load] = useOnDemand(loadLightbox)
  const [shown, setShown] = useState(asked)
  const { search } = useLocation()
  const navigate = useNavigate()

  useEffect(() => {
    // Without the code there is still the file.
    if (shown !== null) load().catch(() => location.assign(paths.folderFile(folder, shown)))
  }, [shown, load, folder])

  return {
    Viewer: code?.FolderLightbox,
    shown,
    show(file: number | null) {
      setShown(file)
      const query = new URLSearchParams(search)
      if (file === null) query.delete('open')
      else query.set('open', String(file))
      // Nothing of it is news to the server.
      void navigate(
        { search: String(query) },
        { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
      )
    },
  }
}
