import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/**
 * What the double answers, by VAT id with its country in front: `stranger` knows the id, and not the seller
 * who asks.
 */
export type ViesAnswer = 'yes' | 'no' | 'down' | 'slow' | 'lies' | 'stranger'

/** A server that speaks as much of VIES as the site uses. */
export type ViesDouble = AsyncDisposable & {
  readonly env: Record<string, string>
  /** Ids that were asked for so far. */
  readonly asked: string[]
  /** What it says of every id that it is asked for from now on. */
  answer: ViesAnswer
}

/** Starts the double on loopback; it knows every id until told otherwise. */
export async function startVies(): Promise<ViesDouble> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await json(request)) as Record<string, string>
      asked.push(`${body.countryCode}${body.vatNumber}`)
      const reply = (status: number, value: unknown) =>
        response
          .writeHead(status, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(value))
      if (request.url !== '/rest/check-vat-number') return reply(404, {})
      if (double.answer === 'slow') return undefined
      if (double.answer === 'lies') return reply(200, { valid: 'certainly' })
      if (double.answer === 'down') {
        return reply(200, { valid: false, userError: 'MS_UNAVAILABLE' })
      }
      if (double.answer === 'stranger' && body.requesterNumber) {
        const errorWrappers = [{ error: 'INVALID_REQUESTER_INFO' }]
        return reply(400, { actionSucceed: false, errorWrappers })
      }
      const valid = double.answer === 'yes' || double.answer === 'stranger'
      return reply(200, {
        ...body,
        valid,
        userError: valid ? 'VALID' : 'INVALID',
        requestIdentifier: body.requesterNumber ? 'WAPIAAAAZ1' : '',
        name: valid ? 'NORDSCHLEIFE GMBH' : '---',
        address: '---',
      })
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const double: ViesDouble = {
    env: { VIES_URL: `http://127.0.0.1:${port}/rest/` },
    asked,
    answer: 'yes',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}
