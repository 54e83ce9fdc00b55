import { expect, test } from 'vitest'
import type { ProductView } from '#shared/shop/shop.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'

const handle = 'paddock-postcards'
const variant = 'box-of-twelve'
const day = 86_400_000

/** Sends the form of a product's page, as a browser without scripts does. */
const ask = (
  site: Site,
  email: string,
  { from = '127.0.0.1', ...more }: Record<string, string> = {},
) =>
  site.post(
    '/shop/back-in-stock',
    new URLSearchParams({ handle, variant, email, website: '', ...more }).toString(),
    {
      from,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'X-CSRF-TOKEN': '',
        Cookie: '',
      },
    },
  )

const post = (site: Site, path: string) =>
  site.post(path, '', {
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-CSRF-TOKEN': '',
      Cookie: '',
    },
  })

const queued = (site: Site, kind: string) =>
  site.context.mails.list().filter((mail) => mail.kind === kind).length

const linkIn = (text: string) => /\/shop\/back-in-stock\/[\w-]+/.exec(text)![0]

/** The link of the newest email to someone. */
async function linkTo(site: Site, email: string): Promise<string> {
  let link = ''
  await eventually(async () => {
    const mail = mailFiles(site.dataDir).findLast(
      ({ to, subject }) => to.includes(email) && subject.startsWith('Tell you'),
    )
    link = linkIn(mail!.text)
    // How long it works, and how long we wait, as the page on which it was asked for says.
    expect(mail!.text).toContain('The link works for 2 days.')
    expect(mail!.text).toContain('within 180 days')
  })
  return link
}

const stock = (site: Site, pieces: string) =>
  runOn(site, 'products', 'stock', handle, variant, pieces)

test('who asks and confirms hears once when it’s back, and nothing is kept', async () => {
  await using site = await startSite()
  await stock(site, '0')
  const view = (await site.get(`/api/shop/products/${handle}`)).json as ProductView
  expect([view.mayComeBack, view.variants[0]!.soldOut]).toEqual([true, true])

  expect((await ask(site, 'aino@example.com')).status).toBe(200)
  const link = await linkTo(site, 'aino@example.com')
  // Mail scanners open every link: only the button counts.
  expect((await site.get(link)).text).toContain('Yes, email me')
  await stock(site, '5')
  await site.context.jobs.runDue()
  expect(queued(site, 'stockAlertBack')).toBe(0)
  await stock(site, '0')

  expect((await post(site, link)).text).toContain('We’ll email you when it’s back')
  expect((await post(site, link)).status).toBe(200)
  expect(await runOn(site, 'products', 'show', handle)).toMatch(/waiting\s/)
  site.clock.advance(day)
  await site.context.jobs.runDue()
  expect(queued(site, 'stockAlertBack')).toBe(0)

  await stock(site, '3')
  site.clock.advance(11 * 60_000)
  await site.context.jobs.runDue()
  await eventually(async () => {
    const mails = mailFiles(site.dataDir).filter(({ subject }) =>
      subject.startsWith('Back in stock'),
    )
    expect(mails.map(({ to }) => to)).toEqual([expect.stringContaining('aino@example.com')])
    expect(mails[0]!.text).toContain(`/shop/products/${handle}?variant=${variant}`)
  })
  site.clock.advance(day)
  await site.context.jobs.runDue()
  expect(queued(site, 'stockAlertBack')).toBe(1)
  expect((await site.get(link)).status).toBe(404)
  expect(site.context.features.shop.alertsFor(1)).toBe(0)
})

test('a change of mind, an old link and an erasure end it', async () => {
  await using site = await startSite()
  await stock(site, '0')
  for (const name of ['stops', 'waits', 'erased']) await ask(site, `${name}@example.com`)
  const [stops, waits, erased] = await Promise.all(
    ['stops', 'waits', 'erased'].map((name) => linkTo(site, `${name}@example.com`)),
  )
  for (const link of [stops!, erased!]) await post(site, link)
  expect((await post(site, `${stops}/stop`)).text).toContain('We won’t email you')
  await runOn(site, 'privacy', 'erase', 'erased@example.com', '--yes')
  site.clock.advance(3 * day)
  await site.context.jobs.runDue()
  for (const link of [stops!, waits!, erased!]) expect((await site.get(link)).status).toBe(404)
  await stock(site, '9')
  site.clock.advance(11 * 60_000)
  await site.context.jobs.runDue()
  expect(queued(site, 'stockAlertBack')).toBe(0)
})

test('a page that was open as its product was renamed still takes an address', async () => {
  await using site = await startSite()
  await stock(site, '0')
  await runOn(site, 'products', 'rename', handle, 'paddock-post')
  expect((await ask(site, 'aino@example.com')).status).toBe(200)
  const link = await linkTo(site, 'aino@example.com')
  expect((await post(site, link)).status).toBe(200)
})

test('a domain of letters is kept as its punycode, in which browsers may send it', async () => {
  await using site = await startSite()
  await stock(site, '0')
  await ask(site, 'aino@jyväskylä.fi')
  await post(site, await linkTo(site, 'aino@xn--jyvskyl-7wae.fi'))
  await ask(site, 'aino@xn--jyvskyl-7wae.fi')
  expect(queued(site, 'stockAlertConfirm')).toBe(1)
})

test('a stranger can neither flood a mailbox nor learn who waits', async () => {
  await using site = await startSite()
  await stock(site, '0')
  const first = await ask(site, 'victim@gmail.com')
  for (const email of ['v.ictim@gmail.com', 'victim+a@gmail.com', 'VICTIM@googlemail.com']) {
    for (let n = 0; n < 4; n += 1) {
      site.clock.advance(60_000)
      const again = await ask(site, email, { from: `127.0.${n}.${email.length}` })
      expect([again.status, again.text === first.text]).toEqual([200, true])
    }
  }
  expect(queued(site, 'stockAlertConfirm')).toBe(3)
  // One network causes twenty emails a day, whomever they go to.
  for (let n = 0; n < 40; n += 1) await ask(site, `n${n}@example.com`, { from: '127.9.9.9' })
  expect(queued(site, 'stockAlertConfirm')).toBe(23)
})

test('bad input is answered with what is wrong, and nothing is sent', async () => {
  await using site = await startSite()
  await stock(site, '0')
  expect((await ask(site, 'nobody')).status).toBe(400)
  expect((await ask(site, 'nobody')).text).toContain('Please enter a valid email address')
  expect((await ask(site, 'a@b.example\r\nBcc: c@d.example')).status).toBe(400)
  expect((await ask(site, 'aino@example.com', { variant: 'none' })).status).toBe(404)
  expect((await ask(site, 'aino@example.com', { handle: '../x' })).status).toBe(404)
  expect((await ask(site, 'aino@example.com', { website: 'robot' })).status).toBe(200)
  for (const token of ['x', 'a'.repeat(22), '..%2f', "' OR 1=1"]) {
    expect((await site.get(`/shop/back-in-stock/${encodeURIComponent(token)}`)).status).toBe(404)
  }
  expect(queued(site, 'stockAlertConfirm')).toBe(0)
})
