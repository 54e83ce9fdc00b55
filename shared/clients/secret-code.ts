/**
 * What a secret code may open (docs/contract.md, Clients and panels); a session has the scopes of
 * the code that it began with. cli/clients/codes.ts says what each opens.
 */
export const scopes = [
  'view',
  'web',
  'download',
  'select',
  'manage',
  'links',
  'ops',
  'desk',
] as const

/** Those of staff's codes, which alone can have a second factor. */
export const staffScopes = ['links', 'ops', 'desk'] as const satisfies readonly Scope[]

/** One of {@link scopes}. */
export type Scope = (typeof scopes)[number]

/** What a client does in the panel and its galleries, so each opens something only with `view`. */
const inPanelScopes = ['web', 'download', 'select', 'manage'] as const satisfies readonly Scope[]

/** The scopes of a code that open nothing because `view` isn't among them. */
export const idleScopes = (given: readonly Scope[]): Scope[] =>
  given.includes('view') ? [] : inPanelScopes.filter((scope) => given.includes(scope))

/** What the form says (docs/contract.md, Clients and panels), word for word. */
export const codeMessages = {
  short: 'Secret code must be at least 3 characters long',
  wrong: 'Invalid secret code. Please try again.',
  right: 'Authentication successful',
  number: 'Enter the number from your authenticator app.',
  wrongNumber: 'Wrong number. Try the one your app shows now.',
  tooManyNumbers: 'Too many wrong numbers. Please enter your secret code again.',
  late: 'That took too long. Please enter your secret code again.',
  unreachable: 'An error occurred during authentication. Please try again later.',
} as const

/**
 * Fewest characters that are worth asking the server about (docs/contract.md, Clients and panels).
 */
export const minCodeLength = 3

/**
 * A code as it is compared: without case, spaces and dashes, and with the look-alikes of
 * Crockford's alphabet as one, so what is read from paper or over the telephone works.
 */
export function normalCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}\p{Cf}]+/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
}

/** Pages of this site, with what they were asked for, that a form without scripts may lead to after signing in. */
const destinations =
  /^\/(?:panel|s|links|desk|debug\/logs|client-zone)(?:\/\w[\w%.~@+-]*)*(?:\?[\w%.~*!'()+=&-]*)?$/

/** Where to go after signing in: the page that was asked for, when it is one of ours. */
export const destination = (wanted: unknown): string | null =>
  typeof wanted === 'string' && wanted.length <= 500 && destinations.test(wanted) ? wanted : null
