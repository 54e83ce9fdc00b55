import { address, type ApiClient } from '#shared/endpoint.ts'
import { tokenHeaders } from './site/security-token.ts'

/** An error reply of our own API, or of the content service. */
export class ApiError extends Error {
  readonly status: number
  readonly body: { message?: string; errors?: Record<string, string>; retryAfter?: number } | null

  constructor(status: number, statusText: string, body: ApiError['body']) {
    super(body?.message ?? `API error: ${status} ${statusText}`)
    this.status = status
    this.body = body
  }
}

/**
 * The browser's {@link ApiClient}: fetch with JSON both ways.
 * @throws ApiError for a reply that is not ok, unless the endpoint answers with it; what fetch throws
 *   when there is no reply, and a TypeError, too, for an ok one that is not JSON
 */
export const api: ApiClient = (endpoint, input, { proof } = {}) =>
  send(endpoint, input, {
    ...(endpoint.method !== 'GET' && tokenHeaders()),
    ...(proof && { 'X-Form-Proof': proof }),
  })

/** {@link api} with extra headers, such as the security token or a form proof. */
export async function send<Answer>(
  endpoint: Parameters<typeof address>[0] & { output?: { status: (answer: Answer) => number } },
  input: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { url, body } = address(endpoint, input)
  const response = await fetch(url, {
    method: endpoint.method,
    headers: body === null ? headers : { 'Content-Type': 'application/json', ...headers },
    body,
  })
  const reply: unknown = await response.json().catch(() => undefined)
  // Some endpoints answer with a value, such as why a gallery isn't open, and its status.
  const isValue =
    reply instanceof Object && endpoint.output?.status(reply as Answer) === response.status
  if (!response.ok && !isValue) {
    const retryAfter = Number(response.headers.get('retry-after')) || undefined
    throw new ApiError(
      response.status,
      response.statusText,
      reply instanceof Object ? Object.assign(reply, { retryAfter }) : null,
    )
  }
  // A page of something in between, as of a hotel's network, is no answer of ours.
  if (reply === undefined) throw new TypeError(`No JSON: ${url}`)
  return reply as Answer
}
