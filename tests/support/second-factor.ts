import { Secret, TOTP } from 'otpauth'
import type { FactorActs } from '#server/clients/second-factor/factor-acts.ts'
import type { Code } from '#server/clients/schema.ts'
import { makeClient, tryCode } from './clients.ts'
import type { Site } from './site.ts'

type Options = Parameters<Site['post']>[2]

/** The number that an authenticator app shows. @param at milliseconds of the epoch */
export const numberAt = (secret: string, at: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at })

/** A number that is none of those near an instant. */
export function wrongNumber(secret: string, at: number): string {
  const near = [-2, -1, 0, 1, 2].map((step) => numberAt(secret, at + step * 30_000))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (number) => !near.includes(number),
  )!
}

/** The code of a client as it is now. */
export const codeWith = ({ context }: Site, codeId: number): Code =>
  context.features.clients.codes.find(codeId)!

/** The acts on second factors of a site. */
const actsOf = ({ context }: Site): FactorActs => context.features.clients.factorActs

/** Adds a second factor to a code; half a minute later its first number is gone. */
export async function addFactor(site: Site, codeId: number) {
  const { secret } = await actsOf(site).begin(codeWith(site, codeId))
  const recovery = await actsOf(site).confirm(
    codeWith(site, codeId),
    numberAt(secret, site.clock()),
    'mika',
  )
  site.clock.advance(60_000)
  return { secret, recovery }
}

/** A staff code with a second factor. */
export async function makeGuarded(site: Site, rules: Parameters<typeof makeClient>[1] = {}) {
  const made = await makeClient(site, {
    name: 'Staff',
    panel: 'staff',
    label: 'Aino',
    scopes: ['view', 'desk'],
    ...rules,
  })
  return { ...made, ...(await addFactor(site, made.codeId)) }
}

/** Enters a right code. @returns the challenge that it was answered with */
export async function challengeOf(
  site: Site,
  code: string,
  options: Options = {},
): Promise<string> {
  const { json, status, text } = await tryCode(site, code, options)
  if (status !== 401 || typeof json?.challenge !== 'string') {
    throw new Error(`The code was answered with ${status} ${text}`)
  }
  return json.challenge
}

/** Answers a challenge. */
export const tryNumber = (site: Site, challenge: unknown, number: unknown, options: Options = {}) =>
  site.post('/api/authenticate-client/number', { challenge, number }, options)
