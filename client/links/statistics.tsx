import { useEffect, useState } from 'react'
import type { LinkStatistics } from '#shared/links.ts'
import { BarsOverTime } from '../ui/charts/bars-over-time.tsx'
import { Shares } from '../ui/charts/shares.tsx'
import { counted, linkGone } from './states.ts'
import styles from './statistics.module.css'

const ranges = [7, 30, 90] as const

/** What became of a link: by day, by where people came from, and by what they held in their hands. */
export function Statistics({ code }: { code: string }) {
  const [days, setDays] = useState<(typeof ranges)[number]>(30)
  const read = useStatistics(code, days)
  if (read === 'failed' || read === 'gone') {
    return (
      <p role="alert" className={styles.wait}>
        {read === 'gone'
          ? linkGone
          : 'The statistics aren’t loading. Please try again in a moment.'}
      </p>
    )
  }
  if (!read) {
    return (
      <p role="status" className={styles.wait}>
        Loading...
      </p>
    )
  }
  const people = read.days.reduce((sum, { human }) => sum + human, 0)
  const machines = read.days.reduce((sum, { bot }) => sum + bot, 0)
  return (
    <div className={styles.statistics}>
      <div className={styles.head}>
        <p>
          <strong>{counted(people, 'click')}</strong>, {counted(machines, 'bot')}
        </p>
        <div role="group" aria-label="Days shown" className={styles.ranges}>
          {ranges.map((range) => (
            <button
              key={range}
              type="button"
              aria-pressed={range === days}
              onClick={() => setDays(range)}
            >
              {range} days
            </button>
          ))}
        </div>
      </div>
      <BarsOverTime
        label="Clicks by day"
        series={['People', 'Bots']}
        over={read.days.map(({ day, human, bot }) => ({ at: day, counts: [human, bot] }))}
        stacked
      />
      <div className={styles.lists}>
        <Counted
          title="Referrers"
          rows={read.referrers.map(({ name, count }) => ({
            name: name === '' ? 'Direct or unknown' : name,
            count,
          }))}
        />
        <Counted title="Devices" rows={read.devices} />
      </div>
      <p className={styles.words}>Helsinki time. No IP addresses stored.</p>
    </div>
  )
}

/** What the server says of a link; null until it has. Other days replace what is shown when they are there. */
function useStatistics(code: string, days: number): LinkStatistics | 'failed' | 'gone' | null {
  const [read, setRead] = useState<LinkStatistics | 'failed' | 'gone' | null>(null)
  useEffect(() => {
    let wanted = true
    const reading = import('./save.ts').then(({ readStatistics }) => readStatistics(code, days))
    reading.then(
      (statistics) => wanted && setRead(statistics),
      (error: unknown) => {
        const isGone = error instanceof Error && 'status' in error && error.status === 404
        if (wanted) setRead(isGone ? 'gone' : 'failed')
      },
    )
    return () => {
      wanted = false
    }
  }, [code, days])
  return read
}

function Counted({
  title,
  rows,
}: {
  title: string
  rows: readonly { name: string; count: number }[]
}) {
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className={styles.shares}>
      <h4>{title}</h4>
      {rows.length === 0 ? (
        <p>None yet.</p>
      ) : (
        <Shares rows={rows.slice(0, 8)} max={total} about="share of clicks" />
      )}
    </section>
  )
}
