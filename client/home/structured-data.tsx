import { organization, website } from '#shared/seo.ts'
import { unknownIdentity } from '../site/identity.ts'
import type { SiteData } from '../site/loader.ts'
import { Stream } from '../site/stream.tsx'
import { DataBlocks } from '../site/structured-data.tsx'

/** The agency and its site for search engines (spec 2.3). */
export function StructuredData({ settings, origin }: Pick<SiteData, 'settings' | 'origin'>) {
  return (
    <Stream value={settings} fallback={null}>
      {(part) => {
        const publisher = { origin, identity: (part.ok && part.value) || unknownIdentity }
        return <DataBlocks things={[organization(publisher), website(publisher)]} />
      }}
    </Stream>
  )
}
