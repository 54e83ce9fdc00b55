import { dayMs } from '#shared/dates/durations.ts'
import { paths } from '#shared/paths.ts'
import { readAgency } from '../content/agency.ts'
import type { Platform } from '../feature.ts'
import { fallbackTimeout, type FileSet } from '../http/replies/cached-files.ts'

/** How far ahead the file expires, in days; RFC 9116 recommends less than a year. */
const expiresAfter = 180

const path = '/.well-known/security.txt'

/** security.txt (RFC 9116): where to report a weakness of the site. */
export function securityFile({
  content,
  clock,
  config,
}: Pick<Platform, 'content' | 'clock' | 'config'>): FileSet {
  const today = () => Math.floor(clock() / dayMs)

  /** @param ms how long content may take */
  async function make(ms?: number) {
    const { email } = await readAgency(content, ms)
    const lines = [
      ...(email ? [`Contact: mailto:${email}`] : []),
      `Contact: ${config.siteUrl}${paths.contactPage()}`,
      `Expires: ${new Date((today() + expiresAfter) * dayMs).toISOString()}`,
      'Preferred-Languages: en, fi',
      `Canonical: ${config.siteUrl}${path}`,
      '',
    ]
    const draft = {
      type: 'text/plain; charset=utf-8',
      body: lines.join('\n'),
      cacheControl: 'public, max-age=3600',
    }
    return new Map([[path, draft]])
  }

  return {
    name: 'security',
    paths: [path],
    // Once a day too, for the date.
    version: () => `${content.version()}.${today()}`,
    make: () => make(),
    fallback: () => make(fallbackTimeout),
  }
}
