import { inBatches } from '../db/in-batches.ts'
import type { Feature, Platform } from '../feature.ts'
import type { Links } from './links.ts'
import { linkBlock } from './panel-block.ts'

/** Short links: their block in the panels of clients. Their counts name nobody. */
export const linkFeature = ({ commit }: Platform, links: Links): Feature => ({
  name: 'links',
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
      name: 'counts',
      policy: [
        {
          what: 'Counting',
          data: 'How often pages of folders were opened and short links followed, by day, and which sites led to a short link; for folders also a keyed hash of the day that keeps one visitor from counting twice',
          ground: 'Our legitimate interest in knowing what is used (Art. 6(1)(f))',
          kept: 'The counts, which name nobody, for good; names of sites for two years; the hash for two days',
        },
      ],
      forgottenBy: { job: 'links.forget' },
      find: () => [],
      note: 'Counts by day of folders and short links name nobody.',
    },
  ],
})
