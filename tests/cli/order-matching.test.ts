import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Match } from '#server/orders/bank/matching.ts'
import { statement } from '../support/bank-statement.ts'
import { runOn } from '../support/in-process-cli.ts'
import { list, order, type ListedOrder } from '../support/listed-orders.ts'
import { startSite } from '../support/site.ts'

test('a bank statement pays by reference number; the same file again changes nothing', async () => {
  await using site = await startSite({ sending: false })
  await order(site)
  await order(site)
  const [{ total }] = (await list(site)) as [ListedOrder]
  const euros = (total / 100).toFixed(2).replace('.', ',')
  const file = join(site.dataDir, 'op.csv')
  writeFileSync(
    file,
    statement(
      [`+${euros}`, '0000 0000 0000 0001 0016', 'A1'],
      ['10,00', '10029', 'A2'],
      ['10,00', '10029', 'A3'],
      [euros, '10016', 'A4'],
      ['5,00', '99999', 'A5'],
      ['-12,34', '', 'A6'],
    ),
  )
  const match = async (...args: string[]) =>
    (
      JSON.parse(await runOn(site, 'orders', 'match', file, '--json', ...args)) as {
        outcome: string
        open: number | null
      }[]
    ).map(({ outcome, open }) => [outcome, open])
  const first = [
    ['paid', 0],
    ['part', total - 1000],
    ['part', total - 2000],
    ['double', -total],
    ['unknown', null],
    ['out', null],
  ]
  expect(await match('--rehearse')).toEqual(first)
  expect((await list(site)).map(({ state }) => state)).toEqual(['open', 'open'])
  expect(await match()).toEqual(first)
  const after = await list(site)
  expect(after.map(({ state, paid }) => [state, paid])).toEqual([
    ['paid', 2 * total],
    ['open', 2000],
  ])
  expect((await match()).map(([outcome]) => outcome)).toEqual([
    'known',
    'known',
    'known',
    'known',
    'unknown',
    'out',
  ])
  expect(await list(site)).toEqual(after)
})

test.each<[string, string[]]>([
  [
    'OP',
    [
      '"Kirjauspäivä";"Arvopäivä";"Määrä EUROA";"Laji";"Selitys";"Saaja/Maksaja";"Saajan tilinumero";"Saajan pankin BIC";"Viite";"Viesti";"Arkistointitunnus"',
      '"2026-11-21";"2026-11-21";EUROS;"506";"VIITESIIRTO";"VIRTANEN AINO";"";"";"ref= 10016";"";"20261121/5UTL01/001"',
    ],
  ],
  [
    'Nordea',
    [
      'Kirjauspäivä;Määrä;Maksaja;Maksunsaaja;Nimi;Otsikko;Viitenumero;Saldo;Valuutta',
      '2026/11/21;EUROS;;FI3715903000000776;VIRTANEN AINO;VIRTANEN AINO;10016;1000,00;EUR',
    ],
  ],
  [
    'Nordea, with the account before the names and a tab after each line',
    [
      'Tilinumero\tFI3715903000000776',
      '',
      'Kirjauspäivä\tArvopäivä\tMaksupäivä\tMäärä\tSaaja/Maksaja\tTilinumero\tBIC\tTapahtuma\tViite\tViesti',
      '',
      '21.11.2026\t21.11.2026\t21.11.2026\tEUROS\tVIRTANEN AINO\t\t\tViitemaksu\t10016\t\t',
    ],
  ],
  [
    'S-Pankki',
    [
      'Kirjauspäivä;Maksupäivä;Summa;Tapahtumalaji;Maksaja;Saajan nimi;Saajan tilinumero;Saajan BIC-tunnus;Viitenumero;Viesti;Arkistointitunnus',
      "21.11.2026;21.11.2026;+EUROS;TILISIIRTO;VIRTANEN AINO;Pitlane;FI37;SBANFIHH;10016;'-';1234",
    ],
  ],
  [
    'Danske Bank, with the reference in the message',
    [
      '"Kirjauspäivä";"Saaja/Maksaja";"Viesti";"Määrä";"Saldo"',
      '"21.11.2026";"VIRTANEN AINO";"Viite 10016";"EUROS";"1.000,00"',
    ],
  ],
  [
    'Aktia, in Swedish',
    [
      '"Bokningsdatum";"Valutadatum";"Belopp";"Mottagare/Betalare";"Referensnummer";"Meddelande";"Arkiveringskod"',
      '"21.11.2026";"21.11.2026";"EUROS";"VIRTANEN AINO";"10016";"";"x1"',
    ],
  ],
  [
    'a savings bank',
    [
      'Tapahtumapäivä;Summa (EUR);Saaja/Maksaja;Viite/Viesti;Arkistointitunnus',
      '21.11.2026;EUROS;VIRTANEN AINO;10016;x1',
    ],
  ],
])('the statement of %s pays by reference number', async (_, rows) => {
  await using site = await startSite({ sending: false })
  await order(site)
  const [{ total }] = (await list(site)) as [ListedOrder]
  const file = join(site.dataDir, 'bank.csv')
  const euros = (total / 100).toFixed(2).replace('.', ',')
  writeFileSync(file, rows.join('\r\n').replace('EUROS', euros))
  const matches = JSON.parse(await runOn(site, 'orders', 'match', file, '--json')) as unknown
  expect(matches).toMatchObject([
    { outcome: 'paid', date: '2026-11-21', payer: 'VIRTANEN AINO', line: rows.length },
  ])
})

const camt = (entries: string) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">
<BkToCstmrStmt><Stmt><Id>1</Id>
${entries}
</Stmt></BkToCstmrStmt></Document>`

const entry = (euros: string, reference: string, currency = 'EUR') =>
  `<Ntry><Amt Ccy="${currency}">${euros}</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-22</Dt></BookgDt>
<NtryDtls><TxDtls><Refs><AcctSvcrRef>N1</AcctSvcrRef></Refs><RltdPties><Dbtr><Nm>Aino</Nm></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>`

test('camt.053 with an RF reference pays an invoice, and an overpayment is reported', async () => {
  await using site = await startSite({ sending: false })
  await order(site)
  const [{ total, order: number }] = (await list(site)) as [ListedOrder]
  const { rf } = site.context.features.orders.actions.invoices.list()[0]!.document
  const file = join(site.dataDir, 'statement.xml')
  writeFileSync(file, camt(entry(((total + 1) / 100).toFixed(2), rf)))
  const out = await runOn(site, 'orders', 'match', file)
  expect(out).toContain('overpaid')
  expect((await list(site))[0]).toMatchObject({ order: number, state: 'paid', paid: total + 1 })
})

test.each([
  ['no amount that is one', statement(['1O,00', '10016', 'A'], ['ten', '10016', 'B']), 'Line 2'],
  ['a day that is none', statement(['1,00', '10016', 'A']).replaceAll('21.11', '31.11'), 'Line 2'],
  ['days of the United States', 'Date;Amount\r\n11/05/2026;1,00\r\n11/21/2026;1,00', 'Line 3'],
  ['other columns', 'a;b\r\n1;2', 'Line 1'],
  ['nothing', '', 'Line 1'],
  ['XML that is cut off', camt(entry('10.00', '10016')).slice(0, 300), 'Line'],
  ['other XML', '<a/>', 'Line 1'],
  ['entities', `<!DOCTYPE a [<!ENTITY b "c">]>${camt('')}`, 'entities'],
])('a bank statement with %s is refused whole, and the line named', async (_, content, told) => {
  await using site = await startSite({ sending: false })
  await order(site)
  const file = join(site.dataDir, 'statement')
  writeFileSync(file, content)
  await expect(runOn(site, 'orders', 'match', file)).rejects.toThrow(told)
  expect((await list(site))[0]).toMatchObject({ state: 'open', paid: 0 })
})

test('a row that can’t be read is listed with its line and the reason, and the others pay', async () => {
  await using site = await startSite({ sending: false })
  await order(site)
  const [{ total }] = (await list(site)) as [ListedOrder]
  const file = join(site.dataDir, 'bank.csv')
  const rows = [
    ['ten', '10016', 'A1'],
    [(total / 100).toFixed(2).replace('.', ','), '10016', 'A2'],
  ] as const
  writeFileSync(file, `${statement(...rows)}\r\n21.11.2026;1,00\r\n"x`)
  const out = await runOn(site, 'orders', 'match', file, '--dry-run')
  expect(out).toContain('can’t be read: the amount isn’t a number of euros')
  expect(out).toContain('can’t be read: its cells aren’t those of the header')
  expect(out).toContain('0 skipped, 3 that can’t be read: look for these in the file')
  const told = JSON.parse(await runOn(site, 'orders', 'match', file, '--json')) as unknown
  expect(told).toMatchObject([
    { line: 2, outcome: 'unread', amount: null, fault: 'the amount isn’t a number of euros' },
    { line: 3, outcome: 'paid', amount: total, fault: null },
    { line: 4, outcome: 'unread' },
    { line: 5, outcome: 'unread' },
  ])
  expect((await list(site))[0]).toMatchObject({ state: 'paid', paid: total })
})

test('a payment that comes in two formats is one, and two equal ones are two', async () => {
  await using site = await startSite({ sending: false })
  await order(site)
  const [{ total }] = (await list(site)) as [ListedOrder]
  const { rf } = site.context.features.orders.actions.invoices.list()[0]!.document
  const euros = (total / 200).toFixed(2)
  const half = entry(euros, rf).replace('Aino', 'Virtanen, Aïno')
  const xml = join(site.dataDir, 'statement.xml')
  const csv = join(site.dataDir, 'statement.csv')
  const row = `22.11.2026;${euros.replace('.', ',')};AINO VIRTANEN;10016`
  writeFileSync(xml, camt(half))
  writeFileSync(csv, ['Kirjauspäivä;Määrä;Nimi;Viitenumero', row, row].join('\r\n'))
  const match = async (file: string) =>
    (JSON.parse(await runOn(site, 'orders', 'match', file, '--json')) as { outcome: string }[]).map(
      ({ outcome }) => outcome,
    )
  expect(await match(xml)).toEqual(['part'])
  expect(await match(csv)).toEqual(['known', 'paid'])
  expect(await match(xml)).toEqual(['known'])
  expect(await match(csv)).toEqual(['known', 'known'])
  expect((await list(site))[0]).toMatchObject({ state: 'paid', paid: total })
})

test('rows that are pending, foreign, empty or paid out are listed and skipped', async () => {
  await using site = await startSite({ sending: false })
  await order(site)
  const [{ total, order: number }] = (await list(site)) as [ListedOrder]
  const euros = (total / 100).toFixed(2)
  const { rf } = site.context.features.orders.actions.invoices.list()[0]!.document
  const pending = entry(euros, rf)
    .replace('<BookgDt>', '<Sts><Cd>PDNG</Cd></Sts><BookgDt>')
    .replace('N1', 'N2')
  const files: [name: string, content: string | Buffer][] = [
    [
      'a.xml',
      camt(
        [pending, entry('10.00', rf, 'USD'), entry('1.234', rf, 'BHD'), entry(euros, rf)].join(
          '\n',
        ),
      ),
    ],
    [
      'b.csv',
      Buffer.from(
        `\ufeff${[
          'Kirjauspäivä;Määrä;Valuutta;Nimi;Viesti;Tila',
          `;${euros.replace('.', ',')};EUR;Aino;${number};`,
          `21.11.2026;10,00;SEK;Aino;;Kirjattu`,
          `21.11.2026;0,00;EUR;Aino;;Kirjattu`,
          `21.11.2026;-3,00;EUR;Aino;;Kirjattu`,
          `21.11.2026;5,00;EUR;Aino;;Varaus`,
        ].join('\r\n')}`,
        'utf16le',
      ),
    ],
  ]
  const outcomes = []
  const listings: string[] = []
  for (const [name, content] of files) {
    const file = join(site.dataDir, name)
    writeFileSync(file, content)
    const rows = JSON.parse(await runOn(site, 'orders', 'match', file, '--json')) as Match[]
    outcomes.push(rows.map(({ outcome }) => outcome))
    listings.push(await runOn(site, 'orders', 'match', file, '--dry-run'))
  }
  // Each row in its own currency.
  expect(listings[0]).toContain('USD 10.00')
  expect(listings[1]).toContain('SEK 10.00')
  expect(listings.join('\n')).not.toContain('€10.00')
  expect(outcomes).toEqual([
    ['pending', 'foreign', 'foreign', 'paid'],
    ['pending', 'foreign', 'zero', 'out', 'pending'],
  ])
  expect((await list(site))[0]).toMatchObject({ state: 'paid', paid: total })
})

test('money without a reference suggests the orders that it may be for', async () => {
  await using site = await startSite({ sending: false })
  await order(site)
  const [{ total, order: number }] = (await list(site)) as [ListedOrder]
  const file = join(site.dataDir, 'bank.csv')
  writeFileSync(
    file,
    [
      'Kirjauspäivä;Määrä;Nimi;Viesti',
      `21.11.2026;${(total / 100).toFixed(2).replace('.', ',')};Somebody;`,
      `21.11.2026;1,00;Somebody;Order ${number.toLowerCase()}, thanks`,
      '21.11.2026;1,00;Somebody;',
    ].join('\n'),
  )
  const rows = JSON.parse(await runOn(site, 'orders', 'match', file, '--json')) as Match[]
  expect(rows.map(({ outcome, suggested }) => [outcome, suggested])).toEqual([
    ['unknown', [number]],
    ['unknown', [number]],
    ['unknown', []],
  ])
})
