import { paths } from '#shared/paths.ts'
import styles from '../../ui/lists/chips.module.css'
import { socialLinks, type Identity } from '../data/identity.ts'

/** The Follow Us links, with the feed last (docs/contract.md, Contact form). */
export function SocialLinks({ identity }: { identity: Identity }) {
  return (
    <ul className={styles.chips} aria-label="Follow us">
      {socialLinks(identity).map(([name, url]) => (
        <li key={name}>
          <a href={url} rel="noopener me">
            {name}
          </a>
        </li>
      ))}
      <li>
        <a href={paths.feed()}>RSS</a>
      </li>
    </ul>
  )
}
