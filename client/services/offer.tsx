import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { Price } from '../ui/price.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { WithAside } from '../ui/with-aside.tsx'
import type { ServiceData } from './loader.ts'
import styles from './offer.module.css'

/** What a service is: intro, deliverables, the long text, and the price beside it. */
export function Offer({ service }: { service: ServiceData }) {
  const { title, slug, intro, deliverables, body, priceFrom, priceNote } = service
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
      <WithAside
        label="Price and next step"
        aside={
          <>
            <p className="label">{title}</p>
            {priceFrom === null ? (
              <p className={styles.note}>
                Tell us the event, the dates and where the work will be used, and you get a fixed
                price.
              </p>
            ) : (
              <p className={styles.price}>
                <Price cents={priceFrom} from note="excl. VAT" />
              </p>
            )}
            {priceFrom !== null && priceNote && (
              <p className={styles.note}>{sentence(priceNote)}</p>
            )}
            <a href={paths.booking({ service: slug })} className={`${button.button} ${styles.ask}`}>
              Check dates and book
            </a>
            <a href={paths.contact()} data-contact={title} className={button.arrow}>
              <span>Ask for a quote</span> <ArrowIcon />
            </a>
            <p className={styles.promise}>A person answers by the next working day.</p>
          </>
        }
      >
        {body && <RichText html={body} />}
      </WithAside>
    </>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.?$/, '.')
