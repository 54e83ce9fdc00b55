import { proofHeader } from '#shared/forms/form-proof.ts'
import { createSums } from '#server/secrets/form-proofs.ts'
import type { Site } from './site.ts'
import { eventually } from './eventually.ts'
import { csrfHeaders } from './send.ts'

/** A contact record as the form sends it. */
export const enquiry = (changes: Record<string, unknown> = {}) => ({
  Name: 'Aino Virtanen',
  Email: 'aino@example.com',
  Subject: 'Race weekend in Imatra',
  Message: 'We need two photographers from Friday to Sunday.',
  'Ticket ID': 'abc123',
  Date: '2026-11-20T12:00:00.000Z',
  ...changes,
})

/** The two email calls of a submission, as the browser sends them (docs/contract.md, Mail). */
export const mailCalls = (record: ReturnType<typeof enquiry> = enquiry()) => ({
  confirmation: {
    sender: { email: 'website@example.com', name: 'Website' },
    to: [{ email: record.Email, name: record.Name }],
    subject: 'Thank you for your enquiry',
    htmlContent: `<p>Your ticket number: <b>${record['Ticket ID']}</b>. We will reply by the next working day.</p>`,
  },
  notice: {
    sender: { email: 'website@example.com', name: 'Website' },
    to: [{ email: 'staff@localhost', name: 'Staff' }],
    replyTo: { email: record.Email, name: record.Name },
    subject: `New message from website from ${record.Name} [Ticket: ${record['Ticket ID']}]`,
    htmlContent: `<h1>Message</h1><p>${record.Message}</p><script>alert(1)</script>`,
  },
})

/** Saves an enquiry as the form does, with a form proof of its own. */
export function saveEnquiry(
  site: Site,
  changes: Record<string, unknown> = {},
  options: Parameters<Site['post']>[2] = {},
) {
  return site.post('/api/save-contact-form', enquiry(changes), {
    ...options,
    headers: { 'X-Form-Proof': answered(site.context), ...options.headers },
  })
}

/** The X-Form-Proof header of someone who took a moment for the form and got the sum right. */
export function answered({ keys, clock }: Pick<Site['context'], 'keys' | 'clock'>): string {
  const { proof, x, y } = createSums({ keys, clock: () => clock() - 5000 }).issue()
  return proofHeader(proof, x + y)
}

/**
 * Lets jobs and outbox look after what is due at this moment of the site's clock, until nothing is
 * left of it: what has not happened by then does not happen before the clock moves on.
 */
export async function caughtUp(site: Site): Promise<void> {
  const { jobs, outbox, clock } = site.context
  await jobs.runDue()
  await eventually(() => {
    const open = jobs
      .list()
      .filter(({ state, nextAt }) => state === 'running' || (nextAt ?? Infinity) <= clock())
    if (open.length > 0) throw new Error(`${open.length} jobs are still due`)
  })
  outbox.wake()
  await settled(site)
}

/** The headers of a form that is sent with its own proof. */
export const provenHeaders = (of: Pick<Site['context'], 'keys' | 'clock'>) => ({
  ...csrfHeaders,
  'Content-Type': 'application/json',
  'X-Form-Proof': answered(of),
})

/** Waits until the outbox has nothing more to do at this moment of the site's clock. */
export const settled = (site: Site) =>
  eventually(() => {
    const { mails, clock } = site.context
    const open = mails
      .list()
      .filter(({ dueAt, status }) => status === 'sending' || (dueAt ?? Infinity) <= clock())
    if (open.length > 0) throw new Error(`${open.length} mails are still due`)
  })
