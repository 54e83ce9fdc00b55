import type { PageTexts } from '../page-texts.ts'

export const clientZoneTexts = {
  title: 'Client zone',
  description: 'Client galleries, films and files. Sign in with your secret code.',
  lead: 'Your galleries, films and files in one place. Enter the code we sent you.',
} as const satisfies PageTexts
