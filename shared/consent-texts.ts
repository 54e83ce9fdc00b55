import type { ConsentCategory } from './consent.ts'

/** What the consent panel says; apart from its rules, which every page needs. */
export const consentTexts = {
  intro:
    'Nothing here follows you around. Measuring services load only after you press Accept all, or move the analytics switch yourself and save.',
  categories: {
    necessary: {
      title: 'Necessary',
      text: 'Keeps forms safe, remembers your theme and this choice. Always on.',
    },
    functional: { title: 'Functional', text: 'Comforts. Nothing is stored for them today.' },
    analytics: {
      title: 'Analytics',
      text: 'Counting visits with a measuring service, and only if you switch it on yourself.',
    },
    marketing: { title: 'Marketing', text: 'Advertising. There is none today.' },
  } satisfies Record<ConsentCategory, { title: string; text: string }>,
} as const
