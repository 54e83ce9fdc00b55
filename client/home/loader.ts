import type { LoaderFunctionArgs } from 'react-router'
import { getHero, latestNews, listServices, listTestimonials } from '#shared/content.ts'
import { part, siteOf, soon } from '../site/loading.ts'

/** What the home page shows; only the hero holds up its head. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const [hero, services, news, testimonials] = await Promise.all([
    soon(site, site.call(getHero, { variant: site.variant }), null),
    part(site, site.call(listServices, {})),
    part(site, site.call(latestNews, {})),
    part(site, site.call(listTestimonials, {})),
  ])
  return { hero, services, news, testimonials, origin: new URL(args.request.url).origin }
}

/** The data of the home page. */
export type HomeData = Awaited<ReturnType<typeof loader>>
