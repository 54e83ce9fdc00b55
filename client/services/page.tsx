import { useLoaderData } from 'react-router'
import { Head } from '../site/head/head.tsx'
import { ServiceBelow } from './below.tsx'
import { ServiceHero } from './hero.tsx'
import type { ServiceData } from './loader.ts'
import { Offer } from './offer.tsx'

/** The page of a service (docs/contract.md, Pages): one template for all of them. */
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
      <ServiceBelow service={service} />
    </div>
  )
}
