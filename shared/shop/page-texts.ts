import type { PageTexts } from '../page-texts.ts'

export const shopTexts = {
  title: 'Shop: prints, licences and services',
  heading: 'Take the paddock home',
  lead: 'Fine art prints, image licences, templates and fixed-price services.',
} as const satisfies PageTexts
