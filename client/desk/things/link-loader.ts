import { redirect, type LoaderFunctionArgs } from 'react-router'
import { findDeskLink } from '#shared/desk/things.ts'
import { siteOf } from '../../site/data/loading.ts'

/** Opens the page that a link in a staff email is for. */
export async function loader(args: LoaderFunctionArgs) {
  const { href } = await siteOf(args).api(findDeskLink, { token: args.params.token ?? '' })
  return redirect(href)
}
