import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { openRaw } from '../support/raw-connection.ts'
import { startSite } from '../support/site.ts'

/** Some pauses are those of a crowded machine; what is begun all at once takes a second and more. */
const longestPause = 300

/** As many requests as one packet holds, each for another address. */
const flood = (path: string) =>
  Array.from(
    { length: 1000 },
    (_, number) => `GET ${path}${number} HTTP/1.1\r\nHost: site\r\n\r\n`,
  ).join('')

test.each([
  '/search?q=kymi',
  '/calendar?series=',
  '/nothing-',
  '/s/nothing-',
  '/api/search?q=kymi',
])('a thousand requests for %s in one packet do not hold up the event loop', async (path) => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  // Nothing of the first time counts, such as compiling.
  await site.get(`${path}first`)
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await using connection = await openRaw(site.url, { from: '127.0.4.1' })
  connection.write(flood(path))
  for (let number = 0; number < 500; number += 1) await connection.reply()
  delays.disable()
  expect(delays.max / 1e6).toBeLessThan(longestPause)
})

test('a thousand requests of one client are behind the first one of another', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  await site.get('/search?q=first')
  await using connection = await openRaw(site.url, { from: '127.0.4.1' })
  connection.write(flood('/search?q=kymi'))
  const first = await connection.reply()
  expect(first.status).toBe(200)
  let answered = 0
  const rest = (async () => {
    for (; answered < 500; answered += 1) await connection.reply()
  })()
  for (const path of ['/search?q=jyvaskyla', '/api/search?q=jyvaskyla', '/api/health']) {
    const reply = await site.get(path, { from: '127.0.5.1' })
    expect([path, reply.status]).toEqual([path, 200])
  }
  expect(answered).toBeLessThan(400)
  await rest
})
