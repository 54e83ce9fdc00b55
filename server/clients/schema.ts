import * as z from 'zod/mini'
import { scopes, type Scope } from '#shared/clients/secret-code.ts'
import {
  defineTable,
  integer,
  json,
  made,
  nullable,
  text,
  type NewRowOf,
  type RowOf,
} from '../db/table.ts'

/** Clients of the agency; staff are clients, too. Times are milliseconds of the epoch. */
export const clients = defineTable('clients', {
  id: made(integer()),
  /** The last part of the panel's address; opens nothing by itself. */
  panel: text(),
  name: text(),
  season: nullable(text()),
  createdAt: integer(),
  disabledAt: nullable(integer()),
})

/** Addresses whose tickets belong to a client. */
export const clientEmails = defineTable('client_emails', {
  clientId: integer('client'),
  email: text(),
})

/** A client, with its email addresses. */
export type Client = RowOf<typeof clients> & { readonly emails: readonly string[] }

const knownScopes: z.ZodMiniType<readonly Scope[]> = z.array(z.enum(scopes))

/** Secret codes, as far as they are still known. */
export const codes = defineTable('codes', {
  id: made(integer()),
  clientId: integer('client'),
  /** Keyed hash of the normalised code; the code itself is nowhere. */
  hash: text(),
  /** Who has it, or what it is for. */
  label: text(),
  scopes: json(knownScopes),
  createdAt: integer(),
  expiresAt: nullable(integer()),
  maxUses: nullable(integer()),
  uses: made(integer()),
  lastUsedAt: made(nullable(integer())),
  revokedAt: made(nullable(integer())),
})

/** A secret code. */
export type Code = RowOf<typeof codes>

/** Sessions of those who signed in with a code. */
export const sessions = defineTable('sessions', {
  id: made(integer()),
  /** Of the cookie. */
  hash: text(),
  codeId: integer('code'),
  createdAt: integer(),
  seenAt: integer(),
  expiresAt: integer(),
  /** The name that the visitor gave on entering; nothing depends on it. */
  who: nullable(text()),
  /** From where it began, without the host part of the address; null for older sessions. */
  network: nullable(text()),
  /** With what it began, in words such as “Firefox on Windows”. */
  browser: nullable(text()),
})

/** Authenticator apps that codes ask a number of. */
export const secondFactors = defineTable('second_factors', {
  codeId: integer('code'),
  /** Base32, encrypted with a key derived from the site's. */
  secret: text(),
  createdAt: integer(),
  /** Of the last number that was taken, in 30 seconds since the epoch. */
  lastStep: integer(),
  /** Wrong numbers since the last right one. */
  wrong: made(integer()),
  wrongAt: made(nullable(integer())),
})

/** The second factor of a code. */
export type SecondFactor = RowOf<typeof secondFactors>

/** Secrets that wait for the first number of the app. */
export const pendingFactors = defineTable('pending_factors', {
  codeId: integer('code'),
  secret: text(),
  createdAt: integer(),
})

/** What opens once in place of a number. */
export const recoveryCodes = defineTable('recovery_codes', {
  codeId: integer('code'),
  /** Keyed with the secret of the factor. */
  hash: text(),
})

/** Right codes that wait for their number. */
export const signInChallenges = defineTable('sign_in_challenges', {
  /** 128 random bits, in its token. */
  id: text(),
  codeId: integer('code'),
  who: nullable(text()),
  createdAt: integer(),
  wrong: made(integer()),
})

/** A right code that waits for its number. */
export type SignInChallenge = RowOf<typeof signInChallenges>

/** What happened in clients' names. */
export const clientActivity = defineTable('client_activity', {
  id: made(integer()),
  clientId: integer('client'),
  codeId: nullable(integer('code')),
  at: integer(),
  /** `sign-in`, `sign-out`, `download`, `selection` and what other nouns add. */
  kind: text(),
  /** For people; shown to the client. */
  detail: text(),
  /** Who of the people with this code it was, as they said themselves. */
  who: nullable(text()),
})

/** What is written down of something that happened. */
export type NewActivity = Omit<NewRowOf<typeof clientActivity>, 'at' | 'who'> & {
  who?: string | null
}

/** Blocks that staff put into panels. */
export const panelBlocks = defineTable('panel_blocks', {
  id: made(integer()),
  clientId: integer('client'),
  position: integer(),
  kind: text(),
  title: nullable(text()),
  /** In the form that its kind reads. */
  data: json<unknown>(z.unknown()),
})

/** A block of a panel. */
export type PanelBlock = Omit<RowOf<typeof panelBlocks>, 'position'>

/** Files of blocks. */
export const panelFiles = defineTable('panel_files', {
  /** 128 random bits, and the name on disk. */
  id: text(),
  block: integer(),
  /** As the client gets it. */
  name: text(),
  bytes: integer(),
  addedAt: integer(),
})

/** A file of a block, with the client whose panel it is in. */
export type PanelFile = RowOf<typeof panelFiles> & { readonly clientId: number }
