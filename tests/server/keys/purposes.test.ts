import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSite } from '../../support/site.ts'

const server = join(import.meta.dirname, '../../../server')

/** Purposes that open nothing: they count, limit, tell visitors apart, or seal what is kept. */
const opensNothing = [
  'folder-picker',
  'folder-visitor',
  'mailbox',
  'network',
  'second-factor',
  'server-settings',
  'share-network',
  'ticket-number',
]

/** How sources name a purpose of the keys. */
const patterns = [
  /keys\.(?:hash|hashes|matches)\(\s*'([\w-]+)/g,
  /createSignedTokens\([^)]*?purpose: [`']([\w-]+)/g,
  /const (?:\w+P|p)urpose = '([\w-]+)'/g,
  /\btokens\('([\w-]+)'\)/g,
]

test('everything that the keys sign can be revoked by its kind', async () => {
  const sources = (readdirSync(server, { recursive: true }) as string[]).filter((name) =>
    name.endsWith('.ts'),
  )
  const used = new Set(
    sources.flatMap((name) => {
      const text = readFileSync(join(server, name), 'utf8')
      return patterns.flatMap((pattern) =>
        Array.from(text.matchAll(pattern), ([, found]) => found!),
      )
    }),
  )
  expect(used.size).toBeGreaterThan(12)
  await using site = await startSite({ sending: false })
  const revocable = site.context.contributions().signs.flatMap(({ purposes }) => purposes)
  expect([...used].filter((each) => !opensNothing.includes(each)).toSorted()).toEqual(
    revocable.toSorted(),
  )
})
