import type { PageTexts } from '../page-texts.ts'

export const privacyTexts = {
  title: 'Privacy policy',
  description:
    'Which personal data we process, why, on what legal basis, for how long, and your rights under the GDPR.',
  lead: 'What we know about you, why, and when we delete it. In short: only what you send us, for as long as we need it.',
} as const satisfies PageTexts

export const termsTexts = {
  title: 'Terms of service',
  description:
    'The terms for our services, our shop and this site, with withdrawal information for consumers.',
  lead: 'What you can expect from us, what we expect from you, and what happens when the weather has other plans.',
} as const satisfies PageTexts

export const cookieTexts = {
  title: 'Cookie policy',
  description:
    'Every cookie and storage key this site uses: purpose, lifetime, what needs your consent, and how to change your mind.',
  lead: 'Every cookie and storage key this site uses.',
} as const satisfies PageTexts

export const accessibilityTexts = {
  title: 'Accessibility statement',
  description:
    'How accessible this site is, what we test, what doesn’t work yet, and how to report a problem.',
  lead: 'Built for everyone: keyboard, screen reader, weak signal, bright sun.',
} as const satisfies PageTexts
