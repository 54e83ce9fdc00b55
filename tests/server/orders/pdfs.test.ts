import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, onTestFinished, test } from 'vitest'
import type { CheckoutReply } from '#shared/shop/orders.ts'
import type { Cart } from '#shared/shop/shop.ts'
import { buildIfMissing } from '#server/build.ts'
import { createWorkerThread } from '#server/concurrency/worker-thread.ts'
import { callSheetPdf } from '#server/orders/documents/pdf/booking-pdf.ts'
import { settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startProcess } from '../../support/server-process.ts'
import { checkoutOf, orderByInvoice, shopper } from '../../support/shop.ts'
import { createClock, startSite } from '../../support/site.ts'

const print = ['blue-hour-fine-art-print', '30x40-matte', 1] as const

const fetchPdf = async (url: string, token: string) => {
  const response = await fetch(`${url}/shop/orders/${token}/invoice.pdf`)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, begins: bytes.toString('latin1', 0, 5) }
}

const secret = 'a1'.repeat(32)
const drawn = { status: 200, begins: '%PDF-' }

test('every document of a site is drawn by the one thread that it has for them', async () => {
  await using site = await startSite({ createThread: createWorkerThread })
  // Jobs of the site may use threads of their own.
  const drawing = new Set<Worker>()
  const count = (worker: Worker) =>
    void worker.on('message', (reply: unknown) => {
      if (reply instanceof Object && 'result' in reply && reply.result instanceof Uint8Array) {
        drawing.add(worker)
      }
    })
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  const { token, order } = await orderByInvoice(site, [print])
  const replies = await Promise.all([token, token, token].map((each) => fetchPdf(site.url, each)))
  expect(replies).toEqual([drawn, drawn, drawn])
  await settled(site)
  const sent = mailFiles(site.dataDir).find(({ subject }) => subject === `Your order ${order}`)!
  expect(sent.attachments.map(({ bytes }) => Buffer.from(bytes).toString('latin1', 0, 5))).toEqual([
    '%PDF-',
    '%PDF-',
  ])
  expect(drawing.size).toBe(1)
})

test('a document that a busy machine can’t draw in time is to be asked for again, not broken', async () => {
  await using site = await startSite({
    sending: false,
    createThread: (options) => createWorkerThread({ ...options, timeoutMs: 1 }),
  })
  const { token } = await orderByInvoice(site, [print])
  const path = `/shop/orders/${token}/invoice.pdf`
  const forPrograms = await site.get(path)
  expect(forPrograms).toMatchObject({ status: 503, json: { code: 'unavailable' } })
  expect(forPrograms.headers['retry-after']).toBe('60')
  const forPeople = await site.get(path, { headers: { Accept: 'text/html' } })
  expect(forPeople.status).toBe(503)
  expect(forPeople.text).toContain('Please try again in a minute.')
})

test('the bundle has the thread, too', async () => {
  buildIfMissing(() => {})
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-pdf-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const site = await startSite({
    dataDir,
    sending: false,
    clock: createClock(Date.now()),
    env: { SECRET_KEY: secret },
  })
  const { token } = await orderByInvoice(site, [print])
  await site[Symbol.asyncDispose]()
  await using server = await startProcess('server/start.js', {
    DATA_DIR: dataDir,
    SECRET_KEY: secret,
  })
  // A busy machine may ask for it again, since the thread begins by loading its code.
  await eventually(async () => expect(await fetchPdf(server.url, token)).toEqual(drawn))
  const began = performance.now()
  const code = await server.kill('SIGTERM')
  // With the emails and pictures of a first start to finish, a busy machine may need all of the 14 s that a
  // stop has, which is a code of its own.
  expect(performance.now() - began < 14_000 ? code : 0).toBe(0)
})

test('a name of a script that is written from the right keeps the order of its words', async () => {
  await using site = await startSite({ sending: false })
  const name = 'محمد بن علي الشامسي'
  const { token } = await orderByInvoice(site, [print], {
    name,
    street: 'רחוב הרצל 12',
  })
  const bytes = await (await fetch(`${site.url}/shop/orders/${token}/invoice.pdf`)).bytes()
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
  expect(text).toContain(name)
  expect(text).toContain('רחוב הרצל')
})

test('a name of any script is spelled, not drawn as empty boxes', async () => {
  await using site = await startSite({ sending: false })
  const names = ['山田 太郎', '王小明', '김민수', 'สมชาย']
  const { token } = await orderByInvoice(site, [print], { name: names.join(', ') })
  const bytes = await (await fetch(`${site.url}/shop/orders/${token}/invoice.pdf`)).bytes()
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true })
  for (const name of names) expect(text).toContain(name)
})

test('a long invoice has each line whole on one page, the whole name of its company, and numbered pages', async () => {
  await using site = await startSite({ sending: false })
  const visitor = shopper(site)
  const files = site.context.features.shop.catalogue
    .list()
    .filter(({ published, kind }) => published && kind === 'digital')
  for (const { handle, variants } of files) {
    for (const { variant } of variants) await visitor.put(handle, variant, 1)
  }
  const buyer = {
    company:
      'Nordschleife Motorsport Betriebs- und Verwaltungsgesellschaft mit beschränkter Haftung & Co. KG',
    vatId: 'DE136695976',
    street: 'Nordschleifenstraße 27',
    postcode: '53520',
    city: 'Nürburg',
    country: 'DE',
  }
  const { total } = (await visitor.post('/api/shop/cart/quote', buyer)).json as Cart
  const ordered = await visitor.post(
    '/api/shop/checkout',
    checkoutOf({ ...buyer, expectedTotal: total, digitalWaiver: true }),
  )
  expect(ordered.status).toBe(201)
  const { token } = ordered.json as CheckoutReply
  const bytes = await (await fetch(`${site.url}/shop/orders/${token}/invoice.pdf`)).bytes()
  const { text: pages } = await extractText(await getDocumentProxy(bytes))
  expect(pages.length).toBeGreaterThan(1)
  const words = pages.map((page) => page.replaceAll(/\s+/g, ' '))
  expect(words[0]).toContain(`Bill to ${buyer.company}`)
  // As many licences as end on a page begin on it.
  for (const [at, page] of words.entries()) {
    expect(page).toContain(`page ${at + 1} of ${pages.length}`)
    const begun = page.match(/Licence A-\w+-L\d+,/g)?.length ?? 0
    expect(page.match(/Reverse charge: the buyer accounts/g)?.length ?? 0).toBe(begun)
  }
})

/** The words of each page of a PDF. */
async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), {
    mergePages: false,
  })
  return text.map((page) => page.replaceAll(/\s+/g, ' '))
}

/** More lines than a page has room for. */
const many = (
  [
    ['blue-hour-fine-art-print', '30x40-matte'],
    ['blue-hour-fine-art-print', '50x70-matte'],
    ['blue-hour-fine-art-print', '70x100-matte'],
    ['blue-hour-fine-art-print', '50x70-oak-frame'],
    ['kerb-at-golden-hour-fine-art-print', '50x70-baryta'],
    ['kerb-at-golden-hour-fine-art-print', '70x100-baryta'],
    ['five-red-lights-poster', '50x70'],
    ['five-red-lights-poster', '70x100'],
    ['five-red-lights-poster', '50x70-oak-hanger'],
    ['ice-track-poster', '50x70'],
    ['ice-track-poster', '70x100'],
    ['wall-calendar-2027', 'a3'],
    ['wall-calendar-2027', 'a2'],
    ['north-of-the-line-photo-book', 'hardcover'],
    ['north-of-the-line-photo-book', 'signed-with-print'],
    ['yearbook-2026', 'softcover'],
    ['parc-ferme-quarterly', 'four-issues'],
    ['paddock-postcards', 'box-of-twelve'],
    ['light-trails-limited-edition', '60x90-edition-of-30'],
    ['pit-lane-in-the-rain-acrylic', '60x90-acrylic'],
    ['pit-lane-in-the-rain-acrylic', '80x120-acrylic'],
    ['pit-lane-in-the-rain-acrylic', '100x150-acrylic'],
  ] as const
).map((line) => [...line, 1] as const)

test('a table that goes on to another page has its head there, too, and the page says whose it is', async () => {
  await using site = await startSite({ env: { SHARES: 'off' } })
  const long = await orderByInvoice(site, many)
  const short = await orderByInvoice(site, [print])
  const directory = mkdtempSync(join(tmpdir(), 'pitlane-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const written = async (...args: string[]) => {
    const out = join(directory, `${args[0]}.pdf`)
    await runOn(site, 'orders', ...args, '--out', out)
    return pagesOf(readFileSync(out))
  }
  const invoice = await written('documents', long.order)
  expect(invoice.length).toBeGreaterThan(1)
  for (const [at, page] of invoice.entries()) {
    expect(page).toContain(`, page ${at + 1} of ${invoice.length}`)
    // All pages but that of the payment have lines.
    if (page.includes('Finnish VAT')) expect(page).toContain('Item Qty Unit, net Net VAT Total')
  }

  for (const { order } of [long, short]) await runOn(site, 'orders', 'paid', order)
  const slips = await written('packing', long.order, short.order)
  expect(slips).toHaveLength(3)
  expect(slips[1]).toContain('Packed Pieces Item Article')
  expect(slips.map((page) => /Packing slip \S+, page \d of \d/.exec(page)?.[0])).toEqual([
    `Packing slip ${long.order}, page 1 of 2`,
    `Packing slip ${long.order}, page 2 of 2`,
    undefined,
  ])
})

test('a note of a call sheet has its heading above it, not at the foot of the page before', async () => {
  const seller = {
    name: 'Apex North Media Oy',
    address: [],
    street: null,
    postcode: null,
    city: null,
    businessId: null,
    vatId: null,
    email: null,
    phone: null,
    iban: null,
    bic: null,
  }
  for (let lines = 40; lines < 52; lines += 1) {
    const first = Array.from({ length: lines }, (_, at) => `Line ${at}`).join('\n')
    const bytes = await callSheetPdf(
      {
        reference: 'B-1',
        service: 'Photography',
        date: '2026-11-20',
        facts: [],
        days: [],
        crew: [],
        notes: [
          ['Note', first],
          ['From the client', 'Ask for Kari.'],
        ],
      },
      seller,
    )
    const page = (await pagesOf(bytes)).find((each) => each.includes('From the client'))
    expect([lines, page]).toEqual([lines, expect.stringContaining('Ask for Kari.')])
  }
})
