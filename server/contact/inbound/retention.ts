import { dayMs } from '#shared/durations.ts'
import { helsinkiIso } from '#shared/helsinki-time.ts'
import type { Platform } from '../../feature.ts'
import type { JobDefinition } from '../../jobs/job.ts'
import type { PersonalData } from '../../personal-data.ts'
import { waitingDays } from './limits.ts'
import type { InboundStore } from './store.ts'

const forgetKind = 'contact.forget-emails'

/** The emails that wait for staff, as data of a person. What was taken is a part of its ticket. */
export const inboundData = (store: InboundStore): PersonalData => ({
  name: 'waiting emails',
  policy: [
    {
      what: 'An email that isn’t a reply to ours',
      data: 'Your email address, the subject and the time, until we’ve read it in our mailbox',
      ground: 'The same as for the message',
      kept: `Until we’ve read it, ${waitingDays} days at most`,
    },
  ],
  forgottenBy: { job: forgetKind },
  find: (email) =>
    store.waitingOf(email).map(({ sender, subject, receivedAt, reason, ticketId }) => ({
      sender,
      subject,
      receivedAt: helsinkiIso(receivedAt),
      reason,
      ticketId,
    })),
  erase: (tx, email) => ({ erased: store.erase(tx, email) }),
  note: 'Emails to us stay in our mailbox until they’re deleted there.',
})

/** The job that forgets emails which wait for too long. */
export const inboundRetention = (
  { clock, commit }: Pick<Platform, 'clock' | 'commit'>,
  store: InboundStore,
): JobDefinition => ({
  kind: forgetKind,
  about: 'forgets emails that staff haven’t read in the mailbox',
  recurs: { daily: '03:30' },
  run: async () => {
    await commit((tx) => store.removeOld(tx, clock() - waitingDays * dayMs))
  },
})
