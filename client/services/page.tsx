import { useLoaderData } from 'react-router'
import { Head } from '../site/head.tsx'
import { lazily } from '../ui/lazily.tsx'
import { ServiceHero } from './hero.tsx'
import type { ServiceData } from './loader.ts'
import { Offer } from './offer.tsx'

const Below = lazily(async () => (await import('./below.tsx')).Below)

/** The page of a service (spec 2.1): one template for all of them. */
export function Component() {
  const service = useLoaderData<ServiceData>()
  const { title, headline, description, shared, slug } = service
  return (
    <div key={slug}>
      <Head
        title={headline ? `${title} — ${headline}` : title}
        description={description}
        image={shared}
      />
      <ServiceHero service={service} />
      <Offer service={service} />
      <Below service={service} />
    </div>
  )
}
