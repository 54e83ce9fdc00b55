import { Argument, type Command } from 'commander'
import { queueTicketMails } from '#server/contact/ticket-mails.ts'
import { ticketStatuses, type TicketStatus } from '#shared/contact.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'
import type { UseContext } from './command.ts'
import { mustFind } from './ticket-views.ts'

/** `tickets set` and `note`: what staff do with a ticket. */
export function addTicketChanges(tickets: Command, useContext: UseContext, print: Print): void {
  tickets
    .command('set <ticket>')
    .alias('edit')
    .description('give a ticket another status; out of quarantine, its two mails go out')
    .addArgument(new Argument('<status>').choices(ticketStatuses))
    .addOption(options.by())
    .action(async (ticketId: string, after: TicketStatus, { by }: { by: string }) => {
      const { mails, commit, clock, features } = await useContext()
      const { tickets: store } = features.contact
      const before = await commit((tx) => {
        const ticket = store.setStatus(tx, ticketId, after, by)
        if (ticket?.status === 'quarantined' && (after === 'new' || after === 'open')) {
          queueTicketMails(tx, mails, ticket, clock())
        }
        return ticket
      })
      print.line(`${ticketId}: ${mustFind(before, ticketId).status} → ${after}`)
    })

  tickets
    .command('note <ticket> <text...>')
    .description('write something down about a ticket')
    .addOption(options.by())
    .action(async (ticketId: string, words: string[], { by }: { by: string }) => {
      const { commit, features } = await useContext()
      const { tickets: store } = features.contact
      const noted = await commit((tx) => store.note(tx, ticketId, words.join(' '), by))
      mustFind(noted || null, ticketId)
      print.line(`${ticketId}: noted`)
    })
}
