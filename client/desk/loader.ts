import type { LoaderFunctionArgs } from 'react-router'
import { getSession } from '#shared/clients.ts'
import { findAtDesk, getPerson, getToday } from '#shared/desk.ts'
import { siteOf } from '../site/data/loading.ts'

/** Who is here; `isStaff` for codes that open the desk. */
export async function readStaff(args: LoaderFunctionArgs) {
  const session = await siteOf(args).api(getSession, {})
  return { session, isStaff: session.signedIn && session.scopes.includes('desk') }
}

/** What waits today, what a search finds, or what is known of a person: whatever the address asks for. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = siteOf(args)
  const staff = await readStaff(args)
  if (!staff.isStaff) return { ...staff, q: '', email: '', groups: null, lines: null }
  const query = new URL(args.request.url).searchParams
  const q = (query.get('q') ?? '').trim().slice(0, 200)
  const email = (query.get('email') ?? '').trim().slice(0, 254)
  if (email) {
    return { ...staff, q: '', email, groups: null, lines: (await api(getPerson, { email })).lines }
  }
  if (q)
    return { ...staff, q, email: '', groups: null, lines: (await api(findAtDesk, { q })).lines }
  return { ...staff, q: '', email: '', groups: (await api(getToday, {})).groups, lines: null }
}

/** The data of the desk's first page. */
export type DeskData = Awaited<ReturnType<typeof loader>>
