import type { PageTexts } from './page-texts.ts'

export const bookingTexts = {
  title: 'Book your dates',
  description:
    'Choose a service and dates, see what’s open, and send a booking request. We hold the dates and reply before the hold ends.',
} as const satisfies PageTexts
