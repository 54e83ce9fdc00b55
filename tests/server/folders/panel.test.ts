import { expect, test } from 'vitest'
import type { Panel } from '#shared/clients/clients.ts'
import type { Scope } from '#shared/clients/secret-code.ts'
import { eventually } from '../../support/eventually.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { idsOf, person, photo, share } from '../../support/shared-folder.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

/** A folder behind a password that is in the panel of one client. */
async function withPanel(scopes: readonly Scope[]) {
  const site = await startSite()
  const files = { 'a.jpg': await photo(), 'rights.pdf': 'p' }
  const folder = await share(site, 'winter', files, { password: 'Talvi' })
  const owner = await signIn(site, scopes, { name: 'Team Kaamos' })
  const {
    features: { clients },
  } = site.context
  await site.context.commit((tx) =>
    clients.panels.add(tx, {
      clientId: owner.clientId,
      kind: 'folders',
      title: null,
      data: { folders: [folder.key] },
    }),
  )
  const ids = idsOf(site, folder)
  const status = async (path: string, headers: Record<string, string>) =>
    (await site.get(`/s/${folder.key}/${path}`, { headers: { ...person, ...headers } })).status
  return { site, folder, owner, status, photoId: ids['a.jpg'], documentId: ids['rights.pdf'] }
}

test('a panel shows its folders with cover and count, and opens them without a password', async () => {
  const { site, folder, owner, status, photoId } = await withPanel(['view', 'download', 'select'])
  await using _ = site
  const { headers } = owner
  const panel = (await site.get('/api/panel', { headers })).json!.panel as Panel
  const block = panel.blocks.find(({ kind }) => kind === 'folders')
  expect(block).toMatchObject({
    view: 'tiles',
    tiles: [{ title: 'Arctic Rally', href: `/s/${folder.key}` }],
  })
  expect(JSON.stringify(block)).toContain(`/s/${folder.key}/thumb/${photoId}`)
  expect(JSON.stringify(block)).toContain('2 files')
  expect(await status(`thumb/${photoId}`, headers)).toBe(200)
  expect(await status('zip', headers)).toBe(200)
  await site.get(`/api/folders/${folder.key}`, { headers: { ...person, ...headers } })
  // Views and downloads of a folder without a limit are counted after the reply.
  await eventually(async () => {
    const used = (await site.get('/api/panel', { headers })).text
    expect(used).toContain('2 files, 1 view, 1 download, open until 18 Feb 2027')
  })
})

test('panel, desk and email name the same last day: midnight is the end of the day before', async () => {
  const { site, folder, owner } = await withPanel(['view', 'desk'])
  await using _ = site
  const { acts } = site.context.features.folders
  await acts.change(folder, { expiresAt: Date.parse('2026-11-26T00:00:00+02:00') }, 'Noora')
  const { headers } = owner
  expect((await site.get('/api/panel', { headers })).text).toContain('open until 25 Nov 2026')
  expect((await site.get('/api/desk/find?q=arctic', { headers })).text).toContain(
    'until 25 Nov 2026',
  )
  const page = await site.get(`/api/desk/things/folders/${folder.key}`, { headers })
  expect(page.text).toContain('after 25 Nov 2026')
  site.clock.advance(86_400_000)
  await site.context.jobs.runDue()
  await eventually(() =>
    expect(mailFiles(site.dataDir).map(({ subject }) => subject)).toContain(
      '“Arctic Rally” expires on 25 November 2026',
    ),
  )
})

test('another client, and a panel that lost the folder, are asked for the password', async () => {
  const { site, owner, status, photoId } = await withPanel(['view', 'download'])
  await using _ = site
  const rival = await signIn(site, ['view', 'download'], { name: 'Rival Racing' })
  for (const path of [`thumb/${photoId}`, `files/${photoId}`, 'zip']) {
    expect(await status(path, rival.headers)).toBe(401)
  }
  const { panels } = site.context.features.clients
  for (const { id } of panels.list(owner.clientId))
    await site.context.commit((tx) => panels.remove(tx, id))
  expect(await status('zip', owner.headers)).toBe(401)
})

test('a code opens as much of a folder as its scopes say', async () => {
  const { site, folder, owner, status, photoId, documentId } = await withPanel(['view', 'web'])
  await using _ = site
  const { headers } = owner
  expect(await status(`web/${photoId}`, headers)).toBe(200)
  expect(await status(`web/${photoId}?save`, headers)).toBe(200)
  expect(await status(`files/${documentId}`, headers)).toBe(200)
  expect(await status(`files/${photoId}`, headers)).toBe(403)
  expect(await status('zip', headers)).toBe(403)
  const mark = await site.post(
    `/api/folders/${folder.key}/marks`,
    { file: photoId, heart: true },
    { headers },
  )
  expect(mark.status).toBe(403)
  const { json } = await site.get(`/api/folders/${folder.key}`, { headers })
  expect(json).toMatchObject({ may: { originals: false, web: true }, picks: { rounds: 'none' } })
})

test('a download of a signed-in client is recorded once', async () => {
  const { site, owner, status, photoId } = await withPanel(['view', 'download'])
  await using _ = site
  await status(`files/${photoId}`, owner.headers)
  await status(`files/${photoId}`, owner.headers)
  const details = site.context.features.clients
    .activity(owner.clientId, 50)
    .map(({ detail }) => detail)
    .filter((detail) => detail.startsWith('Downloaded'))
  expect(details).toEqual(['Downloaded a.jpg from Arctic Rally'])
})
