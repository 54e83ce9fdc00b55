import { failure } from '#shared/failures.ts'
import type { Platform } from '../feature.ts'
import { siteAct } from '../timeline/timeline.ts'

/** What staff do with emails. */
export type MailActs = {
  /**
   * Makes failed or waiting emails due at once, as if they had never been tried.
   * @param which the number of one, all that failed and wait for a person, those of an issue of the
   *   newsletter that failed, or all that were tried and wait for another attempt
   * @param by who wants it, for the timeline
   * @returns how many
   * @throws missing for a number that is neither failed nor waiting
   */
  retry(which: number | 'failed' | 'waiting' | { issue: string }, by: string): Promise<number>
  /**
   * Takes a failed email off the list, once what it was about has been dealt with.
   * @param by who did it, for the timeline
   * @throws missing for a number that isn't that of a failed one
   */
  dismiss(id: number, by: string): Promise<void>
}

/** Creates them. */
export function createMailActs({
  commit,
  mails,
  outbox,
  timeline,
}: Pick<Platform, 'commit' | 'mails' | 'outbox' | 'timeline'>): MailActs {
  return {
    async retry(which, by) {
      const those = thoseOf(which, mails)
      const retried = await commit((tx) => {
        const again = those.filter(({ id }) => mails.retry(tx, id))
        const note = noteOf(which, again.length)
        if (again.length > 0) {
          timeline.record(tx, siteAct('mail', { actor: by, act: 'retried', note }))
        }
        return again.length
      })
      if (retried === 0 && typeof which === 'number') {
        throw failure('missing', { message: `No failed or queued email: ${which}.` })
      }
      outbox.wake()
      return retried
    },

    dismiss: (id, by) =>
      commit((tx) => {
        if (!mails.dismiss(tx, id)) {
          throw failure('missing', { message: `No failed email: ${id}.` })
        }
        timeline.record(tx, siteAct('mail', { actor: by, act: 'dismissed', note: `mail ${id}` }))
      }),
  }
}

type Retried = Parameters<MailActs['retry']>[0]

function thoseOf(which: Retried, mails: Platform['mails']): readonly { id: number }[] {
  if (which === 'waiting') return mails.heldUp()
  // An old newsletter isn't sent to dead mailboxes again along with a receipt.
  if (which === 'failed') return mails.failedForStaff().toReversed()
  if (typeof which === 'number') return [{ id: which }]
  return mails.of('issue', which.issue).filter(({ status }) => status === 'failed')
}

function noteOf(which: Retried, count: number): string {
  if (typeof which === 'number') return `mail ${which}`
  return typeof which === 'string' ? `${count} ${which}` : `${count} of ${which.issue}`
}
