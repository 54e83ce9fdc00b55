import { expect, test } from 'vitest'
import { createAlerts } from '#server/log-viewer/alerts.ts'
import { tryCode } from '../../support/clients.ts'
import { eventually } from '../../support/eventually.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'

const alerts = (site: Site) =>
  mailFiles(site.dataDir).filter(({ file }) => file.endsWith('logAlert.eml'))

test('many errors within an hour are one mail to staff, and the next an hour later', async () => {
  await using site = await startSite({ sending: false })
  const { recentLog, mails, commit, log } = site.context
  const look = createAlerts({ recentLog, mails, commit, clock: site.clock })
  const fail = async (times: number) => {
    for (let n = 0; n < times; n += 1) log.error(n % 4 ? 'gearbox' : 'no fuel for a@b.example')
    await look()
  }
  const told = () =>
    mails
      .list()
      .filter(({ kind }) => kind === 'logAlert')
      .map(({ data }) => JSON.parse(data!) as { errors: number; messages: unknown })
  await fail(19)
  expect(told()).toEqual([])
  // Those are an hour old by now.
  site.clock.advance(3_600_000)
  await fail(19)
  expect(told()).toEqual([])
  log.warn('tyres are worn')
  await fail(1)
  const messages = [
    { text: 'gearbox', count: 14 },
    { text: 'no fuel for a***@b.example', count: 6 },
  ]
  expect(told()).toEqual([{ errors: 20, messages }])
  site.clock.advance(3_599_000)
  await fail(40)
  expect(told()).toHaveLength(1)
  site.clock.advance(1000)
  await fail(1)
  expect(told()).toHaveLength(2)
})

test('an alert from while the clock was years ahead keeps back none once it is put right', async () => {
  await using site = await startSite({ sending: false })
  const { recentLog, mails, commit, log } = site.context
  const look = createAlerts({ recentLog, mails, commit, clock: site.clock })
  const fail = async () => {
    for (let n = 0; n < 20; n += 1) log.error('gearbox')
    await look()
  }
  const told = () => mails.list().filter(({ kind }) => kind === 'logAlert')
  site.clock.jump(3 * 365 * 86_400_000)
  await fail()
  site.clock.jump(-3 * 365 * 86_400_000)
  await fail()
  expect(told()).toHaveLength(1)
  site.clock.advance(3_600_000)
  await fail()
  expect(told()).toHaveLength(2)
})

test('guessing secret codes mails staff', async () => {
  await using site = await startSite({ env: { STAFF_EMAIL: 'staff@pitlane.example' } })
  for (let n = 0; n < 50; n += 1) {
    await tryCode(site, `GUESS-${n}`, { from: `127.0.${1 + (n >> 2)}.1` })
  }
  site.clock.advance(60_000)
  await eventually(() => expect(alerts(site)).toHaveLength(1))
  const [mail] = alerts(site)
  expect(mail).toMatchObject({
    to: 'staff@pitlane.example',
    subject: 'Website: 1 error in the log',
  })
  expect(mail!.text).toContain(`${site.url}/debug/logs`)
  expect(mail!.text).toContain('1 × many wrong secret codes within an hour')
  expect(mail!.text).not.toContain('GUESS')
})
