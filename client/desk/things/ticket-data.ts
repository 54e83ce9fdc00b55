import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { ticketId } from '#shared/contact/contact.ts'
import { checkForm, type Entries } from '#shared/forms/form.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { changeTicket, getStaffTicket } from '#shared/contact/tickets.ts'
import { postedEntries, type FormAnswer } from '../../forms/form-action.ts'
import { randomHex } from '../../random-hex.ts'
import { siteOf } from '../../site/data/loading.ts'
import { withText } from './text-blocks.ts'
import { readStaff } from '../loader.ts'
import { sendBackToDesk } from './desk-answer.ts'

/**
 * A ticket for staff: by its number for codes that open the desk, or by the link in their email. Null
 * for everyone else who knows its number.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { ticket: name = '' } = args.params
  const staff = await readStaff(args)
  const isByLink = !ticketId.safeParse(name).success
  const isOpen = staff.isStaff || isByLink
  return {
    ...staff,
    name,
    isByLink,
    key: randomHex(),
    ticket: isOpen ? await siteOf(args).api(getStaffTicket, { ticket: name }) : null,
  }
}

/** The data of a ticket's page for staff. */
export type TicketData = Awaited<ReturnType<typeof loader>>

/** Replies, assigns, notes, sets a status or inserts a text block, whichever form of the page was sent. */
export async function action(args: ActionFunctionArgs) {
  const { ticket = '' } = args.params
  const entries = await postedEntries(args.request)
  if (entries.insert) return withBlock(args, ticket, entries)
  const { value: act, errors } = checkForm(
    changeTicket.input,
    { ...entries, ticket, leaveOut: leftOut(entries) },
    { more: { files: entries.filesProblem } },
  )
  if (errors) return data<FormAnswer>({ entries, errors, message: null }, { status: 400 })
  try {
    await siteOf(args).api(changeTicket, act)
    return redirect(toResult(paths.deskTicket(ticket)))
  } catch (thrown) {
    return sendBackToDesk(thrown, entries)
  }
}

/** The numbers of the attached files whose boxes are ticked, to leave them out. */
const leftOut = (entries: Entries): number[] =>
  Object.keys(entries).flatMap((name) => {
    const id = /^leave-(\d{1,15})$/.exec(name)?.[1]
    return id ? [Number(id)] : []
  })

/** Sends the reply back with the chosen text block in it, for browsers without scripts. */
async function withBlock(args: ActionFunctionArgs, ticket: string, entries: Entries) {
  const { block, text = '' } = entries
  try {
    const { blocks } = await siteOf(args).api(getStaffTicket, { ticket })
    const chosen = blocks.find(({ id }) => id === block)
    if (!chosen) {
      const errors = { block: 'Please choose a text block' }
      return data<FormAnswer>({ entries, errors, message: null }, { status: 400 })
    }
    const filled = { ...entries, text: withText(text, chosen.text) }
    return data<FormAnswer>({ entries: filled, errors: {}, message: null })
  } catch (thrown) {
    return sendBackToDesk(thrown, entries)
  }
}
