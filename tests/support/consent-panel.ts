import type { Page } from 'playwright/test'

/** The card that asks for a decision. */
export const card = (page: Page) => page.getByRole('region', { name: 'Cookie preferences' })

/** The same preferences, called up later. */
export const modal = (page: Page) => page.getByRole('dialog', { name: 'Cookie preferences' })

/** What the browser keeps of a decision. */
export const stored = (page: Page) =>
  page.evaluate(() => {
    const item = (key: string) => localStorage.getItem(key)
    return {
      preferences: JSON.parse(item('cookiePreferences') ?? 'null') as unknown,
      given: item('consentGiven'),
      measurement: item('thirdPartyMeasurement'),
      decision: JSON.parse(item('consentDecision') ?? 'null') as unknown,
    }
  })
