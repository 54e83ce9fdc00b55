import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentFiles } from './content-files.ts'
import { runOn } from './in-process-cli.ts'
import { startSite } from './site.ts'

/** A row of events.json. */
export type StoredEvent = Record<string, unknown> & { id: string }

/**
 * A site whose season is edited from the command line.
 * @param rows of events.json
 * @param files further content, by path
 */
export async function withSeason(rows: object[] = [], files: Record<string, unknown> = {}) {
  const content = contentFiles({ 'events.json': rows, ...files })
  const site = await startSite({ env: { CONTENT_DIR: content.dir }, sending: false })
  return {
    files: content,
    site,
    stored: () =>
      JSON.parse(readFileSync(join(content.dir, 'events.json'), 'utf8')) as StoredEvent[],
    run: (...args: string[]) => runOn(site, 'events', ...args),
    file(name: string, text: string | Buffer) {
      const path = join(site.dataDir, name)
      writeFileSync(path, text)
      return path
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      content[Symbol.dispose]()
    },
  }
}

/** An iCalendar file of some events. */
export const calendar = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...events, 'END:VCALENDAR', ''].join(
    '\r\n',
  )

/** An event of such a file. */
export const vevent = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
