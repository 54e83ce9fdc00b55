import { ContactSection } from '../contact/contact-section.tsx'
import { useSite } from '../site/identity.ts'
import type { HomeData } from './loader.ts'
import { News } from './news.tsx'
import { Outsourcing } from './outsourcing.tsx'
import { Services } from './services.tsx'
import { SiteForMachines } from './structured-data.tsx'
import { Testimonials } from './testimonials.tsx'

/** The home page below its hero. */
export function Below({ news, testimonials }: Pick<HomeData, 'news' | 'testimonials'>) {
  const { services, settings, origin } = useSite()!
  return (
    <>
      <Services services={services} />
      <Outsourcing />
      <News news={news} />
      <Testimonials testimonials={testimonials} />
      <ContactSection settings={settings} />
      <SiteForMachines settings={settings} origin={origin} />
    </>
  )
}
