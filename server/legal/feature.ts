import { paths } from '#shared/paths.ts'
import type { Feature } from '../feature.ts'
import { optionalPages } from '../overview.ts'
import { searchPage } from '../search-source.ts'

const documents = [
  searchPage(paths.privacyPolicy(), {
    title: 'Privacy policy',
    intro: 'Which personal data we keep, why, for how long, and what you may ask of us.',
    tags: 'privacy personal data protection GDPR',
  }),
  searchPage(paths.termsOfService(), {
    title: 'Terms of service',
    intro: 'The terms under which this site and our work may be used.',
    tags: 'terms conditions legal licence',
  }),
  searchPage(paths.cookiePolicy(), {
    title: 'Cookie policy',
    intro: 'What this site stores in your browser, and what only with your consent.',
    tags: 'cookies consent storage',
  }),
  searchPage(paths.accessibility(), {
    title: 'Accessibility statement',
    intro: 'How usable this site is for everybody, and whom to tell when it is not.',
    tags: 'accessibility WCAG screen reader keyboard',
  }),
]

/** The legal documents: pages whose words stand in `client/legal/`. */
export const legalFeature = (): Feature => ({
  name: 'legal',
  pages: documents.map(({ path }) => path),
  searchPages: () => documents,
  footerLinks: [
    { name: 'Privacy policy', path: paths.privacyPolicy() },
    { name: 'Cookie policy', path: paths.cookiePolicy() },
    { name: 'Accessibility', path: paths.accessibility() },
  ],
  overview: [
    {
      heading: optionalPages,
      read: () => documents.map(({ title, path }) => ({ text: title, path })),
    },
  ],
})
