import { ContactSection } from '../contact/contact-section.tsx'
import { useSite } from '../site/data/identity.ts'
import type { HomeData } from './loader.ts'
import { News } from './news.tsx'
import { Outsourcing } from './outsourcing.tsx'
import { Services } from './services.tsx'
import { SiteForMachines } from './structured-data.tsx'
import { Stream } from '../site/data/stream.tsx'
import { TestimonialSection } from '../ui/text/testimonial-section.tsx'

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

/** What clients say; without any, or without an answer, the section is left out. */
function Testimonials({ testimonials }: Pick<HomeData, 'testimonials'>) {
  return (
    <Stream value={testimonials} fallback={null}>
      {(part) =>
        part.ok &&
        part.value.length > 0 && <TestimonialSection quotes={part.value} title="What clients say" />
      }
    </Stream>
  )
}
