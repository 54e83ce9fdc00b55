import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { dayMs } from '#shared/dates/durations.ts'
import { camt } from '../support/bank-statement.ts'
import { emptyDirectory, makeBackup, noContent } from '../support/backups.ts'
import { saveEnquiry, settled } from '../support/enquiry.ts'
import { balance, newCard, orderCart, shownCard, withCard } from '../support/gift-cards.ts'
import { runOn } from '../support/in-process-cli.ts'
import { order, type ListedOrder } from '../support/listed-orders.ts'
import { runCli } from '../support/run-cli.ts'
import { createClock, startSite, type Site } from '../support/site.ts'
import { startSmtp } from '../support/smtp.ts'

type Document = { number: string }

test('invoices issued after a backup keep their numbers and references once it is restored', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-invoices-'))
  const elsewhere = emptyDirectory()
  const restore = async (to: string, ...args: string[]) => {
    const { out, err } = await runCli(['backup', 'restore', ...args], {
      dataDir: to,
      env: noContent,
    })
    expect(err).toBe('')
    return out
  }
  /** Numbers of the documents of one more order, and of the credit note that takes it back. */
  const orderOn = async (directory: string, isCancelled = false) => {
    await using site = await startSite({ sending: false, dataDir: directory })
    const placed = await order(site)
    if (isCancelled) await runOn(site, 'orders', 'cancel', placed)
    const out = await runOn(site, 'orders', 'documents', placed, '--json')
    return (JSON.parse(out) as Document[]).map(({ number }) => Number(number))
  }
  try {
    expect(await orderOn(dataDir)).toEqual([1001])
    const backup = await makeBackup({ dataDir })
    expect(await orderOn(dataDir, true)).toEqual([1002, 1003])

    const told = 'Invoices continue with number 1004: 1003 was the last one issued.\n'
    expect(await restore(dataDir, basename(backup))).toContain(told)
    expect(await restore(dataDir, basename(backup), '--yes')).toContain(told)
    expect(await orderOn(dataDir)).toEqual([1004])

    // On a new machine only staff know the last number.
    const asked = await restore(elsewhere, backup)
    expect(asked).toContain(
      'There’s no state here that knows which invoices were issued after the backup. The last one in it is 1001. If there were any, restore with --last-invoice <number>, or their numbers are given out again.\n',
    )
    // Nor does a database that was cut to nothing, as by a full disk.
    writeFileSync(join(elsewhere, 'pitlane.sqlite'), '')
    expect(await restore(elsewhere, backup)).toBe(asked)
    rmSync(join(elsewhere, 'pitlane.sqlite'))
    const tooLow = await runCli(['backup', 'restore', backup, '--last-invoice', '1000', '--yes'], {
      dataDir: elsewhere,
      env: noContent,
    })
    expect([tooLow.code, tooLow.err]).toEqual([
      1,
      expect.stringContaining('Invoice 1000 can’t be the last one: 1001 was issued, too.'),
    ])
    const said = await restore(elsewhere, backup, '--last-invoice', '1004', '--yes')
    expect(said).toContain('Invoices continue with number 1005: 1004 was the last one issued.')
    expect((await runCli(['keys', 'rotate', '--lost'], { dataDir: elsewhere })).code).toBe(0)
    expect(await orderOn(elsewhere)).toEqual([1005])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(elsewhere, { recursive: true, force: true })
  }
})

test('a restore says what was paid and sent since the backup, so that no refund leaves twice', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-since-'))
  const restore = async (...args: string[]) =>
    (await runCli(['backup', 'restore', ...args], { dataDir, env: noContent })).out
  try {
    let backup = ''
    let refunded = ''
    {
      // Backups are dated by the machine's clock.
      const clock = createClock(Date.now())
      await using site = await startSite({ sending: false, dataDir, clock })
      const pay = async (number: string) => {
        const orders = JSON.parse(await runOn(site, 'orders', 'list', '--json')) as ListedOrder[]
        const { total, reference } = orders.find(({ order: each }) => each === number)!
        const file = join(dataDir, 'statement.xml')
        const iban = 'FI2112345600000785'
        const amount = (total / 100).toFixed(2)
        writeFileSync(file, camt([{ amount, reference, id: number, iban }]))
        expect(await runOn(site, 'orders', 'match', file)).toContain('1 paid')
      }
      refunded = await order(site)
      const inFile = await order(site)
      for (const number of [refunded, inFile]) {
        await pay(number)
        await runOn(site, 'orders', 'refund', number)
      }
      const reader = { name: '', status: 'subscribed' } as const
      await site.context.commit((tx) => {
        const { subscribers } = site.context.features.newsletter
        for (const email of ['stays@example.com', 'leaves@example.com'])
          subscribers.import(tx, { ...reader, email }, 'at the paddock')
      })
      backup = basename(await makeBackup({ dataDir }))
      expect(await restore(backup)).not.toContain('Done since')
      clock.advance(60_000)
      await runOn(site, 'newsletter', 'remove', 'leaves@example.com')
      expect((await saveEnquiry(site)).status).toBe(201)
      await runOn(site, 'orders', 'payouts-done', '1')
      await runOn(site, 'orders', 'payouts', 'export', '--out', join(dataDir, 'bank.xml'))
      await pay(await order(site))
    }
    const rehearsed = await restore(backup)
    const done = await restore(backup, '--yes')
    expect(done).toContain('Restored the state of')
    for (const told of [rehearsed, done]) {
      expect(told).toContain(
        'Done since the backup, and unknown to it: 1 order, 1 message, 1 reader who left the newsletter, 1 payment by transfer, 1 refund at the bank, 1 refund in a file for the bank.\n',
      )
      expect(told).toMatch(
        /\nPaid at the bank: €[\d.,]+ for order \S+, payout 1\. It’s due again in the backup: run orders payouts-done 1 and don’t pay it again\.\n/,
      )
      expect(told).toMatch(
        /\nIn a file for the bank: €[\d.,]+ for order \S+, payout 2\. It’s due again in the backup: if the bank has paid it, run orders payouts-done 2 and don’t pay it again\.\n/,
      )
      expect(told).toContain(`for order ${refunded}, payout 1`)
      expect(told.match(/^Left the newsletter: .*/gm)).toEqual([
        'Left the newsletter: leaves@example.com, which stays off the list.',
      ])
      expect(told).toContain('record the transfers again with orders match or orders paid')
      expect(told.match(/^Sold: .*/gm)).toEqual([
        'Sold: 2 × blue-hour-fine-art-print 30x40-matte. The backup has them for sale again: set what is left with products stock.',
        'Sold: 1 × paddock-postcards box-of-twelve. The backup has it for sale again: set what is left with products stock.',
      ])
    }
    await using site = await startSite({ sending: false, dataDir })
    const due = JSON.parse(await runOn(site, 'orders', 'payouts', '--json')) as { payout: number }[]
    expect(due.map(({ payout }) => payout)).toEqual([1, 2])
    const { subscribers } = site.context.features.newsletter
    expect(subscribers.find('stays@example.com')!.status).toBe('subscribed')
    const left = subscribers.find('leaves@example.com')!
    expect(left).toMatchObject({ status: 'unsubscribed', round: 1 })
    expect(subscribers.history(left.id).map(({ kind }) => kind)).toEqual(['imported', 'removed'])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('a restore after that of a wrong backup knows what was done before both', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-twice-'))
  const restore = async (...args: string[]) =>
    (await runCli(['backup', 'restore', ...args], { dataDir, env: noContent })).out
  const statuses = (site: Site) =>
    new Map(site.context.mails.list().map(({ kind, status }) => [kind, status]))
  try {
    const backups: string[] = []
    {
      await using site = await startSite({
        sending: false,
        dataDir,
        clock: createClock(Date.now()),
      })
      const number = await order(site)
      await runOn(site, 'orders', 'paid', number)
      await runOn(site, 'orders', 'refund', number)
      await site.context.commit((tx) => {
        const { subscribers } = site.context.features.newsletter
        for (const email of ['leaves@example.com', 'returns@example.com'])
          subscribers.import(tx, { email, name: '', status: 'subscribed' }, 'at the paddock')
      })
      for (let count = 0; count < 2; count += 1) {
        backups.push(basename(await makeBackup({ dataDir })))
      }
    }
    {
      await using site = await startSite({ dataDir, clock: createClock(Date.now() + 60_000) })
      await settled(site)
      expect(statuses(site).get('orderConfirmed')).toBe('sent')
      await runOn(site, 'orders', 'payouts-done', '1')
      for (const email of ['leaves@example.com', 'returns@example.com'])
        await runOn(site, 'newsletter', 'remove', email)
    }
    const [wrong, right] = backups as [string, string]
    for (const backup of [wrong, right]) {
      if (backup === right) {
        const clock = createClock(Date.now() + 120_000)
        await using site = await startSite({ sending: false, dataDir, clock })
        const { subscribers } = site.context.features.newsletter
        const { id, round, status } = subscribers.find('returns@example.com')!
        expect(status).toBe('unsubscribed')
        const proof = { network: '', policy: '' }
        await site.context.commit((tx) => void subscribers.confirm(tx, id, round, proof))
      }
      const told = await restore(backup, '--yes')
      expect(told).toContain(
        backup === wrong
          ? '2 readers who left the newsletter, 1 refund at the bank, '
          : '1 reader who left the newsletter, 1 refund at the bank, ',
      )
      expect(told.match(/^Paid at the bank: .* payout 1\. It’s due again/gm)).toHaveLength(1)
    }
    await using site = await startSite({ sending: false, dataDir })
    expect(statuses(site).get('orderConfirmed')).toBe('sent')
    const { subscribers } = site.context.features.newsletter
    expect(subscribers.find('leaves@example.com')!.status).toBe('unsubscribed')
    // Whoever subscribed again after the first restore is asked for nothing more.
    expect(subscribers.find('returns@example.com')!.status).toBe('subscribed')
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('gift cards are what their holders know once a backup is restored: sold, spent, ended, with another code', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-cards-'))
  const restore = async (...args: string[]) =>
    (await runCli(['backup', 'restore', ...args], { dataDir, env: noContent })).out
  const postcards = [['paddock-postcards', 'box-of-twelve', 1]] as const
  try {
    const clock = createClock(Date.now())
    const backups: string[] = []
    const cards: Record<string, Awaited<ReturnType<typeof newCard>>> = {}
    const spend = async (site: Site, code: string, changes = {}) => {
      const { visitor } = await withCard(site, code, postcards)
      expect((await orderCart(visitor, changes)).status).toBe(201)
    }
    {
      await using site = await startSite({ sending: false, dataDir, clock, env: { SHARES: 'off' } })
      for (const name of ['spent', 'ended', 'recoded']) cards[name] = await newCard(site, '50')
      await spend(site, cards.spent!.code)
      for (let count = 0; count < 2; count += 1)
        backups.push(basename(await makeBackup({ dataDir })))
      // Backups and restores are dated by the machine’s clock.
      clock.jump(Date.now() + 1 - clock())
      await spend(site, cards.spent!.code)
      cards.sold = await newCard(site, '100', '--name', 'Aino')
      await spend(site, cards.sold.code)
      await runOn(site, 'gift-cards', 'end', cards.ended!.card, '--paid-back')
      const told = await runOn(site, 'gift-cards', 'replace', cards.recoded!.card, '--json')
      cards.recoded = { ...cards.recoded!, ...(JSON.parse(told) as { code: string }) }
      for (const name of ['spent', 'sold'])
        cards[name] = { ...cards[name]!, balance: Number(await balance(site, cards[name]!.card)) }
    }
    // A restore of the right backup after that of a wrong one changes nothing of it.
    for (const backup of backups) {
      const told = await restore(backup, '--yes')
      expect(told).toContain('1 gift card, 2 uses of a gift card')
      expect(told).toContain(
        'Gift cards sold since then work, and what was spent stays off them.\n',
      )
    }
    await using site = await startSite({ sending: false, dataDir, clock, env: { SHARES: 'off' } })
    const doctor = await runOn(site, 'doctor').catch(String)
    expect(doctor).toMatch(/gift cards: every balance is/)
    for (const name of ['spent', 'sold'])
      expect(await balance(site, cards[name]!.card)).toBe(cards[name]!.balance)
    expect(await shownCard(site, cards.ended!.card)).toMatchObject({ state: 'over', balance: 0 })
    expect((await withCard(site, cards.recoded.code, postcards)).cart.giftCard).toBeDefined()
    await spend(site, cards.sold.code)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('what has been sent since a backup is not sent again once it is restored', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-sent-'))
  await using smtp = await startSmtp()
  const clock = createClock(Date.now())
  const open = () => startSite({ dataDir, clock, env: { SMTP_URL: smtp.url, SHARES: 'off' } })
  /** The subjects of emails to the buyer, in the order in which they came. */
  const told = () =>
    smtp.mails
      .filter(({ envelopeTo }) => !envelopeTo.includes('staff@localhost'))
      .map(({ subject }) => subject)
  const daysLater = async (site: Site, days: number) => {
    clock.advance(days * dayMs)
    await runOn(site, 'doctor', '--accept-clock').catch(() => {})
    await site.context.jobs.runDue()
    await settled(site)
  }
  try {
    smtp.mood = { recipient: 450 }
    let backup = ''
    {
      await using site = await open()
      const number = await order(site)
      const { actions } = site.context.features.orders
      await site.context.commit((tx) =>
        actions.orders.change(tx, actions.ofNumber(number)!, { reservedUntil: null }),
      )
      await settled(site)
      backup = basename(await makeBackup({ dataDir }))
      smtp.mood = 'take'
      await daysLater(site, 1)
      await daysLater(site, 9)
    }
    const before = told()
    expect(before.filter((subject) => subject.startsWith('Reminder: invoice'))).toHaveLength(1)
    expect(before.length).toBeGreaterThan(1)

    const { out } = await runCli(['backup', 'restore', backup, '--yes'], {
      dataDir,
      env: noContent,
    })
    expect(out).toContain('1 payment reminder')
    expect(out).not.toContain('once more')
    await using site = await open()
    await daysLater(site, 0)
    expect(told()).toEqual(before)
    // The second one comes in its time.
    await daysLater(site, 15)
    expect(told().slice(before.length)).toEqual([expect.stringContaining('Second reminder')])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
