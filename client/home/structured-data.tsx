import { organization, website } from '#shared/seo.ts'
import { unknownIdentity } from '../site/data/identity.ts'
import type { SiteData } from '../site/data/loader.ts'
import { Stream } from '../site/data/stream.tsx'
import { StructuredData } from '../site/head/structured-data.tsx'

/** The agency and its site for search engines. */
export const SiteForMachines = ({ settings, origin }: Pick<SiteData, 'settings' | 'origin'>) => (
  <Stream value={settings} fallback={null}>
    {(part) => (
      <StructuredData
        things={
          import.meta.env.SSR
            ? () => {
                const publisher = { origin, identity: (part.ok && part.value) || unknownIdentity }
                return [organization(publisher), website(publisher)]
              }
            : null
        }
      />
    )}
  </Stream>
)
