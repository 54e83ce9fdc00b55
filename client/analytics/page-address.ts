import { pageOf } from '../pages.ts'

/** A page as the router knows it. */
export type VisitedPage = {
  /** The id of its route. */
  id: string
  path: string
  search: string
  /** The names of what its route leaves open, with spaces between them: `id *`. */
  parameters: string
}

/**
 * The address of a page as measuring services may know it: of its query only the names of
 * campaigns (`utm_*`), of a personal page not what opens it, and nothing of an address that leads to
 * no page, where part of one that does may stand.
 */
export function pageAddress(page: VisitedPage): string {
  const campaign = new URLSearchParams(
    Array.from(new URLSearchParams(page.search)).filter(([name]) => name.startsWith('utm_')),
  ).toString()
  return pathOf(page) + (campaign && `?${campaign}`)
}

/** The title of a page as measuring services may know it: that of a personal page names people. */
export const pageTitle = ({ id }: VisitedPage, title: string): string =>
  isPersonal(id) ? 'A private page' : title

function pathOf({ id, path, parameters }: VisitedPage): string {
  if (parameters === '') return path
  if (isPersonal(id)) return `/${path.split('/')[1]}/private`
  return parameters.includes('*') ? '/not-found' : path
}

/** What isn't a page of ours counts as personal. */
const isPersonal = (id: string) => pageOf(id)?.personal ?? true
