import type { PageTexts } from './page-texts.ts'

export const aboutTexts = {
  title: 'About us',
  heading: 'Media people who grew up trackside',
} as const satisfies PageTexts
