import type { ClientFeature } from '../clients/feature.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Feature, Platform } from '../feature.ts'
import { waitAtMost } from '../timeout.ts'
import { createLinks, type Links } from './links.ts'
import { linkBlock } from './panel-block.ts'
import { createRedirect } from './redirect.ts'
import { linkRoutes } from './routes.ts'

/** Milliseconds that a stop waits for clicks to be written down. */
const flushTimeout = 1_000

/** Short links (docs/contract.md, Short links). Their counts name nobody. */
export type LinkFeature = Feature & Links

/** Makes the feature; a link belongs to the client who made it. */
export function linkFeature(
  platform: Platform,
  clients: Pick<ClientFeature, 'sessionIn'>,
): LinkFeature {
  const { commit, contributions } = platform
  const links = createLinks({ ...platform, reservedPaths: () => contributions().reservedPaths })
  return {
    ...links,
    name: 'links',
    routes(http) {
      linkRoutes(platform, http, { links, clients })
      http.early.take('/l/', createRedirect(platform, links, http.early))
    },
    // Clicks are not worth a stop that hangs, should another process hold the database.
    close: () => waitAtMost(links.flush(), flushTimeout),
    panelBlocks: [linkBlock(links)],
    jobs: [
      {
        kind: 'links.forget',
        about: 'forgets which sites led to short links two years ago',
        recurs: { daily: '08:00' },
        run: () => inBatches(commit, links.forgetOld),
      },
    ],
    personalData: [
      {
        name: 'link counts',
        policy: [
          {
            what: 'Counting short links',
            data: 'How often short links were followed, by day and kind of device, and which sites led to them',
            ground: 'Our legitimate interest in knowing what is used (Art. 6(1)(f))',
            kept: 'The counts, which name nobody, as long as the link; names of sites for two years',
          },
        ],
        forgottenBy: { job: 'links.forget' },
        find: () => [],
        note: 'Counts by day of short links name nobody.',
      },
    ],
  }
}
