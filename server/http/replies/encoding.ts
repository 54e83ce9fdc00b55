import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

/** Content encodings of replies. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** The same bytes, plain and compressed. */
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
        // A window larger than the text only costs memory.
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
 * A cheap compression stream for replies sent once; null for `identity`. Writers call `flush` when
 * data must leave at once, as React does after the shell and every part.
 */
export function compressor(encoding: Encoding): Transform | null {
  if (encoding === 'gzip') return createGzip({ level: 4 })
  if (encoding === 'identity') return null
  return createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 17 },
  })
}

/** Results of {@link preferred} by header. */
const preferences = new Map<string, Encoding>()
const maxPreferences = 200

/** The best encoding that the client accepts. */
export function preferred(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity'
  let encoding = preferences.get(accepted)
  if (encoding === undefined) {
    if (preferences.size >= maxPreferences) preferences.clear()
    preferences.set(accepted, (encoding = best(accepted)))
  }
  return encoding
}

/** `q=0` excludes an encoding (RFC 9110, 12.5.3). */
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
