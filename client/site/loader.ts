import type { LoaderFunctionArgs } from 'react-router'
import { getMenu, getSettings, listServices } from '#shared/content.ts'
import { part, siteOf } from './loading.ts'

/** What the shell of every page shows: menu, settings, services, and the site's origin. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const [menu, settings, services] = await Promise.all([
    part(site, site.call(getMenu, {})),
    part(site, site.call(getSettings, {})),
    part(site, site.call(listServices, {})),
  ])
  return { menu, settings, services, origin: new URL(args.request.url).origin }
}

/** The data of the shell. */
export type SiteData = Awaited<ReturnType<typeof loader>>
