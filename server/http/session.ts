/**
 * Who is signed in, as far as every request has to know. The feature that finds sessions knows more of them.
 * Times are milliseconds of the epoch.
 */
export type Session = {
  readonly name: string
  /** What may be done, in the words of those who ask for it. */
  readonly scopes: ReadonlySet<string>
  /** What is said where a scope is missing. */
  readonly refusal: string
  readonly expiresAt: number
}

/** Finds the session that the cookies of a request belong to. */
export type FindSession = (
  cookies: Readonly<Record<string, unknown>>,
  now: number,
) => Session | null
