import { library } from '../../library.ts'

const otp = library('otpauth')

/** What authenticator apps expect unless told otherwise (RFC 6238): six digits every 30 seconds. */
const rules = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Steps before and after the present one whose numbers count, for clocks that differ. */
const window = 1

/** A new secret of 160 bits, in base32. */
export const newFactorSecret = (): string => new (otp().Secret)({ size: 20 }).base32

/**
 * The address that an authenticator app reads from a QR code.
 * @param issuer whose codes they are, such as the site's host
 * @param label which code it is
 */
export const factorAddress = (secret: string, issuer: string, label: string): string => {
  const { Secret, TOTP } = otp()
  return new TOTP({ ...rules, issuer, label, secret: Secret.fromBase32(secret) }).toString()
}

/**
 * The step that a number belongs to.
 * @param typed six digits
 * @param at milliseconds of the epoch
 * @returns the count of 30 seconds since the epoch; null for a number of no step near `at`
 */
export function stepOf(secret: string, typed: string, at: number): number | null {
  const { Secret, TOTP } = otp()
  const delta = TOTP.validate({
    ...rules,
    secret: Secret.fromBase32(secret),
    token: typed,
    timestamp: at,
    window,
  })
  return delta === null ? null : TOTP.counter({ period: rules.period, timestamp: at }) + delta
}

/** Six digits as typed, without what apps and people put between them; null for anything else. */
export function asNumber(typed: string): string | null {
  const digits = typed.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}]+/gu, '')
  return /^\d{6}$/.test(digits) ? digits : null
}
