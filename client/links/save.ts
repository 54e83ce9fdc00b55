import { helsinki } from '#shared/dates/helsinki-time.ts'
import { utmNames } from '#shared/link-rules.ts'
import { createLink, editLink, getLinkStatistics } from '#shared/links.ts'
import { ApiError, send } from '../api.ts'
import { tokenHeaders } from '../site/security-token.ts'

/** What is wrong with a form: messages by field, and one for what belongs to none. */
export type Problems = { errors: Readonly<Record<string, string>>; message: string | null }

/** The statistics of a link. @throws when they cannot be had */
export const readStatistics = (code: string, days: number) =>
  send(getLinkStatistics, { code, days })

/** Creates a link from what was entered, or changes the one with `code`. */
export async function saveLink(entered: FormData, code: string | null) {
  const fields = linkFields(entered, code === null)
  return settle(
    code === null
      ? send(createLink, fields, tokenHeaders())
      : send(editLink, { ...fields, code }, tokenHeaders()),
  )
}

/** Switches a link off or on. */
export const switchLink = (code: string, disabled: boolean) =>
  settle(send(editLink, { code, disabled }, tokenHeaders()))

async function settle<Answer>(answer: Promise<Answer>): Promise<Answer | Problems> {
  try {
    return await answer
  } catch (error) {
    const errors = error instanceof ApiError ? (error.body?.errors ?? {}) : {}
    const message =
      Object.keys(errors).length > 0
        ? null
        : error instanceof ApiError
          ? error.message
          : 'We can’t reach the server. Please try again.'
    return { errors, message }
  }
}

/**
 * What a form says, in the words of the endpoint; an empty field clears.
 * @param isNew a new link has a code, and nothing to clear
 */
function linkFields(form: FormData, isNew: boolean) {
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
    tags: text('tags').split(','),
    // Nothing typed leaves the password as it is; the box takes it away.
    ...(text('password') !== '' && { password: text('password') }),
    ...(form.get('noPassword') !== null && { password: null }),
    utm: Object.fromEntries(utmNames.map((name) => [name, text(`utm.${name}`)])),
  }
}

/** A moment in Helsinki as an ISO timestamp; null for none, the text itself for what isn't a moment. */
function instant(local: string): string | null {
  if (local === '') return null
  const asUtc = Date.parse(`${local.slice(0, 16)}Z`)
  if (Number.isNaN(asUtc)) return local
  const guess = asUtc - helsinki(asUtc).offset * 60_000
  return new Date(asUtc - helsinki(guess).offset * 60_000).toISOString()
}
