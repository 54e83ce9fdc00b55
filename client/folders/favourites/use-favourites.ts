import { useMemo, useRef, useState } from 'react'
import type { FolderFavourites, OpenFolder } from '#shared/folders/folders.ts'
import { createCommentDrafts, type CommentDrafts } from './typed.ts'

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
  drafts: CommentDrafts
  /** Keeps the comments that were typed and couldn't be. @returns whether none has to wait any longer */
  keepDrafts: () => Promise<boolean>
  /** What went wrong last, and with which file. */
  error: { file: number; message: string } | null
}

/** What became of a change; `refused` won't be kept later, either. */
type Outcome = 'kept' | 'refused' | 'failed'

type Entry = { heart: boolean; comment: string | null }

/** What was changed of a file: kept by the server, on its way there, and when the next may leave. */
type Changes = { kept: Partial<Entry>; sent: readonly Partial<Entry>[]; turn: Promise<unknown> }

/**
 * Keeps hearts and comments: shown at once, taken back when they could not be saved. What is changed of
 * one file is sent in its order, since an answer may be late.
 */
export function useFavourites({ id, files, marked, picks: given }: OpenFolder): Favourites {
  const [summary, setSummary] = useState(given)
  const [error, setError] = useState<Favourites['error']>(null)
  const [drafts] = useState(() => createCommentDrafts(id))
  const changes = useRef(new Map<number, Changes>())
  const [changed, setChanged] = useState<ReadonlyMap<number, Partial<Entry>>>(() => new Map())
  // Another page of the gallery, or the same one asked again.
  const [before, setBefore] = useState(given)
  if (before !== given) {
    setBefore(given)
    setSummary(given)
  }
  const known = useMemo(
    () => new Map<number | null, Entry>([...marked, ...files].map((file) => [file.id, file])),
    [marked, files],
  )
  const entryOf = (file: number): Entry => {
    const { heart = false, comment = null } = { ...known.get(file), ...changed.get(file) }
    return { heart, comment }
  }

  const change = async (file: number, next: Partial<Entry>): Promise<Outcome> => {
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
      return 'kept'
    } catch (thrown) {
      const status = thrown instanceof Error && 'status' in thrown && Number(thrown.status)
      const message = status
        ? (thrown as Error).message
        : 'Couldn’t save. Check your connection and try again.'
      setError({ file, message })
      return status && status < 429 ? 'refused' : 'failed'
    } finally {
      of.sent = of.sent.filter((each) => each !== next)
      show()
    }
  }

  const keptComment = (file: number) =>
    changes.current.get(file)?.kept.comment ?? known.get(file)?.comment ?? ''
  const comment = async (file: number, text: string): Promise<Outcome> => {
    const wanted = text.trim()
    const of = changes.current.get(file)
    // Leaving the field and its button both ask for it; what is only shown so far may still fail.
    const isOnItsWay = of?.sent.some((each) => each.comment === wanted)
    if (isOnItsWay) await of?.turn
    const isKept = keptComment(file) === wanted
    if (isOnItsWay && !isKept) return 'failed'
    const outcome = isKept ? 'kept' : await change(file, { comment: wanted })
    // What was typed since is a draft of its own.
    if (outcome === 'kept' && drafts.get(file) === text) drafts.delete(file)
    return outcome
  }

  return {
    summary,
    open: summary.rounds !== 'none' && summary.submittedAt === null,
    isFavourite: (file) => entryOf(file).heart,
    commentOf: (file) => entryOf(file).comment,
    heart: async (file, on) => void (await change(file, { heart: on })),
    comment: async (file, text) => (await comment(file, text)) === 'kept',
    drafts,
    async keepDrafts() {
      const outcomes = await Promise.all(drafts.all().map(([file, text]) => comment(file, text)))
      return !outcomes.includes('failed')
    },
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
