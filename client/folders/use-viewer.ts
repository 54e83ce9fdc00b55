import { useEffect, useState, type ComponentType } from 'react'
import { useLocation } from 'react-router'
import type { OpenFolder } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'
import type { FolderLightboxProps } from './folder-lightbox.tsx'

/** The lightbox: its code comes with the first picture, and the address says what is shown. */
export function useViewer({ id: folder, shown: asked }: OpenFolder) {
  const [Viewer, setViewer] = useState<ComponentType<FolderLightboxProps> | null>(null)
  const [shown, setShown] = useState(asked)
  const { pathname, search } = useLocation()

  useEffect(() => {
    if (shown === null || Viewer) return
    void (async () => {
      try {
        const { FolderLightbox } = await import('./folder-lightbox.tsx')
        setViewer(() => FolderLightbox)
      } catch {
        // Without the code there is still the file.
        location.assign(paths.folderFile(folder, shown))
      }
    })()
  }, [shown, Viewer, folder])

  return {
    Viewer,
    shown,
    show(file: number | null) {
      setShown(file)
      const query = new URLSearchParams(search)
      if (file === null) query.delete('open')
      else query.set('open', String(file))
      const text = String(query)
      history.replaceState(history.state, '', text ? `${pathname}?${text}` : pathname)
    },
  }
}
