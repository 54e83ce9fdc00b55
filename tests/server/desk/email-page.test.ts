import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { saveEnquiry, settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { actFields, postForm } from '../../support/page-form.ts'
import { startSite } from '../../support/site.ts'
import { startSmtp } from '../../support/smtp.ts'
import { signIn } from '../../support/staff.ts'

test('staff send a failed email again from its page, or take it off the list', async () => {
  await using smtp = await startSmtp()
  smtp.mood = { recipient: 550 }
  await using site = await startSite({
    renderer: await builtRenderer(dist),
    env: { SMTP_URL: smtp.url },
  })
  await saveEnquiry(site)
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const cookie = { Cookie: headers.Cookie! }
  const read = async (path: string) => (await site.get(path, { headers: cookie })).text
  const idOf = (kind: string) => site.context.mails.list().find((mail) => mail.kind === kind)!.id
  const [confirmation, notice] = [idOf('confirmation'), idOf('notice')]
  const today = await read('/desk')
  expect(today).toContain(`href="/desk/emails/${confirmation}"`)

  const path = `/desk/emails/${confirmation}`
  const page = await site.get(path, { headers: cookie })
  expect(page.headers['cache-control']).toContain('no-store')
  expect(page.headers['x-robots-tag']).toContain('noindex')
  expect(page.text).toContain('550')
  expect(page.text).toContain('href="/desk/tickets/abc123"')
  expect(page.text).toContain('href="/desk/people/aino@example.com"')
  smtp.mood = 'take'
  const again = await postForm(site, path, actFields(page.text, 'retry'), cookie)
  expect(again.status).toBe(200)
  expect(again.text).toContain('being sent again')
  await settled(site)
  // The digest may have told staff of the failure meanwhile.
  const arrived = () => smtp.mails.filter(({ subject }) => !subject.startsWith('Waiting for you'))
  expect(arrived().map(({ subject }) => subject)).toEqual(['Thank you for your enquiry'])
  expect(await read(path)).not.toContain('name="act"')

  const other = `/desk/emails/${notice}`
  const done = await postForm(site, other, actFields(await read(other), 'dismiss'), cookie)
  expect(done.status).toBe(200)
  expect(await read(other)).not.toContain('name="act"')
  const after = await read('/desk')
  for (const id of [confirmation, notice]) {
    expect(after).not.toContain(`href="/desk/emails/${id}"`)
  }
  expect(arrived()).toHaveLength(1)
})

test('the desk lists emails that have not got out for ten minutes, and what the mail server says', async () => {
  await using smtp = await startSmtp()
  smtp.mood = { sender: 550, says: 'sender rejected' }
  await using site = await startSite({
    renderer: await builtRenderer(dist),
    env: { SMTP_URL: smtp.url },
  })
  await saveEnquiry(site)
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const read = async () => (await site.get('/desk', { headers: { Cookie: headers.Cookie! } })).text
  const [confirmation] = site.context.mails.of('ticket', 'abc123')
  expect(await read()).not.toContain(`href="/desk/emails/${confirmation!.id}"`)
  site.clock.advance(11 * 60_000)
  const today = await read()
  expect(today).toContain('Emails that aren’t getting out')
  expect(today).toContain(`href="/desk/emails/${confirmation!.id}"`)
  expect(today).toContain('550 sender rejected')
  expect(await runOn(site, 'doctor').catch((error: Error) => error.message)).toMatch(
    /warn +outbox: 2 queued, the oldest for 11 min, since: 550 sender rejected/,
  )
})

test('the page of an email needs a code for the desk, and an email that exists', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  await saveEnquiry(site)
  await settled(site)
  const { headers } = await signIn(site, ['desk'], { name: 'Noora' })
  const viewer = await signIn(site, ['view', 'manage'], { name: 'Client' })
  const statusOf = async (id: string, cookie = {}) =>
    (await site.get(`/api/desk/things/emails/${id}`, { headers: cookie })).status
  expect(await statusOf('1')).toBe(401)
  expect(await statusOf('1', { Cookie: viewer.headers.Cookie! })).toBe(403)
  for (const id of ['0', '99', '-1', '1e3', '9'.repeat(20), 'x']) {
    expect([id, await statusOf(id, { Cookie: headers.Cookie! })]).toEqual([id, 404])
  }
})
