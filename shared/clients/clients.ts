import * as z from 'zod/mini'
import { endpoint, json } from '../endpoint.ts'
import type { BlockView } from './panel-block.ts'
import type { Scope } from './secret-code.ts'

/** What the browser may know of its session; `expiresAt` is an ISO timestamp. */
export type SessionFacts = {
  /** The client's name. */
  name: string
  /** The last part of the panel's address. */
  panel: string
  scopes: Scope[]
  expiresAt: string
}

/** The reply to a right code (docs/contract.md, Clients and panels). Wrong ones are failures. */
export type SignInReply = { success: true; message: string; data: SessionFacts }

/** Something else than what is asked for counts as a plain value. */
const orElse = z.catch

/**
 * Opens a session with a secret code. The answer itself judges the code, so every wrong one
 * gets the same reply; texts other than the field's own are taken as wrong codes.
 */
export const authenticateClient = endpoint({
  method: 'POST',
  path: '/api/authenticate-client',
  input: z.object({
    secretCode: orElse(z.string(), ''),
    /** Who of several people with one code it is; nothing depends on it. */
    name: z.optional(orElse(z.string(), '')),
  }),
  output: json<SignInReply>(),
})

/**
 * Answers the challenge that came with a right code (401 with the code `totp`): a number of the
 * authenticator app, or a recovery code. Replies as {@link authenticateClient}.
 */
export const confirmSignIn = endpoint({
  method: 'POST',
  path: '/api/authenticate-client/number',
  input: z.object({
    /** Left out by pages that were not told it; then the cookie of the form has it. */
    challenge: z.optional(orElse(z.string(), '')),
    number: orElse(z.string(), ''),
  }),
  output: json<SignInReply>(),
})

/** Who am I. */
export const getSession = endpoint({
  method: 'GET',
  path: '/api/session',
  input: z.object({}),
  output: json<({ signedIn: true } & SessionFacts) | { signedIn: false }>(),
})

/** A part of a panel. `id` is unique in the panel and is in its address as a fragment. */
export type Block = { id: string; kind: string; title: string } & BlockView

/** Something that happened in a client's name, as the client may see it. */
type ActivityLine = { at: string; text: string }

/** A client's panel. */
export type Panel = {
  name: string
  panel: string
  season: string | null
  scopes: Scope[]
  expiresAt: string
  blocks: Block[]
  activity: ActivityLine[]
  /** Whether galleries were delivered of which none is open any more. */
  isClosed?: true
}

/**
 * A panel for the session that owns it; `panel` left out means the session's own. Null is the
 * answer for everything else: no session, no such panel, someone else's.
 */
export const getPanel = endpoint({
  method: 'GET',
  path: '/api/panel',
  input: z.object({ panel: z.optional(z.string()) }),
  output: json<{ panel: Panel | null }>(),
})
