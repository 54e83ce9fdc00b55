import type { Scope } from '#shared/clients/secret-code.ts'
import { csrfHeaders } from './send.ts'
import type { Site } from './site.ts'

/** Someone whose code opens something. */
export type Staff = {
  code: string
  clientId: number
  codeId: number
  /** Headers of their browser: the session's cookie with the security token. */
  headers: Record<string, string>
}

/** Makes a client with a code of some scopes and signs in with it. */
export async function signIn(
  site: Site,
  scopes: readonly Scope[],
  { name = 'Pit Wall', panel = name.toLowerCase().replaceAll(' ', '-') } = {},
): Promise<Staff> {
  const {
    features: { clients },
  } = site.context
  const client = await site.context.commit((tx) =>
    clients.add(tx, { panel, name, season: null, emails: [] }),
  )
  const { id: codeId, code } = await site.context.commit((tx) =>
    clients.codes.add(tx, client.id, {
      label: '',
      scopes,
      expiresAt: null,
      maxUses: null,
    }),
  )
  const { headers, status } = await site.post('/api/authenticate-client', { secretCode: code })
  if (status !== 200) throw new Error(`Signing in was answered with ${status}`)
  const [cookie = ''] = [headers['set-cookie'] ?? []].flat()
  return {
    code,
    codeId,
    clientId: client.id,
    headers: {
      ...csrfHeaders,
      Cookie: `${csrfHeaders.Cookie}; ${cookie.split(';')[0]}`,
    },
  }
}
