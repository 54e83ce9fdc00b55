import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import { mailbox } from '../mail/compose.ts'
import type { Keys } from '../secret-key.ts'
import { createIssues } from './issues.ts'
import { createNewsletterWriters } from './letters.ts'
import { createSubscribers } from './store.ts'
import { createConfirmationTokens } from './tokens.ts'

/** The long-lived parts of the newsletter. */
export type Newsletter = ReturnType<typeof createNewsletter>

const day = 86_400_000

/** Makes the list, its issues and links, the writers of its mails, and its daily chore. */
export function createNewsletter({
  db,
  clock,
  keys,
  config,
}: {
  db: Database
  clock: () => number
  keys: Keys
  config: Pick<Config, 'siteUrl' | 'mail'>
}) {
  const subscribers = createSubscribers(db, { clock })
  const issues = createIssues(db, { clock })
  const confirmationTokens = createConfirmationTokens({ keys, clock })
  const writers = createNewsletterWriters({
    subscribers,
    issues,
    tokens: confirmationTokens,
    config,
    mailbox: mailbox(config.mail.staff).address,
  })
  let tidiedAt = -Infinity
  return {
    subscribers,
    issues,
    confirmationTokens,
    writers,
    async chore(): Promise<void> {
      const now = clock()
      if (now - tidiedAt < day) return
      await subscribers.forgetOld()
      tidiedAt = now
    },
  }
}
