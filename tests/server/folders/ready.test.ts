import { expect, test } from 'vitest'
import { makeClient } from '../../support/clients.ts'
import { settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { inPanel, share, writeFiles } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'

const day = 86_400_000

const sent = (site: Site, beginning: string) =>
  mailFiles(site.dataDir).filter(({ subject }) => subject.startsWith(beginning))

test('a client hears once that a gallery is ready, and once before it ends', async () => {
  await using site = await startSite()
  const folder = await share(
    site,
    'rally',
    { 'a.jpg': 'a', 'b.jpg': 'b' },
    { password: 'gravel-roads' },
  )
  await runOn(site, 'clients', 'add', 'Team Kaamos', '--email', 'aino@kaamos.example')
  const client = site.context.features.clients.findPanel('team-kaamos')!
  await inPanel(site, client.id, folder)

  const shown = await runOn(site, 'folders', 'notify', folder.key)
  expect(shown).toContain('aino@kaamos.example')
  expect(shown).toContain('--send')
  expect(sent(site, 'Your gallery')).toEqual([])

  const go = () => runOn(site, 'folders', 'notify', folder.key, '--send', '--by', 'mika')
  expect(await go()).toContain('On its way to aino@kaamos.example')
  await eventually(() => {
    const [mail] = sent(site, 'Your gallery is ready: Arctic Rally')
    expect(mail!.to).toContain('aino@kaamos.example')
    expect(mail!.text).toContain(`/s/${folder.key}`)
    expect(mail!.text).toContain('2 files')
    expect(mail!.text).toContain('Sign in with your secret code')
    expect(mail!.raw).not.toContain('gravel-roads')
  })
  expect(await go()).toContain('already heard')

  // With more in it, it may be told again.
  writeFiles(site, 'rally', { 'c.jpg': 'c' })
  await site.context.features.folders.sync(folder)
  expect(await go()).toContain('On its way')
  await eventually(() => expect(sent(site, 'Your gallery')).toHaveLength(2))
  const acts = site.context.timeline
    .of('folder', String(folder.id))
    .map(({ act, actor }) => [act, actor])
  expect(acts.filter(([act]) => act === 'client told')).toEqual([
    ['client told', 'mika'],
    ['client told', 'mika'],
  ])

  site.clock.advance(84 * day)
  await site.context.jobs.runDue()
  site.clock.advance(day)
  await site.context.jobs.runDue()
  await eventually(() => expect(sent(site, 'Arctic Rally is open until')).toHaveLength(1))
  // Two in the afternoon is no end of a day.
  const [ending] = sent(site, 'Arctic Rally is open until')
  expect(ending!.subject).toBe('Arctic Rally is open until 18 February 2027, 14:00 (Helsinki)')
  expect(ending!.text).toContain('stays open until 18 February 2027, 14:00 (Helsinki).')
  const [toStaff] = sent(site, '“Arctic Rally” expires on')
  expect(toStaff!.text).toContain(
    'is open until 18 February 2027, 14:00 (Helsinki). After that, its link stops working.',
  )
})

/** Whom a folder's last email goes to, once its end is near. */
async function heardOfTheEnd(site: Site): Promise<string[]> {
  site.clock.advance(85 * day)
  await site.context.jobs.runDue()
  await settled(site)
  return sent(site, 'Arctic Rally is open until')
    .map(({ to }) => /\w+@[\w.]+/.exec(to)![0])
    .toSorted()
}

test('an email about the end of a gallery that was held up isn’t sent once it’s wrong', async () => {
  await using site = await startSite({ sending: false })
  const [over, longer, gone] = await Promise.all(
    ['over', 'longer', 'gone'].map((name) => share(site, name, { 'a.jpg': 'a' })),
  )
  for (const folder of [over, longer, gone]) {
    await runOn(site, 'folders', 'notify', folder!.key, '--to', 'aino@kaamos.example', '--send')
  }
  site.clock.advance(85 * day)
  await site.context.jobs.runDue()
  const { store } = site.context.features.folders
  await site.context.commit((tx) => store.change(tx, longer!, { expiresAt: null }))
  await runOn(site, 'folders', 'remove', gone!.key, '--yes')
  site.clock.advance(10 * day)
  site.context.outbox.start()
  await settled(site)
  const rows = site.context.mails.list()
  for (const kind of ['folderEnding', 'folderExpiring']) {
    const why = rows.filter((mail) => mail.kind === kind).map(({ lastReply }) => String(lastReply))
    expect([kind, why.toSorted()]).toEqual([
      kind,
      ['it ends at another time', 'it has ended', 'the folder is gone'],
    ])
  }
  expect(sent(site, 'Arctic Rally is open until')).toEqual([])
})

test('everyone who was told hears of the end', async () => {
  await using site = await startSite()
  const { key } = await share(site, 'rally', { 'a.jpg': 'a' })
  for (const name of ['aino', 'mika']) {
    await runOn(site, 'folders', 'notify', key, '--send', '--to', `${name}@kaamos.example`)
  }
  expect(await heardOfTheEnd(site)).toEqual(['aino@kaamos.example', 'mika@kaamos.example'])
})

test('the emails say what a gallery is for, and proofs that became finals are news', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': 'a' }, { watermark: true })
  const tell = () =>
    runOn(site, 'folders', 'notify', folder.key, '--send', '--to', 'aino@kaamos.example')
  await tell()
  site.clock.advance(84 * day)
  await site.context.jobs.runDue()
  await settled(site)
  const [proofs] = sent(site, 'Your gallery is ready')
  expect(proofs!.text).toContain('to look at and choose from. The photos are proofs')
  expect(proofs!.raw).not.toMatch(/download/i)
  const [ending] = sent(site, 'Arctic Rally is open until')
  expect(ending!.text).toContain('Send us your favourites before then')

  await runOn(site, 'folders', 'set', folder.key, '--no-watermark', '--rounds', 'none')
  expect(await tell()).toContain('On its way')
  expect(await tell()).toContain('already heard')
  await settled(site)
  const finals = sent(site, 'Your gallery is ready').at(-1)!
  expect(finals.text).toContain('to look at and download.')
  expect(finals.raw).not.toMatch(/favourites|choose/)
})

test('the emails promise a client what its code opens, and a disabled one hears nothing', async () => {
  await using site = await startSite()
  const { commit, features } = site.context
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const aino = 'aino@kaamos.example'
  const { client } = await makeClient(site, { scopes: ['view'], emails: [aino] })
  const others = { panel: 'press', emails: ['mika@press.example'] }
  const press = await makeClient(site, { ...others, scopes: ['view', 'web', 'select'] })
  for (const { id } of [client, press.client]) await inPanel(site, id, folder)
  const told = async (to: string) => {
    await runOn(site, 'folders', 'notify', folder.key, '--send', '--to', to)
    await settled(site)
    return sent(site, 'Your gallery is ready').find((mail) => mail.to.includes(to))!
  }
  const toLookAt = await told('Aino@kaamos.example')
  expect(toLookAt.text).toContain('one file, to look at. Open until')
  expect(toLookAt.raw).not.toMatch(/download|favourite|choose/i)
  expect((await told('mika@press.example')).text).toContain(
    'to look at, choose from and download in web size.',
  )
  // A code without rights has ended; the one instead of it opens more.
  await commit((tx) => {
    for (const { id } of features.clients.codes.list(client.id))
      features.clients.codes.revoke(tx, id)
    const rules = { label: '', expiresAt: null, maxUses: null }
    features.clients.codes.add(tx, client.id, { ...rules, scopes: ['view', 'download'] })
  })
  writeFiles(site, 'rally', { 'b.jpg': 'b' })
  await features.folders.sync(folder)
  await runOn(site, 'folders', 'notify', folder.key, '--send', '--to', aino)
  await settled(site)
  const [more] = sent(site, 'Your gallery is ready').filter(({ text }) => text.includes('2 files'))
  expect(more!.text).toContain('to look at and download. Open until')

  await runOn(site, 'clients', 'disable', client.panel)
  const dryRun = await runOn(site, 'folders', 'notify', folder.key)
  expect(dryRun).toContain('mika@press.example')
  expect(dryRun).not.toContain(aino)
  expect(await heardOfTheEnd(site)).toEqual(['mika@press.example'])
})

test('a new address goes to whom staff tell, never to those who had the old one', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const tell = (name: string, key: string) =>
    runOn(site, 'folders', 'notify', key, '--send', '--to', `${name}@kaamos.example`)
  await tell('aino', folder.key)
  // A slip: the link is with a stranger.
  await tell('mika', folder.key)
  await runOn(site, 'folders', 'renew', folder.key)
  const { key } = site.context.features.folders.store.list().find(({ id }) => id === folder.id)!
  expect(await tell('aino', key)).toContain('On its way')
  await settled(site)
  expect(sent(site, 'Your gallery is ready').at(-1)!.text).toContain(`/s/${key}`)
  expect(await heardOfTheEnd(site)).toEqual(['aino@kaamos.example'])
})

test('a gallery whose client was not told ends without an email to them', async () => {
  await using site = await startSite()
  const { key } = await share(site, 'rally', { 'a.jpg': 'a' })
  site.clock.advance(85 * day)
  await site.context.jobs.runDue()
  await eventually(() => expect(sent(site, '“Arctic Rally” expires')).toHaveLength(1))
  // The gallery itself may ask staff for a code of its client; its page at the desk extends it.
  const [notice] = sent(site, '“Arctic Rally” expires')
  expect(notice!.text).toContain(`/desk/folders/${key}`)
  expect(sent(site, 'Arctic Rally is open until')).toEqual([])
})

test('what can’t be told says why: nobody, no address, nothing in it, not open', async () => {
  await using site = await startSite({ sending: false })
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  const notify = (...args: string[]) =>
    runOn(site, 'folders', 'notify', folder.key, '--send', ...args)
  await expect(notify()).rejects.toThrow('Name one to 20 addresses')
  expect(await runOn(site, 'folders', 'notify', folder.key)).toContain(
    'no client with it in a panel has an email address',
  )
  await expect(notify('--to', 'nobody')).rejects.toThrow('isn’t an email address')
  await expect(notify('--to', 'a@b.example\nBcc:c@d.example')).rejects.toThrow('email address')
  await runOn(site, 'folders', 'revoke', folder.key)
  await expect(notify('--to', 'a@b.example')).rejects.toThrow('isn’t open')
  const empty = await share(site, 'empty', { 'x.txt': 'x' })
  await site.context.commit((tx) => site.context.features.folders.store.remove(tx, empty))
  expect(site.context.mails.list()).toEqual([])
})

test('an erased address is told nothing more', async () => {
  await using site = await startSite()
  const folder = await share(site, 'rally', { 'a.jpg': 'a' })
  await runOn(site, 'folders', 'notify', folder.key, '--send', '--to', 'Aino+x@kaamos.example')
  expect(await runOn(site, 'privacy', 'export', 'aino@kaamos.example')).toContain('Arctic Rally')
  await runOn(site, 'privacy', 'erase', 'aino@kaamos.example', '--yes')
  expect(site.context.features.folders.store.find(folder.key)!.toldTo).toBe(null)
  const { headers } = await signIn(site, ['desk'])
  const desk = await site.get(`/api/desk/things/folders/${folder.key}`, { headers })
  expect(desk.status).toBe(200)
  expect(desk.json?.facts).toContainEqual({ name: 'Client told', text: '20 Nov 2026' })
  site.clock.advance(85 * day)
  await site.context.jobs.runDue()
  expect(sent(site, 'Arctic Rally is open until')).toEqual([])
})
