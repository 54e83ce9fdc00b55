import { utmNames } from '#shared/link-rules.ts'
import { helsinki } from '#shared/helsinki-time.ts'

/**
 * What a form says, in the words of the endpoint; an empty field clears.
 * @param isNew a new link has a code, and nothing to clear
 */
export function fieldsOf(form: FormData, isNew: boolean) {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const clicks = text('maxClicks')
  return {
    target: text('target'),
    ...(isNew && text('code') && { code: text('code') }),
    note: text('note'),
    startsAt: instant(text('startsAt')),
    expiresAt: instant(text('expiresAt')),
    maxClicks: clicks === '' ? null : Number(clicks),
    forwardQuery: form.get('forwardQuery') !== null,
    utm: Object.fromEntries(utmNames.map((name) => [name, text(`utm.${name}`)])),
  }
}

/** A moment in Helsinki as an ISO timestamp; null for none, the text itself for what is no moment. */
function instant(local: string): string | null {
  if (local === '') return null
  const asUtc = Date.parse(`${local.slice(0, 16)}Z`)
  if (Number.isNaN(asUtc)) return local
  const guess = asUtc - helsinki(asUtc).offset * 60_000
  return new Date(asUtc - helsinki(guess).offset * 60_000).toISOString()
}
