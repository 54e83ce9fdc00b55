import { contactBodyBytes, getFormProof, saveContactForm, sendEmail } from '#shared/contact.ts'
import type { Http, Platform } from '../feature.ts'
import { sentProof } from '../form-proofs.ts'
import { formPage } from './form-page.ts'
import { networkOf } from '../http/network-of.ts'
import type { MailCalls } from './mail-call-store.ts'
import { createSave } from './saving.ts'
import type { TicketStore } from './store.ts'

/** Messages of one address, beyond which a sender is told to wait. */
const saving = { name: 'save', seconds: 600, most: 30, onlySuccessful: true }
/** The mail calls: two for each ticket, and as many again for each number that was taken. */
const calling = { name: 'mail', seconds: 600, most: 90 }
/** Form proofs. */
const proving = { name: 'proof', seconds: 600, most: 240 }

/**
 * The contact flow: saving a message, its mail calls, form proofs, and the form of browsers
 * without scripts.
 */
export function contactRoutes(
  platform: Platform,
  { endpoints, limit, mount, plain }: Http,
  { tickets, calls }: { tickets: TicketStore; calls: MailCalls },
): void {
  const { commit, formProofs: proofs } = platform
  const save = createSave(platform, tickets)

  endpoints.serve(
    saveContactForm,
    { limit: saving, access: 'csrf', bytes: contactBodyBytes },
    (record, requestContext) =>
      save(record, { address: requestContext.address, proof: sentProof(requestContext) }),
  )

  endpoints.serve(
    sendEmail,
    { limit: calling, access: 'csrf', bytes: 64 * 1024 },
    async (call, { address }) => {
      const network = networkOf(platform, address)
      await commit((tx) => calls.remember(tx, call, network))
      return { success: true as const }
    },
  )

  endpoints.serve(getFormProof, { limit: proving, access: 'public' }, () => proofs.issue())

  mount(formPage({ platform, limit: limit(saving), plain, save }))
}
