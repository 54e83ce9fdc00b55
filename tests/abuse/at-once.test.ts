import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { openRaw } from '../support/raw-connection.ts'
import { startSite, type Site } from '../support/site.ts'

/**
 * Milliseconds of work in one turn of the event loop: several times of what it takes, since a crowded
 * machine also makes work slower, and a fraction of what all at once would.
 */
const maxWork = 120

const connections = 20
const onEach = 50

const requests = (path: string, count: number) =>
  Array.from(
    { length: count },
    (_, number) => `GET ${path}${number} HTTP/1.1\r\nHost: site\r\n\r\n`,
  ).join('')

/** Sends a thousand requests of one client at once. @returns resolves as they are answered */
async function flood(site: Site, path: string, answered = () => {}): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const all = await Promise.all(
    Array.from({ length: connections }, async () =>
      opened.use(await openRaw(site.url, { from: '127.0.4.1' })),
    ),
  )
  for (const connection of all) connection.write(requests(path, onEach))
  await Promise.all(
    all.map(async (connection) => {
      for (let number = 0; number < onEach; number += 1) {
        await connection.reply()
        answered()
      }
    }),
  )
}

test.each([
  '/search?q=kymi',
  '/calendar?series=',
  '/nothing-',
  '/s/nothing-',
  '/api/search?q=kymi',
])('a thousand requests for %s at once do not hold up the event loop', async (path) => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  // Nothing of the first time counts, such as compiling.
  for (let number = 0; number < 40; number += 1) await site.get(path + number)
  expect(await longestTurn(() => flood(site, path))).toBeLessThan(maxWork)
})

test('a thousand requests of one client are behind the first one of another', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  await site.get('/search?q=first')
  const { promise: isUnderWay, resolve: underWay } = Promise.withResolvers<void>()
  let answered = 0
  const all = flood(site, '/search?q=kymi', () => {
    answered += 1
    underWay()
  })
  await isUnderWay
  const replies = await Promise.all(
    ['/search?q=jyvaskyla', '/api/search?q=jyvaskyla', '/api/health'].map((path) =>
      site.get(path, { from: '127.0.5.1' }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answered).toBeLessThan(900)
  await all
})

test('a connection that sends far ahead is cut, and what it sent is not begun', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  await using connection = await openRaw(site.url, { from: '127.0.4.1' })
  connection.write(requests('/search?q=kymi', 1000))
  await connection.closed()
  const begun = site.logLines().filter((line) => line.includes('/search')).length
  expect(begun).toBeLessThanOrEqual(64)
  expect((await site.get('/api/health')).status).toBe(200)
})
