import * as z from 'zod/mini'
import { minuteMs } from '#shared/dates/durations.ts'
import type { VatCheck } from '#shared/shop/vat-check.ts'
import type { Platform } from '../../feature.ts'

/** Asks VIES about a VAT id with its country in front. Never rejects. */
export type Vies = (vatId: string) => Promise<VatCheck>

/** Milliseconds that the register has to answer: less than a page waits for its data. */
const answerTimeout = 3_000
/** How long an answer is reused, so that order and quote have the same price. */
const answerMs = 60 * minuteMs
/** How long to wait before asking again after no answer. */
const downMs = 15_000
/** Answers that are remembered; the oldest are forgotten. */
const maxAnswers = 1_000

const optionalText = z.optional(z.nullable(z.string().check(z.maxLength(1_000))))

/** The parts of an answer that count; an error of the register has no `valid`. */
const answerSchema = z.object({
  valid: z.boolean(),
  requestIdentifier: optionalText,
  name: optionalText,
  address: optionalText,
  userError: optionalText,
})

/** The register's error where it doesn't know who asks, as `userError` or in a list of errors. */
const noRequester = 'INVALID_REQUESTER_INFO'

/** The register's errors that mean it couldn't check, rather than that the ID is invalid. */
const isNoAnswer = (error: string | null | undefined) =>
  Boolean(error) && !['VALID', 'INVALID', 'INVALID_INPUT'].includes(error!)

/**
 * Creates the client of VIES's REST interface (`POST {url}/check-vat-number`).
 * @param options `requester` is the seller's own VAT id, without which there is no consultation number
 */
export function createVies({
  url,
  requester,
  clock,
  log,
}: {
  url: string
  requester: () => Promise<string | null>
  clock: () => number
  log: Pick<Platform['log'], 'warn'>
}): Vies {
  const answers = new Map<string, Promise<VatCheck>>()

  const question = async (vatId: string, own: string | null, signal: AbortSignal) => {
    const response = await fetch(`${url.replace(/\/+$/, '')}/check-vat-number`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        countryCode: vatId.slice(0, 2),
        vatNumber: vatId.slice(2),
        ...(own && { requesterMemberStateCode: own.slice(0, 2), requesterNumber: own.slice(2) }),
      }),
      redirect: 'error',
      signal,
    })
    return { text: await response.text(), isOk: response.ok }
  }

  const ask = async (vatId: string): Promise<VatCheck> => {
    const own = await requester()
    const signal = AbortSignal.timeout(answerTimeout)
    let answer = await question(vatId, own, signal)
    if (own && answer.text.includes(`"${noRequester}"`)) {
      // No fault of the buyer's: without ours it answers, too, but gives no consultation number.
      log.warn({ own }, 'VIES doesn’t know our own VAT ID, so it gives no consultation numbers')
      answer = await question(vatId, null, signal)
    }
    const { text, isOk } = answer
    const { valid, requestIdentifier, name, address, userError } = answerSchema.parse(
      JSON.parse(text.slice(0, 20_000)),
    )
    if (!isOk || isNoAnswer(userError)) throw new Error(`VIES: ${userError ?? text}`)
    const known = (part: string | null | undefined) => (part && part !== '---' ? part : null)
    return {
      state: valid ? 'yes' : 'no',
      at: clock(),
      consultation: known(requestIdentifier),
      name: known(name),
      address: known(address),
    }
  }

  return async (vatId) => {
    const known = await answers.get(vatId)
    const age = known ? Math.abs(clock() - known.at) : Infinity
    if (known && age < (known.state === 'down' ? downMs : answerMs)) return known
    const asked = ask(vatId).catch((err: unknown): VatCheck => {
      log.warn({ err }, 'VIES not reached')
      return { state: 'down', at: clock(), consultation: null, name: null, address: null }
    })
    answers.delete(vatId)
    answers.set(vatId, asked)
    for (const oldest of answers.keys()) {
      if (answers.size <= maxAnswers) break
      answers.delete(oldest)
    }
    return asked
  }
}
