import { faqPage } from '#shared/seo.ts'
import { SectionHead } from '../ui/section-head.tsx'
import { useIdentity } from '../site/identity.ts'
import { StructuredData } from '../site/structured-data.tsx'
import { Faq } from '../ui/faq.tsx'
import { Picture } from '../ui/picture.tsx'
import { TestimonialSection } from '../ui/testimonial-section.tsx'
import type { AboutData } from './loader.ts'
import styles from './people.module.css'

/** Who works here, who speaks of it, where they sit, and what people ask them. */
export function People({
  team,
  testimonials,
  faq,
}: Pick<AboutData, 'team' | 'testimonials' | 'faq'>) {
  return (
    <>
      {team.length > 0 && (
        <section className={`wrap ${styles.team}`} aria-labelledby="team-title">
          <SectionHead number="03" label="Team" id="team-title" title="The crew" />
          <ul>
            {team.map(({ name, role, bio, photo }) => (
              <li key={name}>
                <div className={styles.portrait}>
                  {photo ? (
                    <Picture
                      picture={photo}
                      sizes="(width < 40rem) 100vw, (width < 60rem) 50vw, 31vw"
                    />
                  ) : (
                    <span aria-hidden="true">{initials(name)}</span>
                  )}
                </div>
                <h3>{name}</h3>
                {role && <p className={`label ${styles.role}`}>{role}</p>}
                {bio && <p className={styles.bio}>{bio}</p>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {testimonials.length > 0 && (
        <TestimonialSection
          quotes={testimonials}
          title="What clients say of us"
          className={styles.voices}
        >
          <p>
            In their own words, with their consent, and with the occasion on which they said it.
          </p>
        </TestimonialSection>
      )}
      <Offices />
      <Faq questions={faq} number="06" title="Asked in the paddock" />
      {faq.length > 0 && (
        <StructuredData things={import.meta.env.SSR ? () => [faqPage(faq)] : null} />
      )}
    </>
  )
}

function Offices() {
  const { offices, street, postal_code: code, city, email, phone, maps_url: map } = useIdentity()
  if (!offices?.length) return null
  return (
    <section className={`wrap ${styles.offices}`} aria-labelledby="offices-title">
      <SectionHead number="05" label="Offices" id="offices-title" title="Where you find us" />
      <ul>
        {offices.map((office) => (
          <li key={office.city}>
            <p className="label">{office.name}</p>
            <h3>{office.city}</h3>
            <p>{office.country}</p>
            {office.city === city && (
              <p className={styles.address}>
                {street && <span>{[street, `${code ?? ''} ${city}`.trim()].join(', ')}</span>}
                {map && <a href={map}>Show on a map</a>}
                {email && <a href={`mailto:${email}`}>{email}</a>}
                {phone && <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .join('')
