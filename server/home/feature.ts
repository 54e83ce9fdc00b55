import { paths } from '#shared/paths.ts'
import type { Feature } from '../feature.ts'
import { mainPages } from '../overview.ts'

/** The home page (docs/contract.md, Pages). */
export const homeFeature = (): Feature => ({
  name: 'home',
  pages: [paths.home()],
  overview: [
    {
      heading: mainPages,
      read: () => [
        { text: 'Home', path: paths.home(), about: 'services, latest work and contact' },
      ],
    },
  ],
})
