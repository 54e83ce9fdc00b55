import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version in package.json, as `/api/health`, the command line and backups give it. */
export const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
) as { version: string }
