import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { addToTicket, claimTicket, getTicket } from '#shared/contact/tickets.ts'
import { postedEntries, sendBack } from '../forms/form-action.ts'
import { randomHex } from '../random-hex.ts'
import { siteOf } from '../site/data/loading.ts'

/** The ticket of a visitor's signed link; a link that is not ours is a page that is not there. */
export async function loader(args: LoaderFunctionArgs) {
  const { token = '' } = args.params
  return { token, key: randomHex(), ticket: await siteOf(args).api(getTicket, { token }) }
}

/** The data of a visitor's ticket page. */
export type TicketData = Awaited<ReturnType<typeof loader>>

/**
 * Adds something to the ticket of a visitor's link, or says that the visitor wrote what came under
 * their address; the address says which. Claiming it a second time changes nothing.
 */
export async function action(args: ActionFunctionArgs) {
  const { token = '' } = args.params
  const { api } = siteOf(args)
  const entries = await postedEntries(args.request)
  const { text = '', key = '' } = entries
  const isClaim = new URL(args.request.url).pathname === paths.ticketClaim(token)
  try {
    await (isClaim ? api(claimTicket, { token }) : api(addToTicket, { token, text, key }))
    return redirect(toResult(paths.ticket(token)))
  } catch (thrown) {
    return sendBack(thrown, entries)
  }
}
