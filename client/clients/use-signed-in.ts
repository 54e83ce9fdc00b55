import { useRouteLoaderData } from 'react-router'
import type { PageSeoData } from '../site/head/seo-loader.ts'

/** Who is signed in on a page of tools, as the server says; null for visitors. */
export function useSignedIn() {
  const session = useRouteLoaderData<PageSeoData>('pages')?.session
  return session?.signedIn ? session : null
}
