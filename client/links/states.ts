import type { LinkState } from '#shared/link-rules.ts'
import { grouped } from '#shared/text/counted.ts'
import type { BadgeTone } from '../ui/badge.tsx'

/** The states in words. */
export const stateNames: Readonly<Record<LinkState, string>> = {
  live: 'Live',
  scheduled: 'Scheduled',
  expired: 'Expired',
  'used-up': 'Used up',
  disabled: 'Disabled',
}

/** How they look. */
export const stateTones: Readonly<Record<LinkState, BadgeTone>> = {
  live: 'active',
  scheduled: 'waiting',
  expired: 'over',
  'used-up': 'over',
  disabled: 'over',
}

/** What is said of a link that isn't there any more while its row still is. */
export const linkGone =
  'This link was renamed or removed meanwhile. Reload the page to see the list as it is.'

/** 1 click, 2 clicks. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : many}`
