import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { endSessions, getSessions } from '#shared/clients/sessions.ts'
import { postedEntries, sendBack } from '../../forms/form-action.ts'
import { siteOf } from '../../site/data/loading.ts'
import { readStaff } from '../loader.ts'

/** Who is signed in, as far as the visitor's code may know. */
export async function loader(args: LoaderFunctionArgs) {
  const staff = await readStaff(args)
  return { ...staff, sessions: staff.isStaff ? await siteOf(args).api(getSessions, {}) : null }
}

/** The data of the page of sessions. */
export type SessionsData = Awaited<ReturnType<typeof loader>>

/** Ends the session whose button was pressed, or all others of the visitor's code. */
export async function action(args: ActionFunctionArgs) {
  const sent = await postedEntries(args.request)
  try {
    await siteOf(args).api(endSessions, { session: sent.session ?? '' })
    return redirect(toResult(paths.deskSessions()))
  } catch (thrown) {
    return sendBack(thrown, sent)
  }
}
