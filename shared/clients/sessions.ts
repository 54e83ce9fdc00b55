import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'

/** An open session as staff are shown it; times are ISO timestamps. */
export type SessionLine = {
  id: number
  /** Who it is: the name given when signing in, else the code's label, else its client. */
  who: string
  /** The label of its code; empty for none. */
  label: string
  since: string
  /** Of its last use, written down every ten minutes. */
  lastUsed: string
  /** From where, without the host part of the address; null for unknown. */
  network: string | null
  /** With what, such as “Firefox on Windows”; null for unknown. */
  browser: string | null
  /** Whether it is the one that asks. */
  isThis: boolean
}

/** The sessions of the visitor's code and, for codes with `ops`, those of all other staff codes. */
export const getSessions = endpoint({
  method: 'GET',
  path: '/api/desk/sessions',
  input: z.object({}),
  output: json<{ own: SessionLine[]; others: SessionLine[] | null }>(),
})

/** Ends one of them by its number, or all others of the visitor's code. */
export const endSessions = endpoint({
  method: 'POST',
  path: '/api/desk/sessions',
  input: z.object({
    session: z.union([z.literal('others'), z.string().check(z.regex(/^[1-9]\d{0,14}$/))]),
  }),
  output: json<{ success: true; ended: number }>(),
})
