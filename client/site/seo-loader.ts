import type { LoaderFunctionArgs } from 'react-router'
import { getSeo } from '#shared/seo-lookup.ts'
import { part, siteOf } from './loading.ts'

/** How long the browser holds up a page for its title, which may also come later; milliseconds. */
const headTimeout = 400

/** What the SEO collection says of the page; runs beside the page's own loader, and never fails it. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const { pathname: path } = new URL(args.request.url)
  const reading = site.api(getSeo, { path })
  const seo = await part({ ...site, partTimeout: site.partTimeout || headTimeout }, reading)
  return { path, seo }
}

/** The data of the route around all pages. */
export type PageSeoData = Awaited<ReturnType<typeof loader>>
