import { data, type LoaderFunctionArgs } from 'react-router'
import { viewLink, type LinkView } from '#shared/links.ts'
import { siteOf } from '../site/data/loading.ts'

/** What may be known of the link of an address; one with a + behind it is only looked at. */
export async function loader(args: LoaderFunctionArgs) {
  const { code: given = '' } = args.params
  const preview = given.endsWith('+')
  const view = await siteOf(args).api(viewLink, { code: preview ? given.slice(0, -1) : given })
  const { search, searchParams } = new URL(args.request.url)
  const wrong = searchParams.has('wrong')
  return data({ view, preview, wrong, search }, { status: statuses[view.state] })
}

const statuses = { live: 200, locked: 200, gone: 410, missing: 404 } as const

/**
 * The data of a short link's page; `wrong` after a password that is not the link's, `search` with what the
 * address has after it, for a link that passes that on.
 */
export type RedirectData = { view: LinkView; preview: boolean; wrong: boolean; search: string }
