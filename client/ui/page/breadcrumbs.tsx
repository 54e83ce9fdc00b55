import styles from './breadcrumbs.module.css'

/** The way to a page from above, without the page itself: its heading follows. */
export const Breadcrumbs = ({ trail }: { trail: readonly { title: string; href: string }[] }) => (
  <nav aria-label="Breadcrumbs" className={`label kerb ${styles.breadcrumbs}`}>
    <ol>
      {trail.map(({ title, href }) => (
        <li key={href}>
          <a href={href}>{title}</a>
        </li>
      ))}
    </ol>
  </nav>
)
