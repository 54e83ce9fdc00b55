import { request, type IncomingHttpHeaders } from 'node:http'

/** A reply as it came over the wire; `json` is the parsed body, undefined when it is not JSON. */
export type Reply = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json: Record<string, unknown> | undefined
}

/** A CSRF value as the browser makes them. */
const token = '0123456789abcdef0123456789abcdef'

/** Cookie and header of a browser that made its CSRF value. */
export const csrfHeaders = { Cookie: `X-CSRF-TOKEN=${token}`, 'X-CSRF-TOKEN': token }

/**
 * Sends one HTTP request exactly as told; fetch would add headers and refuse others.
 * @param options `body`: a string as it is, anything else as JSON; `from`: the local address,
 *   any of 127.0.0.0/8, to play another client
 */
export function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    from,
  }: { method?: string; headers?: Record<string, string>; body?: unknown; from?: string } = {},
): Promise<Reply> {
  const bytes =
    body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        agent: false,
        ...(from && { localAddress: from }),
        headers: { ...(bytes && { 'Content-Length': String(bytes.length) }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: parsed(text),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
  })
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
