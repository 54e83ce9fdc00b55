import { redirect, type LoaderFunctionArgs } from 'react-router'
import { getSession } from '#shared/clients/clients.ts'
import { deskPersonPath } from '#shared/desk/people.ts'
import { findAtDesk, getToday } from '#shared/desk/desk.ts'
import { siteOf } from '../site/data/loading.ts'

/** Who is here; `isStaff` for codes that open the desk. */
export async function readStaff(args: LoaderFunctionArgs) {
  const session = await siteOf(args).api(getSession, {})
  return { session, isStaff: session.signedIn && session.scopes.includes('desk') }
}

/** What waits today, one group of it, or what a search finds. A person's former address leads to the page of today. */
export async function loader(args: LoaderFunctionArgs) {
  const query = new URL(args.request.url).searchParams
  const email = query.get('email')?.trim()
  if (email) throw redirect(deskPersonPath(email))
  const { api } = siteOf(args)
  const staff = await readStaff(args)
  const nothing = { q: '', group: null, groups: null, lines: null }
  const group = (query.get('group') ?? '').trim().slice(0, 100) || null
  if (!staff.isStaff) return { ...staff, ...nothing, group }
  const q = (query.get('q') ?? '').trim().slice(0, 200)
  if (q) return { ...staff, ...nothing, q, lines: (await api(findAtDesk, { q })).lines }
  const { groups } = await api(getToday, group === null ? {} : { group })
  return { ...staff, ...nothing, groups, group }
}

/** The data of the desk's first page. */
export type DeskData = Awaited<ReturnType<typeof loader>>
