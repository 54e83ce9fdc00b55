import type { ServiceCard } from '../site/data/loader.ts'
import button from '../ui/button.module.css'
import { ArrowIcon, Icon } from '../ui/icons.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import styles from './services.module.css'

/** The menu of services says no more of a picture than its file. */
const middle: [number, number] = [0.5, 0.5]

/** The services as cards. */
export const Component = ({ services }: { services: readonly ServiceCard[] }) => (
  <ul className={styles.grid}>
    {services.map((service) => (
      <li key={service.path}>
        <Card service={service} />
      </li>
    ))}
  </ul>
)

function Card({ service: { title, description, path, picture } }: { service: ServiceCard }) {
  return (
    <article className={styles.card}>
      {picture && (
        <div className={styles.picture}>
          <Picture
            picture={{ ...picture, alt: '', focal: middle }}
            sizes="(width < 48rem) 100vw, 50vw"
          />
        </div>
      )}
      <ServiceIcon title={title} />
      <h3>{title}</h3>
      <p>{description}</p>
      <a
        href={path}
        className={`${button.arrow} ${styles.explore}`}
        aria-label={`Explore ${title}`}
      >
        <span>Explore</span> <ArrowIcon />
      </a>
    </article>
  )
}

/** One line drawing per service title (docs/contract.md, Pages). */
const drawings: Record<string, string> = {
  photography: 'M3 7h4l2-3h6l2 3h4v13H3zM12 9.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
  videography: 'M2.5 6h13v12h-13zM15.5 10.5l6-3.5v10l-6-3.5M6 9.5h3',
  'public relations': 'M3 10v4h4l9 5V5L7 10zm4 4 1.5 6h3L10 15.5M19 9a4 4 0 0 1 0 6',
  'social media':
    'M6 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6m12-6.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6m0 13a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8.6 10.6l6.8-3.7M8.6 13.4l6.8 3.7',
  'website design':
    'M2.5 4h19v16h-19zM2.5 8.5h19M5.5 6.3h.1m2.4 0h.1M7 12.5h5M7 16h3m5-3.5h3V16h-3z',
  'graphic design': 'm4 20 1-5L16 4l4 4L9 19zm9.5-13.5 4 4M5 15l4 4',
  'media outsourcing':
    'M12 3v5m0 8v5M3 12h5m8 0h5M8 8h8v8H8zM5.5 5.5 8 8m8 8 2.5 2.5m0-13L16 8m-8 8-2.5 2.5',
}

/** The icon of a service; any other title gets the one of photography. */
function ServiceIcon({ title }: { title: string }) {
  return (
    <Icon size={32}>
      <path strokeWidth="1.25" d={drawings[title.trim().toLowerCase()] ?? drawings.photography} />
    </Icon>
  )
}
