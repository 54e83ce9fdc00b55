import type { Identity } from '../site/data/identity.ts'
import styles from './contact-details.module.css'

/** Where the agency is and how to reach it. */
export function ContactDetails({ identity }: { identity: Identity }) {
  const { email, phone, maps_url: mapsUrl, offices, city, country } = identity
  const headquarters = `${city ?? 'Helsinki'}, ${country ?? 'Finland'}`
  const others = (offices ?? []).filter((office) => office.city !== (city ?? 'Helsinki'))
  return (
    <dl className={styles.details}>
      <div>
        <dt>Headquarters</dt>
        <dd>
          <a
            href={
              mapsUrl ??
              `https://www.openstreetmap.org/search?query=${encodeURIComponent(headquarters)}`
            }
          >
            {headquarters}
          </a>
        </dd>
      </div>
      {others.map((office) => (
        <div key={office.city}>
          <dt>{office.name}</dt>
          <dd>
            {office.city}, {office.country}
          </dd>
        </div>
      ))}
      {email && (
        <div>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${email}`}>{email}</a>
          </dd>
        </div>
      )}
      {phone && (
        <div>
          <dt>Phone</dt>
          <dd>
            <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
          </dd>
        </div>
      )}
    </dl>
  )
}
