import type { Database } from '../db/open.ts'
import type { Keys } from '../secret-key.ts'
import { createIssues } from './issues.ts'
import { createSubscribers } from './store.ts'
import { createConfirmationTokens } from './tokens.ts'

/** The long-lived parts of the newsletter. */
export type Newsletter = ReturnType<typeof createNewsletter>

/** Makes the list, its issues and the links of its confirmation mails. */
export function createNewsletter({
  db,
  clock,
  keys,
}: {
  db: Database
  clock: () => number
  keys: Keys
}) {
  const subscribers = createSubscribers(db, { clock })
  const issues = createIssues(db, { clock })
  const confirmationTokens = createConfirmationTokens({ keys, clock })
  return { subscribers, issues, confirmationTokens }
}
