import type { Feature } from '../feature.ts'
import type { Links } from './links.ts'
import { linkBlock } from './panel-block.ts'

/** Short links: their block in the panels of clients. Their counts name nobody. */
export const linkFeature = (links: Links): Feature => ({
  name: 'links',
  panelBlocks: [linkBlock(links)],
  personalData: [
    {
      name: 'counts',
      policy: [
        {
          what: 'Counting',
          data: 'How often pages of folders were opened, short links followed and cookies decided about, by day; for folders also a keyed hash of the day that keeps one visitor from counting twice',
          ground: 'Our legitimate interest in knowing what is used (Art. 6(1)(f))',
          kept: 'The counts, which name nobody, for good; the hash for two days',
        },
      ],
      forgottenBy: { job: 'folders.forget' },
      find: () => [],
      note: 'Counts by day of folders, short links and consent name nobody.',
    },
  ],
})
