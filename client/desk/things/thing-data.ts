import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { changeDeskThing, getDeskThing } from '#shared/desk/things.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { postedEntries } from '../../forms/form-action.ts'
import { siteOf } from '../../site/data/loading.ts'
import { readStaff } from '../loader.ts'
import { sendBackToDesk } from './desk-answer.ts'

/** Shortest token of a link; what names a thing is shorter. */
const minTokenLength = 44

/** A thing for staff: by its name for codes that open the desk, or by the link in their email. */
export async function loader(args: LoaderFunctionArgs) {
  const { thing = '', id = '' } = args.params
  const staff = await readStaff(args)
  const isByLink = id.length >= minTokenLength && /^[\w-]+$/.test(id)
  const isOpen = staff.isStaff || isByLink
  return {
    ...staff,
    thing,
    id,
    isByLink,
    view: isOpen ? await siteOf(args).api(getDeskThing, { thing, id }) : null,
  }
}

/** The data of a thing's page. */
export type ThingData = Awaited<ReturnType<typeof loader>>

/** Does the act whose form was sent. What staff are told only once, such as a new code, is the answer. */
export async function action(args: ActionFunctionArgs) {
  const { thing = '', id = '' } = args.params
  const sent = await postedEntries(args.request)
  const { act = '', state = '', by, ...entries } = sent
  try {
    const done = await siteOf(args).api(changeDeskThing, { thing, id, act, state, by, entries })
    if (done.preview) {
      const { entries: shown, ...preview } = done.preview
      return data({ preview: { ...preview, entries: { ...shown, ...(by && { by }) } } })
    }
    if (done.id === null) return redirect(paths.desk())
    if (done.notice !== null) return data({ notice: done.notice })
    return redirect(toResult(paths.deskThing(thing, done.id)))
  } catch (thrown) {
    const { password: _, ...shown } = sent
    return sendBackToDesk(thrown, shown)
  }
}
