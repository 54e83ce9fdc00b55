import type { DirectusDouble } from './directus-double.ts'
import { startSite } from './site.ts'

/** Seconds become tenths, so what takes a minute is seen in a test. */
const hurried = {
  fresh: 100,
  timeout: 2_000,
  failingTimeout: 300,
  emptyFor: 300,
  pause: 200,
  tick: 25,
  relearn: 300,
}

/** A site on a Directus that is asked ten times as often as usual. */
export const siteFor = (
  directus: DirectusDouble,
  { dataDir, env = {} }: { dataDir?: string; env?: Record<string, string> } = {},
) =>
  startSite({
    env: { CONTENT_URL: directus.url, ...env },
    contentTiming: hurried,
    ...(dataDir && { dataDir }),
  })

/** An article as a Directus has it. */
export const article = (id: number, more: object = {}) => ({
  id,
  slug: `a${id}`,
  title: `A${id}`,
  excerpt: `Excerpt ${id}`,
  published_at: '2026-01-01T08:00:00Z',
  status: 'published',
  ...more,
})

/** A row that lacks a field. */
export const without = (row: object, field: string) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== field))
