import { useEffect } from 'react'
import { useLoaderData, useLocation } from 'react-router'
import { scrollIntent, show } from '../site/link-clicks.ts'
import { Head } from '../site/head/head.tsx'
import { Below } from './below.tsx'
import { Hero } from './hero.tsx'
import type { HomeData } from './loader.ts'

/** Milliseconds from arriving to scrolling (docs/contract.md, Limits and constants). */
const hashDelay = 500
const servicesDelay = 1000

/**
 * Milliseconds from being shown to asking for a sitemap (docs/contract.md, Limits and constants).
 */
const sitemapDelay = 3000

/** The home page (docs/contract.md, Pages). */
export function Component() {
  const { hero, ...below } = useLoaderData<HomeData>()
  useScrollToTarget()
  useEffect(() => {
    const timer = setTimeout(() => {
      // oxlint-disable-next-line no-console
      import('./sitemap-trigger.ts').then(({ refreshSitemap }) => refreshSitemap(), console.warn)
    }, sitemapDelay)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <Head
        title="Premium Motorsport Media Services"
        description="Photography, videography, public relations, social media and design for motorsport teams, drivers and series. A Finnish media agency in the paddock, all season."
        keywords="motorsport, media agency, photography, videography, PR, public relations, racing, social media, Finland"
      />
      <Hero hero={hero} />
      <Below {...below} />
    </>
  )
}

/** The entries of the history that were scrolled for, by key and fragment. */
const arrivals = new Set<string>()

/**
 * Scrolls to where the visitor wanted to go: the fragment of the address, or the services. Back and
 * Forward are left alone, since the router restores the place.
 */
function useScrollToTarget() {
  const arrival = useLocation()
  useEffect(() => {
    let wanted: string | null = null
    try {
      wanted = sessionStorage.getItem(scrollIntent)
      sessionStorage.removeItem(scrollIntent)
    } catch {
      // Storage may be closed to us; the address says it then.
    }
    const entry = arrival.key + arrival.hash
    const id = wanted ? 'services' : arrival.hash.slice(1)
    if (!id || arrivals.has(entry)) return undefined
    const arrive = () => {
      arrivals.add(entry)
      show(id)
    }
    const timer = setTimeout(arrive, wanted ? servicesDelay : hashDelay)
    return () => clearTimeout(timer)
  }, [arrival])
}
