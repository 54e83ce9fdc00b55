import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import {
  checkContact,
  contactBodyBytes,
  ticketId as isTicketId,
  type ContactField,
  type ContactRecord,
} from '#shared/contact/contact.ts'
import {
  contactLimits,
  contactMessages,
  thankYouText,
  verificationFailed,
} from '#shared/contact/contact-form.ts'
import { isFailure } from '#shared/failures.ts'
import { entriesOf, type Entries, type FieldErrors } from '#shared/forms/form.ts'
import { formProofLimits, proofHeader, verificationQuestion } from '#shared/forms/form-proof.ts'
import { paths } from '#shared/paths.ts'
import { resultId, toResult } from '#shared/forms/result.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Platform } from '../feature.ts'
import { sentProof, type FormProofs } from '../secrets/form-proofs.ts'
import type { PlainPage } from '../http/replies/plain-page.ts'
import type { PlainReplies } from '../http/replies/plain-reply.ts'
import { allowMethods } from '../http/methods.ts'
import { requestContextOf, type RequestContext } from '../http/request-context.ts'
import { html, type Markup } from '../text/markup.ts'
import type { TicketActions } from './acts.ts'

/** What saving a message needs. */
type Saving = {
  keys: Platform['keys']
  save: TicketActions['save']
  clientIn: ClientFeature['clientIn']
}

/**
 * `POST /contactwindow`: the contact form of a browser without scripts. Same rules, same messages,
 * same tickets as the JSON endpoint; the answer is a page.
 */
export function formPage({
  platform: { clock, formProofs: proofs, keys },
  limit,
  plain,
  save,
  clientIn,
}: Omit<Saving, 'keys'> & {
  platform: Pick<Platform, 'clock' | 'formProofs' | 'keys'>
  limit: RequestHandler
  plain: PlainReplies
}): Router {
  const router = Router()

  const answer = async (request: Request, response: Response) => {
    const entries = entriesOf(request.body as object)
    const again = (errors: FieldErrors, alert: Markup | null = null) =>
      plain.reply(response, 400, formView({ entries, errors, alert, proofs }))
    const { value: record, errors } = checkContact(
      entries,
      // The ID is derived afterwards, from the valid record.
      { ticketId: '000000', date: new Date(clock()).toISOString() },
      { captcha: entries.captcha?.trim() ? null : contactMessages.captcha },
    )
    if (errors) return again(errors)
    if (entries.website || !isSum(entries)) {
      const { title, text } = verificationFailed
      const alert = html`<h2>${title}</h2>
        <p>${text}</p>`
      return again({}, alert)
    }
    const requestContext = requestContextOf(response)
    const saving = { keys, save, clientIn }
    const ticketId = await saveUnderFreeNumber(record, entries, requestContext, saving)
    await plain.reply(response, 200, {
      title: 'Thank you',
      body: html`<h1 id="${resultId}" tabindex="-1">Thank you</h1>
        <p role="status">${thankYouText(ticketId)}</p>
        <p class="way"><a href="${paths.home()}">Return to Home</a></p>`,
    })
  }

  const failed = plain.failures(({ message }) => ({
    title: 'Your message wasn’t sent',
    body: html`<h1 id="${resultId}" tabindex="-1">Your message wasn’t sent</h1>
      <p>${message}</p>
      <p>Go back in your browser to find your text.</p>`,
  }))

  router.post(
    paths.contactWindow(),
    limit,
    express.urlencoded({ extended: false, limit: contactBodyBytes, parameterLimit: 50 }),
    answer,
    failed,
  )
  router.all(paths.contactWindow(), allowMethods(['GET', 'POST']))
  return router
}

/**
 * Saves a message. Without an ID in the form, it is derived from the message, so a reload repeats the
 * same ticket; if another message has that ID, the next one is tried.
 * @returns the number
 */
async function saveUnderFreeNumber(
  record: ContactRecord,
  { ticket, proof, captcha }: Entries,
  requestContext: RequestContext,
  { keys, save, clientIn }: Saving,
): Promise<string> {
  const { address } = requestContext
  const sender = {
    address,
    proof: proof ? proofHeader(proof, Number(captcha)) : sentProof(requestContext),
    isOwn: clientIn(requestContext)?.owns(record.Email) ?? false,
  }
  const { 'Ticket ID': _, Date: __, ...written } = record
  for (let draw = 0; ; draw += 1) {
    const seed = JSON.stringify([draw, address, ...Object.values(written)])
    const ticketId =
      draw === 0 && isTicketId.safeParse(ticket).success
        ? ticket!
        : numberFrom(keys.hash('ticket-number', seed))
    try {
      await save({ ...record, 'Ticket ID': ticketId }, sender)
      return ticketId
    } catch (error) {
      if (!isFailure(error) || error.failure !== 'duplicate' || draw === 2) throw error
    }
  }
}

function isSum({ x, y, captcha }: Entries): boolean {
  const isOperand = (text: string | undefined) =>
    /^\d{1,2}$/.test(text ?? '') && Number(text) >= 1 && Number(text) <= formProofLimits.maxOperand
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

/**
 * The contact form as a plain page, with a new sum and the proof that it is ours.
 * @param entries what was written so far
 * @param alert what is above the form in place of a summary of the errors
 */
function formView({
  entries,
  errors,
  alert,
  proofs,
}: {
  entries: Entries
  errors: FieldErrors
  alert: Markup | null
  proofs: FormProofs
}): PlainPage {
  const { x, y, proof } = proofs.issue()
  const attributes = (name: string) =>
    html`id="${name}" name="${name}"
    ${errors[name] ? html`aria-invalid="true" aria-describedby="${name}-wrong"` : null}`
  const wrong = (name: string) =>
    errors[name] ? html`<span class="wrong" id="${name}-wrong">${errors[name]}</span>` : null
  const line = (name: string, label: string, type: string, value = '') =>
    html`<label
      >${label}
      <input type="${type}" ${attributes(name)} value="${value}" />
      ${wrong(name)}
    </label>`
  const fields: Record<ContactField, Markup> = {
    name: line('name', 'Name', 'text', entries.name),
    email: line('email', 'Email', 'email', entries.email),
    subject: line('subject', 'Subject', 'text', entries.subject),
    message: html`<label
      >Message
      <textarea ${attributes('message')} rows="8">${`\n${entries.message ?? ''}`}</textarea>
      ${wrong('message')}
    </label>`,
  }
  const hidden = (name: string, value: string | number) =>
    html`<input type="hidden" name="${name}" value="${value}" />`
  const wrongFields = Object.entries(errors)
  const summary =
    wrongFields.length > 0
      ? html`<h2>Please check these fields</h2>
          <ul>
            ${wrongFields.map(
              ([name, message]) => html`<li><a href="#${name}">${message}</a></li> `,
            )}
          </ul>`
      : null
  return {
    title: 'Send us a message',
    body: html`<h1>Send us a message</h1>
      ${
        (alert ?? summary) &&
        html`<div role="alert" id="${resultId}" tabindex="-1">${alert ?? summary}</div>`
      }
      <form method="post" action="${toResult(paths.contactWindow())}" novalidate>
        ${Object.values(fields)} ${line('captcha', verificationQuestion(x, y), 'text')}
        <div class="trap" aria-hidden="true">
          <label>Website <input name="website" tabindex="-1" autocomplete="off" /></label>
        </div>
        ${hidden('x', x)} ${hidden('y', y)} ${hidden('proof', proof)}
        ${hidden('ticket', entries.ticket ?? '')} ${hidden('csrfToken', entries.csrfToken ?? '')}
        <button>Send Message</button>
      </form>`,
  }
}
