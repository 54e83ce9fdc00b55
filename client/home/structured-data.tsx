import { organization, website } from '#shared/seo.ts'
import { unknownIdentity } from '../site/identity.ts'
import type { SiteData } from '../site/loader.ts'
import { Stream } from '../site/stream.tsx'
import { DataBlocks } from '../site/structured-data.tsx'

/** In the browser they stand for what the server has written: search engines read that alone. */
const written = [{ '@type': 'Organization' }, { '@type': 'WebSite' }]

/** The agency and its site for search engines. */
export function StructuredData({ settings, origin }: Pick<SiteData, 'settings' | 'origin'>) {
  return (
    <Stream value={settings} fallback={null}>
      {(part) => {
        if (!import.meta.env.SSR) return <DataBlocks things={written} />
        const publisher = { origin, identity: (part.ok && part.value) || unknownIdentity }
        return <DataBlocks things={[organization(publisher), website(publisher)]} />
      }}
    </Stream>
  )
}
