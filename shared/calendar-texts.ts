import type { PageTexts } from './page-texts.ts'

export const calendarTexts = {
  title: 'Season calendar',
  lead: 'The season, where our crews will be, and which weekends are still open.',
} as const satisfies PageTexts
