import { createLink, editLink, getLinkStatistics } from '#shared/links.ts'
import { ApiError, send } from '../api.ts'
import { tokenHeaders } from '../contact/security-token.ts'
import type { fieldsOf } from './form-fields.ts'

/** What is wrong with a form: messages by field, and one for what belongs to none. */
export type Problems = { errors: Readonly<Record<string, string>>; message: string | null }

/** The statistics of a link. @throws when they cannot be had */
export const readStatistics = (code: string, days: number) =>
  send(getLinkStatistics, { code, days })

/** Makes a link, or changes the one with `code`. */
export async function saveLink(fields: ReturnType<typeof fieldsOf>, code: string | null) {
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
          : 'The server cannot be reached. Please try again.'
    return { errors, message }
  }
}
