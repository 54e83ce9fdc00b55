import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { askAtOnce, getOrder, openOrder } from '#shared/shop/orders.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { postedEntries, refusalOf } from '../../forms/form-action.ts'
import { siteOf } from '../../site/data/loading.ts'

/** The order of the token in the address; null without one. */
export async function loader(args: LoaderFunctionArgs) {
  const token = new URL(args.request.url).searchParams.get('order')
  if (!token) return { token: null, order: null }
  return { token, order: await siteOf(args).api(getOrder, { token }) }
}

/** The data of an order's page. */
export type OrderData = Awaited<ReturnType<typeof loader>>

/** What became of a code. */
export type CodeOutcome = {
  isSent: boolean
  error: string | null
  /** Why the files were not opened at once; null where that was not asked for. */
  atOnce?: string | null
}

/** Sends a code to the buyer's mailbox, or enters it. */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const { code, token = '', intent, digitalWaiver } = await postedEntries(args.request)
  const own = toResult(paths.checkoutSuccess(encodeURIComponent(token)))
  if (intent === 'at-once') {
    const refuse = (atOnce: string, status: number) =>
      data<CodeOutcome>({ isSent: false, error: null, atOnce }, { status })
    if (!digitalWaiver) return refuse('Please tick that you lose the right of withdrawal', 400)
    try {
      await api(askAtOnce, { token, digitalWaiver: true })
      return redirect(own, 303)
    } catch (thrown) {
      const { status, reason } = refusalOf(thrown)
      return refuse(reason, status)
    }
  }
  const typed = code?.trim()
  if (typed === '') {
    return data<CodeOutcome>(
      { isSent: true, error: 'Please enter the code from the email' },
      { status: 400 },
    )
  }
  try {
    const { opened } = await api(openOrder, { token, ...(typed && { code: typed }) })
    if (opened) return redirect(own, 303)
    return data<CodeOutcome>({ isSent: true, error: null })
  } catch (thrown) {
    const { status, errors, reason } = refusalOf(thrown)
    // There is a code to enter: the one that was wrong, or those that came before it was too many.
    const isSent = Boolean(typed) || status === 429
    return data<CodeOutcome>({ isSent, error: errors.code ?? reason }, { status })
  }
}
