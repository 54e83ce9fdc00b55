import { bookingRules } from './bookings/beside-content.ts'
import type { FilesBeside } from './content/beside.ts'
import { catalogue } from './shop/beside-content.ts'

/** What nouns keep in CONTENT_DIR beside the content. */
export const besideContent: readonly FilesBeside[] = [bookingRules, catalogue]
