/** Numbers of the hero (spec section 9). */
export const heroLimits = { title: 40, subtitle: 100, narrow: '(max-width: 767.98px)' } as const

/**
 * A text of at most so many characters; a longer one is cut there and followed by an ellipsis.
 * @param most counted in characters as readers see them, not in code units
 */
export function cut(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length > most ? `${characters.slice(0, most).join('')}...` : text
}

/** Whether the hero's photo may be shown (spec 3.1): after consent, or with necessary cookies. */
export const mayShowPhoto = (preferences: { consentGiven: boolean; necessary: boolean }) =>
  preferences.consentGiven || preferences.necessary
