import { request } from 'node:http'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer, type Renderer } from '#server/renderer.ts'
import { send } from '../../support/send.ts'
import { noPages, startSite, type Site } from '../../support/site.ts'

const person = { Accept: 'text/html,application/xhtml+xml', 'Sec-Fetch-Dest': 'document' }

const broken: Renderer = {
  ...noPages,
  render: () => Promise.reject(new Error('SELECT secrets FROM inside')),
}

test('a failing page is answered with a page of status, text and request id', async () => {
  await using site = await startSite({ renderer: broken })
  const reply = await site.get('/portfolio', { headers: person })
  expect(reply.status).toBe(500)
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.headers['content-security-policy']).toContain("style-src 'self' 'sha256-")
  expect(reply.text).toContain('<h1>500 Internal Error</h1>')
  expect(reply.text).toContain('We&#39;ve encountered an error while trying to display this page.')
  expect(reply.text).toContain(String(reply.headers['x-request-id']))
  expect(reply.text).toContain('Back to Home')
  expect(reply.text).not.toContain('SELECT')
})

test('an address that cannot be read is a page for people and JSON for programs', async () => {
  await using site = await startSite()
  const page = await site.get('/news/%ff', { headers: person })
  expect([page.status, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
  const json = await site.get('/news/%ff')
  expect([json.status, json.json]).toMatchObject([400, { success: false, code: 'malformed' }])
})

test('a page takes GET and HEAD, and says so', async () => {
  await using site = await startSite()
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST']) {
    const reply = await send(`${site.url}/portfolio`, { method })
    expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, 'GET, HEAD'])
    expect(reply.json).toMatchObject({ success: false, code: 'wrong-method' })
  }
  for (const path of ['/portfolio', '/robots.txt']) {
    const asked = await send(site.url + path, { method: 'OPTIONS' })
    expect([path, asked.status, asked.headers.allow]).toEqual([path, 204, 'GET, HEAD'])
  }
})

/** Says by a wrong method and by OPTIONS which methods addresses take. */
async function expectAllow(site: Site, paths: readonly string[], allow: string): Promise<void> {
  for (const path of paths) {
    for (const [method, status] of [
      ['DELETE', 405],
      ['OPTIONS', 204],
    ] as const) {
      const reply = await send(site.url + path, { method })
      expect([method, path, reply.status, reply.headers.allow]).toEqual([
        method,
        path,
        status,
        allow,
      ])
    }
  }
}

test('pages with forms allow POST as well', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  await expectAllow(site, ['/shop/withdraw', '/booking'], 'GET, HEAD, POST')
})

test('forms that are no pages of ours allow POST as well', async () => {
  await using site = await startSite()
  const forms = [
    '/subscription/form',
    '/subscription/confirm/x',
    '/subscription/leave/x',
    '/l/rally',
    '/contactwindow',
    '/client-zone',
    '/shop/back-in-stock/x',
    '/shop/orders/confirm/x',
    '/booking/confirm/x',
    '/s/x/zip',
  ]
  await expectAllow(site, forms, 'GET, HEAD, POST')
  const posted = [
    '/shop/back-in-stock',
    '/shop/back-in-stock/x/stop',
    '/subscription/again/x',
    '/s/x/picks',
    '/s/x/password',
  ]
  await expectAllow(site, posted, 'POST')
})

test('lists and files of the content service are read-only, and say so in its own format', async () => {
  await using site = await startSite()
  const lists = ['/items/news', '/items/news/1', '/items/nothing', '/assets/nothing']
  await expectAllow(site, lists, 'GET, HEAD')
  for (const method of ['POST', 'PATCH']) {
    for (const path of ['/items/news', '/assets/nothing']) {
      const reply = await send(site.url + path, { method })
      expect([method, path, reply.status]).toEqual([method, path, 405])
      expect(reply.json).toMatchObject({ errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] })
    }
  }
})

test('an address of the API takes its methods and says which', async () => {
  await using site = await startSite()
  const ours = { 'Sec-Fetch-Site': 'same-origin' }
  for (const [path, method, allow] of [
    ['/api/save-contact-form', 'GET', 'POST'],
    ['/api/authenticate-client', 'PUT', 'POST'],
    ['/api/form-proof', 'POST', 'GET, HEAD'],
    ['/api/links', 'DELETE', 'GET, HEAD, POST'],
    ['/api/bookings/by-link/nobody/move', 'GET', 'POST'],
    ['/api/health', 'POST', 'GET, HEAD'],
    ['/api/logs', 'POST', 'GET, HEAD'],
    ['/api/logout', 'GET', 'POST'],
    ['/api/shop/stripe/webhook', 'GET', 'POST'],
  ] as const) {
    const reply = await send(site.url + path, { method, headers: ours })
    expect([path, reply.status, reply.headers.allow]).toEqual([path, 405, allow])
    expect(reply.json).toMatchObject({ success: false, code: 'wrong-method' })
    // As the browser asks before a page of another site may send something; it isn't let.
    const preflight = { Origin: 'https://other.example', 'Access-Control-Request-Method': 'POST' }
    const asked = await send(site.url + path, { method: 'OPTIONS', headers: preflight })
    expect([path, asked.status, asked.text, asked.headers.allow]).toEqual([path, 204, '', allow])
    const names = Object.keys(asked.headers)
    expect(names.filter((name) => /^access-control-|^content-(?:type|length)$/.test(name))).toEqual(
      [],
    )
    expect(asked.headers['cache-control']).toBe('no-store')
  }
  expect((await send(`${site.url}/api/nothing`, { method: 'PUT', headers: ours })).status).toBe(404)
})

test('a target that names its server is taken for its path', async () => {
  await using site = await startSite()
  const { port } = new URL(site.url)
  const status = (path: string) =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
  expect(await status('http://elsewhere.example/portfolio')).toBe(200)
  expect(await status('http://elsewhere.example/api/nothing')).toBe(404)
  expect(await status('http://[/')).toBe(200)
})

test('no redirect leads to another host, however its path begins', async () => {
  await using site = await startSite()
  const { port } = new URL(site.url)
  const location = await new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/\\elsewhere.example/' }, (response) => {
      response.resume()
      resolve(response.headers.location)
    })
      .on('error', reject)
      .end()
  })
  expect(location).toBe('/elsewhere.example')
})

test('the API answers in JSON whatever Accept says', async () => {
  await using site = await startSite()
  for (const path of ['/api/nothing', '/items/nothing']) {
    const { headers } = await site.get(path, { headers: person })
    expect([path, headers['content-type']]).toEqual([path, expect.stringContaining('json')])
  }
})

test('a form that another site sends is refused with a page', async () => {
  await using site = await startSite()
  const reply = await site.post('/contactwindow', 'name=x', {
    headers: {
      ...person,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'cross-site',
    },
  })
  expect([reply.status, reply.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
})

test('what a program leaves out or gets wrong is said without the words of a library', async () => {
  await using site = await startSite()
  const saying = async (path: string, body: object) => (await site.post(path, body)).json?.errors
  expect(await saying('/api/send-email', { subject: 5 })).toEqual({
    sender: 'A sender is needed',
    to: 'This is missing',
    subject: 'This isn’t valid',
    htmlContent: 'The content is needed',
  })
  expect(await saying('/api/collect', { page: 'x' })).toEqual({
    page: 'This isn’t valid',
    event: 'This is missing',
  })
  const sorted = await site.get('/api/shop/products?sort=x&page=y')
  expect(sorted.json?.errors).toEqual({ sort: 'This isn’t valid', page: 'This isn’t valid' })
})
