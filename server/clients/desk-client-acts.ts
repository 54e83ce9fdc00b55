import * as z from 'zod/mini'
import type { DeskAct, DeskField } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import { emailAddress, line, maxEmailLength, optionalLine } from '#shared/forms/fields.ts'
import type { Entries } from '#shared/forms/form.ts'
import { idleScopes, scopes as allScopes, type Scope } from '#shared/clients/secret-code.ts'
import { lastDayField, lastDayIn, readEntries } from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import type { ClientActs } from './acts.ts'
import type { Clients } from './clients.ts'
import type { Client, Code } from './schema.ts'

/**
 * Scopes of codes created at the desk. Staff codes are managed on the command line only, so a desk code
 * can't create another or open the log.
 */
const clientScopes = {
  view: 'See the panel and its galleries',
  web: 'Download web-size photos, films and documents',
  download: 'Download originals, ZIPs and panel files',
  select: 'Mark favourites and comment in galleries',
  manage: 'Cancel and move bookings; see orders, invoices and files',
} as const satisfies Partial<Record<Scope, string>>

const defaultScopes: readonly Scope[] = ['view', 'download', 'select']

const isOfStaff = ({ scopes, revokedAt }: Code): boolean =>
  revokedAt === null && scopes.some((scope) => !(scope in clientScopes))

/** Max addresses of a client. */
const maxEmails = 20

/** Acts available on a client now. */
export async function clientDeskActs(
  client: Client,
  { codes, acts }: { codes: readonly Code[]; acts: ClientActs },
): Promise<DeskAct[]> {
  const working = codes.filter(({ revokedAt }) => revokedAt === null)
  const ofClient = working.filter((code) => !isOfStaff(code))
  const isStaff = working.length > ofClient.length
  const going = await acts.remove(client, '', { rehearse: true })
  const found: (DeskAct | false)[] = [
    {
      act: 'rename',
      label: 'Change the name',
      hint: `The panel keeps its address. To move it: pitlane clients rename ${client.panel} <name> --panel <code>`,
      fields: [
        { name: 'name', label: 'Name', kind: 'text', value: client.name, required: true },
        { name: 'season', label: 'Season', kind: 'text', value: client.season ?? '' },
      ],
    },
    {
      act: 'emails',
      label: 'Change the email addresses',
      hint: 'The panel lists the tickets, bookings and orders of these addresses.',
      fields: [
        {
          name: 'emails',
          label: 'Email addresses, one per line',
          kind: 'textarea',
          value: client.emails.join('\n'),
        },
      ],
    },
    {
      act: 'code',
      label: 'Make a new code',
      hint: 'The code is shown once, with a text to send.',
      fields: [
        { name: 'label', label: 'Who has it, or what it’s for', kind: 'text' },
        ...Object.entries(clientScopes).map(([scope, label]): DeskField => ({
          name: `scope-${scope}`,
          label,
          kind: 'check',
          value: defaultScopes.some((usual) => usual === scope) ? 'on' : '',
        })),
        lastDayField(null),
      ],
    },
    ofClient.length > 0 && {
      act: 'replace',
      label: 'Replace a code',
      hint: 'The old one and its sessions stop working. The new one has the same rights and expiry, and is shown once.',
      isDanger: true,
      fields: [codeField(ofClient)],
    },
    ofClient.length > 0 && {
      act: 'extend',
      label: 'Change a code’s expiry',
      fields: [codeField(ofClient), lastDayField(null)],
    },
    working.length > 0 && {
      act: 'revoke',
      label: 'Disable a code',
      hint: 'It and its sessions stop working for good. To let them in again, make a new code.',
      isDanger: true,
      fields: [codeField(working)],
    },
    // Who left the agency was shut out at the command line, and isn't let in again from here.
    client.disabledAt !== null &&
      !isStaff && {
        act: 'enable',
        label: 'Enable the client',
        hint: 'Codes that haven’t expired work again.',
        fields: [],
      },
    client.disabledAt === null &&
      !isStaff && {
        act: 'disable',
        label: 'Disable the client',
        hint: 'Everyone is signed out, and all codes stop working until the client is enabled.',
        isDanger: true,
        fields: [],
      },
    !isStaff && {
      act: 'remove',
      label: 'Remove the client',
      hint: `Deletes the panel with its activity, ${counted(going.codes, 'code')}, ${counted(going.blocks, 'block')} and ${counted(going.files, 'file')}. Bookings and orders stay, and so do its folders: those that opened with its codes stay closed.`,
      isDanger: true,
      fields: [
        { name: 'sure', label: `Yes, remove ${client.name}`, kind: 'check', required: true },
      ],
    },
  ]
  return found.filter((act) => act !== false)
}

const codeField = (codes: readonly Code[]): DeskField => ({
  name: 'code',
  label: 'Code',
  kind: 'select',
  required: true,
  options: codes.map(({ id, label, scopes }) => ({
    value: String(id),
    label: [`${id}`, label, scopes.join(', ')].filter(Boolean).join(' · '),
  })),
})

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const naming = z.object({ name: line('Please enter a name', 100), season: optionalLine(40) })
const labelling = z.object({ label: optionalLine(100) })

/** Does an act of {@link clientDeskActs}. @returns a new code, told only once */
export async function doClientAct(
  { clock, config }: Pick<Platform, 'clock' | 'config'>,
  { client, clients, acts }: { client: Client; clients: Clients; acts: ClientActs },
  act: string,
  { entries, by }: { entries: Entries; by: string },
): Promise<string | undefined> {
  const told = (code: string, rules: Pick<Code, 'scopes' | 'expiresAt' | 'maxUses'>): string => {
    const { address, text } = acts.invitation(client, { ...rules, code }, config.siteUrl)
    return `The new code: ${code}\nIt’s shown only once: send it or save it now.\nIt opens ${address}\n\nTo send:\n\n${text}`
  }
  const codeOf = ({ mayBeStaffs = false } = {}): Code => {
    const code = clients.codes
      .list(client.id)
      .find(({ id, revokedAt }) => String(id) === entries.code && revokedAt === null)
    if (code && (mayBeStaffs || !isOfStaff(code))) return code
    const message = 'Please choose a code'
    throw failure('invalid', { message, errors: { code: message } })
  }
  switch (act) {
    case 'rename': {
      const { name, season = '' } = readEntries(naming, entries)
      await acts.edit(client, { name, season }, by)
      return undefined
    }
    case 'emails':
      await acts.edit(client, { emails: emailsIn(entries) }, by)
      return undefined
    case 'code': {
      const { label = '' } = readEntries(labelling, entries)
      const rules = { label, scopes: scopesIn(entries), expiresAt: lastDayIn(entries, clock()) }
      const made = await acts.createCode(client, { ...rules, maxUses: null }, null, by)
      return told(made.code, { ...rules, maxUses: null })
    }
    case 'replace': {
      const code = codeOf()
      return told((await acts.rotateCode(code, by)).code, code)
    }
    case 'extend':
      await acts.extendCode(codeOf(), lastDayIn(entries, clock()), by)
      return undefined
    case 'revoke':
      await acts.revokeCode(codeOf({ mayBeStaffs: true }), by)
      return undefined
    case 'enable':
    case 'disable':
      await acts.setDisabled(client, act === 'disable', by)
      return undefined
    case 'remove': {
      if (entries.sure !== 'on') {
        const message = 'Please tick the box to remove the client'
        throw failure('invalid', { message, errors: { sure: message } })
      }
      await acts.remove(client, by, { rehearse: false })
      return undefined
    }
    default:
      throw failure('invalid', { message: `A client has no ${act}.` })
  }
}

/** @throws invalid for what is not an address, or for too many */
function emailsIn({ emails = '' }: Entries): string[] {
  const refuse = (message: string) => failure('invalid', { message, errors: { emails: message } })
  const typed = emails.split(/[\s,;]+/).filter(Boolean)
  if (typed.length > maxEmails) throw refuse(`Please enter at most ${maxEmails} addresses`)
  const wrong = typed.find((each) => !emailAddress.safeParse(each).success)
  if (wrong !== undefined) {
    throw refuse(`This isn’t an email address: ${wrong.slice(0, maxEmailLength)}`)
  }
  const seen = new Map(typed.map((each) => [each.toLowerCase(), each]))
  return [...seen.values()]
}

/** @throws invalid when none is ticked, or what opens nothing without `view` */
function scopesIn(entries: Entries): Scope[] {
  const refuse = (message: string) =>
    failure('invalid', { message, errors: { 'scope-view': message } })
  const ticked = allScopes.filter(
    (scope) => scope in clientScopes && entries[`scope-${scope}`] === 'on',
  )
  if (ticked.length === 0) throw refuse('Please tick what the code opens')
  if (idleScopes(ticked).length > 0) {
    throw refuse(`Please tick “${clientScopes.view}”, too: the rest opens nothing without it`)
  }
  return ticked
}
