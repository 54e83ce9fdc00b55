import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { email, startInbound } from '../../support/inbound.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { postForm, subscribe } from './subscription.ts'

const year = 365 * 86_400_000

test('opening the link asks, its button unsubscribes, and again is harmless', async () => {
  await using site = await startSite()
  const { leaveToken } = await subscribe(site)
  const path = `/subscription/leave/${leaveToken}`
  site.clock.advance(3 * year)
  const page = await site.get(path)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Unsubscribe</button>')
  expect(site.context.features.newsletter.subscribers.find('aino@example.com')?.status).toBe(
    'subscribed',
  )
  for (let time = 0; time < 2; time += 1) {
    const reply = await postForm(site, path)
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('You’ve been unsubscribed')
  }
  expect((await site.get(path)).text).toContain('You’ve been unsubscribed')
  const { id, status } = site.context.features.newsletter.subscribers.find('aino@example.com')!
  expect(status).toBe('unsubscribed')
  expect(site.context.features.newsletter.subscribers.history(id).map(({ kind }) => kind)).toEqual([
    'asked',
    'confirmed',
    'left',
  ])
})

test.each([
  ['a mail provider, without an origin', { Origin: '', 'Sec-Fetch-Site': '' }],
  ['a webmail page', { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' }],
  ['a sandboxed page', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
])('one click from %s unsubscribes without cookies', async (_, headers) => {
  await using site = await startSite()
  const { leaveToken } = await subscribe(site)
  const reply = await postForm(
    site,
    `/subscription/leave/${leaveToken}`,
    { 'List-Unsubscribe': 'One-Click' },
    { headers },
  )
  expect(reply.status).toBe(200)
  expect(site.context.features.newsletter.subscribers.find('aino@example.com')?.status).toBe(
    'unsubscribed',
  )
})

test('who has left is an address alone: the name goes, and none comes with an import of the gone', async () => {
  await using site = await startSite()
  const { subscribers } = site.context.features.newsletter
  await site.context.commit((tx) => {
    for (const [address, status] of [
      ['aino@example.com', 'subscribed'],
      ['mika@example.com', 'unsubscribed'],
    ] as const) {
      subscribers.import(tx, { email: address, name: 'A Name', status }, 'fair 2026')
    }
  })
  const { name, leaveToken } = subscribers.find('aino@example.com')!
  expect(name).toBe('A Name')
  await postForm(site, `/subscription/leave/${leaveToken}`)
  for (const address of ['aino@example.com', 'mika@example.com']) {
    expect(subscribers.find(address)).toMatchObject({ status: 'unsubscribed', name: '' })
  }
})

test('an unsubscribe link of no subscriber shows its own page', async () => {
  await using site = await startSite()
  for (const reply of [
    await site.get('/subscription/leave/nobody'),
    await postForm(site, '/subscription/leave/nobody'),
  ]) {
    expect(reply.status).toBe(404)
    expect(reply.text).toContain('No address on our list has this link')
    // A link that an email program has cut off took no one off the list.
    expect(reply.text).not.toContain('You’re off the list')
  }
})

/** The subject of the email by which a mail program unsubscribes, as an issue names it. */
async function leavingSubject(site: Site, address: string): Promise<string> {
  await runOn(site, 'newsletter', 'send', '--news', 'booking-opens-for-2027', '--send')
  const issue = await eventually(() => {
    const found = mailFiles(site.dataDir).find(
      ({ file, to }) => file.endsWith('newsletterIssue.eml') && to === address,
    )
    expect(found).toBeDefined()
    return found!
  })
  const link = /<mailto:[^>]*>/.exec(issue.headers['list-unsubscribe']!)![0].slice(1, -1)
  return new URL(link).searchParams.get('subject')!
}

test('the email that a mail program sends instead unsubscribes, is marked as read, and is no affair of a ticket', async () => {
  await using inbound = await startInbound()
  const { site, imap, receive } = inbound
  const { subscribers } = site.context.features.newsletter
  await subscribe(site)
  const Subject = await leavingSubject(site, 'aino@example.com')
  const other = imap.deliver(email({ Subject: 'unsubscribe AAAAAAAAAAAAAAAAAAAAAA' }))
  const uid = imap.deliver(
    email({ Subject, From: 'Aino <at-home@example.org>', 'Auto-Submitted': 'auto-generated' }),
  )
  await receive()
  expect(subscribers.find('aino@example.com')?.status).toBe('unsubscribed')
  expect(imap.flagsOf(uid)).toEqual(['\\Seen'])
  expect(imap.flagsOf(other)).toEqual([])
})

test('staff without a mailbox of the site pass the subject of that email on', async () => {
  await using site = await startSite()
  await subscribe(site)
  const subject = await leavingSubject(site, 'aino@example.com')
  expect(await runOn(site, 'newsletter', 'remove', subject)).toContain('aino@example.com: removed')
  expect(site.context.features.newsletter.subscribers.find('aino@example.com')?.status).toBe(
    'unsubscribed',
  )
})
