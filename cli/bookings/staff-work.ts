import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  bookingEdit,
  enteredBooking,
  type BookingEdit,
  type EnteredBooking,
} from '#shared/bookings/staff-page.ts'
import {
  billingFields,
  clearedBilling,
  type BillingEntries,
} from '#shared/bookings/visitor-page.ts'
import { datesInWords } from '#shared/bookings/dates-in-words.ts'
import type { UseContext } from '../common/command.ts'
import * as options from '../common/options.ts'
import { writeWhole } from '../common/whole-file.ts'
import type { Print } from '../common/print.ts'
import { harmless } from '../common/terminal.ts'
import { explained, said } from './decisions.ts'
import { bookingOf } from './named.ts'
import { parsed } from './parsed.ts'
import { fullRow } from './views.ts'

type Flags = { by: string; json?: boolean }
type AddFlags = Flags &
  Omit<EnteredBooking, 'mails' | 'vatId'> & { mail: boolean; confirm?: boolean; vatId?: string }
type EditFlags = Flags & BookingEdit & BillingEntries & { mail: boolean }

/** `bookings add`, `edit`, `undo`, `assign`, `sheet` and `agreement`: what staff enter, mend and hand on. */
export function addBookingStaffWork(bookings: Command, useContext: UseContext, print: Print): void {
  addEntering(bookings, useContext, print)
  addMending(bookings, useContext, print)
  addCrew(bookings, useContext, print)
}

const staff = ({ by }: Flags) => ({ name: by, isVisitor: false })

/** @param clock whose clock the times are by */
const withContact = (command: Command, clock: string) =>
  command
    .option('--place <place>', 'where the work takes place')
    .option('--start <time>', `HH:MM ${clock}`)
    .option('--end <time>', 'HH:MM')
    .option('--scope <text>', 'what is needed, for a service priced by month or project')
    .option('--budget <text>', 'budget, for a service priced by month or project')
    .option('--name <name>', 'name of the client')
    .option('--email <address>', 'email address of the client')
    .option('--phone <number>', 'phone number of the client')
    .option('--company <name>', 'company on the invoice')
    .option('--country <code>', 'billing country, such as FI')
    .option('--vat-id <id>', 'VAT ID of the company')
    .option('--street <street>', 'billing address: street')
    .option('--postcode <code>', 'billing address: postal code')
    .option('--city <city>', 'billing address: town')
    .option('--region <state>', 'billing address: state or province (United States and Canada)')
    .option('--note <text>', 'for staff and the crew’s call sheet; the client never sees it')
    .option('--no-mail', 'don’t email the client')
    .addOption(options.by())
    .addOption(options.json())

function addEntering(bookings: Command, useContext: UseContext, print: Print): void {
  withContact(
    bookings
      .command('add')
      .description('enter a booking, such as one made by phone, and hold its dates')
      .requiredOption('--service <slug>', 'the service booked')
      .addOption(
        new Option('--from <date>', 'first day, or the start of a project')
          .argParser(options.civil)
          .makeOptionMandatory(),
      )
      .addOption(new Option('--to <date>', 'last day').argParser(options.civil))
      .option('--event <id>', 'calendar event')
      .option('--confirm', 'confirm it now; the client agreed by phone')
      .option('--anyway', 'even if its dates are closed or full'),
    'in Helsinki, on each day',
  ).action(async (flags: AddFlags) => {
    const { by: _by, json, mail, confirm: isAgreed, to, ...fields } = flags
    if (mail && !fields.email) {
      throw new InvalidArgumentError('Give --email, or leave out emails with --no-mail.')
    }
    const context = await useContext()
    const { actions } = context.features.bookings
    const entries = parsed(enteredBooking, { ...fields, to: to ?? flags.from, mails: mail })
    const added = await explained(
      context,
      null,
      actions.enter(entries, staff(flags), { isAgreed: isAgreed === true }),
    )
    if (json) print.json({ ...fullRow(added), url: actions.visitorUrl(added) })
    else print.line(`${added.reference}: ${added.state}, ${datesInWords(added)}`)
  })
}

function addMending(bookings: Command, useContext: UseContext, print: Print): void {
  withContact(
    bookings
      .command('edit <reference>')
      .description(
        'change times, place, contact, billing or the note (an empty value clears the field); the client is told of a new place or time',
      ),
    'in Helsinki, on each day; or in the event’s time zone if it was booked that way',
  ).action(async (given: string, flags: EditFlags, verb: Command) => {
    options.mustChangeSomething(verb)
    const { by: _by, json, mail, ...fields } = flags
    const context = await useContext()
    const { actions } = context.features.bookings
    const { reference } = bookingOf(context, given)
    const billing = { ...parsed(billingFields, fields), ...clearedBilling(fields) }
    const edits = parsed(bookingEdit, fields)
    const isGiven = (values: object) => Object.values(values).some((value) => value !== undefined)
    let after = actions.find(reference)
    if (isGiven(billing)) after = await said(actions.setBilling(reference, staff(flags), billing))
    if (isGiven(edits)) {
      after = await said(actions.edit(reference, staff(flags), edits, { isQuiet: !mail }))
    }
    if (json) print.json(fullRow(after))
    else print.line(`${after.reference}: ${after.state}, ${datesInWords(after)}`)
  })

  bookings
    .command('undo <reference>')
    .description('undo the last decision before its email goes out (see bookings show)')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (given: string, flags: Flags) => {
      const context = await useContext()
      const { actions } = context.features.bookings
      const { reference } = bookingOf(context, given)
      const after = await explained(context, reference, actions.undo(reference, staff(flags)))
      if (flags.json) print.json(fullRow(after))
      else print.line(`${after.reference}: ${after.state}, ${datesInWords(after)}`)
    })
}

function addCrew(bookings: Command, useContext: UseContext, print: Print): void {
  bookings
    .command('assign <reference> <people...>')
    .description('assign crew to a booking and list conflicts')
    .option('--remove', 'unassign them')
    .addOption(options.by())
    .addOption(options.json())
    .action(async (given: string, people: string[], flags: Flags & { remove?: boolean }) => {
      const context = await useContext()
      const { actions } = context.features.bookings
      const { reference } = bookingOf(context, given)
      const conflicts: string[] = []
      for (const person of people) {
        if (flags.remove) await said(actions.unassign(reference, person, staff(flags)))
        else conflicts.push(...(await said(actions.assign(reference, person, staff(flags)))))
      }
      const crew = actions.crewOf(actions.find(reference))
      if (flags.json) print.json({ reference, crew, conflicts })
      else {
        print.line(`${reference}: ${crew.join(', ') || 'no crew assigned'}`)
        for (const conflict of conflicts) print.line(harmless(`  ${conflict}`))
      }
    })

  bookings
    .command('sheet <reference>')
    .description('show the URL of the call sheet: place, times and contacts for the crew')
    .option('--out <file>', 'write it as a PDF instead (it appears once complete)')
    .action(async (reference: string, { out }: { out?: string }) => {
      const context = await useContext()
      const { actions } = context.features.bookings
      const booking = bookingOf(context, reference)
      if (out === undefined) {
        print.line(actions.sheetUrl(booking))
        return
      }
      await writeWhole(out, (await actions.documents.sheetFile(booking)).content)
      print.line(`Call sheet ${booking.reference} written to ${harmless(out)}`)
    })

  bookings
    .command('agreement <reference>')
    .description('write the agreement as a PDF, as the client has it')
    .requiredOption('--out <file>', 'PDF to write (it appears once complete)')
    .action(async (reference: string, { out }: { out: string }) => {
      const context = await useContext()
      const { actions } = context.features.bookings
      const booking = bookingOf(context, reference)
      await writeWhole(out, (await actions.documents.agreement(booking)).content)
      print.line(`Agreement ${booking.reference} written to ${harmless(out)}`)
    })
}
