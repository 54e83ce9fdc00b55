import type { Command } from 'commander'
import type { DeskGroup, DeskLine } from '#shared/desk/lines.ts'
import type { UseContext } from './common/command.ts'
import * as options from './common/options.ts'
import type { Print, Row } from './common/print.ts'

/** `today`: what the desk shows first. */
export function addToday(today: Command, useContext: UseContext, print: Print): void {
  today.addOption(options.json()).action(async ({ json }: { json?: boolean }) => {
    const groups = await (await useContext()).features.desk.today()
    if (json) print.json(groups)
    else if (groups.length === 0) print.line('Nothing is waiting.')
    else for (const group of groups) printGroup(group, print)
  })
}

/** `find`: the desk's search. */
export function addFind(find: Command, useContext: UseContext, print: Print): void {
  find.addOption(options.json()).action(async (words: string[], { json }: { json?: boolean }) => {
    const lines = await (await useContext()).features.desk.find(words.join(' '))
    if (json) print.json(lines)
    else print.listing(lines.map(row), { none: 'Nothing found.' })
  })
}

/** `person`: everything of an address. */
export function addPerson(person: Command, useContext: UseContext, print: Print): void {
  person.addOption(options.json()).action(async (email: string, { json }: { json?: boolean }) => {
    const lines = (await useContext()).features.desk.person(email)
    if (json) print.json(lines)
    else print.listing(lines.map(row), { none: 'Nothing on file for this address.' })
  })
}

function printGroup({ title, total, lines, command }: DeskGroup, print: Print): void {
  print.heading(`${title} (${total})`)
  print.listing(lines.map(row), { none: '' })
  const hidden = total - lines.length
  if (hidden > 0) print.line(`${hidden} more${command ? `: ${command}` : ''}`)
  print.line('')
}

const row = ({ label, title, detail, urgent, at }: DeskLine): Row => ({
  what: urgent ? `${label} !` : label,
  title,
  detail,
  date: at?.slice(0, 10) ?? '',
})
