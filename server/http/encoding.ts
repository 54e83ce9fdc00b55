import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Transform } from 'node:stream'

/** The encodings that a reply is sent in. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** The same bytes, as they are and as far as they get smaller by compression. */
export type Encodings = { identity: Buffer; br?: Buffer; gzip?: Buffer }

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Compresses bytes that are sent many times; `quality` is brotli's, 0 to 11. */
export async function compress(identity: Buffer, quality: number): Promise<Encodings> {
  const [br, gz] = await Promise.all([
    brotli(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
        // A window that is larger than the text only costs memory.
        [constants.BROTLI_PARAM_LGWIN]: windowFor(identity.length),
      },
    }),
    zip(identity, { level: 9 }),
  ])
  return { identity, br, gzip: gz }
}

/** The logarithm of the smallest brotli window that holds a text. */
const windowFor = (bytes: number) => Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes + 16))))

/**
 * A stream that compresses what is sent once, at little cost; null for `identity`. Whoever writes
 * to it says with `flush` what has to leave at once, as React does after the shell and every part.
 */
export function compressor(encoding: Encoding): Transform | null {
  if (encoding === 'gzip') return createGzip({ level: 4 })
  if (encoding === 'identity') return null
  return createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 17 },
  })
}

/** Headers that browsers send, as far as they have been looked at. */
const preferences = new Map<string, Encoding>()
const mostPreferences = 200

/** The best encoding that a client takes, by its `Accept-Encoding` header. */
export function preferred(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity'
  let encoding = preferences.get(accepted)
  if (encoding === undefined) {
    if (preferences.size >= mostPreferences) preferences.clear()
    preferences.set(accepted, (encoding = best(accepted)))
  }
  return encoding
}

/** The best of what is offered; a `q=0` is a refusal (RFC 9110, 12.5.3). */
function best(accepted: string): Encoding {
  const offers = accepted
    .toLowerCase()
    .split(',')
    .map((offer) => offer.split(';'))
  const takes = (encoding: Encoding) =>
    offers.some(
      ([name = '', ...parameters]) => name.trim() === encoding && !parameters.some(isRefusal),
    )
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}

function isRefusal(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim() === 'q' && Number(value) === 0
}
