import { use } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import type { PageHead } from '#shared/seo/head-tags.ts'
import type { Publisher } from '#shared/seo/seo.ts'
import { jsonLd, type Thing } from '#shared/seo/json-ld.ts'
import { DeferredContext } from '../deferred.tsx'
import { useIdentity, useSite } from '../data/identity.ts'
import { usePart } from '../data/stream.tsx'
import type { PageSeoData } from './seo-loader.ts'

type Props = {
  /**
   * Builds the page's structured data from its publisher and the address of the picture that its head
   * names, given the page's own; null in the browser, so its bundle goes without the code that makes
   * it: `import.meta.env.SSR ? (publisher) => [...] : null`.
   */
  things:
    | ((
        publisher: Publisher,
        sharedPicture: (own: PageHead['image']) => string,
      ) => readonly Thing[])
    | null
}

/**
 * Structured data of a page, each thing in a data block of its own; no policy has to allow those.
 * Search engines read what the server has written, so the browser leaves that as it is.
 */
export const StructuredData = ({ things }: Props) =>
  import.meta.env.SSR && things ? <Written things={things} /> : <Blocks html="" />

function Written({ things }: { things: NonNullable<Props['things']> }) {
  const code = use(DeferredContext)
  const identity = useIdentity()
  const origin = useSite()?.origin ?? ''
  const { pathname, search } = useLocation()
  const seo = useRouteLoaderData<PageSeoData>('pages')?.seo
  const part = usePart(seo)
  if (!code) return null
  const record = part?.ok ? part.value : null
  const where = { origin, pathname, search, brand: identity.brand }
  const sharedPicture = (image: PageHead['image']) =>
    code.headTags({ image }, record, where).image.url
  const html = things({ origin, identity }, sharedPicture)
    .map((thing) => `<script type="application/ld+json">${jsonLd(thing)}</script>`)
    .join('')
  return <Blocks html={html} />
}

const Blocks = ({ html }: { html: string }) => (
  <div hidden suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
)
