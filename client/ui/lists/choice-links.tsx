import styles from './choice-links.module.css'

type Props = {
  label: string
  links: readonly { label: string; href: string; chosen: boolean; count?: number }[]
  onFollow?: (event: React.MouseEvent<HTMLAnchorElement>) => void
}

/** A filter as a row of plain links, one of which is chosen. */
export function ChoiceLinks({ label, links, onFollow }: Props) {
  return (
    <nav className={styles.choices} aria-label={label}>
      <span className={`label ${styles.label}`}>{label}</span>
      <ul>
        {links.map((link) => (
          <li key={link.label}>
            <a
              href={link.href}
              aria-current={link.chosen ? 'true' : undefined}
              data-empty={link.count === 0 ? '' : undefined}
              onClick={onFollow}
            >
              {link.label}
              {link.count !== undefined && <span> {link.count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
