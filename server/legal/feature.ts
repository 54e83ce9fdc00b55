import {
  accessibilityTexts,
  cookieTexts,
  privacyTexts,
  termsTexts,
} from '#shared/legal/legal-texts.ts'
import { paths } from '#shared/paths.ts'
import { getTermsData } from '#shared/legal/terms-data.ts'
import { termsSpans, termsWith } from '#shared/legal/terms.ts'
import type { Feature } from '../feature.ts'
import { optionalPages } from '../contributions/overview.ts'
import { html } from '../text/markup.ts'
import { searchPage } from '../contributions/search-source.ts'

/** The terms as HTML, for the search alone. */
const termsText = (cancellation: readonly string[]) =>
  html`${termsWith(cancellation).flatMap(({ title, blocks }) =>
    [title, ...blocks.flat()].map(
      (text) =>
        html`<p>
          ${termsSpans(text)
            .map(({ words }) => words)
            .join('')}
        </p>`,
    ),
  )}`.markup

const documentsOf = (cancellation: () => string[]) => [
  searchPage(paths.privacyPolicy(), privacyTexts, {
    names: ['privacy', 'privacy notice', 'personal data', 'data protection', 'GDPR'],
  }),
  searchPage(paths.termsOfService(), termsTexts, {
    names: ['terms', 'terms and conditions', 'conditions', 'legal'],
    body: async () => termsText(cancellation()),
  }),
  searchPage(paths.cookiePolicy(), cookieTexts, {
    names: ['cookie', 'cookies', 'cookie preferences', 'consent'],
  }),
  searchPage(paths.accessibility(), accessibilityTexts, {
    names: ['accessibility', 'WCAG', 'screen reader', 'keyboard'],
  }),
]

/** What the terms take from other features. */
export type LegalDeps = {
  /** What cancelling a booking costs, in sentences. */
  cancellation: () => string[]
  /** The versions of the terms of service that can be read. */
  termsVersions: () => string[]
}

/** The legal documents: pages whose words are in `client/legal/`. */
export function legalFeature({ cancellation, termsVersions }: LegalDeps): Feature {
  const documents = documentsOf(cancellation)
  return {
    name: 'legal',
    routes: ({ endpoints }) =>
      endpoints.serve(getTermsData, { limit: 'read', access: 'public' }, () => ({
        cancellation: cancellation(),
        kept: termsVersions(),
      })),
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
  }
}
