import { useCallback, useState } from 'react'
import type { FolderPicks, OpenFolder } from '#shared/folders.ts'

/** What the visitor has picked, and how to change it. */
export type Marks = {
  picks: FolderPicks
  /** Whether marks can still be changed. */
  open: boolean
  isHearted: (file: number) => boolean
  commentOf: (file: number) => string | null
  heart: (file: number, on: boolean) => Promise<void>
  /** @returns whether it was kept */
  comment: (file: number, text: string) => Promise<boolean>
  /** What went wrong last. */
  error: string | null
}

type Mark = { heart: boolean; comment: string | null }

/** Keeps hearts and comments: shown at once, taken back when they could not be saved. */
export function useMarks({ id, files, picks: given }: OpenFolder): Marks {
  const [picks, setPicks] = useState(given)
  const [error, setError] = useState<string | null>(null)
  const [marks, setMarks] = useState<ReadonlyMap<number, Mark>>(
    () => new Map(files.map(({ id: file, heart, comment }) => [file, { heart, comment }])),
  )
  const markOf = (file: number): Mark => marks.get(file) ?? { heart: false, comment: null }
  const put = useCallback(
    (file: number, mark: Mark) => setMarks((before) => new Map(before).set(file, mark)),
    [],
  )

  const change = async (file: number, next: Partial<Mark>) => {
    const before = markOf(file)
    put(file, { ...before, ...next })
    setError(null)
    try {
      const { saveMark } = await import('./saving.ts')
      const { heart, comment } = next
      const mark = { id, file, ...(heart !== undefined && { heart }) }
      setPicks(
        await saveMark(comment === null || comment === undefined ? mark : { ...mark, comment }),
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
    picks,
    open: picks.rounds !== 'none' && picks.submittedAt === null,
    isHearted: (file) => markOf(file).heart,
    commentOf: (file) => markOf(file).comment,
    heart: async (file, on) => void (await change(file, { heart: on })),
    comment: (file, text) => change(file, { comment: text.trim() }),
    error,
  }
}
