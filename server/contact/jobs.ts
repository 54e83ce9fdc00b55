import { inBatches } from '../db/in-batches.ts'
import type { Platform } from '../feature.ts'
import type { JobDefinition } from '../jobs/job.ts'
import type { MailCalls } from './mail-call-store.ts'
import { forgetKind } from './personal-data.ts'
import type { TicketStore } from './store.ts'
import { ticketMailKinds } from './ticket-mails.ts'

/** The kinds of jobs of the contact flow. */
export const contactJobs = (
  { commit, formProofs, mails }: Pick<Platform, 'commit' | 'formProofs' | 'mails'>,
  { tickets, calls }: { tickets: TicketStore; calls: MailCalls },
): JobDefinition[] => [
  {
    kind: 'contact.settle-calls',
    about: 'settles mail calls whose ticket has not come',
    recurs: { everyMinutes: 1 },
    run: () => calls.settleOverdue(),
  },
  {
    kind: forgetKind,
    about: 'forgets old tickets, their mails, used form proofs and settled mail calls',
    recurs: { daily: '08:00' },
    async run() {
      await inBatches(commit, formProofs.forget)
      await inBatches(commit, tickets.forgetOld)
      await commit((tx) =>
        mails.forgetOrphans(tx, { kinds: ticketMailKinds, known: tickets.ids() }),
      )
      await inBatches(commit, calls.forgetOld)
    },
  },
]
