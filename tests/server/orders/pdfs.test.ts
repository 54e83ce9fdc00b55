import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { buildIfMissing } from '#server/build.ts'
import { createWorkerThread } from '#server/worker-thread.ts'
import { settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startProcess } from '../../support/server-process.ts'
import { orderByInvoice } from '../../support/shop.ts'
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
  expect(await fetchPdf(server.url, token)).toEqual(drawn)
  expect(await server.kill('SIGTERM')).toBe(0)
})
