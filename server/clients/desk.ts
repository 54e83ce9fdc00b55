import type { DeskLine } from '#shared/desk/lines.ts'
import { paths } from '#shared/paths.ts'
import {
  isoOf,
  thingsWithWords,
  type DeskSource,
  type DeskThings,
} from '../contributions/desk-source.ts'
import type { Clients } from './clients.ts'
import type { Client } from './schema.ts'

/** Clients at the desk; none of them waits for anything. @param things their pages */
export const clientDesk = (
  clients: Pick<Clients, 'list' | 'withEmail'>,
  things: DeskThings,
): DeskSource => ({
  find: (words, limit) =>
    thingsWithWords(clients.list(), {
      words,
      limit,
      textsOf: ({ name, panel, season, emails }) => [name, panel, season, ...emails],
    }).map(line),
  ofPerson: (email) => clients.withEmail(email).map(line),
  aboutPerson: (email) => ({ companies: clients.withEmail(email).map(({ name }) => name) }),
  things,
})

const line = ({ name, panel, season, emails, createdAt, disabledAt }: Client): DeskLine => ({
  label: 'Client',
  title: name,
  detail: [`panel ${panel}`, season, ...emails, disabledAt !== null && 'disabled']
    .filter(Boolean)
    .join(' · '),
  urgent: false,
  at: isoOf(createdAt),
  href: paths.deskThing('clients', panel),
})
