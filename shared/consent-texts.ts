import type { ConsentCategory } from './consent.ts'
import type { SiteConfig } from './site-config.ts'

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
    text: 'Keeps forms safe, remembers your theme and this choice. Always on.',
  },
  functional: { title: 'Functional', text: 'Comforts. Nothing is stored for them today.' },
  analytics: {
    title: 'Analytics',
    text: 'We count page views by day, and nothing about who you are: no cookies, no identifiers, no addresses. The count runs until you switch it off here.',
  },
  marketing: { title: 'Marketing', text: 'Advertising. There is none today.' },
}

/** What stands above the switches. */
export const consentIntro = (analytics: SiteConfig['analytics']): string =>
  analytics
    ? 'Analytics is our own count of page views, without cookies or identifiers. Nothing of another company loads unless you allow it here.'
    : 'Analytics is our own count of page views, without cookies or identifiers. Nothing of another company loads on this site.'

/** The switch for the measuring services of others, which exists only where there are any. */
export function measurementText({
  measurementId,
  stats,
}: NonNullable<SiteConfig['analytics']>): SwitchText {
  const others = [
    ...(measurementId ? ['Google Analytics'] : []),
    ...(stats ? [/^https?:\/\/([^/]+)/.exec(stats.script)?.[1] ?? stats.script] : []),
  ]
  const cookies = measurementId ? ' Google Analytics also sets cookies.' : ''
  return {
    title: 'Measurement by others',
    text: `Lets ${others.join(' and ')} see which pages you open, with your network address.${cookies} Off unless you switch it on.`,
  }
}
