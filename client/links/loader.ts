import type { LoaderFunctionArgs } from 'react-router'
import { getSession } from '#shared/clients/clients.ts'
import type { LinkFilter } from '#shared/link-rules.ts'
import { listLinks } from '#shared/links.ts'
import { siteOf } from '../site/data/loading.ts'

/** Who is here, and for those who may see them the links that the address asks for. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const session = await api(getSession, {})
  if (!session.signedIn || !session.scopes.includes('links')) return { session, found: null }
  const query = new URL(args.request.url).searchParams
  const search = {
    q: (query.get('q') ?? '').slice(0, 100),
    state: (query.get('state') ?? undefined) as LinkFilter | undefined,
    tag: (query.get('tag') ?? '').slice(0, 30) || undefined,
  }
  const asked = await api(listLinks, { ...search, page: Number(query.get('page') ?? 1) })
  // Links that were removed since may have taken the last pages with them.
  const isBeyond = asked.page > asked.pages
  const page = isBeyond ? await api(listLinks, { ...search, page: asked.pages }) : asked
  return { session, found: { ...search, ...page } }
}

/** The data of /links. */
export type LinksData = Awaited<ReturnType<typeof loader>>

/** What staff see. */
export type FoundLinks = NonNullable<LinksData['found']>
