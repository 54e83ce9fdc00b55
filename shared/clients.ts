import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'
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
 * Opens a session with a secret code. The answer itself judges the code, so that every wrong one
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

/** Who am I. */
export const getSession = endpoint({
  method: 'GET',
  path: '/api/session',
  input: z.object({}),
  output: json<({ signedIn: true } & SessionFacts) | { signedIn: false }>(),
})

/** One line of a block: something to open, to fetch or just to know. */
export type BlockRow = {
  title: string
  /** Smaller, below the title. */
  detail?: string | null
  /** At the end of the line: a date, a size, a count. */
  value?: string | null
  /** A state in one or two words, and how much it matters. */
  state?: { label: string; tone: 'open' | 'done' | 'late' } | null
  href?: string | null
  /** What following `href` does: another page of ours, a file, another site. */
  way?: 'page' | 'file' | 'elsewhere'
}

/** A picture or a name that leads somewhere. */
export type BlockTile = {
  title: string
  detail?: string | null
  href: string
  /** Same-origin address of a picture in 4:3. */
  picture?: string | null
}

/** A film: a file of ours that plays in the page, or an address elsewhere. */
export type BlockVideo = { title: string; source: string | null; href: string | null }

/** How a block looks; every noun shows what it has in one of these forms. */
export type BlockView =
  | { view: 'text'; paragraphs: string[] }
  | { view: 'rows'; rows: BlockRow[]; more?: { label: string; href: string } | null }
  | { view: 'tiles'; tiles: BlockTile[] }
  | { view: 'videos'; videos: BlockVideo[] }

/** A part of a panel. `id` is unique in the panel and stands in its address as a fragment. */
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
}

/**
 * A panel for the session that owns it; `panel` left out means the session's own. Null is the
 * answer for everything else: no session, no such panel, somebody else's.
 */
export const getPanel = endpoint({
  method: 'GET',
  path: '/api/panel',
  input: z.object({ panel: z.optional(z.string()) }),
  output: json<{ panel: Panel | null }>(),
})
