import { paths } from '#shared/paths.ts'
import { CopyButton } from '../links/copy-button.tsx'
import { useSite } from '../site/data/identity.ts'
import button from '../ui/button.module.css'
import styles from './page.module.css'

/** Ways to keep the season, or one series, in one's own calendar, where changes arrive by themselves. */
export function Subscribe({ chosen }: { chosen: { slug: string; title: string } | null }) {
  const origin = useSite()?.origin ?? ''
  const address = origin + paths.calendarFeed(chosen?.slug)
  const webcal = address.replace(/^https?:/, 'webcal:')
  return (
    <section className={`night ${styles.subscribe}`} aria-labelledby="subscribe-title">
      <div className={`wrap ${styles.row}`}>
        <div>
          <h2 id="subscribe-title">
            {chosen ? `${chosen.title} in your calendar` : 'The season in your calendar'}
          </h2>
          <p>Subscribe once and changes update automatically. No account needed.</p>
          <p>
            <a href={paths.calendarFeed(chosen?.slug)}>{address}</a>
            {chosen && (
              <>
                {' '}
                or <a href={paths.calendarFeed()}>the whole season</a>
              </>
            )}
          </p>
        </div>
        <div className={styles.ways}>
          <a href={webcal} className={`${button.button} ${button.small}`}>
            Subscribe
          </a>
          <a
            href={`https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`}
            className={`${button.button} ${button.small} ${button.quiet}`}
            rel="noopener"
          >
            Add to Google Calendar
          </a>
          <CopyButton
            text={address}
            label="Copy link"
            className={`${button.button} ${button.small} ${button.quiet}`}
          />
        </div>
      </div>
    </section>
  )
}
