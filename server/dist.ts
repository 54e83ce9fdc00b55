import { join } from 'node:path'

/** Where `npm run build` puts the bundles. */
export const dist = join(import.meta.dirname, '../dist')
