import { useRouteLoaderData } from 'react-router'
import type { SiteSettings } from '#shared/content.ts'
import { usePart } from './stream.tsx'
import type { SiteData } from './loader.ts'

/** Who the agency is: names, addresses and links. The address is empty while it is not known. */
export type Identity = Partial<SiteSettings> & { brand: string; email: string }

/** What stands in while the settings cannot be read. */
export const unknownIdentity: Identity = { brand: 'Motorsport Media', email: '' }

/** The data of the shell; absent only where the shell itself failed. */
export const useSite = () => useRouteLoaderData<SiteData>('site')

/** The agency's identity as far as it is known by now. */
export function useIdentity(): Identity {
  const part = usePart(useSite()?.settings)
  return (part?.ok && part.value) || unknownIdentity
}

/**
 * The names and addresses of the Follow Us links, in the order of docs/contract.md, Contact form.
 */
export function socialLinks({ social }: Pick<Identity, 'social'>): [name: string, url: string][] {
  const known = new Map(
    Object.entries(social ?? {}).map(([name, url]) => [name.toLowerCase(), url] as const),
  )
  return ['Instagram', 'Facebook', 'X', 'Threads', 'Bluesky', 'LinkedIn'].flatMap((name) => {
    const url = known.get(name.toLowerCase())
    return url ? [[name, url] as [string, string]] : []
  })
}
