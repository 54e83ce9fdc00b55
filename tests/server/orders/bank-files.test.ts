import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBankFile } from '#server/orders/bank/statement.ts'
import { ibanIn } from '#server/orders/bank/entry.ts'
import { statement } from '../../support/bank-statement.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

const looks = ['northern-light-colour-looks', 'single', 1] as const
const head =
  '"Kirjauspäivä";"Määrä EUROA";"Saaja/Maksaja";"Viite";"Viesti";"Arkistointitunnus";"Valuutta";"Tila"'

type Matched = {
  line: number
  outcome: string
  order: string | null
  open: number | null
  suggested: string[]
}
async function match(site: Site, bytes: Buffer | string): Promise<Matched[]> {
  const file = join(site.dataDir, 'statement')
  writeFileSync(file, bytes)
  return JSON.parse(await runOn(site, 'orders', 'match', file, '--json')) as Matched[]
}
const camt = (rows: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document><BkToCstmrStmt><Stmt>${rows}</Stmt></BkToCstmrStmt></Document>`
const entry = ({
  amount = '39.00',
  ccy = 'EUR',
  kind = 'CRDT',
  status = 'BOOK',
  id = 'A1',
  day = '2026-11-21',
} = {}) =>
  `<Ntry><Amt Ccy="${ccy}">${amount}</Amt><CdtDbtInd>${kind}</CdtDbtInd><Sts>${status}</Sts>
${status === 'BOOK' ? `<BookgDt><Dt>${day}</Dt></BookgDt>` : ''}<AcctSvcrRef>${id}</AcctSvcrRef><NtryDtls><TxDtls>
<RltdPties><Dbtr><Nm>Aino Virtanen</Nm></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>10016</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`

test('pending, outgoing, foreign and empty rows are listed and skipped, and the file goes on after them', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [looks])
  const row = (cells: string[]) => cells.map((cell) => `"${cell}"`).join(';')
  const rows = await match(
    site,
    [
      head,
      row(['', '39,00', 'Aino Virtanen', '10016', '', 'A0', 'EUR', 'Varaus']),
      row(['21.11.2026', '-39,00', 'Aino Virtanen', '10016', '', 'A1', 'EUR', '']),
      row(['21.11.2026', '39,00', 'Aino Virtanen', '10016', '', 'A2', 'SEK', '']),
      row(['21.11.2026', '0,00', 'Aino Virtanen', '10016', '', 'A3', 'EUR', '']),
      row(['21.11.2026', '39,00', 'Aino Virtanen', '10016', '', 'A4', 'EUR', '']),
    ].join('\r\n'),
  )
  expect(rows.map(({ outcome }) => outcome)).toEqual(['pending', 'out', 'foreign', 'zero', 'paid'])
  expect(rows[4]).toMatchObject({ order, open: 0 })
  const xml = await match(
    site,
    camt(
      [
        entry({ status: 'PDNG', id: 'X0' }),
        entry({ kind: 'DBIT', id: 'X1' }),
        entry({ ccy: 'JPY', amount: '3900', id: 'X2' }),
        entry({ amount: '0.00', id: 'X3' }),
        entry({ ccy: 'BHD', amount: '39.000', id: 'X4' }),
        entry({ id: 'X5', amount: '1.00' }),
      ].join('\n'),
    ),
  )
  expect(xml.map(({ outcome }) => outcome)).toEqual([
    'pending',
    'out',
    'foreign',
    'zero',
    'foreign',
    'double',
  ])
})

test('a row is pending where the bank writes so instead of a day', () => {
  const rows = ['Varaus;-17,00;;EUR', 'Reserved;5,00;;EUR', '2026/11/20;39,00;10016;EUR']
  const file = ['Kirjauspäivä;Määrä;Viitenumero;Valuutta', ...rows].join('\r\n')
  expect(readBankFile(Buffer.from(file)).map(({ paidOn, skipped }) => [paidOn, skipped])).toEqual([
    ['', 'pending'],
    ['', 'pending'],
    ['2026-11-20', null],
  ])
})

const nordea = (...rows: string[]) =>
  readBankFile(
    Buffer.from(
      ['Kirjauspäivä;Määrä;Nimi;Otsikko;Viitenumero;Valuutta', ...rows]
        .map((row) => `${row}\r\n`)
        .join(''),
    ),
  )

test('a quote that a payer typed is a part of the text, and takes no other row along', () => {
  const next = '2026/11/20;5,00;Mikko;y";10029;EUR'
  for (const [payer, message] of [
    ['Team "Kiito" Oy', 'Kiitos "paljon"'],
    ['"Kiito" Oy', '"Kiitos" paljon'],
    ['Aino', '24" juliste'],
    ['Aino', '"juliste'],
    ['"', '"'],
    ['"Aino', 'x"'],
  ]) {
    const rows = nordea(`2026/11/20;39,00;${payer};${message};10016;EUR`, next, next)
    expect(rows).toMatchObject([
      { line: 2, amount: 3900, reference: '10016', skipped: null, fault: null },
      { line: 3, amount: 500, payer: 'Mikko', reference: '10029', skipped: null },
      { line: 4, amount: 500, payer: 'Mikko', reference: '10029', skipped: null },
    ])
  }
  expect(nordea('2026/11/20;39,00;"Kiito" Oy;"a;b";10016;EUR', next)).toMatchObject([
    { line: 2, skipped: 'unread', amount: 0, reference: null },
    { line: 3, amount: 500 },
  ])
  // Cells in quotes, with quotes in them, doubled or not, and with several lines.
  const quoted = (message: string) => `"2026/11/20";"39,00";"Aino";"${message}";"10016";"EUR"`
  const messages = ['a;b', '24"" juliste', '24" juliste', '24"', 'a\r\nb\r\n\r\nc', '']
  expect(nordea(...messages.map(quoted)).map(({ line, message }) => [line, message])).toEqual([
    [2, 'a;b'],
    [3, '24" juliste'],
    [4, '24" juliste'],
    [5, '24"'],
    [6, 'a\nb\n\nc'],
    [10, ''],
  ])
})

test('amounts and days are read as banks write them, where they can mean one thing only', () => {
  const amountOf = (written: string, currency = 'EUR') => {
    const rows = nordea(`2026/11/20;${written};;;;${currency}`, '2026/11/20;1,00;;;;EUR')
    return rows[0]!.skipped === 'unread' ? null : rows[0]!.amount
  }
  const amounts = {
    '117,00-': -11700,
    '1.117,00-': -111700,
    '117,00+': 11700,
    '–117,00': -11700,
    '−117,00': -11700,
    '- 117,00': -11700,
    "1'117.00": 111700,
    '1’117’000.5': 111700050,
    '1,117.00': 111700,
    "'+117,00": 11700,
    '117,00 EUR': 11700,
    '117,00 USD': null,
    '1.117': null,
    '117,000': null,
    '-117,00-': null,
    '1,11.700': null,
    '': null,
  }
  for (const [written, cents] of Object.entries(amounts)) {
    expect([written, amountOf(written)]).toEqual([written, cents])
  }
  expect(amountOf('1,234', 'BHD')).toBe(123)
  expect(amountOf('1,234', 'USD')).toBeNull()
  const dayOf = (written: string) =>
    nordea(`${written};1,00;;;;EUR`, '2026/11/20;1,00;;;;EUR')[0]!.paidOn
  for (const written of [
    '2026-11-20 13:05:00',
    '2026-11-20T13:05',
    '20.11.2026 13.05',
    '20.11.2026 9:05:10',
    '2026-11-19T23:30:00Z',
    '2026-11-20+02:00',
  ]) {
    expect([written, dayOf(written)]).toEqual([written, '2026-11-20'])
  }
  expect(dayOf('20.11.26')).toBe('')
})

test('camt.054 pays like a statement, and a payment that comes in both is one', async () => {
  await using site = await startSite({ sending: false })
  const { order, total } = await orderByInvoice(site, [looks])
  const notified = (rows: string) =>
    `<Document><BkToCstmrDbtCdtNtfctn><Ntfctn/><Ntfctn>${rows}</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`
  const part = (amount: string, reference: string, id = '') =>
    `<TxDtls><Refs>${id}</Refs><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>
<RltdPties><Dbtr><Nm>Aino Virtanen</Nm></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`
  const batch = (id: string, ...parts: string[]) =>
    `<Ntry><Amt Ccy="EUR">40.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><DtTm>2026-11-20T22:30:00Z</DtTm></BookgDt><AcctSvcrRef>${id}</AcctSvcrRef><NtryDtls>${parts.join('')}</NtryDtls></Ntry>`
  const id = '<AcctSvcrRef>T1</AcctSvcrRef>'
  const outcomes = async (file: string) => (await match(site, file)).map(({ outcome }) => outcome)
  const first = notified(batch('B1', part('39.00', '10016', id), part('1.00', '999')))
  expect(await outcomes(first)).toEqual(['paid', 'unknown'])
  expect(await outcomes(first)).toEqual(['known', 'unknown'])
  // The statement has the batch under a number of its own, and none for its transfers.
  const same = camt(batch('B9', part('39.00', '10016'), part('1.00', '999')))
  expect(await outcomes(same)).toEqual(['known', 'unknown'])
  expect(await outcomes(camt(entry({ id: 'T1' })))).toEqual(['known'])
  expect(await outcomes(camt(batch('B9')))).toEqual(['unknown'])
  expect(JSON.parse(await runOn(site, 'orders', 'show', order, '--json'))).toMatchObject({
    paid: total,
    open: 0,
  })
})

test('entries of camt that pay nothing or can’t be read are listed, and the file goes on after them', () => {
  const booked = '<Sts>BOOK</Sts>'
  const reversal = `<RvslInd>true</RvslInd>${booked}`
  const odd = (name: string, value: string) => entry().replace(name, value)
  const rows = readBankFile(
    Buffer.from(
      camt(
        [
          odd(booked, reversal),
          odd(booked, reversal).replace('CRDT', 'DBIT'),
          odd(booked, '<Sts><Prtry>HELD</Prtry></Sts>'),
          odd(booked, '<Sts><Prtry>BOOK</Prtry></Sts>'),
          entry({ amount: '-39.00' }),
          entry({ amount: '39.00000' }),
          entry({ amount: '39.005' }),
          entry({ amount: '1.235', ccy: 'BHD' }),
          entry({ day: '2026-11-31' }),
          odd('<BookgDt><Dt>2026-11-21</Dt></BookgDt>', '<BookgDt/>'),
          '<Ntry/>',
          entry({ kind: 'BOTH' }),
        ].join('\n'),
      ).replace('<Stmt>', '<Stmt/><Stmt></Stmt><Stmt>'),
    ),
  )
  expect(rows.map(({ skipped, fault, amount }) => [skipped, fault ?? amount])).toEqual([
    ['reversed', 3900],
    ['reversed', -3900],
    ['pending', 3900],
    [null, 3900],
    ['unread', 'the amount is negative'],
    [null, 3900],
    ['unread', 'the amount has parts of a cent'],
    ['foreign', 124],
    ['unread', 'the booking date is not a valid date'],
    ['unread', 'the booking date is missing'],
    ['unread', 'an element isn’t as expected'],
    ['unread', 'it is neither credit nor debit'],
  ])
  expect(readBankFile(Buffer.from(camt('')))).toEqual([])
})

test('a byte order mark, UTF-16 and Windows-1252 are read; what is neither is named by its line', () => {
  const text = statement(['39,00', '10016', 'A1']).replace('Aino Virtanen', 'Äijö Mäki')
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  const latin = Buffer.from(text, 'latin1')
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, latin]) {
    expect(readBankFile(bytes)).toMatchObject([
      { payer: 'Äijö Mäki', amount: 3900, reference: '10016' },
    ])
  }
  const xml = camt(entry())
  for (const bytes of [Buffer.from(`\ufeff${xml}`), Buffer.from(`\ufeff${xml}`, 'utf16le')]) {
    expect(readBankFile(bytes)).toMatchObject([{ amount: 3900, payer: 'Aino Virtanen' }])
  }
  const wrong = [
    ['', /Line 1/],
    ['\u0000\u0001', /Line 1/],
    ['name;price\r\nx;1', /Line 1.*Kirjauspäivä/],
    [statement(['39,00,00', '10016', 'A1']), /Line 2.*number of euros/],
    [statement(['39,00', '10016', 'A1']).replace('"21.11.2026"', '"31.11.2026"'), /Line 2.*date/],
    [camt('<Ntry><Amt Ccy="EUR">39</Amt></Ntry>'), /Line 2/],
    [camt(entry()).replace('</Ntry>', ''), /Line \d+/],
    ['<!DOCTYPE x [<!ENTITY a "b">]><Document/>', /entities/],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), /Line 1/],
  ] as const
  for (const [content, message] of wrong) {
    expect(() => readBankFile(Buffer.from(content as string))).toThrow(message)
  }
})

test('a payment that comes in two formats is one, by the bank’s number, else by day, amount and payer', async () => {
  await using site = await startSite({ sending: false })
  await orderByInvoice(site, [looks])
  expect((await match(site, statement(['39,00', '10016', 'A1'])))[0]!.outcome).toBe('paid')
  expect((await match(site, camt(entry({ id: 'A1' }))))[0]!.outcome).toBe('known')
  const nameless = `"Kirjauspäivä";"Määrä";"Viite"\n"21.11.2026";"39,00";"10016"`
  expect((await match(site, nameless))[0]!.outcome).toBe('known')
  // Some banks put the number in apostrophes, for spreadsheets.
  const quoted = statement(['39,00', '10016', "'A1'"]).replace('Aino Virtanen', 'A. Virtanen')
  expect((await match(site, quoted))[0]!.outcome).toBe('known')
  // Another number is another payment.
  expect((await match(site, camt(entry({ id: 'B7' }))))[0]!.outcome).toBe('double')
})

test('elements with nothing in them are as good as left out', () => {
  const empty = [
    ['<RltdPties><Dbtr><Nm>Aino Virtanen</Nm></Dbtr></RltdPties>', '<Refs/><RltdPties/>'],
    ['<Dbtr><Nm>Aino Virtanen</Nm></Dbtr>', '<Dbtr/><DbtrAcct/>'],
    ['<Dbtr><Nm>Aino Virtanen</Nm></Dbtr>', '<Dbtr><Pty/></Dbtr><DbtrAcct><Id/></DbtrAcct>'],
    ['<RmtInf><Strd>', '<RmtInf><Strd/><Strd><CdtrRefInf/></Strd><Strd>'],
  ] as const
  for (const [full, bare] of empty) {
    const [read] = readBankFile(Buffer.from(camt(entry().replace(full, bare))))
    expect([bare, read]).toMatchObject([bare, { reference: '10016', amount: 3900, skipped: null }])
  }
  const nothing = camt(entry().replace(/<RmtInf>.*<\/RmtInf>/, '<RmtInf/>'))
  expect(readBankFile(Buffer.from(nothing))).toMatchObject([{ reference: null, amount: 3900 }])
})

test('money without a reference is suggested by number, name and amount, and never counted', async () => {
  await using site = await startSite({ sending: false, env: { SHARES: 'off' } })
  const { order } = await orderByInvoice(site, [looks], { name: 'Mikko Mäki' })
  const other = await orderByInvoice(site, [['winter-wallpapers', 'personal', 1]])
  const row = (amount: string, payer: string, message: string) =>
    `${head}\r\n"21.11.2026";"${amount}";"${payer}";"";"${message}";"";"EUR";""`
  const suggested = async (...cells: Parameters<typeof row>) => {
    const [found] = await match(site, row(...cells))
    expect(found!.outcome).toBe('unknown')
    return found!.suggested
  }
  expect(await suggested('1,00', 'MAKI MIKKO', '')).toEqual([order])
  expect(await suggested('39,00', 'N N', '')).toEqual([order])
  expect(await suggested('2,00', 'N N', `lasku 1002`)).toEqual([other.order])
  expect(await suggested('2,00', 'N N', '')).toEqual([])
})

test('what is paid too much is paid back whole, and a wrong row causes no refund', async () => {
  await using site = await startSite({ sending: false })
  const { order, total } = await orderByInvoice(site, [looks])
  const rows = statement(
    ['50,00', '10016', 'A1'],
    ['-50,00', '10016', 'A2'],
    ['0,00', '10016', 'A3'],
  )
  const file = join(site.dataDir, 'too-much.csv')
  writeFileSync(file, rows)
  expect(await runOn(site, 'orders', 'match', file, '--rehearse')).toContain('1 paid (1 overpaid),')
  expect((await match(site, rows)).map(({ outcome }) => outcome)).toEqual(['over', 'out', 'zero'])
  const { actions } = site.context.features.orders
  const payouts = await actions.payBackExcess(order, 'mika')
  expect(payouts.map(({ amount }) => amount)).toEqual([5000 - total])
  await expect(actions.payBackExcess(order, 'mika')).rejects.toThrow('overpaid')
})

test('a statement of 100 000 rows is read and matched', async () => {
  await using site = await startSite({ sending: false })
  await orderByInvoice(site, [looks])
  const transfers = Array.from(
    { length: 100_000 },
    (_, at) => [at === 77_777 ? '39,00' : '-1,00', '10016', `A${at}`] as const,
  )
  const entries = readBankFile(Buffer.from(statement(...transfers)))
  expect(entries).toHaveLength(100_000)
  const matches = await site.context.features.orders.match(entries, { actor: 'mika' })
  expect(matches.filter(({ outcome }) => outcome === 'paid')).toMatchObject([{ line: 77_779 }])
  expect(matches.filter(({ outcome }) => outcome === 'out')).toHaveLength(99_999)
})

test('an IBAN is one only with the right check digits', () => {
  expect(ibanIn('fi37 1590 3000 0007 76')).toBe('FI3715903000000776')
  for (const text of ['FI3815903000000776', '', 'Aino', 'FI37', '12345678901234567']) {
    expect([text, ibanIn(text)]).toEqual([text, null])
  }
})

test('what staff recorded by hand is the row of the statement that told of it, and no other one', async () => {
  await using site = await startSite({ sending: false })
  const { order, total } = await orderByInvoice(site, [looks])
  const balance = async () =>
    JSON.parse(await runOn(site, 'orders', 'show', order, '--json')) as {
      paid: number
      open: number
    }
  const outcomes = async (...rows: string[]) =>
    (await match(site, camt(rows.join('')))).map(({ outcome }) => outcome)
  // The bank booked it on the 21st, and staff see it a day later.
  site.clock.advance(2 * 86_400_000)
  await runOn(site, 'orders', 'paid', order, '--note', 'seen in the app')
  const first = entry({ id: 'A1' })
  writeFileSync(join(site.dataDir, 'statement'), camt(first))
  expect(
    await runOn(site, 'orders', 'match', join(site.dataDir, 'statement'), '--rehearse'),
  ).toContain('1 already recorded')
  expect(await outcomes(first)).toEqual(['known'])
  expect(await outcomes(first)).toEqual(['known'])
  expect(await balance()).toMatchObject({ paid: total, open: 0 })
  // The buyer has paid once more on the same day; statements overlap.
  const second = entry({ id: 'A2' })
  expect(await outcomes(second)).toEqual(['double'])
  expect(await outcomes(second, first)).toEqual(['known', 'known'])
  expect(await balance()).toMatchObject({ paid: 2 * total, open: -total })

  // What the bank books after staff recorded a payment can't be the one that they saw.
  const { order: other } = await orderByInvoice(site, [looks])
  await runOn(site, 'orders', 'paid', other)
  const later = entry({ id: 'A3', day: '2026-11-23' }).replace('10016', '10029')
  expect(await outcomes(later)).toEqual(['double'])
})
