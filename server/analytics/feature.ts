import { ipKeyGenerator } from 'express-rate-limit'
import { isbot } from 'isbot'
import { collect } from '#shared/analytics/collect.ts'
import { helsinki } from '#shared/dates/helsinki-time.ts'
import type { PageKind, ReadKind } from '#shared/analytics/page-kinds.ts'
import { getStatistics, type SourceLine } from '#shared/analytics/statistics.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Feature, Platform } from '../feature.ts'
import { createPublishedPages } from './published.ts'
import { rangeOf, readLines, sourceLines, statisticsOf, type DayRange } from './report.ts'
import type { Dimension } from './schema.ts'
import { createPageCounts, createReadCounts, type PageCounts, type ReadCounts } from './store.ts'
import { createVisitCounts, type VisitCounts } from './visits.ts'

/** Counts of pages, one for each that is opened. */
const limit = { name: 'collect', seconds: 60, max: 240 }

/** Which of the articles, services, cases and products a view is of, by the kind of its page. */
const readKindOf: Readonly<Partial<Record<PageKind, ReadKind>>> = {
  article: 'article',
  services: 'service',
  portfolio: 'case',
  shop: 'product',
}

/** Our own anonymous counting (docs/contract.md, Analytics), and measuring by others. */
export type AnalyticsFeature = Feature & {
  readonly counts: PageCounts
  /** What was counted of articles, services, cases and products, by day. */
  readonly reads: ReadCounts
  /** What was counted of visits, by day. */
  readonly visits: VisitCounts
  /** What was read, most read first, with titles. */
  readLines(days: DayRange): ReturnType<typeof readLines>
  /** What visits from each source ended in; most visits first. */
  sourceLines(dimension: Dimension, days: DayRange): SourceLine[]
  /** The days of a period up to today. */
  rangeOf(asked: Parameters<typeof rangeOf>[0]): ReturnType<typeof rangeOf>
}

/**
 * Counts how often a kind of page, and what is published of it, was seen or used in a day, and where
 * visits came from and what they ended in. Rows of a day are bounded, however much is sent.
 */
export function analyticsFeature({
  config,
  db,
  clock,
  commit,
  contributions,
  siteVersion,
}: Platform): AnalyticsFeature {
  const counts = createPageCounts(db, { clock })
  const reads = createReadCounts(db, { clock })
  const visits = createVisitCounts(db, { clock })
  const published = createPublishedPages({
    sources: () => contributions().search,
    version: siteVersion.version,
  })
  const range: AnalyticsFeature['rangeOf'] = (asked) => rangeOf(asked, helsinki(clock()).date)

  /** What a view is of; null for what is not published. */
  const readOf = async (page: PageKind, slug: string | undefined) => {
    const kind = readKindOf[page]
    if (kind === undefined || slug === undefined) return null
    return (await published.title(kind, slug)) === null ? null : { kind, slug }
  }

  return {
    name: 'analytics',
    counts,
    reads,
    visits,
    readLines: (days) => readLines({ reads, published }, days),
    sourceLines: (dimension, days) => sourceLines(visits, dimension, days),
    rangeOf: range,
    routes({ endpoints }) {
      endpoints.serve(
        collect,
        { limit, access: 'public' },
        async ({ page, event, item, visit }, { userAgent, address }) => {
          if (userAgent && !isbot(userAgent.slice(0, 400))) {
            const read = event === 'view' ? await readOf(page, item) : null
            const network = ipKeyGenerator(address, 56)
            await commit(
              (tx) => {
                counts.add(tx, page, event)
                if (read) reads.add(tx, read.kind, read.slug)
                visits.add(tx, event, visit ?? null, network)
              },
              { durable: false },
            )
          }
          return { success: true as const }
        },
      )
      endpoints.serve(
        getStatistics,
        { limit: 'read', access: 'public', scope: 'desk' },
        async (asked) => {
          const days = range(asked)
          const found = await statisticsOf({ counts, reads, visits, published }, days)
          return { ...found, period: days.period }
        },
      )
    },
    origins: originsOf(config),
    jobs: [
      {
        kind: 'analytics.forget',
        about:
          'deletes page-view counts older than five years, and sources of visits older than two',
        recurs: { daily: '03:30' },
        run: async () => {
          await inBatches(commit, counts.forgetOld)
          await inBatches(commit, reads.forgetOld)
          await inBatches(commit, visits.forgetOld)
        },
      },
    ],
    personalData: [
      {
        name: 'page counts',
        policy: [
          {
            what: 'Counting page views',
            data: 'Views and uses of each kind of page, and views of each article, service, project and product, by day; no address, no cookie, nothing that identifies a visitor',
            ground: 'Our legitimate interest in knowing what people read (Art. 6(1)(f))',
            kept: 'Five years; the counts identify no one',
          },
          {
            what: 'Counting where visits come from',
            data: 'How many visits a day came from which site or campaign, and how many of them ended in a message, booking request, order or newsletter sign-up; nothing is stored in your browser, and no visit can be told from another',
            ground: 'Our legitimate interest in knowing how people find us (Art. 6(1)(f))',
            kept: 'Two years; the counts identify no one',
          },
        ],
        forgottenBy: { job: 'analytics.forget' },
        find: () => [],
        note: 'Page views and visits are only counted; they can’t be linked to an email address.',
      },
    ],
  }
}

/** Where the measuring services of the configuration load from and send to. */
function originsOf({ analyticsId, stats }: Pick<Platform['config'], 'analyticsId' | 'stats'>) {
  const own = stats ? [new URL(stats.script).origin] : []
  if (!analyticsId) return { script: own, connect: own }
  const tags = 'https://www.googletagmanager.com'
  return {
    script: [tags, ...own],
    connect: [tags, 'https://*.google-analytics.com', 'https://*.analytics.google.com', ...own],
  }
}
