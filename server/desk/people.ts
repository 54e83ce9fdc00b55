import type { DeskFact } from '#shared/desk/things.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import { maxEmailLength } from '#shared/forms/fields.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { plainLine } from '#shared/text/text.ts'
import type { DeskSource, DeskThings, PersonFacts } from '../contributions/desk-source.ts'
import { spellingsOf } from '../mail/recipient.ts'

/** How many different names, numbers or companies of a person are shown. */
const maxValues = 10

/**
 * The page of an email address at the desk: what all features know of it, in order of time. Nothing can
 * be done there: each thing has a page of its own.
 * @param person everything of an address, the newest first
 */
export const peopleAtDesk = ({
  sources,
  person,
}: {
  sources: () => readonly DeskSource[]
  person: (email: string) => readonly DeskLine[]
}): DeskThings => ({
  name: 'people',
  find(id) {
    const email = id.trim().toLowerCase()
    if (email === '' || email.length > maxEmailLength || plainLine(email) !== email) return null
    const lines = person(email)
    const known = sources().flatMap((source) =>
      spellingsOf(email).map((spelling) => source.aboutPerson?.(spelling) ?? {}),
    )
    return {
      label: 'Person',
      title: email,
      facts: factsOf(email, lines, known),
      parts: [{ title: 'Everything', lines }],
      acts: [],
      history: [],
    }
  },
  async act() {},
})

function factsOf(
  email: string,
  lines: readonly DeskLine[],
  known: readonly PersonFacts[],
): DeskFact[] {
  const times = lines.flatMap(({ at }) => at ?? [])
  const [last, first] = [times.at(0), times.at(-1)]
  const open = known.reduce((sum, { open: waiting = 0 }) => sum + waiting, 0)
  const all = (name: 'names' | 'phones' | 'companies') =>
    differing(known.flatMap((facts) => facts[name] ?? []))
  return [
    { name: 'On file', text: lines.length === 0 ? 'Nothing on file for this address.' : '' },
    { name: 'Names', text: all('names') },
    { name: 'Phone', text: all('phones') },
    { name: 'Companies', text: all('companies') },
    {
      name: 'Newsletter',
      text: known.find(({ newsletter }) => newsletter)?.newsletter ?? 'not subscribed',
    },
    { name: 'First contact', text: first === undefined ? '' : officeTime(Date.parse(first)) },
    { name: 'Last contact', text: last === undefined ? '' : officeTime(Date.parse(last)) },
    { name: 'Open', text: open === 1 ? '1 thing' : `${open} things` },
    { name: 'What we hold', text: `pitlane privacy export ${quoted(email)}` },
  ].filter(({ text }) => text !== '')
}

/** Different values, whatever their letter case, in one line. */
function differing(values: readonly (string | null)[]): string {
  const seen = new Map<string, string>()
  for (const value of values) {
    const text = plainLine(value ?? '')
    if (text !== '' && !seen.has(text.toLowerCase())) seen.set(text.toLowerCase(), text)
  }
  const shown = [...seen.values()].slice(0, maxValues).join(', ')
  return seen.size > maxValues ? `${shown} and ${seen.size - maxValues} more` : shown
}

/** An address as a shell takes it: what strangers choose never runs when staff copy the command. */
const quoted = (email: string) =>
  /^[\w.@+-]+$/.test(email) ? email : `'${email.replaceAll("'", String.raw`'\''`)}'`
