import { paths } from '#shared/paths.ts'
import type { Feature } from '../feature.ts'
import { optionalPages } from '../overview.ts'

const documents = [
  { text: 'Privacy policy', path: paths.privacyPolicy() },
  { text: 'Terms of service', path: paths.termsOfService() },
  { text: 'Cookie policy', path: paths.cookiePolicy() },
  { text: 'Accessibility statement', path: paths.accessibility() },
]

/** The legal documents: pages whose words stand in `client/legal/`. */
export const legalFeature = (): Feature => ({
  name: 'legal',
  pages: documents.map(({ path }) => path),
  overview: [{ heading: optionalPages, read: () => documents }],
})
