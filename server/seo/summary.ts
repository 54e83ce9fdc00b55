import type { Agency } from '../content/agency.ts'

/** One sentence about the agency. */
export const summary = ({ about, tagline }: Agency): string =>
  about ?? tagline ?? 'Photography, videography, PR, social media and design for motorsport.'
