import { expect, test } from 'vitest'
import type { Panel } from '#shared/clients/clients.ts'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { cookiesOf, idsOf, person, photo, postForm, share } from '../../support/shared-folder.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

/** A folder without a password in the panel of one client, and everything that is below it. */
async function withPanel(options: Parameters<typeof startSite>[0] = {}) {
  const site = await startSite(options)
  const folder = await share(site, 'spring', { 'a.jpg': await photo(), 'rights.pdf': 'p' })
  const owner = await signIn(site, ['view', 'download', 'select'], { name: 'Team Kaamos' })
  const rival = await signIn(site, ['view', 'download', 'select'], { name: 'Rival Racing' })
  const block = () =>
    site.context.commit((tx) =>
      site.context.features.clients.panels.add(tx, {
        clientId: owner.clientId,
        kind: 'folders',
        title: null,
        data: { folders: [folder.key] },
      }),
    )
  const { 'a.jpg': id } = idsOf(site, folder)
  const addresses = [
    `/s/${folder.key}/files/${id}`,
    `/s/${folder.key}/view/${id}`,
    `/s/${folder.key}/thumb/${id}`,
    `/s/${folder.key}/web/${id}`,
    `/s/${folder.key}/zip`,
    `/api/folders/${folder.key}`,
  ]
  const all = async (headers: Record<string, string> = {}) =>
    new Set(
      await Promise.all(
        addresses.map(
          async (path) => (await site.get(path, { headers: { ...person, ...headers } })).status,
        ),
      ),
    )
  const change = (anyone: boolean) =>
    site.context.commit((tx) => site.context.features.folders.store.change(tx, folder, { anyone }))
  return { site, folder, owner, rival, block, all, change, id: id! }
}

test('a folder without a password opens by its address until it is put into a panel, and no more after it', async () => {
  const { site, owner, rival, block, all, change } = await withPanel()
  await using _ = site
  expect(await all()).toEqual(new Set([200]))
  const { id } = await block()
  expect(await all()).toEqual(new Set([401]))
  expect(await all(rival.headers)).toEqual(new Set([401]))
  expect(await all(owner.headers)).toEqual(new Set([200]))
  await change(true)
  expect(await all()).toEqual(new Set([200]))
  await change(false)
  expect(await all()).toEqual(new Set([401]))
  // Who ends with a client doesn't publish its galleries.
  await site.context.commit((tx) => site.context.features.clients.panels.remove(tx, id))
  expect(await all()).toEqual(new Set([401]))
  expect(await all(owner.headers)).toEqual(new Set([401]))
  await change(true)
  expect(await all()).toEqual(new Set([200]))
})

test('a selection asked for when the session has ended leads back to the gallery, and is told of', async () => {
  const { site, folder, block, id } = await withPanel({ renderer: await builtRenderer(dist) })
  await using _ = site
  await block()
  const press = async (path: string, fields: URLSearchParams) => {
    const reply = await postForm(site, `/s/${folder.key}/${path}`, fields)
    return { status: reply.status, html: await reply.text() }
  }
  for (const fields of [new URLSearchParams({ file: String(id) }), new URLSearchParams()]) {
    const { status, html } = await press('zip', fields)
    expect(status).toBe(401)
    expect(html).toContain('Your download hasn’t started.')
    expect(html).toContain(`name="next" value="/s/${folder.key}"`)
  }
  expect((await press('picks', new URLSearchParams({ name: 'A' }))).html).toContain(
    'Your favourites weren’t sent.',
  )
  // A link to everything goes on to what it names.
  const headers = { ...person, Accept: 'text/html' }
  const link = await site.get(`/s/${folder.key}/zip`, { headers })
  expect(link.text).toContain(`name="next" value="/s/${folder.key}/zip"`)
  expect(link.text).not.toContain('hasn’t started')
})

test('a gallery of a client who is removed stays closed, says so at the desk, and is announced to no one', async () => {
  const { site, folder, block, all } = await withPanel()
  await using _ = site
  await block()
  const staff = await signIn(site, ['desk'], { name: 'Noora' })
  const at = (path: string) => site.get(`/api/desk/things/${path}`, { headers: staff.headers })
  const { json: client } = await at('clients/team-kaamos')
  const removed = await site.post(
    '/api/desk/things/clients/team-kaamos',
    { act: 'remove', state: client!.state, entries: { sure: 'on' } },
    { headers: staff.headers },
  )
  expect(removed.status).toBe(200)
  expect(await all()).toEqual(new Set([401]))
  const { json: thing, text } = await at(`folders/${folder.key}`)
  expect(text).toContain('nothing: it’s in no client’s panel any more')
  const told = await site.post(
    `/api/desk/things/folders/${folder.key}`,
    { act: 'ready', state: thing!.state, entries: { to: 'aino@example.com' } },
    { headers: staff.headers },
  )
  expect(told.status).toBe(409)
  expect(told.text).toContain('No one can open')
})

test('marks, selections and picks of a folder in a panel are for its clients alone', async () => {
  const { site, folder, owner, rival, block, id } = await withPanel()
  await using _ = site
  await block()
  const mark = ({ headers }: { headers: Record<string, string> }) =>
    site.post(`/api/folders/${folder.key}/marks`, { file: id, heart: true }, { headers })
  expect((await mark(rival)).status).toBe(401)
  expect((await mark(owner)).status).toBe(200)
  const form = async (path: string, { headers }: { headers: Record<string, string> }) =>
    (
      await fetch(`${site.url}/s/${folder.key}/${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ files: String(id), heart: String(id) }),
      })
    ).status
  for (const path of ['zip', 'picks']) {
    expect([path, await form(path, rival)]).toEqual([path, 401])
    expect([path, await form(path, owner)]).toEqual([path, 303])
  }
})

test('a folder in a panel shows only that it asks for a code', async () => {
  const { site, folder, block, rival } = await withPanel()
  await using _ = site
  await block()
  for (const headers of [{}, rival.headers]) {
    const { json } = await site.get(`/api/folders/${folder.key}`, { headers })
    expect(json).toEqual({
      success: false,
      message: 'This gallery needs its client’s secret code.',
      code: 'signed-out',
      state: 'locked',
      id: folder.key,
      by: 'code',
      wrong: false,
      to: `/s/${folder.key}`,
    })
  }
})

test('without scripts the code leads to what was asked for, a wrong one back to the form', async () => {
  const { site, folder, owner, block, id } = await withPanel()
  await using _ = site
  await block()
  const next = `/s/${folder.key}/files/${id}`
  const enter = (secretCode: string) => postForm(site, '/client-zone', { secretCode, next })
  const wrong = await enter('nope')
  expect([wrong.status, wrong.headers.get('location')]).toEqual([
    303,
    `${next}?problem=wrong#secret-code`,
  ])
  const right = await enter(owner.code)
  expect([right.status, right.headers.get('location')]).toEqual([303, `${next}#result`])
  const file = await site.get(next, { headers: { Cookie: cookiesOf(right) } })
  expect(file.status).toBe(200)
})

test('the cover of a folder is a picture that can be shown', async () => {
  await using site = await startSite()
  const files = { 'a-damaged.jpg': 'no picture', 'b.jpg': await photo() }
  const folder = await share(site, 'covers', files)
  const owner = await signIn(site, ['view'])
  await site.context.commit((tx) =>
    site.context.features.clients.panels.add(tx, {
      clientId: owner.clientId,
      kind: 'folders',
      title: null,
      data: { folders: [folder.key] },
    }),
  )
  const { blocks } = (await site.get('/api/panel', owner)).json!.panel as Panel
  const [tile] = (blocks[0] as { tiles: { picture: string }[] }).tiles
  const { status, headers } = await site.get(tile!.picture, owner)
  expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
})
