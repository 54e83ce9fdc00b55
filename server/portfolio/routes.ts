import { failure } from '#shared/failures.ts'
import { servicePath } from '#shared/paths.ts'
import {
  getProject,
  listPortfolio,
  projectsPerPage,
  type Choice,
  type FilterName,
} from '#shared/portfolio.ts'
import { pageNumber, serviceSlug } from '#shared/text/slug.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import type { Content } from '../content/source.ts'
import type { Http } from '../feature.ts'
import { filmOf, projectCard, projectPictures, quoteOf } from './cards.ts'
import type { Indexed, PortfolioIndex } from './portfolio-index.ts'

const filters: readonly { name: FilterName; label: string }[] = [
  { name: 'discipline', label: 'Discipline' },
  { name: 'service', label: 'Service' },
  { name: 'year', label: 'Year' },
  { name: 'series', label: 'Series' },
]

/** The portfolio and its projects. */
export function portfolioRoutes(
  { endpoints }: Pick<Http, 'endpoints'>,
  { content, index }: { content: Content; index: () => Promise<PortfolioIndex> },
): void {
  const rules = { limit: 'read', access: 'public' } as const

  endpoints.serve(listPortfolio, rules, async (input) => {
    const { all } = await withTimeout(index())
    const page = pageNumber(input.page)
    for (const { name } of filters) {
      const wanted = input[name]
      if (wanted !== undefined && !all.some((each) => each[name] === wanted && wanted)) {
        throw failure('missing')
      }
    }
    const passes = (each: Indexed, except?: FilterName) =>
      filters.every(
        ({ name }) => name === except || input[name] === undefined || each[name] === input[name],
      )
    const found = all.filter((each) => passes(each))
    const pages = Math.max(1, Math.ceil(found.length / projectsPerPage))
    if (page === null || page > pages) throw failure('missing')
    const shown = found.slice((page - 1) * projectsPerPage, page * projectsPerPage)
    const titles = await serviceTitles()
    return {
      projects: await Promise.all(shown.map(({ row }) => projectCard(row, content))),
      total: found.length,
      page,
      pages,
      filters: filters.map(({ name, label }) => ({
        name,
        label,
        chosen: input[name] ?? null,
        choices: choices(all, name, {
          chosen: input[name],
          passes: (each) => passes(each, name),
          titles,
        }),
      })),
    }
  })

  endpoints.serve(getProject, rules, async ({ slug }) => {
    const { all, bySlug, moved } = await withTimeout(index())
    const found = bySlug.get(slug)
    if (!found) {
      const movedTo = moved.get(slug)
      if (movedTo !== undefined) return { movedTo }
      throw failure('missing')
    }
    const { row, service } = found
    const next = all[(all.indexOf(found) + 1) % all.length]!
    const title = (await serviceTitles()).get(service)
    return {
      ...(await projectCard(row, content)),
      description: row.description ?? '',
      series: row.series ?? null,
      numbers: row.numbers ?? [],
      credits: row.credits ?? [],
      quote: quoteOf(row),
      next: next === found ? null : await projectCard(next.row, content),
      videoUrl: /^(https?:\/\/|\/)/.test(row.video_url ?? '') ? row.video_url! : null,
      film: await filmOf(row, content),
      service: title ? { title, path: servicePath(service) } : null,
      pictures: await projectPictures(row, content),
    }
  })

  /** Names of services by their slugs; none while the services cannot be read. */
  async function serviceTitles(): Promise<ReadonlyMap<string, string>> {
    const rows = await withTimeout(content.rows('services')).catch(() => [])
    return new Map(rows.map(({ url, title }) => [serviceSlug(url), title]))
  }
}

/**
 * The values of a filter: years newest first, the rest as often as they occur. A series of one project
 * is a choice only once it is chosen: many projects are the only one of theirs.
 */
function choices(
  all: readonly Indexed[],
  name: FilterName,
  {
    chosen,
    passes,
    titles,
  }: {
    chosen: string | undefined
    passes: (each: Indexed) => boolean
    titles: ReadonlyMap<string, string>
  },
): Choice[] {
  const found = new Map<string, Choice & { all: number }>()
  for (const each of all) {
    const value = each[name]
    if (!value) continue
    const label =
      name === 'service'
        ? (titles.get(value) ?? words(value))
        : name === 'year'
          ? value
          : each.row[name]!
    const choice = found.get(value) ?? { value, label, count: 0, all: 0 }
    choice.all += 1
    if (passes(each)) choice.count += 1
    found.set(value, choice)
  }
  return [...found.values()]
    .filter((choice) => name !== 'series' || choice.all > 1 || choice.value === chosen)
    .toSorted((a, b) => (name === 'year' ? Number(b.value) - Number(a.value) : b.all - a.all))
    .map(({ value, label, count }) => ({ value, label, count }))
}

/** `public-relations` as `Public relations`. */
const words = (slug: string) => slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ')
