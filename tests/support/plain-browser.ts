import { send, type Reply } from './send.ts'
import type { Site } from './site.ts'

/** A browser without scripts: it has no token, keeps its cookies and follows a redirect by hand. */
export function plainBrowser(site: Site) {
  const cookies = new Map<string, string>()
  const keep = (reply: Reply) => {
    for (const set of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (name) cookies.set(name, value!)
    }
    return reply
  }
  const headers = () => ({
    Cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
    Accept: 'text/html',
  })
  return {
    cookies,
    get: async (path: string) => keep(await send(site.url + path, { headers: headers() })),
    submit: async (
      path: string,
      fields: Readonly<Record<string, string>>,
      from: Readonly<Record<string, string>> = {
        Origin: site.url,
        'Sec-Fetch-Site': 'same-origin',
      },
    ) =>
      keep(
        await send(site.url + path, {
          method: 'POST',
          headers: { ...headers(), ...from, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields).toString(),
        }),
      ),
  }
}
