import { isDeepStrictEqual } from 'node:util'
import { hourMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { maxNoteLength, normalTags, tagsProblem, utmNames, type Utm } from '#shared/link-rules.ts'
import type { SiteClock } from '../clock.ts'
import type { Transaction } from '../db/group-commit.ts'
import { randomId, readableSmall } from '../secrets/ids.ts'
import type { Link, NewLink } from './schema.ts'
import type { LinkStore } from './store.ts'
import { codeProblem, normalTarget, targetProblem } from './targets.ts'

/** The fields of a new link; what is left out has its default. `password` is a hash. */
export type LinkFields = { target: string; code?: string } & Partial<
  Pick<
    NewLink,
    | 'note'
    | 'startsAt'
    | 'expiresAt'
    | 'maxClicks'
    | 'forwardQuery'
    | 'utm'
    | 'tags'
    | 'password'
    | 'clientId'
  >
>

/** The fields to change; null clears. */
export type LinkChanges = Partial<Omit<LinkFields, 'code'>> & { disabled?: boolean }

/** How long a form that is sent again is taken for the same one. */
const repetitionMs = hourMs

const drawCode = () => randomId(6, readableSmall)

/**
 * Creates the editing of links.
 * @param ownHosts hosts of this site; targets that are short links there are refused
 * @param reservedPaths words that no code may be
 */
export function createLinkEditing({
  store,
  clock,
  siteClock,
  ownHosts,
  reservedPaths,
}: {
  store: LinkStore
  clock: () => number
  siteClock: Pick<SiteClock, 'doubt'>
  ownHosts: () => readonly string[]
  reservedPaths: () => ReadonlySet<string>
}) {
  let edits = 0

  return {
    /** Counts the changes of this process. */
    edits: () => edits,

    /**
     * Makes a link. Call inside a transaction.
     * @param drawn the code that it gets where none is chosen and this one isn't taken
     * @throws invalid with messages by field; duplicate when the chosen code is taken
     */
    create(
      tx: Transaction,
      { code, ...fields }: LinkFields,
      author: string,
      drawn: string = drawCode(),
    ): Link {
      const chosen = code === undefined || code === '' ? null : code
      const problem = chosen === null ? null : codeProblem(chosen, reservedPaths())
      if (problem) throw failure('invalid', { errors: { code: problem } })
      const link = checked(newLink(fields, author, clock()), ownHosts())
      for (let tries = 0; tries < 5; tries += 1) {
        const next = tries === 0 ? drawn : drawCode()
        const made = store.insert(tx, { ...link, code: chosen ?? next })
        if (made) return made
        if (chosen !== null) break
      }
      throw failure('duplicate', {
        message: 'This code is already in use.',
        errors: { code: 'This code is already in use.' },
      })
    },

    /**
     * The link under a code that someone made lately from the very same fields, or null.
     * @throws invalid with messages by field
     */
    repeated(code: string, fields: LinkFields, author: string): Link | null {
      const found = store.find(code)
      if (!found || found.createdAt < clock() - repetitionMs) return null
      const { createdAt } = found
      const wanted = checked(newLink(fields, author, createdAt), ownHosts())
      return isDeepStrictEqual(wanted, { ...pick(found, Object.keys(wanted)), code: '' })
        ? found
        : null
    },

    /**
     * Changes a link. Call inside a transaction.
     * @throws missing; invalid with messages by field
     */
    edit(tx: Transaction, code: string, { disabled, ...changes }: LinkChanges): Link {
      const link = store.find(code)
      if (!link) throw failure('missing', { message: 'Link not found.' })
      const given = Object.fromEntries(
        Object.entries(changes).filter(([, value]) => value !== undefined),
      )
      const wanted = checked({ ...link, ...given }, ownHosts())
      const disabledAt =
        disabled === undefined ? link.disabledAt : disabled ? (link.disabledAt ?? clock()) : null
      // Another target has not been asked yet.
      const unchecked = { checkedAt: null, failures: 0, problem: null }
      store.update(tx, {
        ...link,
        ...wanted,
        disabledAt,
        ...(wanted.target !== link.target && unchecked),
      })
      edits += 1
      return store.findId(link.id)!
    },

    /**
     * Gives a link another code; the one before opens nothing any more. Call inside a transaction.
     * @throws missing; invalid for a code that can be none; duplicate when it is taken
     */
    rename(tx: Transaction, code: string, wanted: string): Link {
      const link = store.find(code)
      if (!link) throw failure('missing', { message: 'Link not found.' })
      const problem = codeProblem(wanted, reservedPaths())
      if (problem) throw failure('invalid', { errors: { code: problem } })
      const other = store.find(wanted)
      if (other && other.id !== link.id) {
        throw failure('duplicate', { message: 'This code is already in use.' })
      }
      store.rename(tx, { ...link, code: wanted })
      edits += 1
      return store.findId(link.id)!
    },

    /** Removes a link with its counts. Call inside a transaction. */
    remove(tx: Transaction, link: Link): void {
      edits += 1
      store.remove(tx, link)
    },

    /**
     * Removes links that expired before a moment.
     * @returns how many
     * @throws invalid while the clock is in doubt
     */
    purge(tx: Transaction, before: number): number {
      const doubt = siteClock.doubt()
      if (doubt) throw failure('invalid', { message: doubt.text })
      edits += 1
      return store.purge(tx, before)
    },
  }
}

const pick = (link: Link, names: readonly string[]) =>
  Object.fromEntries(Object.entries(link).filter(([name]) => names.includes(name)))

/** A link with the defaults of what is left out, and no code yet. */
const newLink = (fields: Omit<LinkFields, 'code'>, author: string, createdAt: number): NewLink => ({
  code: '',
  target: fields.target.trim(),
  note: fields.note ?? '',
  clientId: fields.clientId ?? null,
  author,
  createdAt,
  startsAt: fields.startsAt ?? null,
  expiresAt: fields.expiresAt ?? null,
  maxClicks: fields.maxClicks ?? null,
  disabledAt: null,
  forwardQuery: fields.forwardQuery ?? false,
  utm: fields.utm ?? null,
  tags: fields.tags ?? [],
  password: fields.password ?? null,
})

/**
 * A link as it is written down.
 * @throws invalid with the field that is wrong
 */
function checked(link: NewLink, ownHosts: readonly string[]): NewLink {
  const problem = targetProblem(link.target, ownHosts)
  if (problem) throw failure('invalid', { errors: { target: problem } })
  const { startsAt, expiresAt, note } = link
  if (note.length > maxNoteLength) {
    throw failure('invalid', { errors: { note: `At most ${maxNoteLength} characters.` } })
  }
  if (startsAt !== null && expiresAt !== null && startsAt >= expiresAt) {
    throw failure('invalid', { errors: { expiresAt: 'The end must be after the start.' } })
  }
  const tags = normalTags(link.tags)
  const wrongTags = tagsProblem(tags)
  if (wrongTags) throw failure('invalid', { errors: { tags: wrongTags } })
  return { ...link, target: normalTarget(link.target), utm: withoutEmpty(link.utm), tags }
}

/** UTM values that are there, or null. */
function withoutEmpty(utm: Utm | null): Utm | null {
  const kept = utmNames.flatMap((name) => (utm?.[name] ? [[name, utm[name]] as const] : []))
  return kept.length > 0 ? Object.fromEntries(kept) : null
}
