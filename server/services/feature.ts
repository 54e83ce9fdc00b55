import type { Feature, Platform } from '../feature.ts'
import { createServiceList, type OfferedService } from './bookable.ts'
import { serviceRoutes, type ServiceNeeds } from './routes.ts'
import { serviceNames, serviceSearch, type ServiceName } from './search.ts'
import { standIns } from './stand-ins.ts'

/** The services of the agency (docs/contract.md, Pages). */
export type ServiceFeature = Feature & {
  /** The services in their order, with their prices. */
  readonly offered: () => Promise<OfferedService[]>
  /** How services are called. */
  names(): Promise<ServiceName>
  /** The services that have a page, whatever the content service says, by their names in addresses. */
  readonly slugs: readonly string[]
}

/** Makes the feature over the collection `services`. */
export function serviceFeature({ content, clock }: Platform, needs: ServiceNeeds): ServiceFeature {
  return {
    name: 'services',
    offered: createServiceList(content, clock),
    names: () => serviceNames(content),
    slugs: standIns.map(({ slug }) => slug),
    routes: (http) => serviceRoutes(http, { content, ...needs }),
    search: [serviceSearch(content)],
  }
}
