import { paths } from '#shared/paths.ts'
import { verificationQuestion } from '#shared/form-proof.ts'
import type { PlainPage } from '../http/plain-page.ts'
import { html, type Markup } from '../markup.ts'
import type { FormProofs } from '../form-proofs.ts'

/**
 * The contact form as a plain page, with a new sum and the proof that it is ours.
 * @param entries what was written so far
 * @param errors messages by field
 * @param alert what stands above the form
 */
export function formView({
  entries,
  errors,
  alert,
  proofs,
}: {
  entries: Readonly<Record<string, string>>
  errors: Readonly<Record<string, string>>
  alert: Markup | null
  proofs: FormProofs
}): PlainPage {
  const { x, y, proof } = proofs.issue()
  const attributes = (name: string) =>
    html`id="${name}" name="${name}"
    ${errors[name] ? html`aria-invalid="true" aria-describedby="${name}-wrong"` : null}`
  const wrong = (name: string) =>
    errors[name] ? html`<span class="wrong" id="${name}-wrong">${errors[name]}</span>` : null
  const field = (name: string, label: string, type: string, value: string) =>
    html`<label
      >${label}
      <input type="${type}" ${attributes(name)} value="${value}" />
      ${wrong(name)}
    </label>`
  const hidden = (name: string, value: string | number) =>
    html`<input type="hidden" name="${name}" value="${value}" />`
  return {
    title: 'Send us a message',
    body: html`<h1>Send us a message</h1>
      ${alert && html`<div role="alert">${alert}</div>`}
      <form method="post" action="${paths.contactWindow()}" novalidate>
        ${field('name', 'Name', 'text', entries.name ?? '')}
        ${field('email', 'Email', 'email', entries.email ?? '')}
        ${field('subject', 'Subject', 'text', entries.subject ?? '')}
        <label
          >Message
          <textarea ${attributes('message')} rows="8">${`\n${entries.message ?? ''}`}</textarea>
          ${wrong('message')}
        </label>
        ${field('captcha', verificationQuestion(x, y), 'text', '')}
        <div class="trap" aria-hidden="true">
          <label>Website <input name="website" tabindex="-1" autocomplete="off" /></label>
        </div>
        ${hidden('x', x)} ${hidden('y', y)} ${hidden('proof', proof)}
        ${hidden('ticket', entries.ticket ?? '')} ${hidden('csrfToken', entries.csrfToken ?? '')}
        <button>Send Message</button>
      </form>`,
  }
}
