import * as z from 'zod/mini'
import { unavailable } from './unavailable.ts'

/** A reply that stays the same however often it is asked for: missing, forbidden or badly asked. */
export type Refusal = Error & { readonly refused: number }

/** Tells a {@link Refusal} from any other thrown value. */
export const isRefusal = (thrown: unknown): thrown is Refusal =>
  thrown instanceof Error && 'refused' in thrown

/** The longest reply that is read, in bytes. */
export const largestBody = 64 * 1024 * 1024

/** What a Directus says itself; a proxy in front of a stopped one says 404 in its own words. */
const refusalBody = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string() }) })).check(z.minLength(1)),
})

/** The body piece by piece; each one is a sign of life. */
export async function* pieces(response: Response, quiet: NodeJS.Timeout): AsyncGenerator<Buffer> {
  if (!response.body) return
  for await (const piece of response.body) {
    quiet.refresh()
    yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  }
}

/** The body as it comes. @throws a refusal when there is more than so many bytes */
export async function* bounded(body: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > most) throw refusal(413, 'The file is too large.')
    yield piece
  }
}

/** All of a body. @throws as {@link bounded} */
export async function whole(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of bounded(body, most)) all.push(piece)
  return Buffer.concat(all)
}

/** What tells one version of a file from another, by the headers of its reply. */
export const stampFrom = ({ headers }: Response) =>
  ['content-length', 'last-modified'].map((name) => headers.get(name) ?? '').join('|')

/** Whether a body is what a Directus says of a request, and not what a proxy before it says. */
export function isItsOwn(body: Buffer): boolean {
  try {
    return refusalBody.safeParse(JSON.parse(body.toString())).success
  } catch {
    return false
  }
}

/** A server error that is no sign of pressure seldom goes away by asking on. */
export function isBroken(err: unknown): boolean {
  const status = err instanceof Error && 'upstream' in err ? Number(err.upstream) : 0
  return status === 500 || status === 501
}

/** What to throw for a no that stays one. */
export function refusal(status: number, said: string, statusText = ''): Refusal {
  const { message } = unavailable(status, { statusText })
  return Object.assign(new Error(message, { cause: new Error(said) }), { refused: status })
}

/** What was thrown, as the failure that a reader gets. */
export function worded(err: unknown, path: string) {
  if (err instanceof Error && 'failure' in err) return err
  const timedOut = err instanceof Error && err.name === 'TimeoutError'
  return unavailable(timedOut ? 504 : 502, { cause: new Error(path, { cause: err }) })
}
