import { bookingRules } from './bookings/days/rules.ts'
import type { ExtraContentFiles } from './content/files/extra-content-files.ts'
import { booksSettings } from './orders/extra-content-files.ts'
import { shareSettings } from './shares/extra-content-file.ts'
import { catalogue } from './shop/extra-content-files.ts'

/** What nouns keep in CONTENT_DIR beside the content. */
export const extraContentFiles: readonly ExtraContentFiles[] = [
  bookingRules,
  booksSettings,
  catalogue,
  shareSettings,
]
