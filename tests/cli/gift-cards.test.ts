import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { newCard, shownCard } from '../support/gift-cards.ts'
import { runOn } from '../support/in-process-cli.ts'
import { mailFiles } from '../support/mail-files.ts'
import { startSite } from '../support/site.ts'

test('staff make, look at, replace and end cards, and every act has its name', async () => {
  await using site = await startSite({ sending: false })
  expect(await runOn(site, 'gift-cards', 'list')).toContain('No gift cards.')
  const dry = await runOn(site, 'gift-cards', 'add', '50', '--dry-run')
  expect(dry).toContain('Dry run: nothing changed.')
  expect(dry).not.toMatch(/(?:[2-9B-Z]{4}-){3}/)
  expect(await runOn(site, 'gift-cards', 'list')).toContain('No gift cards.')

  const shown = await runOn(
    site,
    'gift-cards',
    'add',
    '49.90',
    '--name',
    'Aino',
    '--note',
    'transfer of 26 November',
    '--by',
    'Kaisa',
  )
  const [code] = /(?:[2-9B-Z]{4}-){3}[2-9B-Z]{4}/.exec(shown)!
  const [card] = /G-[2-9B-Z]{8}/.exec(shown)!
  expect(shown).toContain('The code isn’t kept: pass it on now.')
  expect(shown).toContain('€49.90')
  const one: unknown = JSON.parse(await runOn(site, 'gift-cards', 'show', card, '--json'))
  expect(one).toMatchObject({
    card,
    state: 'valid',
    value: 4990,
    balance: 4990,
    name: 'Aino',
    note: 'transfer of 26 November',
    orders: [],
    history: [{ actor: 'Kaisa', act: 'added', note: '€49.90' }],
  })
  expect(JSON.stringify(one)).not.toContain(code)
  // Whoever calls has the code and not the number.
  expect(await runOn(site, 'gift-cards', 'show', code.toLowerCase())).toContain(card)
  expect(await runOn(site, 'history', '--thing', 'gift-card')).toContain(card)

  const other = await newCard(site, '10', '--expires', 'never')
  const list = await runOn(site, 'gift-cards', 'list')
  expect(list).toContain(other.card)
  expect(list).toContain('€59.90 left on them.')
  expect(await runOn(site, 'gift-cards', 'list', '--search', 'aino')).not.toContain(other.card)

  const replaced = await runOn(site, 'gift-cards', 'replace', card)
  expect(replaced).toMatch(/(?:[2-9B-Z]{4}-){3}[2-9B-Z]{4}/)
  await expect(runOn(site, 'gift-cards', 'show', code)).rejects.toThrow('Gift card not found.')
  expect(await runOn(site, 'gift-cards', 'end', card, '--dry-run')).toContain('would end')
  expect(await runOn(site, 'gift-cards', 'end', card)).toBe(
    `${card} has ended.\n€49.90 was left on it.\n`,
  )
  expect(await runOn(site, 'gift-cards', 'list', '--status', 'over')).toContain(card)
  await expect(runOn(site, 'gift-cards', 'end', card)).rejects.toThrow('has ended already')
  await expect(runOn(site, 'gift-cards', 'replace', card)).rejects.toThrow('has ended')
  // Its holder may have the money still, once.
  expect(await runOn(site, 'gift-cards', 'end', card, '--paid-back')).toContain('Pay €49.90 back')
  await expect(runOn(site, 'gift-cards', 'end', card, '--paid-back')).rejects.toThrow(
    'nothing on it',
  )
})

test('a card works until the end of the last day that its email names', async () => {
  await using site = await startSite()
  const made = await newCard(site, '50', '--email', 'aino@example.com')
  await eventually(() => {
    const [mail] = mailFiles(site.dataDir)
    expect(mail!.text).toMatch(/Valid through\s+20 November 2029\n/)
  })
  expect(await shownCard(site, made.card)).toMatchObject({
    expires: '2029-11-21T00:00:00.000+02:00',
  })
  site.clock.advance(Date.parse('2029-11-20T23:59:00+02:00') - site.clock())
  expect(await shownCard(site, made.card)).toMatchObject({ state: 'valid' })
  site.clock.advance(60_000)
  expect(await shownCard(site, made.card)).toMatchObject({ state: 'expired' })
})

test('a year is a year, and an end within a day is told to the minute', async () => {
  await using site = await startSite()
  await expect(newCard(site, '50', '--expires', '2027-11-19')).rejects.toThrow('a year at least')
  await newCard(site, '50', '--expires', '2027-11-20')
  const noon = '2028-01-15T12:00:00+02:00'
  await newCard(site, '50', '--expires', noon, '--email', 'aino@example.com')
  await eventually(() => {
    const [mail] = mailFiles(site.dataDir)
    expect(mail!.text).toMatch(/Valid through\s+15 January 2028, 12:00 \(Helsinki\)\n/)
  })
})

test('what makes no card is refused with its reason', async () => {
  await using site = await startSite({ sending: false })
  const add = (...told: string[]) => runOn(site, 'gift-cards', 'add', ...told)
  await expect(add('0.99')).rejects.toThrow('Use €1.00 to €2,000.00 for a gift card.')
  await expect(add('2000.01')).rejects.toThrow('Use €1.00 to €2,000.00')
  await expect(add('fifty')).rejects.toThrow()
  await expect(add('50', '--email', 'nobody')).rejects.toThrow('isn’t an email address')
  await expect(add('50', '--expires', '30d')).rejects.toThrow('works for a year at least')
  await expect(runOn(site, 'gift-cards', 'show', 'G-23456789')).rejects.toThrow('not found')
  expect(await runOn(site, 'gift-cards', 'list')).toContain('No gift cards.')
})
