import { jsonLd, type Publisher, type Thing } from '#shared/seo.ts'
import { useIdentity, useSite } from './identity.ts'

/**
 * Structured data of a page (spec 2.3): a data block that no policy has to allow.
 * @param things makes what it says, from who publishes it
 */
export function StructuredData({ things }: { things: (publisher: Publisher) => readonly Thing[] }) {
  const identity = useIdentity()
  const origin = useSite()?.origin ?? ''
  return (
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: jsonLd(...things({ origin, identity })) }}
    />
  )
}
