import type { ContactRecord } from '#shared/contact.ts'
import type { Entries } from './submission.ts'

/** A text control of a form by its name. */
function control(form: HTMLFormElement, name: string) {
  const found = form.elements.namedItem(name)
  return found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement ? found : null
}

/** What stands in a field; empty where there is none. */
const valueOf = (form: HTMLFormElement, name: string) => control(form, name)?.value ?? ''

/** What the visitor has written. */
export const entriesIn = (form: HTMLFormElement): Entries => ({
  name: valueOf(form, 'name'),
  email: valueOf(form, 'email'),
  subject: valueOf(form, 'subject'),
  message: valueOf(form, 'message'),
})

/** The answer to the question, and what a program has written into the field that people do not see. */
export const checksIn = (form: HTMLFormElement) => ({
  answer: valueOf(form, 'captcha').trim(),
  honeypot: valueOf(form, 'website'),
})

/** Writes into a field. */
export function fillField(form: HTMLFormElement, name: string, value: string) {
  const found = control(form, name)
  if (found) found.value = value
}

/** Puts a message back into a form that has none. @returns whether the form shows it now */
export function restoreMessage(form: HTMLFormElement, record: ContactRecord): boolean {
  const message = valueOf(form, 'message')
  if (message && message.trim() !== record.Message) return false
  fillField(form, 'name', record.Name)
  fillField(form, 'email', record.Email)
  fillField(form, 'subject', record.Subject)
  if (!message) fillField(form, 'message', record.Message)
  return true
}

/** Leads to the answer, which has to be given anew. */
export function askAgain(form: HTMLFormElement) {
  fillField(form, 'captcha', '')
  control(form, 'captcha')?.focus()
}

/** Leads to the first field that is wrong. */
export const showFirstError = (form: HTMLFormElement) =>
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus()
