import type { Database } from '../db/open.ts'
import type { MailStore } from '../mail/store.ts'
import { createMarkStore } from './mark-store.ts'
import { createPickErasure } from './pick-erasure.ts'
import { createPickerStore } from './picker-store.ts'
import { createSubmissionStore } from './submission-store.ts'

/** Favourites and comments: who picks, what is marked, and what was sent. */
export type PickStore = ReturnType<typeof createPickStore>

/** Prepares all statements of picks; the only place with their SQL, with the parts that it names. */
export function createPickStore(db: Database, parts: { clock: () => number; mails: MailStore }) {
  const { open, ...pickers } = createPickerStore(db, parts)
  const marks = createMarkStore(db, { ...parts, open })
  return {
    ...pickers,
    ...marks,
    ...createPickErasure(db),
    ...createSubmissionStore(db, { ...parts, open, picksOf: marks.picksOf }),
  }
}
