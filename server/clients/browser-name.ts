import { BROWSER_MAP, getParser, OS_MAP } from 'bowser'

/** Longer names of browsers are not even looked at; real ones have about 150 characters. */
const longestAgent = 400

/**
 * A browser in words for people, such as “Firefox on Windows”.
 * @param userAgent the header as it came, empty for none
 * @returns null for what is no browser that is known
 */
export function browserName(userAgent: string): string | null {
  if (userAgent === '' || userAgent.length > longestAgent) return null
  const parsed = getParser(userAgent)
  // Bowser names what it doesn't know after the text, which is the visitor's.
  const known = new Set<string>([...Object.values(BROWSER_MAP), ...Object.values(OS_MAP)])
  const [browser, system] = [parsed.getBrowserName(), parsed.getOSName()]
  if (!known.has(browser)) return null
  return known.has(system) ? `${browser} on ${system}` : browser
}
