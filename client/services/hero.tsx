import { paths } from '#shared/paths.ts'
import { Breadcrumbs } from '../ui/page/breadcrumbs.tsx'
import button from '../ui/button.module.css'
import { Picture } from '../ui/pictures/picture.tsx'
import { ServicePrice } from '../ui/text/price.tsx'
import styles from './hero.module.css'
import type { ServiceData } from './loader.ts'

/** The head of a service page: its picture, its name, its promise and its price. */
export function ServiceHero({ service }: { service: ServiceData }) {
  const { title, slug, headline, picture, priceFrom, unit } = service
  return (
    <header className={`night ${styles.hero}`}>
      <div className={styles.backdrop}>
        {picture && (
          <Picture
            picture={picture}
            alt=""
            sizes="max(70vw, 130svh)"
            narrowSizes="max(100vw, 45svh)"
            first
          />
        )}
      </div>
      <div className={`wrap ${styles.content}`}>
        <Breadcrumbs trail={[{ title: 'Services', href: paths.services() }]} />
        <h1 id="service-title">{title}</h1>
        <div className={styles.row}>
          <p className={styles.headline}>{headline}</p>
          <div className={styles.actions}>
            {priceFrom !== null && (
              <p className={styles.price}>
                <ServicePrice price={priceFrom} unit={unit} />
              </p>
            )}
            <a href={paths.booking({ service: slug })} className={button.button}>
              {unit === 'day' || unit === 'event' ? 'Check dates' : 'Send a request'}
            </a>
          </div>
        </div>
      </div>
    </header>
  )
}
