import { contactBodyBytes, saveContactForm, sendEmail } from '#shared/contact/contact.ts'
import { getFormProof } from '#shared/forms/form-proof-endpoint.ts'
import { failure } from '#shared/failures.ts'
import {
  addToTicket,
  changeTicket,
  claimTicket,
  getStaffTicket,
  getTicket,
  type StaffTicketAct,
} from '#shared/contact/tickets.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Http, Platform } from '../feature.ts'
import { sentProof } from '../secrets/form-proofs.ts'
import { networkOf } from '../http/connections/client-address.ts'
import type { TicketActions } from './acts.ts'
import { formPage } from './form-page.ts'
import type { TicketLinks } from './links.ts'
import type { MailCalls } from './mail-calls.ts'
import type { ReplyFiles } from './reply-files.ts'
import { replyFormRoutes } from './reply-form.ts'
import type { TicketViews } from './views.ts'

/** Max messages from one address, before it is told to wait. */
const saving = { name: 'save', seconds: 600, max: 30, onlySuccessful: true }
/** Max email calls: two per ticket, and as many again for each ID that was taken. */
const calling = { name: 'mail', seconds: 600, max: 90 }
/** Form proofs. */
const proving = { name: 'proof', seconds: 600, max: 240 }

/** Pages of tickets and their forms. */
const opening = { name: 'ticket-pages', seconds: 60, max: 120 }
/** What visitors add to their tickets. */
const adding = { name: 'ticket-additions', seconds: 600, max: 30 }

/**
 * The contact flow: saving a message, its email calls, form proofs, the form of browsers without
 * scripts, and the pages of tickets.
 */
export function contactRoutes(
  platform: Platform,
  { endpoints, limit, largeBody, mount, plain }: Http,
  {
    actions,
    calls,
    clientIn,
    links,
    views,
    files,
  }: {
    actions: TicketActions
    links: TicketLinks
    views: TicketViews
    files: ReplyFiles
    calls: Pick<MailCalls, 'remember'>
    clientIn: ClientFeature['clientIn']
  },
): void {
  const { commit, formProofs: proofs } = platform
  const { save } = actions

  endpoints.serve(
    saveContactForm,
    { limit: saving, access: 'csrf', bytes: contactBodyBytes },
    (record, requestContext) =>
      save(record, {
        address: requestContext.address,
        proof: sentProof(requestContext),
        isOwn: clientIn(requestContext)?.owns(record.Email) ?? false,
      }),
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

  const done = { success: true as const }
  endpoints.serve(getStaffTicket, { limit: opening, access: 'public' }, ({ ticket }, context) =>
    views.staff(links.ofStaff(ticket, context)),
  )
  endpoints.serve(
    changeTicket,
    { limit: opening, access: 'csrf', bytes: contactBodyBytes },
    async (act, context) => {
      const { ticket, name: signedIn } = links.ofStaff(act.ticket, context)
      await change(actions, ticket.ticketId, act, signedIn)
      return done
    },
  )
  endpoints.serve(getTicket, { limit: opening, access: 'public' }, ({ token }) =>
    views.visitor(links.ofVisitor(token)),
  )
  endpoints.serve(claimTicket, { limit: opening, access: 'csrf' }, async ({ token }) => {
    await actions.claim(links.ofVisitor(token).ticketId)
    return done
  })
  endpoints.serve(
    addToTicket,
    { limit: adding, access: 'csrf', bytes: contactBodyBytes },
    async ({ token, text, key }) => {
      await actions.add(links.ofVisitor(token).ticketId, { text, key })
      return done
    },
  )

  mount(replyFormRoutes({ limit, largeBody }, { actions, files, links }))
  mount(formPage({ platform, limit: limit(saving), plain, save, clientIn }))
}

/**
 * Carries out an act from a ticket's staff page.
 * @param signedIn the name of the person signed in; null for one who came by a link, and says a name
 */
async function change(
  actions: TicketActions,
  ticketId: string,
  act: StaffTicketAct,
  signedIn: string | null,
): Promise<void> {
  const name = signedIn ?? act.name
  if (name === undefined) {
    throw failure('invalid', { errors: { name: 'Please enter your name' } })
  }
  const actor = signedIn ?? `${name}, through the link in the email`
  const { state } = act
  switch (act.act) {
    case 'reply':
      await actions.reply(
        ticketId,
        { text: act.text, key: act.key, leaveOut: act.leaveOut, state },
        { name, actor },
      )
      break
    case 'note':
      await actions.note(ticketId, act.text, actor)
      break
    case 'assign':
      await actions.assign(ticketId, { assignee: act.assignee ?? null, state }, actor)
      break
    case 'status':
      await actions.setStatus(ticketId, act.status, actor, state)
      break
    case 'undo':
      await actions.undoStatus(ticketId, actor, state)
  }
}
