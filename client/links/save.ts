import { helsinki } from '#shared/dates/helsinki-time.ts'
import { utmNames } from '#shared/link-rules.ts'
import { createLink, editLink, getLinkStatistics } from '#shared/links.ts'
import { ApiError, send } from '../api.ts'
import { tokenHeaders } from '../site/security-token.ts'
import { linkGone } from './states.ts'
import { isTouched } from './typed-link.ts'

/** What is wrong with a form: messages by field, and one for what belongs to none. */
export type Problems = { errors: Readonly<Record<string, string>>; message: string | null }

/** The statistics of a link. @throws when they cannot be had */
export const readStatistics = (code: string, days: number) =>
  send(getLinkStatistics, { code, days })

/**
 * Creates a link from what was entered, or changes the one with `code`: in the fields that were touched
 * alone, since someone else may have changed others after this form was opened.
 */
export async function saveLink(form: HTMLFormElement, code: string | null) {
  const fields = linkFields(new FormData(form), code === null)
  if (code === null) return settle(send(createLink, fields, tokenHeaders()))
  const touched = touchedIn(form)
  const changes = Object.fromEntries(Object.entries(fields).filter(([name]) => touched.has(name)))
  return settle(send(editLink, { ...changes, code }, tokenHeaders()))
}

/** Fields of a link, as {@link linkFields} names them, whose controls show something else than at first. */
function touchedIn(form: HTMLFormElement): ReadonlySet<string> {
  const controls = Array.from(form.elements).filter((each) => each instanceof HTMLInputElement)
  return new Set(controls.filter(isTouched).map(({ name }) => fieldOf(name)))
}

const fieldOf = (control: string): string =>
  control === 'noPassword' ? 'password' : control.replace(/\..*/, '')

/** Switches a link off or on. */
export const switchLink = (code: string, disabled: boolean) =>
  settle(send(editLink, { code, disabled }, tokenHeaders()))

async function settle<Answer>(answer: Promise<Answer>): Promise<Answer | Problems> {
  try {
    return await answer
  } catch (error) {
    const errors = error instanceof ApiError ? (error.body?.errors ?? {}) : {}
    return { errors, message: Object.keys(errors).length > 0 ? null : sentenceOf(error) }
  }
}

/** Why something wasn't saved. A form that gave way to the field for a code would take along what is in it. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'We can’t reach the server. Please try again.'
  if (error.status === 404) return linkGone
  if (error.status !== 401) return error.message
  return `${error.message} Open this page in another tab to enter it, then try again here.`
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
    ...(isNew && { key: text('key') }),
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
