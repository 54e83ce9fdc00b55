import { deskPersonPath } from '#shared/desk/people.ts'
import {
  findAtDesk,
  getDeskCounts,
  getPerson,
  getToday,
  maxFound,
  isDeskSearch,
  warningsTitle,
} from '#shared/desk/desk.ts'
import { maxLinesOfGroup, type DeskGroup, type DeskLine } from '#shared/desk/lines.ts'
import { changeDeskThing, findDeskLink, getDeskThing } from '#shared/desk/things.ts'
import { paths } from '#shared/paths.ts'
import { searchWords } from '#shared/text/word-search.ts'
import type { ClientFeature } from '../clients/feature.ts'
import { todayGroups } from '../contributions/desk-source.ts'
import type { Feature, Platform } from '../feature.ts'
import { requestContextOf } from '../http/request-context.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import { peopleAtDesk } from './people.ts'
import { createThings } from './things.ts'
import { spellingsOf } from '../mail/recipient.ts'

/** Milliseconds that one check of the doctor may take at the desk. */
const checkTimeout = 2_000

/** Milliseconds for which a count of what waits is good enough for everyone who looks. */
const countedFor = 5_000

/** Pages of things, and what is done there; links open them without a session. */
const opening = { name: 'desk-things', seconds: 60, max: 120 }

/** Bytes of a form at the desk. */
const formBytes = 64 * 1024

/** What the desk, `today`, `find` and `person` show (docs/contract.md, Desk). */
export type DeskFeature = Feature & {
  /** The words of a search as they are compared: without case and accents. */
  wordsOf(typed: string): string[]
  /** What waits for staff. */
  today(): Promise<DeskGroup[]>
  /** One group of {@link DeskFeature.today} with more of its lines; none where nothing waits in it. */
  groupOfToday(title: string): Promise<DeskGroup[]>
  /** Things of every noun with all these words; the newest first within each. */
  find(typed: string): Promise<DeskLine[]>
  /** Everything of an address, the newest first. */
  person(email: string): DeskLine[]
}

/** Makes the feature over what all features give to the desk. */
export function deskFeature(
  { contributions, clock }: Pick<Platform, 'contributions' | 'clock'>,
  { sessionIn }: Pick<ClientFeature, 'sessionIn'>,
): DeskFeature {
  const sources = () => contributions().desk
  const things = createThings(sources, { sessionIn })

  /** What the doctor warns of; a check that takes too long is named. */
  const warnings = async (): Promise<DeskGroup[]> => {
    const found = await Promise.all(
      contributions().doctor.map(async ({ check, look }) => {
        try {
          return { check, ...(await withTimeout(Promise.resolve(look()), checkTimeout)) }
        } catch {
          return { check, state: 'fail' as const, text: 'this check failed' }
        }
      }),
    )
    const bad = found.filter(({ state }) => state !== 'ok')
    const lines = bad.map(({ check, state, text }) => ({
      label: 'Check',
      title: check,
      detail: text,
      urgent: state === 'fail',
      at: null,
      href: null,
    }))
    return bad.length === 0
      ? []
      : [{ title: warningsTitle, total: lines.length, lines, command: 'pitlane doctor' }]
  }

  let counted: { at: number; groups: Promise<{ title: string; total: number }[]> } | null = null
  /** How much waits, counted once in a while for all who look. */
  const counts = () => {
    const now = clock()
    if (counted === null || Math.abs(now - counted.at) >= countedFor) {
      const groups = todayGroups(sources()).then((found) =>
        found.map(({ title, total }) => ({ title, total })),
      )
      counted = { at: now, groups }
      // The next one to look tries again.
      groups.catch(() => (counted = null))
    }
    return counted.groups
  }

  const feature = {
    wordsOf: searchWords,
    async today() {
      return [...(await todayGroups(sources())), ...(await warnings())]
    },
    groupOfToday: (title: string) =>
      todayGroups(sources(), { group: title, limit: maxLinesOfGroup }),
    async find(typed: string) {
      const words = searchWords(typed)
      if (!isDeskSearch(words)) return []
      const found = await Promise.all(
        sources().map(async (source) => source.find?.(words, maxFound) ?? []),
      )
      return found.flat()
    },
    person(email: string) {
      const spellings = spellingsOf(email.trim())
      const lines = sources().flatMap((source) =>
        spellings.flatMap((spelling) => source.ofPerson?.(spelling) ?? []),
      )
      return lines.toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
    },
  }

  return {
    ...feature,
    name: 'desk',
    desk: { things: peopleAtDesk({ sources, person: feature.person }) },
    disallowedPaths: [paths.desk()],
    privatePaths: [
      paths.deskLink(''),
      deskPersonPath(''),
      '/api/desk/',
      '/api/desk/things/people/',
    ],
    async routes({ endpoints, limit, mount }) {
      const { Router } = await import('express')
      const rules = { limit: 'read', access: 'public', scope: 'desk' } as const
      endpoints.serve(getToday, rules, async ({ group }, requestContext) => ({
        name: sessionIn(requestContext)?.name ?? '',
        groups: await (group === undefined ? feature.today() : feature.groupOfToday(group)),
      }))
      endpoints.serve(getDeskCounts, rules, async () => ({ groups: await counts() }))
      endpoints.serve(findAtDesk, rules, async ({ q }) => ({ q, lines: await feature.find(q) }))
      endpoints.serve(getPerson, rules, ({ email }) => ({ email, lines: feature.person(email) }))
      const byLink = { limit: opening, access: 'public' } as const
      endpoints.serve(getDeskThing, byLink, ({ thing, id }, requestContext) =>
        things.view(thing, id, requestContext),
      )
      endpoints.serve(
        changeDeskThing,
        { limit: opening, access: 'csrf', bytes: formBytes },
        things.act,
      )
      const router = Router({ caseSensitive: true })
      router.get('/desk/:thing/:id/files/:file', limit(opening), async (request, response) => {
        const { thing, id, file } = request.params as Record<'thing' | 'id' | 'file', string>
        const found = await things.file(thing, id, file, requestContextOf(response))
        response
          .setHeader('Content-Type', found.contentType)
          .setHeader('Content-Disposition', `inline; filename="${found.name}"`)
          .setHeader('Cache-Control', 'private, no-store')
          .setHeader('Referrer-Policy', 'no-referrer')
          .setHeader('X-Robots-Tag', 'noindex')
          .send(found.content)
      })
      mount(router)
      endpoints.serve(findDeskLink, byLink, ({ token }) => ({ href: things.linkTarget(token) }))
    },
  }
}
