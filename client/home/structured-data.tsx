import { paths } from '#shared/paths.ts'
import { followLinks, unknownIdentity, type Identity } from '../site/identity.ts'
import type { SiteData } from '../site/loader.ts'
import { inertJson, Stream } from '../site/stream.tsx'

/** The agency for search engines (spec 2.3). */
export function StructuredData({ settings, origin }: Pick<SiteData, 'settings' | 'origin'>) {
  return (
    <Stream value={settings} fallback={null}>
      {(part) => (
        <script
          type="application/ld+json"
          dangerouslySetInnerHTML={{
            __html: inertJson(organization((part.ok && part.value) || unknownIdentity, origin)),
          }}
        />
      )}
    </Stream>
  )
}

function organization(identity: Identity, origin: string) {
  const { brand, legal_name: legalName, about, email, phone, street, city, country } = identity
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: brand,
    legalName: legalName ?? undefined,
    description: about ?? undefined,
    url: `${origin}/`,
    logo: `${origin}/favicon.svg`,
    image: `${origin}/og-image.jpg`,
    email,
    telephone: phone ?? undefined,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street ?? undefined,
      postalCode: identity.postal_code ?? undefined,
      addressLocality: city ?? 'Helsinki',
      addressCountry: country ?? 'Finland',
    },
    sameAs: followLinks(identity).map(([, url]) => url),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer service',
      url: origin + paths.contactPage(),
      email,
      telephone: phone ?? undefined,
      availableLanguage: ['English', 'Finnish'],
    },
  }
}
