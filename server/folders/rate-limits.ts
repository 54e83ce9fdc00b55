import type { RateLimit } from '../http/limits.ts'

/** Passwords; wrong ones are slowed down long before, by the answer itself. */
export const passwordLimit: RateLimit = { name: 'folderPassword', seconds: 600, most: 30 }

/** Hearts and comments: four a second for a whole minute. */
export const markLimit: RateLimit = { name: 'folderMarks', seconds: 60, most: 240 }

/** Files, of which a page shows 120 pictures. */
export const fileLimit: RateLimit = { name: 'folderFiles', seconds: 60, most: 2400 }
