import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { ServicePrice } from '../ui/text/price.tsx'
import { RichText } from '../ui/text/rich-text.tsx'
import { WithAside } from '../ui/page/with-aside.tsx'
import type { ServiceData } from './loader.ts'
import styles from './offer.module.css'

/** What a service is: intro, deliverables, the long text, and the price beside it. */
export function Offer({ service }: { service: ServiceData }) {
  const { title, slug, intro, deliverables, body, priceFrom, priceNote, unit, includes } = service
  return (
    <>
      <section className={`wrap ${styles.intro}`} aria-labelledby="deliverables-title">
        <p className={styles.lead}>{intro}</p>
        {deliverables.length > 0 && (
          <div>
            <h2 className="label" id="deliverables-title">
              What you get
            </h2>
            <ul className={styles.deliverables}>
              {deliverables.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          </div>
        )}
      </section>
      <WithAside
        label="Pricing"
        aside={
          <>
            <p className="label">{title}</p>
            {priceFrom === null ? (
              <p className={styles.note}>
                Tell us the event, the dates and where you’ll use the work. We’ll send a fixed
                price.
              </p>
            ) : (
              <p className={styles.price}>
                <ServicePrice price={priceFrom} unit={unit} />
              </p>
            )}
            {priceFrom !== null && priceNote && <p className={styles.note}>{priceNote}</p>}
            {priceFrom !== null && includes.length > 0 && (
              <>
                <p className={styles.note}>Included:</p>
                <ul className={styles.included}>
                  {includes.map((each) => (
                    <li key={each}>{each}</li>
                  ))}
                </ul>
              </>
            )}
            <a href={paths.booking({ service: slug })} className={`${button.button} ${styles.ask}`}>
              {unit === 'day' || unit === 'event' ? 'Check dates and book' : 'Send a request'}
            </a>
            <a href={paths.contact()} data-contact={title} className={button.arrow}>
              <span>Ask for a quote</span> <ArrowIcon />
            </a>
            <p className={styles.promise}>Ask us, and you’ll hear back by the next working day.</p>
          </>
        }
      >
        {body && <RichText html={body} />}
      </WithAside>
    </>
  )
}
