import { organization, website } from '#shared/seo/seo.ts'
import { ContactSection } from '../contact/contact-section.tsx'
import { unknownIdentity, useSite } from '../site/data/identity.ts'
import type { SiteData } from '../site/data/loader.ts'
import { Stream } from '../site/data/stream.tsx'
import { StructuredData } from '../site/head/structured-data.tsx'
import { staticPart } from '../site/static-part.tsx'
import type { HomeData } from './loader.ts'
import styles from './news.module.css'
import { Services } from './services.tsx'

const Work = staticPart(() => import('./work.static.tsx'))
const Outsourcing = staticPart(() => import('./outsourcing.static.tsx'))
const News = staticPart(() => import('./news.static.tsx'))
const Testimonials = staticPart(() => import('./testimonials.static.tsx'))

/** The home page below its hero. Lists without an entry, or without an answer, are left out. */
export function Below({
  work,
  news,
  testimonials,
}: Pick<HomeData, 'work' | 'news' | 'testimonials'>) {
  const { services, settings, origin } = useSite()!
  return (
    <>
      {/* The hero's "Scroll to explore" leads here; without cases the services are what comes next. */}
      <div id="explore">
        <Stream value={work} fallback={null}>
          {(part) => part.ok && part.value.length > 0 && <Work cases={part.value} />}
        </Stream>
      </div>
      <Services services={services} />
      <Outsourcing />
      <Stream value={news} fallback={<div className={styles.waiting} />}>
        {(part) => part.ok && part.value.length > 0 && <News articles={part.value} />}
      </Stream>
      <Stream value={testimonials} fallback={null}>
        {(part) => part.ok && part.value.length > 0 && <Testimonials quotes={part.value} />}
      </Stream>
      <ContactSection settings={settings} />
      <SiteForMachines settings={settings} origin={origin} />
    </>
  )
}

/** The agency and its site for search engines. */
const SiteForMachines = ({ settings, origin }: Pick<SiteData, 'settings' | 'origin'>) => (
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
