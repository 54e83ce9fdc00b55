import { useEffect, useState } from 'react'
import { getFolderNews, type FolderNews, type OpenFolder } from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, api } from '../../api.ts'
import { Icon } from '../../ui/icons.tsx'
import { pageHref } from '../folder-tools.tsx'
import { counted } from '../format.ts'
import styles from './new-files.module.css'

/**
 * Says when files have been added to a gallery that is open, and leads to them, or that it is no longer
 * open to the visitor; nothing that he looks at or types moves. A page in the background asks again once
 * it's looked at.
 */
export function NewFiles(props: { folder: OpenFolder; askEvery: number; isRaised: boolean }) {
  const { folder, askEvery, isRaised } = props
  const { id, last } = folder
  const { news, end } = useNews(id, { after: last, askEvery })
  const [seen, setSeen] = useState(0)
  const isShown = news !== null && news.count > 0 && news.last > seen
  const what = news && counted(news.count, news.photos === news.count ? 'new photo' : 'new file')
  return (
    <div className={styles.place} data-raised={isRaised ? '' : undefined}>
      <div role="status">
        {end !== null && (
          <p className={`night ${styles.news}`}>
            <span>{end.message}</span>
            {/* A whole new page: it asks for what opens the gallery, or says that it's gone. */}
            <a href={paths.folder(id)}>{end.status === 401 ? 'Open it again' : 'More'}</a>
          </p>
        )}
        {end === null && isShown && (
          <p className={`night ${styles.news}`}>
            <span>{what}</span>
            <a
              href={last === 0 ? paths.folder(id) : pageHref({ id, filter: 'new', after: last }, 1)}
            >
              Show
            </a>
            <button type="button" aria-label="Not now" onClick={() => setSeen(news.last)}>
              <Icon size={18}>
                <path d="m6 6 12 12M18 6 6 18" />
              </Icon>
            </button>
          </p>
        )}
      </div>
    </div>
  )
}

/** What was added after a file, asked at once and then again and again until the gallery is closed to the visitor. */
function useNews(
  id: string,
  { after, askEvery }: { after: number; askEvery: number },
): { news: FolderNews | null; end: ApiError | null } {
  const [news, setNews] = useState<FolderNews | null>(null)
  const [end, setEnd] = useState<ApiError | null>(null)
  useEffect(() => {
    let isOver = false
    let isAsking = false
    const ask = async () => {
      if (isOver || isAsking || document.visibilityState !== 'visible') return
      isAsking = true
      try {
        const found = await api(getFolderNews, { id, after })
        if (!isOver) setNews(found)
      } catch (error) {
        // Signed out, expired or gone; anything else passes.
        if (!isOver && error instanceof ApiError && error.status < 429) {
          isOver = true
          setEnd(error)
        }
      } finally {
        isAsking = false
      }
    }
    const askNow = () => void ask()
    askNow()
    const timer = setInterval(askNow, askEvery)
    document.addEventListener('visibilitychange', askNow)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', askNow)
    }
  }, [id, after, askEvery])
  return { news, end }
}
