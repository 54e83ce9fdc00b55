import { useEffect, useRef, type MouseEvent } from 'react'
import { paths } from '#shared/paths.ts'
import type { PortfolioPage } from '#shared/portfolio.ts'
import { ChoiceLinks } from '../ui/lists/choice-links.tsx'
import { withQuery } from './address.ts'
import styles from './filters.module.css'

type Props = {
  filters: PortfolioPage['filters']
  search: string
  onFollow: (event: MouseEvent<HTMLAnchorElement>) => void
}

/**
 * The filters of the portfolio in one row of chips. They are links, so each choice is an address; a
 * chosen one leads back to the rest.
 */
export function Filters({ filters, search, onFollow }: Props) {
  const row = useRef<HTMLDivElement>(null)
  const clean = withQuery(search, { page: null, project: null })
  const query = clean.slice(clean.indexOf('?') + 1 || clean.length)
  useEffect(() => {
    // On phones the row scrolls, and what is chosen may be beyond its edge.
    const chosen = row.current!.querySelector<HTMLElement>('a[aria-current]')
    if (query && chosen) row.current!.scrollLeft = chosen.offsetLeft - row.current!.clientWidth / 3
  }, [query])
  const isOpen = filters.every(({ chosen }) => chosen === null)
  return (
    <div ref={row} className={styles.row}>
      {filters
        .filter(({ chosen, choices }) => choices.length > 1 || chosen !== null)
        .map(({ name, label, chosen, choices }, index) => (
          <ChoiceLinks
            key={name}
            label={label}
            onFollow={onFollow}
            links={[
              ...(index === 0 ? [{ label: 'All', href: paths.portfolio(), chosen: isOpen }] : []),
              ...choices.map((choice) => {
                const isChosen = choice.value === chosen
                return {
                  label: choice.label,
                  count: choice.count,
                  href: withQuery(query, { [name]: isChosen ? null : choice.value }),
                  chosen: isChosen,
                }
              }),
            ]}
          />
        ))}
    </div>
  )
}
