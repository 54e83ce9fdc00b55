import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { RichText } from '../ui/rich-text.tsx'
import type { ServiceData } from './loader.ts'
import styles from './offer.module.css'
import { Price } from './price.tsx'

/** What a service is: intro, deliverables, the long text, and the price beside it. */
export function Offer({ service }: { service: ServiceData }) {
  const { title, intro, deliverables, body, priceFrom, priceNote } = service
  return (
    <>
      <section className={`wrap ${styles.intro}`} aria-labelledby="deliverables-title">
        <p className={styles.lead}>{intro}</p>
        {deliverables.length > 0 && (
          <div>
            <h2 className="label" id="deliverables-title">
              What you get
            </h2>
            <ol className={styles.deliverables}>
              {deliverables.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ol>
          </div>
        )}
      </section>
      <div className={`wrap ${styles.body}`}>
        {body && <RichText html={body} />}
        <aside className={styles.card} aria-label="Price and next step">
          {priceFrom !== null ? (
            <>
              <p className="label">{title}</p>
              <p className={styles.price}>
                <Price cents={priceFrom} />
              </p>
              {priceNote && <p className={styles.note}>{sentence(priceNote)}</p>}
            </>
          ) : (
            <>
              <p className="label">{title}</p>
              <p className={styles.note}>
                Tell us the event, the dates and where the work will be used, and you get a fixed
                price.
              </p>
            </>
          )}
          <a href={paths.contact()} data-contact={title} className={button.button}>
            Ask for a quote
          </a>
          <p className={styles.promise}>A person answers by the next working day.</p>
        </aside>
      </div>
    </>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.?$/, '.')
