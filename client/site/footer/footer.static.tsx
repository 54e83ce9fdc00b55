import { newsletterPolicy } from '#shared/newsletter.ts'
import { paths } from '#shared/paths.ts'
import { ContactDetails } from '../../contact/contact-details.tsx'
import { opensPreferences } from '../../consent/opens-preferences.ts'
import { NewsletterForm } from '../../newsletter/newsletter-form.tsx'
import { ArrowIcon } from '../../ui/icons.tsx'
import appearance from './appearance.module.css'
import type { Theme } from '../theme/theme.ts'
import styles from './footer.module.css'
import { SocialLinks } from './social-links.tsx'
import { unknownIdentity, useSite, type Identity } from '../data/identity.ts'
import type { SiteData } from '../data/loader.ts'
import { Logo } from '../header/logo.tsx'
import { Stream } from '../data/stream.tsx'

const legal = [
  { title: 'Privacy policy', href: paths.privacyPolicy() },
  { title: 'Terms of service', href: paths.termsOfService() },
  { title: 'Cookie policy', href: paths.cookiePolicy() },
  { title: 'Accessibility', href: paths.accessibility() },
  { title: 'Withdraw from contract here', href: paths.withdraw(), className: styles.withdrawal },
]

/**
 * What is in the footer; `footer.tsx` brings to life what does something.
 * @param props `slim` for pages that someone works with: whose site it is and what the law asks for
 */
export function Component({ slim }: { slim: boolean }) {
  const { settings, config } = useSite()!
  const target = config?.newsletter
  if (slim) return <SlimFooter settings={settings} />
  return (
    <>
      <div className={styles.kerb} />
      <section className={`wrap ${styles.newsletter}`} aria-labelledby="newsletter-title">
        <div>
          <h2 id="newsletter-title">The paddock newsletter</h2>
          <p>{newsletterPolicy.text}</p>
        </div>
        <div data-newsletter={JSON.stringify(target)}>
          <NewsletterForm target={target} />
        </div>
      </section>
      <Stream value={settings} fallback={<Columns identity={unknownIdentity} />}>
        {(part) => <Columns identity={(part.ok && part.value) || unknownIdentity} />}
      </Stream>
      <div className={`wrap ${styles.bottom}`}>
        <Stream value={settings} fallback={<Owner identity={unknownIdentity} />}>
          {(part) => <Owner identity={(part.ok && part.value) || unknownIdentity} />}
        </Stream>
        <Appearance />
        <button type="button" className={styles.preferences} {...opensPreferences}>
          Cookie preferences
        </button>
        {/* A link, so it works without scripts; to everyone else the button that it is. */}
        <a href="#top" role="button" className={styles.up}>
          Back to top <ArrowIcon />
        </a>
      </div>
    </>
  )
}

const SlimFooter = ({ settings }: Pick<SiteData, 'settings'>) => (
  <div className={`wrap ${styles.bottom}`}>
    <Stream value={settings} fallback={<Owner identity={unknownIdentity} />}>
      {(part) => <Owner identity={(part.ok && part.value) || unknownIdentity} />}
    </Stream>
    <nav aria-label="Legal">
      <ul className={styles.line}>
        {legal.map(({ title, href, className }) => (
          <li key={href} className={className}>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
    <button type="button" className={styles.preferences} {...opensPreferences}>
      Cookie preferences
    </button>
  </div>
)

/** About the agency, the ways on, and how to reach it. */
function Columns({ identity }: { identity: Identity }) {
  const { navigation, services } = useSite()!
  return (
    <div className={`wrap ${styles.top}`}>
      <div className={styles.about}>
        <Logo brand={identity.brand} />
        <p>
          {identity.about ??
            'A Finnish motorsport media agency. We photograph, film, write and publish for teams, drivers, series and their partners.'}
        </p>
        <SocialLinks identity={identity} />
      </div>
      <Column
        title="Navigation"
        links={[...navigation.entries, { title: 'Book your dates', href: paths.booking() }]}
      />
      <Stream value={services} fallback={<Column title="Services" links={serviceTitles} />}>
        {(part) => (
          <Column
            title="Services"
            links={
              part.ok ? part.value.map(({ title, path }) => ({ title, href: path })) : serviceTitles
            }
          />
        )}
      </Stream>
      <Column title="Legal" links={legal} />
      <section className={styles.contact}>
        <h2 className="label">Contact</h2>
        <ContactDetails identity={identity} />
      </section>
    </div>
  )
}

/** Whose site this is. */
function Owner({ identity }: { identity: Identity }) {
  const { brand, legal_name: legalName, business_id: businessId, founded } = identity
  return (
    <p>
      © {legalName ?? brand}
      {founded && `, since ${founded}`}
      {businessId && (
        <>
          <span className={styles.dot}> · </span>
          <span className={styles.whole}>Business ID {businessId}</span>
        </>
      )}
    </p>
  )
}

function Column({
  title,
  links,
}: {
  title: string
  links: readonly {
    title: string
    href: string
    contact?: boolean
    className?: string | undefined
  }[]
}) {
  return (
    // No id: while the settings are late, a column is in the page twice, as fallback and as itself.
    <nav aria-label={title}>
      <h2 className="label">{title}</h2>
      <ul>
        {links.map(({ title: name, href, contact, className }) => (
          <li key={name} className={className}>
            <a href={href} data-contact={contact ? '' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * The services that always have a page (docs/contract.md, Pages), for when their collection cannot
 * be read.
 */
const serviceTitles = [
  'Photography',
  'Videography',
  'Public Relations',
  'Social Media',
  'Website Design',
  'Graphic Design',
  'Media Outsourcing',
].map((title) => ({ title, href: paths.service(title.toLowerCase().replace(' ', '-')) }))

const themes: readonly [Theme, string][] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'System'],
]

/**
 * Sets the theme directly, the system's included (docs/contract.md, Theme). The server marks none:
 * `footer.tsx` marks the visitor's own.
 */
const Appearance = () => (
  <fieldset className={appearance.choices}>
    <legend>Theme</legend>
    {themes.map(([theme, name]) => (
      <label key={theme}>
        <input type="radio" name="appearance" value={theme} />
        {name}
      </label>
    ))}
  </fieldset>
)
