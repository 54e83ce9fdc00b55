import { useLocation, useRouteLoaderData } from 'react-router'
import { headTags, type PageHead, type PageSeo } from '#shared/head-tags.ts'
import { usePart } from './use-part.ts'
import { useIdentity, useSite } from './identity.ts'
import type { PageSeoData } from './seo-loader.ts'

/** What a page says of itself in its head. */
export type HeadProps = PageHead & {
  type?: 'website' | 'article'
  /** Keeps search engines away. */
  hidden?: boolean
  /** Of a view with an address of its own inside the page, of which the page's record says nothing. */
  address?: string
}

/**
 * What the head says of a page: for search engines and social networks
 * (docs/contract.md, SEO and feeds). What the SEO collection has for exactly this page stands above
 * what the page says of itself.
 */
export function Head({ type = 'website', hidden = false, address, ...own }: HeadProps) {
  const { pathname, search } = useLocation()
  const origin = useSite()?.origin ?? ''
  const { brand } = useIdentity()
  const record = useRecord(pathname)
  const seo = address ? null : record
  const tags = headTags({ ...own, hidden }, seo, { origin, pathname, search, brand })
  const { image } = tags
  const canonical = address ? origin + address : tags.canonical
  return (
    <>
      <title>{tags.title}</title>
      {tags.description && <meta name="description" content={tags.description} />}
      {tags.keywords && <meta name="keywords" content={tags.keywords} />}
      {tags.hidden ? (
        <meta name="robots" content="noindex" />
      ) : (
        <link rel="canonical" href={canonical} />
      )}
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={brand} />
      <meta property="og:locale" content="en_GB" />
      <meta property="og:title" content={tags.ogTitle} />
      {tags.ogDescription && <meta property="og:description" content={tags.ogDescription} />}
      <meta property="og:url" content={canonical} />
      <meta property="og:image" content={image.url} />
      {image.width && <meta property="og:image:width" content={String(image.width)} />}
      {image.height && <meta property="og:image:height" content={String(image.height)} />}
      <meta property="og:image:alt" content={image.alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

/** The head of what stands in for a page, such as an error: a title, and no search engine keeps it. */
export const SubstituteHead = ({ title }: { title: string }) => (
  <>
    <title>{title}</title>
    <meta name="robots" content="noindex" />
  </>
)

/** What the SEO collection says of the page; on a slow line a moment after the page is shown. */
function useRecord(pathname: string): PageSeo | null {
  const data = useRouteLoaderData<PageSeoData>('pages')
  const part = usePart(data?.path === pathname ? data.seo : undefined)
  return part?.ok ? part.value : null
}
