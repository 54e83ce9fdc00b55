import { ArrowIcon } from '../icons.tsx'
import styles from './pager.module.css'

type Props = {
  page: number
  pages: number
  /** The address of a page. */
  href: (page: number) => string
  label?: string
  /** Stands in something that has margins of its own. */
  inside?: boolean
}

/** The way through a list of several pages, by plain links. */
export function Pager({ page, pages, href, label = 'Pages', inside = false }: Props) {
  if (pages < 2) return null
  return (
    <nav
      className={inside ? styles.pager : `wrap ${styles.pager} ${styles.apart}`}
      aria-label={label}
    >
      {page > 1 ? (
        <a href={href(page - 1)} rel="prev" className={styles.back}>
          <ArrowIcon /> Previous
        </a>
      ) : (
        <span />
      )}
      <ol>
        {numbers(page, pages).map((number, index) =>
          number === null ? (
            <li key={`gap-${index}`} aria-hidden="true">
              …
            </li>
          ) : (
            <li key={number}>
              <a
                href={href(number)}
                aria-label={`Page ${number}`}
                aria-current={number === page ? 'page' : undefined}
              >
                {number}
              </a>
            </li>
          ),
        )}
      </ol>
      {page < pages ? (
        <a href={href(page + 1)} rel="next">
          Next <ArrowIcon />
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}

/** The first, the last and those around the present one; null for what is left out between. */
function numbers(page: number, pages: number): (number | null)[] {
  const shown = [...new Set([1, page - 1, page, page + 1, pages])].filter(
    (number) => number >= 1 && number <= pages,
  )
  return shown.flatMap((number, index) => {
    const before = shown[index - 1]
    return before !== undefined && number - before > 1 ? [null, number] : [number]
  })
}
