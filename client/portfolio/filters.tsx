import type { MouseEvent } from 'react'
import type { PortfolioPage } from '#shared/portfolio.ts'
import { ChoiceLinks } from '../ui/lists/choice-links.tsx'
import { withQuery } from './address.ts'

type Props = {
  filters: PortfolioPage['filters']
  search: string
  onFollow: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** The filters of the portfolio as links, so each choice is an address. */
export function Filters({ filters, search, onFollow }: Props) {
  const clean = withQuery(search, { page: null, project: null })
  const query = clean.slice(clean.indexOf('?') + 1 || clean.length)
  return filters
    .filter(({ choices }) => choices.length > 1)
    .map(({ name, label, chosen, choices }) => (
      <ChoiceLinks
        key={name}
        label={label}
        onFollow={onFollow}
        links={[
          { label: 'All', href: withQuery(query, { [name]: null }), chosen: chosen === null },
          ...choices.map((choice) => ({
            label: choice.label,
            count: choice.count,
            href: withQuery(query, { [name]: choice.value }),
            chosen: choice.value === chosen,
          })),
        ]}
      />
    ))
}
