import type { Row } from '../collections.ts'
import { failure } from '#shared/failures.ts'
import { paths, servicePath } from '#shared/paths.ts'
import type { Question } from '#shared/faq.ts'
import { getService, listServices, type Service } from '#shared/services.ts'
import { serviceSlug } from '#shared/text/slug.ts'
import { withTimeout } from '../concurrency/timeout.ts'
import type { Content } from '../content/source.ts'
import type { Http } from '../feature.ts'
import { html } from '../text/markup.ts'
import { saleOf, saleUnitOf } from './bookable.ts'
import { fallbackServices, defaultProcess, type FallbackService } from './fallback-services.ts'

/** What pages of services take from other features. */
export type ServiceDeps = {
  /** The newest projects of a service. */
  work: (slug: string, max: number) => Promise<Service['work']>
  /** The questions that a page shows, in their order. */
  questionsOn: (path: string) => Promise<Question[]>
}

/** The services of the site: all of them, and one at a time. */
export function serviceRoutes(
  { endpoints }: Pick<Http, 'endpoints'>,
  {
    content,
    clock,
    work: workOf,
    questionsOn,
  }: ServiceDeps & { content: Content; clock: () => number },
): void {
  const rules = { limit: 'read', access: 'public' } as const
  endpoints.serve(listServices, rules, async () => [...(await content.rows('services'))])
  endpoints.serve(getService, rules, async ({ slug }) => {
    const fallback = fallbackServices.find((each) => each.slug === slug)
    const rows = await withTimeout(content.rows('services')).catch((error: unknown) => {
      if (fallback) return null
      throw error
    })
    const row = rows?.find(({ url }) => servicePath(url) === paths.service(slug))
    if (row) return fromRow(row, rows!, fallback)
    if (!fallback) throw failure('missing')
    return fromFallback(fallback, await faqOf(slug), rows === null)
  })

  const faqOf = (slug: string) => withTimeout(questionsOn(paths.service(slug))).catch(() => [])

  async function fromRow(
    row: Row<'services'>,
    rows: readonly Row<'services'>[],
    fallback: FallbackService | undefined,
  ): Promise<Service> {
    const slug = serviceSlug(row.url)
    const [body, picture, gallery, work, testimonials, faq] = await Promise.all([
      withTimeout(content.text('services', row.id)).catch(() => null),
      content.picture(row.image),
      Promise.all((row.gallery ?? []).map((id) => content.picture(id))),
      withTimeout(workOf(slug, 3)).catch(() => []),
      withTimeout(content.rows('testimonials')).catch(() => []),
      faqOf(slug),
    ])
    const own = fallback ?? { headline: '', intro: '', deliverables: [] }
    const description = row.description ?? fallback?.description ?? ''
    const links = rows
      .map((each) => ({ title: each.title, path: servicePath(each.url) }))
      .filter(({ path }) => path.startsWith('/'))
    return {
      slug,
      title: row.title,
      description,
      headline: row.headline || own.headline,
      intro: row.intro || own.intro || description,
      body: body ?? (fallback ? paragraphs(fallback) : null),
      deliverables: [...(row.deliverables ?? own.deliverables)],
      process: row.process?.length ? row.process : [...defaultProcess],
      ...saleOf(row, clock()),
      picture,
      gallery: gallery.filter((each) => each !== null),
      work,
      testimonial: quoteOf(testimonials, slug),
      faq,
      ...beside(links, paths.service(slug)),
      standsIn: false,
    }
  }
}

function fromFallback(fallback: FallbackService, faq: Service['faq'], standsIn: boolean): Service {
  const { paragraphs: _, deliverables, ...words } = fallback
  const links = fallbackServices.map(({ title, slug }) => ({ title, path: paths.service(slug) }))
  return {
    ...words,
    body: paragraphs(fallback),
    deliverables: [...deliverables],
    process: [...defaultProcess],
    priceFrom: null,
    priceNote: null,
    unit: saleUnitOf(fallback.slug, null),
    includes: [],
    picture: null,
    gallery: [],
    work: [],
    testimonial: null,
    faq,
    ...beside(links, paths.service(fallback.slug)),
    standsIn,
  }
}

const paragraphs = ({ paragraphs: all }: FallbackService) =>
  all
    .map(
      ([heading, text]) =>
        html`<h2>${heading}</h2>
          <p>${text}</p>`.markup,
    )
    .join('')

function quoteOf(rows: readonly Row<'testimonials'>[], slug: string): Service['testimonial'] {
  const row = rows.find(({ service }) => serviceSlug(service) === slug)
  if (!row) return null
  const { quote, name, role = null, company = null, source = null } = row
  return { quote, name, role, company, source }
}

/** The services before and after one, in a ring. */
function beside(
  links: readonly { title: string; path: string }[],
  path: string,
): Pick<Service, 'previous' | 'next'> {
  const at = links.findIndex((each) => each.path === path)
  return {
    previous: links[(at - 1 + links.length) % links.length]!,
    next: links[(at + 1) % links.length]!,
  }
}
