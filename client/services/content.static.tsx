import { ServiceBelow } from './below.tsx'
import { ServiceHero } from './hero.tsx'
import type { ServiceData } from './loader.ts'
import { Offer } from './offer.tsx'

/** A service: what it is, what it costs, and how it is done. */
export const Component = ({ service }: { service: ServiceData }) => (
  <>
    <ServiceHero service={service} />
    <Offer service={service} />
    <ServiceBelow service={service} />
  </>
)
