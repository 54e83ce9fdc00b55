import type { PageTexts } from './page-texts.ts'

export const portfolioTexts = {
  title: 'Portfolio',
  heading: 'Selected work',
  description:
    'Selected motorsport work from rally, circuit, rallycross, karting, drift, historic and ice events: photography, film, press and design.',
  lead: 'Seasons, weekends, single frames. Open a project for the full set and the story behind it.',
} as const satisfies PageTexts
