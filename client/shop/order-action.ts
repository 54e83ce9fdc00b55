import { data, redirect, type ActionFunctionArgs } from 'react-router'
import { openOrder } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import { refusalOf } from '../site/refusal.ts'
import { siteOf } from '../site/loading.ts'
import { entriesOf } from './entries.ts'

/** What became of a code. */
export type CodeOutcome = { isSent: boolean; error: string | null }

/** Sends a code to the buyer's mailbox, or enters it. */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const { code, token = '' } = await entriesOf(args.request)
  const typed = code?.trim()
  if (typed === '') {
    return data<CodeOutcome>({ isSent: true, error: 'Please enter the code' }, { status: 400 })
  }
  try {
    const { opened } = await api(openOrder, { token, ...(typed && { code: typed }) })
    if (opened) return redirect(paths.checkoutSuccess(encodeURIComponent(token)), 303)
    return data<CodeOutcome>({ isSent: true, error: null })
  } catch (thrown) {
    const { status, errors, message } = refusalOf(thrown)
    // There is a code to enter: the one that was wrong, or those that came before it was too many.
    const isSent = Boolean(typed) || status === 429
    return data<CodeOutcome>({ isSent, error: errors.code ?? message }, { status })
  }
}
