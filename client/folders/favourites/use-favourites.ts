import { useMemo, useRef, useState } from 'react'
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
  /** Comments that were typed and aren't kept yet, by file: a network that fails must not take them. */
  drafts: Map<number, string>
  /** What went wrong last. */
  error: string | null
}

type Entry = { heart: boolean; comment: string | null }

/** What was changed of a file: kept by the server, on its way there, and when the next may leave. */
type Changes = { kept: Partial<Entry>; sent: readonly Partial<Entry>[]; turn: Promise<unknown> }

/**
 * Keeps hearts and comments: shown at once, taken back when they could not be saved. What is changed of
 * one file is sent in its order, since an answer may be late.
 */
export function useFavourites({ id, files, marked, picks: given }: OpenFolder): Favourites {
  const [summary, setSummary] = useState(given)
  const [error, setError] = useState<string | null>(null)
  const [drafts] = useState(() => new Map<number, string>())
  const changes = useRef(new Map<number, Changes>())
  const [changed, setChanged] = useState<ReadonlyMap<number, Partial<Entry>>>(() => new Map())
  // Another page of the gallery, or the same one asked again.
  const [before, setBefore] = useState(given)
  if (before !== given) {
    setBefore(given)
    setSummary(given)
  }
  const known = useMemo(
    () => new Map([...marked, ...files].map((file) => [file.id, file])),
    [marked, files],
  )
  const entryOf = (file: number): Entry => {
    const { heart = false, comment = null } = { ...known.get(file), ...changed.get(file) }
    return { heart, comment }
  }

  const change = async (file: number, next: Partial<Entry>) => {
    const of = changes.current.get(file) ?? { kept: {}, sent: [], turn: Promise.resolve() }
    changes.current.set(file, of)
    const show = () =>
      setChanged((all) => new Map(all).set(file, Object.assign({}, of.kept, ...of.sent)))
    of.sent = [...of.sent, next]
    const saving = of.turn.then(() => save({ id, file }, next))
    of.turn = saving.catch(() => {})
    show()
    try {
      setSummary(await saving)
      // No sooner: leaving the field saves, too, and what is pressed then must stay where it is.
      setError(null)
      of.kept = { ...of.kept, ...next }
      return true
    } catch (thrown) {
      setError(
        thrown instanceof Error && 'status' in thrown
          ? thrown.message
          : 'Couldn’t save. Check your connection and try again.',
      )
      return false
    } finally {
      of.sent = of.sent.filter((each) => each !== next)
      show()
    }
  }

  return {
    summary,
    open: summary.rounds !== 'none' && summary.submittedAt === null,
    isFavourite: (file) => entryOf(file).heart,
    commentOf: (file) => entryOf(file).comment,
    heart: async (file, on) => void (await change(file, { heart: on })),
    comment: (file, text) => change(file, { comment: text.trim() }),
    drafts,
    error,
  }
}

/** Sends what was changed of a file; its code comes with the first of it. */
async function save(of: { id: string; file: number }, { heart, comment }: Partial<Entry>) {
  const { saveFavourite } = await import('./saving.ts')
  return saveFavourite({
    ...of,
    ...(heart !== undefined && { heart }),
    ...(typeof comment === 'string' && { comment }),
  })
}
