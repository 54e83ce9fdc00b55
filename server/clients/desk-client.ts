import type { DeskLine } from '#shared/desk/lines.ts'
import { deskPersonPath } from '#shared/desk/people.ts'
import type { DeskFact, DeskThing } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import type { Entries } from '#shared/forms/form.ts'
import { paths } from '#shared/paths.ts'
import { plainLine } from '#shared/text/text.ts'
import { historyOf, isoOf, type DeskSource, type DeskThings } from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import { panelDay } from '../contributions/panel-block.ts'
import type { ClientActs } from './acts.ts'
import type { Clients } from './clients.ts'
import { clientDeskActs, doClientAct } from './desk-client-acts.ts'
import type { Client, Code } from './schema.ts'

/** The parts of a client's page, by what the lines of features are labelled. */
const partTitles: Readonly<Record<string, string>> = {
  Folder: 'Folders',
  Booking: 'Bookings',
  Order: 'Orders',
  Ticket: 'Tickets',
}

/** How many lines a part has. */
const maxLines = 25

/** How much of a client's activity is shown. */
const activityLines = 10

/** Builds the page of a client: facts, codes, related things, and available acts. */
export function clientsAtDesk(
  platform: Pick<Platform, 'clock' | 'config' | 'contributions' | 'timeline'>,
  { clients, acts }: { clients: Clients; acts: ClientActs },
): DeskThings {
  const { config, contributions, timeline } = platform

  const shown = async (client: Client): Promise<DeskThing> => ({
    label: `Client ${client.panel}`,
    title: client.name,
    facts: factsOf(client, config.siteUrl),
    parts: [
      {
        title: 'Codes',
        lines: clients.codes
          .list(client.id)
          .toReversed()
          .map((code) => codeLine(code, acts.codeState(code))),
      },
      ...partsOf(client, contributions().desk),
      {
        title: 'Activity',
        lines: clients.activity(client.id, activityLines).map(({ at, detail, code, who }) => ({
          label: 'Activity',
          title: plainLine(detail),
          detail: [who && plainLine(who), code && `code “${code}”`].filter(Boolean).join(' · '),
          urgent: false,
          at: isoOf(at),
          href: null,
        })),
      },
    ],
    acts: await clientDeskActs(client, { codes: clients.codes.list(client.id), acts }),
    history: historyOf(timeline, 'client', String(client.id)),
  })

  return {
    name: 'clients',
    async find(id) {
      const client = clients.findPanel(id)
      return client && shown(client)
    },
    async act(id, act, entries: Entries, by) {
      const client = clients.findPanel(id)
      if (!client) throw failure('missing')
      return doClientAct(platform, { client, clients, acts }, act, { entries, by })
    },
  }
}

const factsOf = (
  { panel, season, emails, createdAt, disabledAt }: Client,
  siteUrl: string,
): DeskFact[] => [
  // Staff who aren't this client can't open it, so it isn't a link.
  { name: 'Panel', text: siteUrl + paths.panel(panel) },
  { name: 'State', text: disabledAt === null ? 'active' : `disabled on ${panelDay(disabledAt)}` },
  ...(season === null ? [] : [{ name: 'Season', text: season }]),
  ...emails.map((email, index) => ({
    name: index === 0 ? 'Email' : `Email ${index + 1}`,
    text: email,
    href: deskPersonPath(email),
  })),
  { name: 'Added', text: panelDay(createdAt) },
]

function codeLine(code: Code, state: string): DeskLine {
  const { id, label, scopes, createdAt, expiresAt, lastUsedAt, uses, maxUses } = code
  const ends =
    expiresAt === null
      ? 'no end'
      : `${state === 'expired' ? 'ended' : 'ends'} ${panelDay(expiresAt - 1)}`
  return {
    label: `Code ${id}`,
    title: plainLine(label) || 'No label',
    detail: [
      scopes.join(', '),
      state === 'good' ? 'works' : state,
      lastUsedAt === null ? 'never used' : `last used ${panelDay(lastUsedAt)}`,
      maxUses === null ? null : `${uses} of ${maxUses} sign-ins`,
      state !== 'revoked' && ends,
    ]
      .filter(Boolean)
      .join(' · '),
    urgent: false,
    at: isoOf(createdAt),
    href: null,
  }
}

/** What features know about a client and its addresses, by kind, newest first. */
function partsOf(client: Client, sources: readonly DeskSource[]): DeskThing['parts'] {
  const lines = sources.flatMap((source) => [
    ...(source.ofClient?.(client) ?? []),
    ...client.emails.flatMap((email) => source.ofPerson?.(email) ?? []),
  ])
  return Object.entries(partTitles).map(([label, title]) => {
    const found = lines
      .filter((each) => each.label === label)
      .toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
    const more = found.length - maxLines
    return {
      title,
      lines: [
        ...found.slice(0, maxLines),
        ...(more > 0
          ? [{ label, title: `${more} more`, detail: 'older', urgent: false, at: null, href: null }]
          : []),
      ],
    }
  })
}
