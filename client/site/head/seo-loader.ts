import type { LoaderFunctionArgs } from 'react-router'
import { getSession } from '#shared/clients/clients.ts'
import { isTool } from '#shared/paths.ts'
import { getSeo } from '#shared/seo/seo-lookup.ts'
import { part, readInTime, siteOf } from '../data/loading.ts'

/** How long the browser holds up a page for its title, which may also come later; milliseconds. */
const headTimeout = 400

/**
 * What the SEO collection says of the page and, where it is a tool, who is signed in; runs beside the
 * page's own loader, and never fails it.
 */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const { pathname: path } = new URL(args.request.url)
  const inTime = { ...site, partTimeout: site.partTimeout || headTimeout }
  const [seo, session] = await Promise.all([
    part(inTime, site.api(getSeo, { path })),
    isTool(path) ? readInTime(inTime, site.api(getSession, {}), null) : null,
  ])
  return { path, seo, session }
}

/** The data of the route around all pages. */
export type PageSeoData = Awaited<ReturnType<typeof loader>>
