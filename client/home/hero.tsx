import { useEffect, useState } from 'react'
import { heroTextLimits } from '#shared/hero.ts'
import { paths } from '#shared/paths.ts'
import { useIdentity } from '../site/data/identity.ts'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import { cut, mayShowPhoto, narrowScreen } from './hero-rules.ts'
import styles from './hero.module.css'
import type { HeroData } from './loader.ts'

const standardTitle = 'Motorsport media at race pace'
const standardSubtitle =
  'Photography, film, PR and design for teams, drivers and series. Delivered while it’s still news.'

/**
 * The hero (docs/contract.md, Pages): a record's values replace the defaults; its parts that are
 * missing do not.
 */
export function Hero({ hero }: { hero: HeroData }) {
  const narrow = useNarrow()
  const { offices, city } = useIdentity()
  const cities = offices?.map((office) => office.city) ?? [city ?? 'Helsinki']
  const title = hero?.title || standardTitle
  const subtitle = hero?.subtitle || standardSubtitle
  const shortTitle = narrow ? cut(title, heroTextLimits.title) : title
  const shortSubtitle = narrow ? cut(subtitle, heroTextLimits.subtitle) : subtitle
  const isCut = shortSubtitle !== subtitle
  const photo = mayShowPhoto({ consentGiven: false, necessary: true }) ? hero?.photo : null
  return (
    <section data-hero className={`night ${styles.hero}`} aria-labelledby="hero-title">
      <div className={styles.backdrop}>
        {photo && (
          <Picture
            picture={photo}
            sizes="max(78vw, 150svh)"
            narrowSizes="max(100vw, 56svh)"
            first
          />
        )}
      </div>
      <div className={`wrap ${styles.content}`}>
        <p className="label kerb">{cities.join(' — ')}</p>
        {/* Screen readers get the whole title, even where it is cut to fit a small screen. */}
        <h1 id="hero-title" aria-label={shortTitle === title ? undefined : title}>
          {shortTitle}
        </h1>
        <div className={styles.row}>
          <p className={styles.subtitle} aria-hidden={isCut || undefined}>
            {shortSubtitle}
          </p>
          {isCut && <p className="unseen">{subtitle}</p>}
          <div>
            <a href={hero?.buttonUrl || paths.services()} className={button.button}>
              {hero?.buttonText || 'Explore Services'}
            </a>
            <form action={paths.contactWindow()}>
              <button data-contact="" className={`${button.button} ${button.quiet}`}>
                Contact Us
              </button>
            </form>
          </div>
        </div>
        <div className={`label ${styles.foot}`}>
          <a href={paths.explore()}>
            Scroll to explore <ArrowIcon />
          </a>
          <span>60.1699° N, 24.9384° E</span>
        </div>
      </div>
    </section>
  )
}

/** True below the mobile breakpoint, once mounted: the server's HTML keeps the whole text. */
function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(false)
  useEffect(() => {
    const query = matchMedia(narrowScreen)
    const update = () => setNarrow(query.matches)
    update()
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [])
  return narrow
}
