import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import { mainPages } from '../overview.ts'
import { pageTimeout, searchPage } from '../search-source.ts'
import { withTimeout } from '../timeout.ts'
import { homeRoutes } from './routes.ts'

/** The home page (docs/contract.md, Pages); what it shows of others, they give. */
export const homeFeature = (platform: Platform): Feature => ({
  name: 'home',
  routes: (http) => homeRoutes(platform, http),
  pages: [paths.home()],
  searchPages: async () => {
    const { content } = platform
    const [settings] = await withTimeout(content.rows('settings'), pageTimeout).catch(() => [])
    return [
      searchPage(
        paths.home(),
        { title: settings?.brand ?? 'Home' },
        { names: ['home', 'home page', 'start'], intro: settings?.tagline ?? '' },
      ),
    ]
  },
  overview: [
    {
      heading: mainPages,
      read: () => [
        { text: 'Home', path: paths.home(), about: 'services, latest work and contact' },
      ],
    },
  ],
})
