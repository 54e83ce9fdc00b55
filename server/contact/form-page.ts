import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import {
  contactBodyBytes,
  contactRecord,
  ticketId as isTicketId,
  type ContactRecord,
} from '#shared/contact.ts'
import { contactLimits } from '#shared/contact-limits.ts'
import { contactMessages, thankYouText, verificationFailed } from '#shared/contact-texts.ts'
import { isFailure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { proofHeader, formProofLimits } from '#shared/form-proof.ts'
import type { Platform } from '../feature.ts'
import { sentProof } from '../form-proofs.ts'
import type { PlainReplies } from '../http/plain-reply.ts'
import { requestContextOf, type RequestContext } from '../http/request-context.ts'
import { html, type Markup } from '../markup.ts'
import { formView } from './form-view.ts'
import type { Save } from './saving.ts'

type Entries = Readonly<Record<string, string>>

/** Fields that a person fills in, and the record's key for each. */
const fields = { name: 'Name', email: 'Email', subject: 'Subject', message: 'Message' } as const

/**
 * `POST /contactwindow`: the contact form of a browser without scripts. Same rules, same messages,
 * same tickets as the JSON endpoint; the answer is a page.
 */
export function formPage({
  platform: { clock, formProofs: proofs, keys },
  limit,
  plain,
  save,
}: {
  platform: Pick<Platform, 'clock' | 'formProofs' | 'keys'>
  limit: RequestHandler
  plain: PlainReplies
  save: Save
}): Router {
  const router = Router()

  const answer = async (request: Request, response: Response) => {
    const entries = readEntries(request.body)
    const again = (status: number, errors: Entries, alert?: Markup) =>
      plain.reply(response, status, formView({ entries, errors, alert: alert ?? null, proofs }))
    const { record, errors } = check(entries, clock())
    if (errors) return again(400, errors)
    if (entries.website || !isSum(entries)) {
      return again(
        400,
        {},
        html`<h2>${verificationFailed.title}</h2>
          <p>${verificationFailed.text}</p>`,
      )
    }
    const ticketId = await saveUnderFreeNumber(record, entries, {
      requestContext: requestContextOf(response),
      keys,
      save,
    })
    await plain.reply(response, 200, {
      title: 'Thank you',
      body: html`<h1>Thank you</h1>
        <p role="status">${thankYouText(ticketId)}</p>
        <p class="way"><a href="${paths.home()}">Return to Home</a></p>`,
    })
  }

  const failed = plain.failures(({ message }) => ({
    title: 'Your message was not sent',
    body: html`<h1>Your message was not sent</h1>
      <p>${message}</p>
      <p>Go back in your browser to find what you wrote.</p>`,
  }))

  router.post(
    paths.contactWindow(),
    limit,
    express.urlencoded({ extended: false, limit: contactBodyBytes, parameterLimit: 50 }),
    answer,
    failed,
  )
  return router
}

/**
 * Saves a message. Without a number in the form it follows from the message, so that reloading the
 * answer is a repeat of the same ticket; a number that another message has leads to the next.
 * @returns the number
 */
async function saveUnderFreeNumber(
  record: ContactRecord,
  { ticket, proof, captcha }: Entries,
  {
    requestContext,
    keys,
    save,
  }: { requestContext: RequestContext; keys: Platform['keys']; save: Save },
): Promise<string> {
  const { address } = requestContext
  const sender = {
    address,
    proof: proof ? proofHeader(proof, Number(captcha)) : sentProof(requestContext),
  }
  const { Name, Email, Subject, Message } = record
  for (let draw = 0; ; draw += 1) {
    const seed = JSON.stringify([draw, address, Name, Email, Subject, Message])
    const ticketId =
      draw === 0 && isTicketId.safeParse(ticket).success
        ? ticket!
        : numberFrom(keys.hash('ticket-number', seed))
    try {
      await save({ ...record, 'Ticket ID': ticketId }, sender)
      return ticketId
    } catch (error) {
      if (!isFailure(error) || error.failure !== 'clash' || draw === 2) throw error
    }
  }
}

/** The texts among the posted fields; a field that came twice counts once. */
function readEntries(body: unknown): Entries {
  return Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
      const text: unknown = Array.isArray(value) ? value[0] : value
      // Browsers send line breaks in forms as CR LF; everywhere else they are LF.
      return typeof text === 'string' ? [[name, text.replaceAll('\r\n', '\n')]] : []
    }),
  )
}

/** The rules of the JSON endpoint, with its messages by form field. */
function check(
  entries: Entries,
  now: number,
): { record: ContactRecord; errors: null } | { record: null; errors: Entries } {
  const parsed = contactRecord.safeParse({
    ...Object.fromEntries(Object.entries(fields).map(([name, key]) => [key, entries[name] ?? ''])),
    // Drawn afterwards, from the valid record.
    'Ticket ID': '000000',
    Date: new Date(now).toISOString(),
  })
  const errors: Record<string, string> = {}
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = Object.keys(fields).find(
      (field) => fields[field as keyof typeof fields] === path[0],
    )
    if (name) errors[name] ??= message
  }
  if (!entries.captcha?.trim()) errors.captcha = contactMessages.captcha
  return parsed.success && Object.keys(errors).length === 0
    ? { record: parsed.data, errors: null }
    : { record: null, errors }
}

function isSum({ x, y, captcha }: Entries): boolean {
  const isOperand = (text: string | undefined) =>
    /^\d{1,2}$/.test(text ?? '') && Number(text) >= 1 && Number(text) <= formProofLimits.operandMost
  return isOperand(x) && isOperand(y) && Number(captcha) === Number(x) + Number(y)
}

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Six characters of [a-z0-9] from a hash. */
function numberFrom(hash: string): string {
  const bytes = Buffer.from(hash, 'base64url')
  return Array.from(
    { length: contactLimits.ticketIdLength },
    (_, index) => digits[bytes.readUInt32BE(index * 4) % digits.length]!,
  ).join('')
}
