import type { BlockRow } from '#shared/clients/panel-block.ts'
import type { LinkState } from '#shared/link-rules.ts'
import { panelDay, type PanelBlock } from '../contributions/panel-block.ts'
import type { Links } from './links.ts'
import type { Link } from './schema.ts'
import { hostOf } from './targets.ts'

/** The newest are enough in a panel. */
const maxLinksShown = 20

const states: Readonly<Record<LinkState, NonNullable<BlockRow['state']>>> = {
  live: { label: 'Live', tone: 'open' },
  scheduled: { label: 'Scheduled', tone: 'open' },
  expired: { label: 'Expired', tone: 'done' },
  'used-up': { label: 'Used up', tone: 'done' },
  disabled: { label: 'Disabled', tone: 'done' },
}

/** The block with a client's short links and how often they were followed. */
export const linkBlock = (links: Links): PanelBlock => ({
  kind: 'short-links',
  title: 'Short links',
  by: 'system',
  async load({ client }) {
    await links.settleCounts()
    return {
      view: 'rows',
      rows: links.ofClient(client.id, maxLinksShown).map((link) => row(links, link)),
    }
  },
})

const row = (links: Links, link: Link): BlockRow => {
  const state = links.state(link)
  return {
    title: link.note || links.addressOf(link).replace(/^https?:\/\//, ''),
    detail: `/l/${link.code} to ${hostOf(link.target)}, since ${panelDay(link.createdAt)}`,
    value: `${link.human} ${link.human === 1 ? 'click' : 'clicks'}`,
    state: states[state],
    // The preview: a look from the panel isn't a click.
    href: state === 'live' ? `/l/${link.code}+` : null,
    way: 'page',
  }
}
