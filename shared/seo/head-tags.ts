import { paths } from '../paths.ts'
import { withoutOuterSlashes } from '../text/slashes.ts'
import { beginning } from '../text/text.ts'

/** A picture as social networks take it; sizes in pixels, `url` absolute or a path. */
export type ShareImage = {
  url: string
  width?: number | null
  height?: number | null
  alt: string
}

/** What the SEO collection says of a page (docs/contract.md, SEO and feeds). */
export type PageSeo = {
  /** False when the record belongs to a page above. */
  exact: boolean
  title: string | null
  description: string | null
  keywords: string | null
  ogTitle: string | null
  ogDescription: string | null
  image: ShareImage | null
}

/** What a page says of itself. */
export type PageHead = {
  title?: string | undefined
  description?: string | undefined
  keywords?: string | undefined
  /** A picture, or the path or address of one. */
  image?: ShareImage | string | null | undefined
}

/** The head of a page, ready to be written. */
export type HeadTags = {
  title: string
  description: string | null
  keywords: string | null
  ogTitle: string
  ogDescription: string | null
  image: ShareImage
  /** On the public origin, with nothing in its query but the page number. */
  canonical: string
  hidden: boolean
}

/** The title of pages without one of their own. */
const defaultTitle = 'Premium Motorsport Media Services'

/** Characters of a description that search results show. */
const shownDescription = 160

/** The picture of pages without one of their own (docs/contract.md, Limits and constants). */
export const defaultImage = { url: '/og-image.jpg', width: 1200, height: 630 } as const

/**
 * Brings together what a page says and what the SEO collection says. A record of the page itself
 * wins; one of a page above only fills gaps, so titles stay unique. What a page says of itself may be
 * a text of its content, and is cut to what search results show; a record was written for them.
 * @param where the public origin, the path and the query of the page
 */
export function headTags(
  own: PageHead & { hidden?: boolean | undefined },
  record: PageSeo | null,
  where: { origin: string; pathname: string; search: string; brand: string },
): HeadTags {
  const { origin, pathname, brand } = where
  const filtered = filter.test(where.search)
  const page = filtered || !numberedLists.includes(pathname) ? 1 : pageNumber(where.search)
  const exact = record?.exact && !filtered ? record : null
  const numbered = (title: string) => (page > 1 ? `${title}, page ${page}` : title)
  const ownTitle = own.title && withBrand(numbered(own.title), brand)
  const plainTitle = own.title ?? record?.ogTitle ?? record?.title ?? defaultTitle
  const title = exact?.title ? numbered(exact.title) : (ownTitle ?? record?.title)
  const ownDescription = own.description && beginning(own.description, shownDescription)
  const description = exact?.description ?? (ownDescription || record?.description) ?? null
  const image = exact?.image ?? own.image ?? record?.image ?? null
  return {
    title: title || withBrand(defaultTitle, brand),
    description,
    keywords: exact?.keywords ?? own.keywords ?? record?.keywords ?? null,
    ogTitle: exact?.ogTitle ?? exact?.title ?? plainTitle,
    ogDescription: exact?.ogDescription ?? description,
    image: absoluteImage(image, where),
    canonical: canonical(),
    hidden: own.hidden === true || /[?&]preview=/.test(where.search),
  }

  function absoluteImage(
    given: ShareImage | string | null,
    { origin: base }: { origin: string },
  ): ShareImage {
    const known: ShareImage =
      typeof given === 'string'
        ? { url: given, alt: plainTitle }
        : (given ?? { ...defaultImage, alt: brand })
    const url = known.url.startsWith('/') ? base + known.url : known.url
    return { ...known, url, alt: known.alt || plainTitle }
  }

  function canonical(): string {
    return `${origin}/${withoutOuterSlashes(pathname)}` + (page > 1 ? `?page=${page}` : '')
  }
}

/** Elsewhere a page number in the query says nothing, and would make up pages without end. */
const numberedLists: readonly string[] = [paths.news(), paths.portfolio(), paths.shop()]

/** Query names that leave out some of a list; such a view counts as the list itself. */
const filter = /[?&](?:category|discipline|project|series|service|year)=/

const withBrand = (title: string, brand: string) =>
  title.includes(brand) ? title : `${title} | ${brand}`

function pageNumber(search: string): number {
  return Number(/[?&]page=([1-9]\d{0,5})(?:&|$)/.exec(search)?.[1] ?? 1)
}
