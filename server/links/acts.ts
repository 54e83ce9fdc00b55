import { createHash } from 'node:crypto'
import { dayMs } from '#shared/dates/durations.ts'
import { failure, isFailure } from '#shared/failures.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { LinkChanges, LinkFields } from './link-editing.ts'
import type { Links } from './links.ts'
import { readableSmall } from '../secrets/ids.ts'
import { checkPassword, hashPassword, isPassword } from '../secrets/passwords.ts'
import { decodedText } from '../text/decoded-text.ts'
import type { Link } from './schema.ts'

/** A line of a list of links: what it says, or why it cannot be read. */
export type ImportedLink =
  | { line: number; link: LinkFields & { disabled: boolean; hasPassword: boolean } }
  | { line: number; problem: string }

/** What an import did; `wrong` says what is wrong with which line. */
export type LinkImport = {
  added: number
  kept: number
  wrong: readonly string[]
  /** False when something was wrong, and nothing was imported for that. */
  isDone: boolean
}

/** What staff do with links. `by` is who does it, for the timeline. */
export type LinkActs = ReturnType<typeof createLinkActs>

/** Each act is one transaction and is recorded in the link's timeline. */
export function createLinkActs(
  { commit, clock, timeline }: Pick<Platform, 'commit' | 'clock' | 'timeline'>,
  links: Links,
) {
  const record = (tx: Transaction, { code }: Link, actor: string, act: string) =>
    timeline.record(tx, { thing: 'link', thingId: code, actor, act })
  const create = (tx: Transaction, fields: LinkFields, by: string, drawn?: string): Link => {
    const link = links.create(tx, fields, by, drawn)
    record(tx, link, by, 'created')
    return link
  }
  /** An end in the past is a mistake: `disable` switches a link off, and an import may bring old ones. */
  const checkEnd = ({ expiresAt }: Pick<LinkChanges, 'expiresAt'>, before?: Link | null) => {
    const isNew = expiresAt !== undefined && expiresAt !== null && expiresAt !== before?.expiresAt
    if (isNew && expiresAt <= clock()) {
      throw failure('invalid', { errors: { expiresAt: 'That expiry is in the past.' } })
    }
  }
  const setDisabled = (tx: Transaction, code: string, disabled: boolean, by: string): void =>
    record(tx, links.edit(tx, code, { disabled }), by, disabled ? 'disabled' : 'enabled')

  return {
    /**
     * Creates a link. The same fields again under the same key are the same link: the answer to a form
     * may be lost, and its button pressed again.
     * @param fields with its password as it was typed
     * @param key of one submission; its code is made from it, where none is chosen
     * @throws invalid with messages by field, such as for an end in the past; duplicate when the chosen code is taken
     */
    async create(fields: LinkFields, by: string, key?: string): Promise<Link> {
      checkEnd(fields)
      if (key === undefined) {
        const hashed = await withHash(fields)
        return commit((tx) => create(tx, hashed, by))
      }
      const drawn = codeFrom(`${key} ${JSON.stringify(fields)}`)
      const code = fields.code || drawn
      const hashed = await withHash(fields, links.find(code)?.password)
      return commit((tx) => links.repeated(code, hashed, by) ?? create(tx, hashed, by, drawn))
    },

    /**
     * Changes a link.
     * @param changes with a new password as it was typed; null takes it away
     * @throws missing; invalid with messages by field
     */
    async edit(code: string, changes: LinkChanges, by: string): Promise<Link> {
      const hashed = await withHash(changes)
      return commit((tx) => {
        checkEnd(changes, links.find(code))
        const link = links.edit(tx, code, hashed)
        record(tx, link, by, 'changed')
        return link
      })
    },

    /**
     * Gives a link another code; its counts go with it, the code before opens nothing any more.
     * @throws missing; invalid; duplicate
     */
    rename: (code: string, wanted: string, by: string): Promise<Link> =>
      commit((tx) => {
        const before = links.find(code)
        const link = links.rename(tx, code, wanted)
        timeline.record(tx, {
          thing: 'link',
          thingId: link.code,
          actor: by,
          act: 'renamed',
          before: before?.code ?? null,
          after: link.code,
        })
        return link
      }),

    /** Removes links with their counts: all of them, or none where one is missing. @throws missing */
    remove: (codes: readonly string[], by: string): Promise<void> =>
      commit((tx) => {
        for (const code of codes) {
          const link = links.find(code)
          if (!link) throw failure('missing', { message: `Link not found: ${code}.` })
          record(tx, link, by, 'removed')
          links.remove(tx, link)
        }
      }),

    /** Switches links off, or on again: all of them, or none where one is missing. @throws missing */
    setDisabled: (codes: readonly string[], disabled: boolean, by: string): Promise<void> =>
      commit((tx) => {
        for (const code of codes) setDisabled(tx, code, disabled, by)
      }),

    /**
     * Removes links that expired so many days ago, with their counts.
     * @param options `rehearse` only counts them
     * @returns how many
     * @throws invalid while the clock is in doubt
     */
    async purge(days: number, { rehearse }: { rehearse: boolean }): Promise<number> {
      const before = clock() - days * dayMs
      return rehearse ? links.expiredBefore(before) : commit((tx) => links.purge(tx, before))
    },

    /** The text of a list as office programs write it. */
    textOf: decodedText,

    /**
     * Makes the links of a list, in one transaction; one with the same code and target stays as it is.
     * @param options `skipInvalid` leaves wrong lines out, instead of importing nothing; `rehearse` changes
     *   nothing and counts alike
     */
    async import(
      lines: readonly ImportedLink[],
      by: string,
      { skipInvalid = false, rehearse = false }: { skipInvalid?: boolean; rehearse?: boolean } = {},
    ): Promise<LinkImport> {
      const wrong: string[] = []
      const counts = { added: 0, kept: 0 }
      const importLine = (tx: Transaction, { disabled, hasPassword, ...link }: ImportedFields) => {
        const there = link.code ? links.find(link.code) : null
        if (there && there.target === new URL(link.target).href) {
          counts.kept += 1
          return
        }
        if (hasPassword) {
          // Without it the link would open to anyone.
          const message = 'Its password isn’t in the list: create it with --password.'
          throw failure('invalid', { message })
        }
        const { code } = create(tx, link, by)
        if (disabled) setDisabled(tx, code, true, by)
        counts.added += 1
      }
      try {
        await commit((tx) => {
          for (const each of lines) {
            try {
              if ('problem' in each) throw failure('invalid', { message: each.problem })
              importLine(tx, each.link)
            } catch (error) {
              wrong.push(`Line ${each.line}: ${problemOf(error)}`)
            }
          }
          // Takes back what was added, before a wrong line or only to see what would be.
          if (rehearse || (wrong.length > 0 && !skipInvalid)) throw new TakenBack()
        })
      } catch (error) {
        if (!(error instanceof TakenBack)) throw error
        if (wrong.length > 0 && !skipInvalid) return { added: 0, kept: 0, wrong, isDone: false }
      }
      return { ...counts, wrong, isDone: true }
    },
  }
}

/** A code as one that is drawn, and the same for the same text. */
function codeFrom(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  return Array.from(
    { length: 6 },
    (_, at) => readableSmall[bytes[at]! % readableSmall.length],
  ).join('')
}

/**
 * Fields with the hash of their password.
 * @param known a hash that stays where it is of the same password
 * @throws invalid with the message for a password that can be none
 */
async function withHash<Fields extends { password?: string | null }>(
  fields: Fields,
  known: string | null = null,
): Promise<Fields> {
  const { password } = fields
  if (password === undefined || password === null) return fields
  try {
    checkPassword(password)
  } catch (error) {
    throw failure('invalid', { errors: { password: (error as Error).message } })
  }
  const isKnown = known !== null && (await isPassword(password, known, 'links'))
  return { ...fields, password: isKnown ? known : await hashPassword(password) }
}

type ImportedFields = Extract<ImportedLink, { link: unknown }>['link']

/** Rolls an import back. */
class TakenBack extends Error {}

const problemOf = (error: unknown): string =>
  isFailure(error) && error.errors
    ? Object.values(error.errors).join(' ')
    : (error as Error).message
