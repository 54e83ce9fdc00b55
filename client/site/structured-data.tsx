import { jsonLd, type Publisher, type Thing } from '#shared/seo.ts'
import { useIdentity, useSite } from './identity.ts'

/**
 * Structured data of a page (spec 2.3), each thing in a data block of its own; no policy has to
 * allow those.
 * @param things makes what the page says, from who publishes it
 */
export function StructuredData({ things }: { things: (publisher: Publisher) => readonly Thing[] }) {
  const identity = useIdentity()
  const origin = useSite()?.origin ?? ''
  return <DataBlocks things={things({ origin, identity })} />
}

/** Things as data blocks. */
export function DataBlocks({ things }: { things: readonly Thing[] }) {
  return things.map((thing, index) => (
    <script
      key={`${String(thing['@type'])}-${index}`}
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: jsonLd(thing) }}
    />
  ))
}
