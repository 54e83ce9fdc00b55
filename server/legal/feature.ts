import { paths } from '#shared/paths.ts'
import type { Feature } from '../feature.ts'

/** The legal documents: pages whose words stand in `client/legal/`. */
export const legalFeature = (): Feature => ({
  name: 'legal',
  pages: [
    paths.privacyPolicy(),
    paths.termsOfService(),
    paths.cookiePolicy(),
    paths.accessibility(),
  ],
})
