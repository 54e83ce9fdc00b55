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
  /** The name that the visitor gave on entering; nothing depends on it. */
  readonly who: string | null
  readonly expiresAt: number
}

/** Finds the session that the cookies of a request belong to. */
export type FindSession = (
  cookies: Readonly<Record<string, unknown>>,
  now: number,
) => Session | null
