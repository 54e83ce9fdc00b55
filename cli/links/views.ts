import type { Context } from '#server/context.ts'
import type { Link } from '#server/links/schema.ts'
import { isFailure } from '#shared/failures.ts'
import { deadAfter, utmNames } from '#shared/link-rules.ts'
import { findByName, type Naming } from '../common/named.ts'
import { when, type Row } from '../common/print.ts'

/**
 * A link by its code, else the only one with all these words in its target or note.
 * @throws when there is none; AmbiguousName when there are several
 */
export const linkNamed = ({ features: { links } }: Context, given: string, how?: Naming): Link =>
  links.find(given) ??
  findByName(
    'Link',
    given,
    [...links.all()],
    {
      namesOf: ({ target, note }) => [target, note],
      ownNamesOf: ({ code }) => [code],
      about: ({ code, target, note }) => [code, target, note].filter(Boolean).join('  '),
    },
    how,
  )

/** The value of a change. @throws an Error with the messages by field as one sentence */
export const withProblems = <Value>(change: Promise<Value>): Promise<Value> =>
  change.catch((error: unknown) => {
    if (!isFailure(error) || !error.errors) throw error
    throw new Error(Object.values(error.errors).join(' '), { cause: error })
  })

/** All fields of a link, as exports have them. */
export const fullRow = ({ features: { clients, links } }: Context, link: Link) =>
  ({
    code: link.code,
    address: links.addressOf(link),
    target: link.target,
    note: link.note,
    state: links.state(link),
    client: link.clientId === null ? null : (clients.find(link.clientId)?.panel ?? null),
    author: link.author,
    created: when(link.createdAt),
    starts: when(link.startsAt),
    expires: when(link.expiresAt),
    maxClicks: link.maxClicks,
    disabled: when(link.disabledAt),
    forwardQuery: link.forwardQuery,
    ...Object.fromEntries(utmNames.map((name) => [`utm_${name}`, link.utm?.[name] ?? null])),
    tags: link.tags.join(', '),
    locked: link.password !== null,
    dead: link.failures >= deadAfter ? link.problem : null,
    checked: when(link.checkedAt),
    people: link.human,
    machines: link.bot,
    lastClick: when(link.lastClickAt),
  }) satisfies Row
