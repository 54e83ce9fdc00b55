import type { LoaderFunctionArgs } from 'react-router'
import { getMenu, getSettings } from '#shared/content.ts'
import { listServices } from '#shared/services.ts'
import { getSiteConfig } from '#shared/site-config.ts'
import { imageSet } from '#shared/images.ts'
import { servicePath } from '#shared/paths.ts'
import { part, siteOf, readInTime } from './loading.ts'
import { navigation } from '../header/menu.ts'

/** What the shell of every page shows: menu, settings, services, public configuration and origin. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const { api } = site
  const [menu, settings, services, config] = await Promise.all([
    readInTime(site, api(getMenu, {}), null),
    part(site, api(getSettings, {})),
    part(site, readServices(api)),
    readInTime(site, api(getSiteConfig, {}), null),
  ])
  return {
    navigation: navigation(menu),
    settings,
    services,
    config,
    origin: new URL(args.request.url).origin,
  }
}

/** The services as lists and cards show them. */
export async function readServices(api: ReturnType<typeof siteOf>['api']) {
  const rows = await api(listServices, {})
  return rows.map(({ title, description, url, image }, index) => ({
    title,
    description: description ?? '',
    path: servicePath(url),
    // The first is shown larger than the others.
    picture: index === 0 && image ? imageSet(image, { ratio: '4:3', format: 'auto' }) : null,
  }))
}

/** A service as lists and cards show it. */
export type ServiceCard = Awaited<ReturnType<typeof readServices>>[number]

/** The data of the shell. */
export type SiteData = Awaited<ReturnType<typeof loader>>
