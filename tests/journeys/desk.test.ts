import type { Page } from 'playwright/test'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { mailFiles } from '../support/mail-files.ts'
import type { Site } from '../support/site.ts'
import { signIn } from '../support/staff.ts'
import { expect, test, violations } from './site.ts'

/** Gives the browser the session of someone of staff. */
async function enter(site: Site, page: Page, name = 'Noora') {
  const { headers } = await signIn(site, ['desk'], { name })
  const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
  await page.context().addCookies([{ name: 'client', value, url: site.url }])
}

/** The address of the link in the confirmation. */
const visitorPath = (site: Site) =>
  /\/ticket\/[\w-]+/.exec(
    mailFiles(site.dataDir).find(({ subject }) => subject.includes('Thank you'))!.text,
  )![0]

/** The address of the link in staff's email. */
const staffPath = (site: Site) =>
  mailFiles(site.dataDir)
    .map(({ text }) => /\/desk\/tickets\/[\w-]+/.exec(text)?.[0])
    .find((path) => path !== undefined)!

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.describe('at 360 px without scripts', () => {
  test.use({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false })

  test('a long address in a message makes its email no wider than a phone', async ({
    page,
    site,
  }) => {
    const url = `https://maps.example.com/${'A'.repeat(200)}`
    await saveEnquiry(site, { Message: `We meet here: ${url}`, Subject: 'S'.repeat(60) })
    await settled(site)
    const notice = mailFiles(site.dataDir).find(({ file }) => file.endsWith('notice.eml'))!
    await page.setContent(notice.html)
    await expect(page.getByText(url)).toBeVisible()
    expect(await sideways(page)).toBe(0)
  })

  test('a long name in the bar is shown from its beginning, and stays in the bar', async ({
    page,
    site,
  }) => {
    const name = 'Rennsportveranstaltungsgesellschaft Nürburgring-Nordschleife Pohjois-Pohjanmaan'
    const { headers } = await signIn(site, ['desk'], { name, panel: 'long' })
    const value = /client=([\w-]+)/.exec(headers.Cookie ?? '')![1]!
    await page.context().addCookies([{ name: 'client', value, url: site.url }])
    await page.goto('/desk')
    const [bar, text] = await page.locator('header a', { hasText: name }).evaluate((link) => {
      const range = document.createRange()
      range.selectNodeContents(link)
      return [link.closest('header')!, range].map((each) => each.getBoundingClientRect().top)
    })
    expect(text).toBeGreaterThanOrEqual(bar!)
    expect(await sideways(page)).toBe(0)
  })

  test('staff answer a ticket from today’s list, and the visitor sees it and adds something', async ({
    page,
    site,
  }) => {
    await saveEnquiry(site)
    await settled(site)
    site.clock.advance(3 * 86_400_000)
    await enter(site, page)
    await page.goto('/desk')
    await page.getByRole('link', { name: 'Race weekend in Imatra' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Race weekend in Imatra')
    expect(await sideways(page)).toBe(0)
    await page.getByLabel('Your reply').fill('Yes, gladly.')
    await page.getByRole('button', { name: 'Send reply' }).click()
    await expect(page.getByText('Noora: replied, new → answered')).toBeVisible()
    await expect(page.getByLabel('Your reply')).toHaveValue('')
    await page.getByRole('button', { name: 'Assign' }).click()
    await expect(page.getByText('Noora: assigned, nobody → Noora')).toBeVisible()

    // A status that was set by mistake is taken back where it's written down.
    await page.getByLabel('Status', { exact: true }).selectOption('spam')
    await page.getByRole('button', { name: 'Set status' }).click()
    await expect(page.getByText('Noora: status answered → spam')).toBeVisible()
    expect(await sideways(page)).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Noora: undone, spam → answered')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)

    await page.context().clearCookies()
    await page.goto(visitorPath(site))
    await expect(page.getByText('Yes, gladly.')).toBeVisible()
    await page.getByLabel('Your message').fill('And on Monday?')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('And on Monday?')).toBeVisible()
    expect(await sideways(page)).toBe(0)
  })

  test('a page of a long conversation leads past it to its end, for staff and visitor', async ({
    page,
    site,
  }) => {
    await saveEnquiry(site)
    await settled(site)
    const { actions } = site.context.features.contact
    const by = { name: 'Noora', actor: 'Noora' }
    for (let turn = 1; turn <= 12; turn += 1) {
      const text = `Turn ${turn}\n${'A line of it.\n'.repeat(30)}`
      await actions.reply('abc123', { text, state: null }, by)
    }
    await settled(site)
    await enter(site, page)
    const pages = [
      ['/desk/tickets/abc123', 'Reply'],
      [visitorPath(site), 'Add to this ticket'],
    ] as const
    for (const [path, end] of pages) {
      await page.goto(path)
      await page.getByRole('link', { name: end }).click()
      await expect(page.getByRole('heading', { name: end })).toBeInViewport()
      await page.getByRole('link', { name: 'Latest message' }).click()
      await expect(page.getByText('Turn 12')).toBeInViewport()
      expect(await sideways(page)).toBe(0)
    }
  })

  test('a long list opens whole from its first lines', async ({ page, site }) => {
    for (let id = 10; id < 22; id += 1) {
      await saveEnquiry(site, { 'Ticket ID': `spam${id}`, Subject: `Offer ${id}`, website: 'x' })
    }
    await enter(site, page)
    await page.goto('/desk')
    await expect(page.getByRole('link', { name: /^Offer/ })).toHaveCount(10)
    await page.getByRole('link', { name: 'Show all 12: Tickets in quarantine' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tickets in quarantine')
    await expect(page.getByRole('link', { name: /^Offer/ })).toHaveCount(12)
    expect(await sideways(page)).toBe(0)
    // An address can say anything, and the desk repeats none of it.
    await page.goto('/desk?group=Call%20this%20number%20now')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
    await expect(page.getByText('Nothing is waiting here any more.')).toBeVisible()
    await expect(page.getByText('Call this number')).toHaveCount(0)
  })
})

for (const width of [360, 1440]) {
  test(`desk and tickets have no violation at ${width} px`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await saveEnquiry(site)
    await saveEnquiry(site, { 'Ticket ID': 'robot1', website: 'x' })
    await settled(site)
    const { actions } = site.context.features.contact
    const by = { name: 'Mika', actor: 'Mika' }
    await actions.reply('abc123', { text: 'Yes, gladly.', state: null }, by)
    await actions.note('abc123', 'Call first.', 'Mika')
    await settled(site)
    await page.goto(visitorPath(site))
    expect(await violations(page)).toEqual([])
    await enter(site, page)
    const group = '/desk?group=Tickets%20in%20quarantine'
    for (const path of ['/desk', group, '/desk?q=aino', '/desk/tickets/abc123']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect([path, await violations(page)]).toEqual([path, []])
    }
  })
}

/** Two texts for replies. */
async function keepBlocks(site: Site) {
  const { blocks } = site.context.features.contact
  await blocks.add({ title: 'Prices', text: 'Dear {name},\n\nsee our price list.' }, 'Noora')
  await blocks.add({ title: 'Number', text: 'Your ticket is {ticket}.' }, 'Noora')
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ viewport: { width: 360, height: 740 }, javaScriptEnabled })

    test('text blocks go into the reply, below what was typed', async ({
      page,
      site,
      complaints,
    }) => {
      // The page comes back with what is missing.
      if (!javaScriptEnabled) complaints.expect(/400/)
      await saveEnquiry(site)
      await keepBlocks(site)
      await enter(site, page)
      await page.goto('/desk/tickets/abc123')
      const reply = page.getByLabel('Your reply')
      const choice = page.getByLabel('Insert a text block')
      const insert = page.getByRole('button', { name: 'Insert' })
      if (javaScriptEnabled) await page.waitForLoadState('networkidle')
      await insert.click()
      await expect(reply).toHaveValue('')
      await choice.selectOption('Prices')
      await insert.click()
      await expect(reply).toHaveValue('Dear Aino Virtanen,\n\nsee our price list.')
      await reply.fill('Typed.')
      await choice.selectOption('Number')
      await insert.click()
      await expect(reply).toHaveValue('Typed.\n\nYour ticket is abc123.')
      await expect(choice).toHaveValue('')
      expect(await sideways(page)).toBe(0)
      await page.getByRole('button', { name: 'Send reply' }).click()
      await expect(page.getByText('Noora: replied, new → answered')).toBeVisible()
      await expect(page.getByText('Your ticket is abc123.')).toBeVisible()
    })
  })
}

test('what is typed into the forms of a page outlives its session, also when another window ends it', async ({
  page,
  site,
  context,
  complaints,
}) => {
  complaints.expect(/401/)
  await saveEnquiry(site)
  await enter(site, page)
  await page.goto('/desk/tickets/abc123')
  await page.waitForLoadState('networkidle')
  const reply = page.getByLabel('Your reply')
  const note = page.getByRole('textbox', { name: 'Note' })
  await reply.fill('Half a reply')
  await note.fill('Call first.')
  const other = await context.newPage()
  await other.goto('/desk')
  // Before its scripts are there the button is a form of its own, which tells no other window.
  await other.waitForLoadState('networkidle')
  await other.getByRole('button', { name: 'Log out' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'signed out' })
  await expect(alert).toContainText('Half a reply')
  await expect(alert).toContainText('Call first.')

  // Signed in again, in whichever window, it's all where it was.
  await enter(site, other, 'Ville')
  await other.goto('/desk')
  await expect(reply).toHaveValue('Half a reply')
  await expect(note).toHaveValue('Call first.')

  // What one form was refused with is there beside what the others have.
  await context.clearCookies({ name: 'client' })
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(alert).toContainText('Half a reply')
  await expect(alert).toContainText('Call first.')
})

test('what is typed for a ticket stays while something else is done to it', async ({
  page,
  site,
}) => {
  await saveEnquiry(site)
  await enter(site, page)
  await page.goto('/desk/tickets/abc123')
  await page.waitForLoadState('networkidle')
  const reply = page.getByLabel('Your reply')
  const note = page.getByRole('textbox', { name: 'Note' })
  await reply.fill('Half a reply')
  await reply.evaluate((field) => void (field.dataset.seen = 'yes'))
  await note.fill('Call first.')
  await page.getByRole('button', { name: 'Assign' }).click()
  await expect(page.getByText(/Noora: assigned/)).toBeVisible()
  await expect(reply).toHaveValue('Half a reply')
  // Its field is the same one, since files that were chosen beside it can't be chosen by a page.
  await expect(reply).toHaveAttribute('data-seen', 'yes')
  await expect(note).toHaveValue('Call first.')

  // Only what was sent leaves its field.
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText(/Noora: note/)).toBeVisible()
  await expect(note).toHaveValue('')
  await note.fill('Ask for the dates.')
  const send = page.getByRole('button', { name: 'Send reply' })
  await send.click()
  await expect(page.getByText(/Noora: replied/)).toHaveCount(1)
  await expect(reply).toHaveValue('')
  await expect(note).toHaveValue('Ask for the dates.')

  // The next reply is another one, with files or without.
  await reply.fill('One more thing.')
  await send.click()
  await expect(page.getByText(/Noora: replied/)).toHaveCount(2)
  await expect(reply).toHaveValue('')
  await reply.fill('The plan is attached.')
  await page.getByLabel('Assigned to').fill('Pekka')
  await page
    .getByLabel(/^Files/)
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Friday') })
  await send.click()
  await expect(page.getByRole('link', { name: /plan\.txt/ })).toBeVisible()
  await expect(page.getByText(/Noora: replied/)).toHaveCount(3)
  await expect(reply).toHaveValue('')
  // The browser sent it and loaded the page again, where the other forms go on.
  await expect(note).toHaveValue('Ask for the dates.')
  await expect(page.getByLabel('Assigned to')).toHaveValue('Pekka')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText(/Noora: note \(Ask for the dates\.\)/)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Assigned to')).toHaveValue('Pekka')
  await expect(note).toHaveValue('')
  await expect(reply).toHaveValue('')

  // It's kept where the page was left, until someone logs out in this tab.
  const kept = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('desk_')))
  await page.goto('/contactwindow')
  expect(await kept()).toEqual(['desk_typed:/desk/tickets/abc123:assign'])
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL('/')
  expect(await kept()).toEqual([])
})

test('a page that a link opened asks who acts once', async ({ page, site }) => {
  await saveEnquiry(site)
  await settled(site)
  await page.goto(staffPath(site))
  const names = page.getByLabel('Your name')
  await names.first().fill('Pekka')
  for (const field of await names.all()) await expect(field).toHaveValue('Pekka')
  await page.getByRole('textbox', { name: 'Note' }).fill('Call first.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText(/Pekka, through the link in the email: note/)).toBeVisible()
  await page.reload()
  for (const field of await names.all()) await expect(field).toHaveValue('Pekka')
})

test('a reply with files that was stopped, or had no network, can be sent again', async ({
  page,
  site,
  context,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/)
  await saveEnquiry(site)
  await enter(site, page)
  await page.goto('/desk/tickets/abc123')
  await page.waitForLoadState('networkidle')
  const reply = page.getByLabel('Your reply')
  await reply.fill('The plan is attached.')
  await page
    .getByLabel(/^Files/)
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Friday') })
  const send = page.getByRole('button', { name: 'Send reply' })

  await context.setOffline(true)
  await send.click()
  await expect(page.getByRole('alert')).toContainText('Your text and files are still here.')
  await expect(reply).toHaveValue('The plan is attached.')
  await context.setOffline(false)

  // As when someone stops the page from loading: the browser stays, and tells no script.
  let posts = 0
  await page.route('**/desk/tickets/abc123', async (route) => {
    if (route.request().method() === 'POST') posts += 1
    await (posts === 1 ? route.fulfill({ status: 204 }) : route.continue())
  })
  await send.click()
  await expect.poll(() => posts).toBe(1)
  await expect(async () => {
    await send.click()
    await expect(page.getByRole('link', { name: /plan\.txt/ })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(page.getByText(/Noora: replied/)).toHaveCount(1)
  await expect(reply).toHaveValue('')
})

for (const way of ['asks the server again', 'comes back with the session', 'is loaded again']) {
  test(`what was typed before a colleague’s change doesn’t overwrite it unseen, on a page that ${way}`, async ({
    page,
    site,
    context,
    complaints,
  }) => {
    complaints.expect(/409/)
    await saveEnquiry(site)
    await enter(site, page)
    // A browser that doesn't know yet who is signed in asks once more for what the page shows.
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/desk/tickets/abc123', async (route) => {
      await held
      await route.continue()
    })
    if (way !== 'asks the server again') release()
    await page.goto('/desk/tickets/abc123')
    if (way !== 'asks the server again') await page.waitForLoadState('networkidle')
    const assignee = page.getByLabel('Assigned to')
    const note = page.getByRole('textbox', { name: 'Note' })
    await assignee.fill('Pekka')
    await note.fill('Call first.')
    const change = () =>
      site.context.features.contact.actions.assign(
        'abc123',
        { assignee: 'Mika', state: null },
        'Mika',
      )
    if (way === 'asks the server again') {
      await change()
      release()
    } else if (way === 'is loaded again') {
      await change()
      await page.reload()
    } else {
      const other = await context.newPage()
      await other.goto('/desk')
      await other.waitForLoadState('networkidle')
      await other.getByRole('button', { name: 'Log out' }).click()
      await expect(page.getByRole('alert').filter({ hasText: 'signed out' })).toContainText(
        'Call first.',
      )
      await change()
      await enter(site, other, 'Ville')
      await other.goto('/desk')
    }
    await expect(page.getByText('Mika: assigned, nobody → Mika')).toBeVisible()
    await expect(assignee).toHaveValue('Pekka')

    const assign = page.getByRole('button', { name: 'Assign' })
    await assign.click()
    await expect(page.getByRole('alert')).toContainText('changed since you opened it')
    await expect(page.getByText(/→ Pekka/)).toHaveCount(0)
    await expect(assignee).toHaveValue('Pekka')
    // Once it has been seen, the change may be overwritten.
    await assign.click()
    await expect(page.getByText(/(Noora|Ville): assigned, Mika → Pekka/)).toBeVisible()
    await expect(note).toHaveValue('Call first.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(page.getByText(/(Noora|Ville): note \(Call first\.\)/)).toBeVisible()
  })
}
