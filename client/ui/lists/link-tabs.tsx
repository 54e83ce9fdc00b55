import styles from './link-tabs.module.css'

type Props = {
  label: string
  tabs: readonly { title: string; href: string; current: boolean; count?: number }[]
}

/** Views of one thing, each under its own address. */
export const LinkTabs = ({ label, tabs }: Props) => (
  <nav aria-label={label} className={styles.tabs}>
    <ul>
      {tabs.map(({ title, href, current, count }) => (
        <li key={title}>
          <a href={href} aria-current={current ? 'page' : undefined}>
            {title} {count !== undefined && <span>{count}</span>}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
