import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer, type Renderer } from '#server/renderer.ts'
import { eventually } from '../support/eventually.ts'
import { startSite, type Site } from '../support/site.ts'

const person = { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' }
const withPages = async () => startSite({ renderer: await builtRenderer(dist) })

/** The log lines of a request. */
const linesOf = (site: Site, id: unknown) =>
  site.logLines().filter((line) => line.includes(`"id":"${String(id)}"`))

test.each([
  '/l/nothing',
  '/l/nothing+',
  '/links',
  '/client-zone',
  '/panel',
  '/s/nothing',
  '/debug/logs',
])('with a broken database %s says that it failed, and nothing of the database', async (path) => {
  await using site = await withPages()
  for (const table of ['links', 'sessions', 'folders']) {
    const rename = site.context.db.prepareWrite(`ALTER TABLE ${table} RENAME TO ${table}_away`)
    await site.context.commit((tx) => rename.run(tx))
  }
  const session = { Cookie: `client=${'x'.repeat(43)}` }
  for (const headers of [person, {}]) {
    const reply = await site.get(path, { headers: { ...headers, ...session } })
    expect(reply.text).not.toMatch(/no such|table|sqlite|away|better-sqlite/i)
    const id = reply.headers['x-request-id']
    expect(reply.status).toBe(500)
    expect(reply.text).toContain(String(id))
    expect(linesOf(site, id).some((line) => line.includes('no such table'))).toBe(true)
  }
})

test('a part of a page that breaks inside says so without its inner text', async () => {
  await using site = await withPages()
  Object.assign(site.context.content, {
    rows: () => Promise.reject(new Error('ENOENT /var/lib/secret/place')),
  })
  const reply = await site.get('/', { headers: person })
  expect(reply.status).toBe(200)
  expect(reply.text).toContain('Failed to load services')
  expect(reply.text).not.toContain('ENOENT')
  expect(reply.text).not.toContain('secret')
  expect(linesOf(site, reply.headers['x-request-id']).join()).toContain('/var/lib/secret/place')
})

test('an error of the page itself shows neither on the page nor in its data', async () => {
  await using site = await withPages()
  Object.assign(site.context.content, { rows: () => Promise.resolve([null]) })
  for (const path of ['/', '/news', '/portfolio', '/about-us', '/services/photography']) {
    const { text } = await site.get(path, { headers: person })
    expect(text, path).not.toMatch(/Cannot (?:read|destructure)|TypeError|is not a function/)
  }
})

test('a script that gets into a page does not get its hash into the policy', async () => {
  const built = await builtRenderer(dist)
  const injected: Renderer = {
    ...built,
    async render(request) {
      const rendering = await built.render(request)
      if (rendering.redirect !== null) return rendering
      return {
        ...rendering,
        degraded: false,
        pipe(destination) {
          destination.write('<script>alert("injected")</script>')
          rendering.pipe(destination)
        },
      }
    },
  }
  const policyOf = (site: Site) =>
    eventually(async () => {
      const { headers, text } = await site.get('/about-us')
      expect(headers.etag).toBeDefined()
      return { text, policy: headers['content-security-policy'] }
    })
  await using clean = await withPages()
  await using attacked = await startSite({ renderer: injected })
  const reply = await policyOf(attacked)
  expect(reply.text).toContain('alert("injected")')
  expect(reply.policy).toBe((await policyOf(clean)).policy)
})
