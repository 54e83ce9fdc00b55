import { join } from 'node:path'

/** Where Node keeps what it compiled, so that hundreds of short processes and threads do it once. */
export const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled')
