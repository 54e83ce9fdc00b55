import type { PageTexts } from './page-texts.ts'

export const newsTexts = {
  title: 'News',
  heading: 'News from the paddock',
  lead: 'Race reports, guides for media buyers, and stories from behind the camera.',
} as const satisfies PageTexts
