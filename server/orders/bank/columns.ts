/**
 * What the banks call their columns, in Finnish, Swedish and English: Nordea, OP, Danske Bank,
 * S-Pankki, Handelsbanken, Aktia, Ålandsbanken. Names are compared in lower case without spaces
 * and signs.
 */
const names = {
  paidOn: [
    'kirjauspäivä',
    'arvopäivä',
    'maksupäivä',
    'pvm',
    'päivämäärä',
    'tapahtumapäivä',
    'kirjauspvm',
    'arvopvm',
    'maksupvm',
    'tapahtumapvm',
    'bokföringsdag',
    'bokföringsdatum',
    'bokningsdag',
    'bokningsdatum',
    'valutadatum',
    'datum',
    'bookingdate',
    'entrydate',
    'valuedate',
    'paymentdate',
    'date',
  ],
  amount: [
    'määräeuroa',
    'määräeur',
    'määrä',
    'summa',
    'summaeur',
    'rahamäärä',
    'belopp',
    'beloppeur',
    'amount',
    'amounteur',
    'sum',
  ],
  reference: [
    'viitenumero',
    'viite',
    'viitenumerotaiviesti',
    'viitenumeroviesti',
    'referensnummer',
    'referens',
    'referencenumber',
    'reference',
    'viiteviesti',
  ],
  message: [
    'viesti',
    'viestiviite',
    'message',
    'meddelande',
    'selitys',
    'description',
    'otsikko',
    'title',
  ],
  payer: [
    'saajamaksaja',
    'maksajannimi',
    // At Nordea the payer is the number of an account, and this one has a name.
    'nimi',
    'maksaja',
    'mottagarebetalare',
    'betalare',
    'payer',
    'payersname',
    'name',
    'counterparty',
  ],
  // Of the payer alone: what a bank calls an account number without more is often the seller's own.
  account: ['maksajantilinumero', 'maksajantili', 'maksajaniban', 'maksaja', 'payersaccount'],
  archiveId: [
    'arkistointitunnus',
    'arkistotunnus',
    'archiveid',
    'archivereference',
    'filingcode',
    'filingid',
    'arkiveringskod',
    'transactionid',
  ],
  currency: ['valuutta', 'valuuttakoodi', 'valuta', 'currency'],
  status: ['tila', 'tapahtumantila', 'status'],
} as const satisfies Record<string, readonly string[]>

/** What a transfer is read from. */
export type BankField = keyof typeof names

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The line with the names, and what parts them: the first line that names the day and the amount. */
export function headOf(lines: readonly string[]): { line: number; delimiter: string } {
  for (const [index, row] of lines.slice(0, 20).entries()) {
    for (const delimiter of [';', '\t', ',']) {
      const known = new Set(row.split(delimiter).map(plainName))
      const has = (field: BankField) => names[field].some((name) => known.has(name))
      if (has('paidOn') && has('amount')) return { line: index + 1, delimiter }
    }
  }
  return { line: 1, delimiter: ';' }
}

/** Where each field stands; the first of its names that the file has. @throws for a file of another kind */
export function columnsOf(head: readonly string[]): Map<BankField, number> {
  const known = head.map(plainName)
  const found = new Map<BankField, number>()
  for (const [field, candidates] of Object.entries(names) as [BankField, readonly string[]][]) {
    const at = candidates.map((name) => known.indexOf(name)).find((index) => index >= 0)
    if (at !== undefined) found.set(field, at)
  }
  if (!found.has('paidOn') || !found.has('amount')) {
    throw new Error(
      'Line 1: columns for date and amount not found, such as Kirjauspäivä and Määrä.',
    )
  }
  return found
}
