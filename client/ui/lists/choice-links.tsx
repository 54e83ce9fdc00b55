import styles from './choice-links.module.css'

type Props = {
  label: string
  links: readonly { label: string; href: string; chosen: boolean; count?: number }[]
  onFollow?: (event: React.MouseEvent<HTMLAnchorElement>) => void
}

/** A filter as a row of chips, one of which is chosen; what leads to nothing can't be pressed. */
export function ChoiceLinks({ label, links, onFollow }: Props) {
  return (
    <nav className={styles.choices} aria-label={label}>
      <span className={`label ${styles.label}`}>{label}</span>
      <ul>
        {links.map((link) => (
          <li key={link.label}>
            <a
              href={link.count === 0 && !link.chosen ? undefined : link.href}
              aria-current={link.chosen ? 'true' : undefined}
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
