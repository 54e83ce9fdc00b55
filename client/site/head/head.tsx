import { use, useLayoutEffect, useState } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { useHydrating } from '../../ui/use-hydrated.ts'
import { DeferredContext, type HeadProps } from '../deferred.tsx'
import { usePart } from '../data/stream.tsx'
import { useIdentity, useSite } from '../data/identity.ts'
import type { PageSeoData } from './seo-loader.ts'

/**
 * What the head says of a page: for search engines and social networks
 * (docs/contract.md, SEO and feeds). What the SEO collection has for exactly this page stands above
 * what the page says of itself. The head that the server wrote is kept for as long as the page is
 * the same, so the browser needs no code for it.
 */
export function Head(props: HeadProps) {
  const code = use(DeferredContext)
  const location = useLocation()
  const { pathname, search } = location
  const site = useSite()
  const { brand } = useIdentity()
  const data = useRouteLoaderData<PageSeoData>('pages')
  const seo = data?.path === pathname ? data.seo : undefined
  const part = usePart(seo)
  const isHydrating = useHydrating()
  const [written, setWritten] = useState(isHydrating ? location : null)
  // What was late for the server is not in the head that it wrote.
  const isLate = [seo, site?.settings].some((value) => value && 'pending' in value)
  if (!code) return null
  if (!import.meta.env.SSR && written !== null) {
    if (location === written && !isLate) return null
    // The tags below take its place, and would leave none behind if they went again.
    setWritten(null)
  }
  return (
    <code.HeadTags
      {...props}
      record={part?.ok ? part.value : null}
      origin={site?.origin ?? ''}
      pathname={pathname}
      search={search}
      brand={brand}
    />
  )
}

/** The head of what stands in for a page, such as an error: a title, and no search engine keeps it. */
export function SubstituteHead({ title }: { title: string }) {
  useLayoutEffect(() => {
    removeWrittenHead()
    const before = document.title
    document.title = title
    return () => {
      document.title = before
    }
  }, [title])
  return (
    <>
      {import.meta.env.SSR && <title>{title}</title>}
      <meta name="robots" content="noindex" />
    </>
  )
}

/**
 * Takes out the head that the server wrote for the page before; React does not know of it. The title
 * stays: there is one, in the browser only its text changes, so that none goes with a page that React
 * throws away half hydrated.
 */
export function removeWrittenHead(): void {
  for (const tag of document.head.querySelectorAll('[data-head]')) tag.remove()
}
