import type { CodeRules } from '#server/clients/codes.ts'
import type { Site } from './site.ts'

/** A client with one code, as staff would make them. */
export async function makeClient(
  { context }: Site,
  {
    name = 'Nordic Rally Team',
    panel = 'nordic-rally-team',
    emails = [],
    chosen,
    ...rules
  }: Partial<CodeRules> & {
    name?: string
    panel?: string
    emails?: string[]
    chosen?: string
  } = {},
) {
  const {
    commit,
    features: { clients },
  } = context
  return commit((tx) => {
    const client = clients.add(tx, { name, panel, season: '2027', emails })
    const made = clients.codes.add(
      tx,
      client.id,
      { label: '', scopes: ['view', 'download'], expiresAt: null, maxUses: null, ...rules },
      chosen,
    )
    return { client, codeId: made.id, code: made.code }
  })
}

/** A client without a code, whose panel is `team`. */
export const addTeam = ({ context }: Site) =>
  context.commit((tx) =>
    context.features.clients.add(tx, { name: 'Team', panel: 'team', season: null, emails: [] }),
  )

/** Tries a secret code as the form does. */
export const tryCode = (
  site: Site,
  secretCode: unknown,
  options: Parameters<Site['post']>[2] = {},
) => site.post('/api/authenticate-client', { secretCode }, options)

/** Signs in. @returns the Cookie header of the session */
export async function signIn(
  site: Site,
  code: string,
  options: Parameters<Site['post']>[2] = {},
): Promise<string> {
  const { headers, status, text } = await tryCode(site, code, options)
  const [cookie] = headers['set-cookie'] ?? []
  if (status !== 200 || !cookie) throw new Error(`Signing in was answered with ${status} ${text}`)
  return cookie.split(';')[0]!
}
