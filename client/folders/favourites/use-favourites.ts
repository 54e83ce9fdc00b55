import { useEffect, useMemo, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
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
  /** Takes a file that has left the gallery out of the list, with its comment. */
  takeOut: (lost: number) => Promise<void>
  /** @returns whether it was kept */
  comment: (file: number, text: string) => Promise<boolean>
  /** Comments that were typed and aren't kept yet, by file: a network that fails must not take them. */
  drafts: CommentDrafts
  /** The revision of what the page shows, for the form that sends it. */
  seen: () => number
  /** Waits for what is on its way, and keeps the comments that were typed and couldn't be. @returns whether none has to wait any longer */
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
  const { revalidate } = useRevalidator()
  // Of what the page shows, and the newest one that the server has named.
  const revisions = useRef({ shown: given.revision, newest: given.revision })
  useEffect(() => {
    revisions.current = { shown: given.revision, newest: given.revision }
  }, [given])
  // A new visitor is known by the cookie of the first answer: until it's here, each save would begin another one.
  const beginning = useRef<{ isOver: boolean; turn: Promise<unknown> }>({
    isOver: given.revision > 0,
    turn: Promise.resolve(),
  })
  const [changed, setChanged] = useState<ReadonlyMap<number, Partial<Entry>>>(() => new Map())
  // Another page of the gallery, or the same one asked again.
  const [before, setBefore] = useState(given)
  if (before !== given) {
    setBefore(given)
    setSummary(given)
  }
  const known = useMemo(
    () =>
      new Map<number | null | undefined, Entry>([
        ...marked.map((file) => [file.id ?? file.lost, file] as const),
        ...files.map((file) => [file.id, file] as const),
      ]),
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
    const { isOver, turn: others } = beginning.current
    const turn = isOver ? of.turn : Promise.all([of.turn, others])
    const saving = turn.then(() => save({ id, file }, next))
    of.turn = saving.catch(() => {})
    if (!isOver) beginning.current.turn = of.turn
    show()
    try {
      const picks = await saving
      beginning.current.isOver = true
      setSummary(picks)
      const { shown, newest } = revisions.current
      revisions.current = { shown: shown + 1, newest: Math.max(newest, picks.revision) }
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
      // Removed meanwhile: what is left is shown.
      if (status === 404) void revalidate()
      return status && status < 429 ? 'refused' : 'failed'
    } finally {
      of.sent = of.sent.filter((each) => each !== next)
      show()
      const isIdle = [...changes.current.values()].every(({ sent }) => sent.length === 0)
      // Someone marks files with the same code, or an answer was lost: the list has to be what is sent.
      if (isIdle && revisions.current.newest > revisions.current.shown) void revalidate()
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
    takeOut: async (lost) => void (await change(lost, { heart: false, comment: '' })),
    comment: async (file, text) => (await comment(file, text)) === 'kept',
    drafts,
    seen: () => revisions.current.shown,
    async keepDrafts() {
      await Promise.all(Array.from(changes.current.values(), ({ turn }) => turn))
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
