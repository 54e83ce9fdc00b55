import {
  accessibilityTexts,
  cookieTexts,
  privacyTexts,
  termsTexts,
} from '#shared/legal/legal-texts.ts'
import { paths } from '#shared/paths.ts'
import { getTermsData } from '#shared/legal/terms-data.ts'
import { termsSpans, termsWith } from '#shared/legal/terms.ts'
import type { Feature, Platform } from '../feature.ts'
import { optionalPages } from '../contributions/overview.ts'
import { html } from '../text/markup.ts'
import { searchPage } from '../contributions/search-source.ts'
import { createTermsVersions, type TermsVersions } from './terms-versions.ts'

export type { TermsText } from './schema.ts'
export type { TermsVersions } from './terms-versions.ts'

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
}

/** The legal documents: pages whose words are in `client/legal/`, and what others agree on. */
export type LegalFeature = Feature & { readonly terms: TermsVersions }

/** Makes the feature. */
export function legalFeature(platform: Platform, { cancellation }: LegalDeps): LegalFeature {
  const documents = documentsOf(cancellation)
  const terms = createTermsVersions(platform, cancellation)
  const keep = () =>
    terms.keepNow().catch((error: unknown) => platform.log.error({ err: error }, 'terms not kept'))
  return {
    name: 'legal',
    terms,
    start: () => void keep(),
    routes: ({ endpoints }) =>
      endpoints.serve(getTermsData, { limit: 'read', access: 'public' }, async () => {
        // Staff may have changed what cancelling costs since the server started.
        await keep()
        return { cancellation: cancellation(), versions: terms.list() }
      }),
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
