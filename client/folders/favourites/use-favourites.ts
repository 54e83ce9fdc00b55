import { useCallback, useState } from 'react'
import type { FolderFavourites, OpenFolder } from '#shared/folders/folders.ts'

/** The visitor’s favourites and comments, and how to change them. */
export type Favourites = {
  summary: FolderFavourites
  /** Whether they can still be changed. */
  open: boolean
  isFavourite: (file: number) => boolean
  commentOf: (file: number) => string | null
  heart: (file: number, on: boolean) => Promise<void>
  /** @returns whether it was kept */
  comment: (file: number, text: string) => Promise<boolean>
  /** What went wrong last. */
  error: string | null
}

type Entry = { heart: boolean; comment: string | null }

/** Keeps hearts and comments: shown at once, taken back when they could not be saved. */
export function useFavourites({ id, files, picks: given }: OpenFolder): Favourites {
  const [summary, setSummary] = useState(given)
  const [error, setError] = useState<string | null>(null)
  const [favourites, setFavourites] = useState<ReadonlyMap<number, Entry>>(
    () => new Map(files.map(({ id: file, heart, comment }) => [file, { heart, comment }])),
  )
  const entryOf = (file: number): Entry => favourites.get(file) ?? { heart: false, comment: null }
  const put = useCallback(
    (file: number, entry: Entry) => setFavourites((before) => new Map(before).set(file, entry)),
    [],
  )

  const change = async (file: number, next: Partial<Entry>) => {
    const before = entryOf(file)
    put(file, { ...before, ...next })
    setError(null)
    try {
      const { saveFavourite } = await import('./saving.ts')
      const { heart, comment } = next
      const entry = { id, file, ...(heart !== undefined && { heart }) }
      setSummary(
        await saveFavourite(
          comment === null || comment === undefined ? entry : { ...entry, comment },
        ),
      )
      return true
    } catch (thrown) {
      put(file, before)
      setError(
        thrown instanceof Error && 'status' in thrown
          ? thrown.message
          : 'Couldn’t save. Check your connection and try again.',
      )
      return false
    }
  }

  return {
    summary,
    open: summary.rounds !== 'none' && summary.submittedAt === null,
    isFavourite: (file) => entryOf(file).heart,
    commentOf: (file) => entryOf(file).comment,
    heart: async (file, on) => void (await change(file, { heart: on })),
    comment: (file, text) => change(file, { comment: text.trim() }),
    error,
  }
}
