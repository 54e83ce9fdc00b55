import type { KeyboardEvent } from 'react'
import { useLocation } from 'react-router'
import { newsletterPolicy } from '#shared/newsletter.ts'
import { paths } from '#shared/paths.ts'
import { ContactDetails } from '../contact/contact-details.tsx'
import { opensPreferences } from '../consent/opens-preferences.ts'
import { NewsletterForm } from '../newsletter/newsletter-form.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { Appearance } from './appearance.tsx'
import styles from './footer.module.css'
import { SocialLinks } from './social-links.tsx'
import { nowOr, useIdentity, useSite, type Identity } from './identity.ts'
import { Logo } from './logo.tsx'
import { serviceTitles } from './service-titles.ts'

/** Where somebody may look for the way back out of a contract. */
const hasWithdrawal = (path: string) =>
  path.startsWith(paths.shop()) || path === paths.termsOfService()

const legal = [
  { title: 'Privacy policy', href: paths.privacyPolicy() },
  { title: 'Terms of service', href: paths.termsOfService() },
  { title: 'Cookie policy', href: paths.cookiePolicy() },
  { title: 'Accessibility', href: paths.accessibility() },
]

/** The end of every page (docs/contract.md, Pages). */
export function Footer() {
  const site = useSite()
  const { pathname } = useLocation()
  const identity = useIdentity()
  const services = nowOr(site?.services, null)?.map(({ title, path }) => ({ title, href: path }))
  return (
    <footer className={`night ${styles.footer}`}>
      <div className={styles.kerb} />
      <section className={`wrap ${styles.newsletter}`} aria-labelledby="newsletter-title">
        <div>
          <h2 id="newsletter-title">From the paddock, by mail</h2>
          <p>{newsletterPolicy.text}</p>
        </div>
        <NewsletterForm target={site?.config?.newsletter} />
      </section>
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
          links={[
            ...(site?.navigation.entries ?? []),
            { title: 'Book your dates', href: paths.booking() },
          ]}
        />
        <Column title="Services" links={services ?? serviceTitles} />
        <Column
          title="Legal"
          links={
            hasWithdrawal(pathname)
              ? [...legal, { title: 'Withdraw from contract here', href: paths.withdraw() }]
              : legal
          }
        />
        <section className={styles.contact}>
          <h2 className="label">Contact</h2>
          <ContactDetails identity={identity} />
        </section>
      </div>
      <div className={`wrap ${styles.bottom}`}>
        <Owner identity={identity} />
        <button type="button" className={styles.preferences} {...opensPreferences}>
          Cookie preferences
        </button>
        <Appearance />
        {/* A link, so that it works without scripts; to everybody else the button that it is. */}
        <a href="#top" role="button" className={styles.up} onKeyDown={pressWithSpace}>
          Back to top <ArrowIcon />
        </a>
      </div>
    </footer>
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

/** The key that presses a button but no link. */
function pressWithSpace(event: KeyboardEvent<HTMLAnchorElement>) {
  if (event.key !== ' ') return
  event.preventDefault()
  event.currentTarget.click()
}

function Column({
  title,
  links,
}: {
  title: string
  links: readonly { title: string; href: string; contact?: boolean }[]
}) {
  return (
    <nav aria-labelledby={`footer-${title}`}>
      <h2 className="label" id={`footer-${title}`}>
        {title}
      </h2>
      <ul>
        {links.map(({ title: name, href, contact }) => (
          <li key={name}>
            <a href={href} data-contact={contact ? '' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
