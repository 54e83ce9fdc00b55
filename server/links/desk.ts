import type { DeskLine } from '#shared/desk/lines.ts'
import { isoOf, thingsWithWords, type DeskSource } from '../contributions/desk-source.ts'
import type { Links } from './links.ts'
import type { Link } from './schema.ts'

/** Short links at the desk, for its search. */
export function linkDesk({ newest, state }: Pick<Links, 'newest' | 'state'>): DeskSource {
  const line = (link: Link): DeskLine => ({
    label: 'Link',
    title: `/l/${link.code}`,
    detail: [link.note, link.target, `${link.human} clicks`, state(link)]
      .filter(Boolean)
      .join(' · '),
    urgent: false,
    at: isoOf(link.createdAt),
    // Opening it would count as a click.
    href: null,
  })
  return {
    find: (words, limit) =>
      thingsWithWords(pages(newest), {
        words,
        limit,
        textsOf: ({ code, target, note, author, tags }) => [code, target, note, author, ...tags],
      }).map(line),
  }
}

/** Links at most that one search looks at: the newest. */
const maxSearched = 20_000

const pageSize = 1_000

function* pages(newest: Links['newest']): Generator<Link> {
  for (let from = 0; from < maxSearched; from += pageSize) {
    const { links } = newest(from, pageSize)
    yield* links
    if (links.length < pageSize) return
  }
}
