import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { ticketId } from '#shared/contact.ts'
import { checkForm } from '#shared/form.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/result.ts'
import { changeTicket, getStaffTicket } from '#shared/tickets.ts'
import { postedEntries, sendBack, type FormAnswer } from '../forms/form-action.ts'
import { randomHex } from '../random-hex.ts'
import { siteOf } from '../site/data/loading.ts'
import { readStaff } from './loader.ts'

/**
 * A ticket for staff: by its number for codes that open the desk, or by the link in their mail. Null
 * for everybody else who knows its number.
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

/** Replies, assigns, notes or sets a status, whichever form of the page was sent. */
export async function action(args: ActionFunctionArgs) {
  const { ticket = '' } = args.params
  const entries = await postedEntries(args.request)
  const { value: act, errors } = checkForm(changeTicket.input, { ...entries, ticket })
  if (errors) return data<FormAnswer>({ entries, errors, message: null }, { status: 400 })
  try {
    await siteOf(args).api(changeTicket, act)
    return redirect(toResult(paths.deskTicket(ticket)))
  } catch (thrown) {
    return sendBack(thrown, entries)
  }
}
