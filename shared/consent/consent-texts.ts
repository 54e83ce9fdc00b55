import type { ConsentCategory } from './consent.ts'
import type { SiteConfig } from '../site-config.ts'

/** The categories of the consent panel (docs/contract.md, Consent), in its order. */
export const consentCategories: readonly ConsentCategory[] = [
  'necessary',
  'functional',
  'analytics',
  'marketing',
]

/** A switch of the panel: its title, and what it does. */
export type SwitchText = { title: string; text: string }

/** What the consent panel says of its switches; apart from its rules, which every page needs. */
export const consentTexts: Readonly<Record<ConsentCategory, SwitchText>> = {
  necessary: {
    title: 'Necessary',
    text: 'Security, your theme and this choice. Always on.',
  },
  functional: { title: 'Functional', text: 'Optional features. None in use.' },
  analytics: {
    title: 'Analytics',
    text: 'Anonymous counts of page views and where visits come from. No cookies, no IDs, no IP addresses.',
  },
  marketing: { title: 'Marketing', text: 'Advertising. None in use.' },
}

/** What is above the switches. */
export const consentIntro = (analytics: SiteConfig['analytics']): string =>
  analytics
    ? 'Analytics is our own count of page views and visits, without cookies or identifiers. Nothing from another company loads unless you allow it here.'
    : 'Analytics is our own count of page views and visits, without cookies or identifiers. Nothing from another company loads on this site.'

/** The host of an address, by which people know who is behind it. */
export const hostOf = (address: string): string =>
  /^https?:\/\/([^/]+)/.exec(address)?.[1] ?? address

/** The measuring services of others, by name. */
export const measuringServices = ({
  measurementId,
  stats,
}: NonNullable<SiteConfig['analytics']>): string[] => [
  ...(measurementId ? ['Google Analytics'] : []),
  ...(stats ? [hostOf(stats.script)] : []),
]

/** The switch for the measuring services of others, which exists only where there are any. */
export function measurementText(analytics: NonNullable<SiteConfig['analytics']>): SwitchText {
  const others = measuringServices(analytics)
  const cookies = analytics.measurementId ? ' Google Analytics also sets cookies.' : ''
  return {
    title: 'Third-party analytics',
    text: `Lets ${others.join(' and ')} see the pages you visit and your IP address.${cookies} Off by default.`,
  }
}
