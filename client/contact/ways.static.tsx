import { SocialLinks } from '../site/footer/social-links.tsx'
import type { Identity } from '../site/data/identity.ts'
import { ContactDetails } from './contact-details.tsx'
import styles from './contact-section.module.css'

/** The other ways to reach the agency, beside its form. */
export const Component = ({ identity }: { identity: Identity }) => (
  <>
    <ContactDetails identity={identity} />
    <h3 className={`label ${styles.follow}`}>Follow Us</h3>
    <SocialLinks identity={identity} />
  </>
)
