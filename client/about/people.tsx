import { faqPage } from '#shared/seo/seo.ts'
import { SectionHead } from '../ui/page/section-head.tsx'
import { useIdentity } from '../site/data/identity.ts'
import { StructuredData } from '../site/head/structured-data.tsx'
import { Faq } from '../ui/text/faq.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import { TestimonialSection } from '../ui/text/testimonial-section.tsx'
import type { AboutData } from './loader.ts'
import styles from './people.module.css'

/** Team, testimonials, offices and FAQ. */
export function People({
  team,
  testimonials,
  faq,
}: Pick<AboutData, 'team' | 'testimonials' | 'faq'>) {
  return (
    <>
      {team.length > 0 && (
        <section className={`wrap ${styles.team}`} aria-labelledby="team-title">
          <SectionHead label="Team" id="team-title" title="The crew" />
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
          title="What clients say"
          className={styles.voices}
        >
          <p>In their own words, published with permission.</p>
        </TestimonialSection>
      )}
      <Offices />
      <Faq questions={faq} title="FAQ" />
      {faq.length > 0 && (
        <StructuredData
          things={import.meta.env.SSR ? (publisher) => [faqPage(faq, publisher)] : null}
        />
      )}
    </>
  )
}

function Offices() {
  const { offices, street, postal_code: code, city, email, phone, maps_url: map } = useIdentity()
  if (!offices?.length) return null
  return (
    <section className={`wrap ${styles.offices}`} aria-labelledby="offices-title">
      <SectionHead label="Offices" id="offices-title" title="Where to find us" />
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
