import { data, type LoaderFunctionArgs } from 'react-router'
import { viewLink, type LinkView } from '#shared/links.ts'
import { siteOf } from '../site/data/loading.ts'

/** What may be known of the link of an address; one with a + behind it is only looked at. */
export async function loader(args: LoaderFunctionArgs) {
  const { code: given = '' } = args.params
  const preview = given.endsWith('+')
  const view = await siteOf(args).api(viewLink, { code: preview ? given.slice(0, -1) : given })
  const status = view.state === 'live' ? 200 : view.state === 'gone' ? 410 : 404
  return data({ view, preview }, { status })
}

/** The data of a short link's page. */
export type RedirectData = { view: LinkView; preview: boolean }
