import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { pageKindNames, readKinds, type ReadKind } from '#shared/analytics/page-kinds.ts'
import { paths } from '#shared/paths.ts'
import type { Period, SourceLine } from '#shared/analytics/statistics.ts'
import { outcomes, type Outcome } from '#shared/analytics/visit-source.ts'
import { grouped } from '#shared/text/counted.ts'
import button from '../../ui/button.module.css'
import { BarsOverTime } from '../../ui/charts/bars-over-time.tsx'
import { Shares } from '../../ui/charts/shares.tsx'
import { ChoiceLinks } from '../../ui/lists/choice-links.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { Desk } from '../desk.tsx'
import type { StatsData } from './stats-loader.ts'
import styles from '../desk.module.css'
import own from './stats-page.module.css'

/** What the site counted of its visitors (docs/contract.md, Analytics), without knowing any of them. */
export function Component() {
  const { session, isStaff, statistics } = useLoaderData<StatsData>()
  return (
    <Desk session={session} isStaff={isStaff} title="Statistics">
      {statistics && <Statistics statistics={statistics} />}
    </Desk>
  )
}

const outcomeNames: Readonly<Record<Outcome, string>> = {
  enquiry: 'Enquiries',
  booking: 'Bookings',
  order: 'Orders',
  subscription: 'Sign-ups',
}

function Statistics({ statistics }: { statistics: NonNullable<StatsData['statistics']> }) {
  const { from, to, period, totals, over, pages, read, referrers, campaigns, landings } = statistics
  return (
    <>
      <PeriodForm period={period} from={from} to={to} />
      <dl className={own.totals}>
        <Total name="Page views" count={totals.views} />
        <Total name="Visits" count={totals.visits} />
        {outcomes.map((outcome) => (
          <Total key={outcome} name={outcomeNames[outcome]} count={totals[outcome]} />
        ))}
      </dl>
      <Part title="Visits over time">
        <BarsOverTime
          label="Visits over time"
          series={['Visits', 'Page views']}
          over={over.map(({ at, views, visits }) => ({ at, counts: [visits, views] }))}
        />
      </Part>
      <div className={own.lists}>
        {readKinds.map((kind) => (
          <Part key={kind} title={readTitles[kind]}>
            <Views
              rows={read
                .filter((line) => line.kind === kind)
                .map(({ slug, title, views }) => ({
                  name: title ?? slug,
                  href: title === null ? null : addressOf(kind, slug),
                  count: views,
                }))}
            />
          </Part>
        ))}
        <Part title="Page types">
          <Views
            rows={pages.map(({ page, views }) => ({
              name: pageKindNames[page],
              href: null,
              count: views,
            }))}
          />
        </Part>
      </div>
      <Sources title="Referrers" first="Site" lines={referrers} />
      <Sources title="Campaigns" first="Source / medium / campaign" lines={campaigns} />
      <Sources title="Landing pages" first="Page" lines={landings} />
      <p className={own.note}>
        Helsinki time. Bots, and visitors who switched analytics off, aren’t counted. Direct visits
        came without a referrer. Outcomes are counted where the visit’s source is still known; the
        rest is “Unknown”. The full lists: <code>pitlane stats show</code>.
      </p>
    </>
  )
}

const periodNames: readonly (readonly [Exclude<Period, 'custom'>, string])[] = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['12m', '12 months'],
]

const PeriodForm = ({ period, from, to }: { period: Period; from: string; to: string }) => (
  <div className={own.period}>
    <ChoiceLinks
      label="Period"
      links={periodNames.map(([value, label]) => ({
        label,
        href: paths.deskStats(value),
        chosen: value === period,
      }))}
    />
    <form action={paths.deskStats()} className={own.dates}>
      <input type="hidden" name="period" value="custom" />
      <label>
        From
        <input type="date" name="from" defaultValue={from} required />
      </label>
      <label>
        To
        <input type="date" name="to" defaultValue={to} required />
      </label>
      <button type="submit" className={`${button.button} ${button.small} ${button.quiet}`}>
        Show
      </button>
    </form>
  </div>
)

const Total = ({ name, count }: { name: string; count: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{grouped(count)}</dd>
  </div>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.group}>
    <h2>{title}</h2>
    {children}
  </section>
)

const readTitles: Readonly<Record<ReadKind, string>> = {
  article: 'Articles',
  service: 'Services',
  case: 'Projects',
  product: 'Products',
}

const addressOf = (kind: ReadKind, slug: string): string =>
  ({
    article: paths.article,
    service: (name: string) => paths.service(encodeURIComponent(name)),
    case: paths.project,
    product: paths.product,
  })[kind](slug)

/** Things with how often each was read, as bars. */
const Views = ({
  rows,
}: {
  rows: readonly { name: string; href: string | null; count: number }[]
}) =>
  rows.length === 0 ? (
    <p className={own.none}>Nothing counted.</p>
  ) : (
    <div className={own.shares}>
      <Shares rows={rows} max={Math.max(...rows.map(({ count }) => count))} about="views" />
    </div>
  )

/** Where visits came from, and what they ended in. */
const Sources = ({
  title,
  first,
  lines,
}: {
  title: string
  first: string
  lines: readonly SourceLine[]
}) => (
  <Part title={title}>
    {lines.length === 0 ? (
      <p className={own.none}>Nothing counted.</p>
    ) : (
      <div className={own.sources}>
        <DataTable
          label={title}
          columns={[
            first,
            ...['Visits', ...outcomes.map((outcome) => outcomeNames[outcome])].map((name) => ({
              title: name,
              numeric: true as const,
            })),
          ]}
          rows={lines.map((line) => ({
            key: line.name,
            cells: [
              line.name,
              grouped(line.visits),
              ...outcomes.map((outcome) => grouped(line[outcome])),
            ],
          }))}
        />
      </div>
    )}
  </Part>
)
