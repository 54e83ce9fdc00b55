import type { Scope } from '#shared/secret-code.ts'

/** Who is signed in. Times are milliseconds of the epoch. */
export type Session = {
  readonly id: number
  readonly clientId: number
  /** The client's name. */
  readonly name: string
  /** The last part of the panel's address. */
  readonly panel: string
  readonly scopes: ReadonlySet<Scope>
  readonly codeId: number
  /** The name that somebody gave on entering; nothing depends on it. */
  readonly who: string | null
  readonly expiresAt: number
}

/** Finds the session of a cookie. */
export type FindSession = (cookie: unknown, now: number) => Session | null
