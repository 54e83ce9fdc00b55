import { dayMs } from '#shared/durations.ts'
import { helsinkiIso } from '#shared/helsinki-time.ts'
import { clientZoneTexts } from '#shared/client-zone-texts.ts'
import { paths } from '#shared/paths.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Feature, Platform } from '../feature.ts'
import { searchPage } from '../search-source.ts'
import { createClientActs, type ClientActs } from './acts.ts'
import { createBlockActs, type BlockActs } from './block-acts.ts'
import { createClients, type Clients } from './clients.ts'
import { clientDesk } from './desk.ts'
import { clientsAtDesk } from './desk-client.ts'
import { ownBlocks } from './own-blocks.ts'
import { clientRoutes } from './routes.ts'
import { sessionCookie } from './sessions.ts'

/** Milliseconds for which it is known what happened in a client's name. */
const activityMs = 730 * dayMs

/** Clients, their codes and sessions, and their panels (docs/contract.md, Clients and panels). */
export type ClientFeature = Feature &
  Clients & {
    /** What staff do with clients and codes. */
    readonly acts: ClientActs
    /** What staff do with the blocks of panels. */
    readonly blocks: BlockActs
  }

export function clientFeature(platform: Platform): ClientFeature {
  const { config, clock, commit, db, keys } = platform
  const clients = createClients({ db, keys, clock, dataDir: config.dataDir })
  const acts = createClientActs(platform, { clients })
  return {
    ...clients,
    acts,
    blocks: createBlockActs(platform, clients),
    name: 'clients',
    routes: (http) => clientRoutes(platform, http, clients),
    findSession: (cookies, now) => clients.sessionOf(cookies[sessionCookie(config)], now),
    desk: clientDesk(clients, clientsAtDesk(platform, { clients, acts })),
    panelBlocks: ownBlocks(clients),
    searchPages: () => [
      searchPage(paths.clientZone(), clientZoneTexts, {
        names: ['client login', 'login', 'log in', 'sign in', 'secret code', 'my files'],
      }),
    ],
    disallowedPaths: [paths.panel('')],
    privatePaths: [paths.panel('')],
    signs: [
      {
        kind: 'sessions',
        what: 'clients and staff who are signed in',
        purposes: ['client-session'],
        revoke: (tx) => clients.sessions.endAll(tx),
      },
      {
        kind: 'codes',
        what: 'secret codes of clients and staff, and their sessions',
        purposes: ['secret-code'],
        revoke: (tx) => clients.codes.revokeAll(tx),
      },
    ],
    jobs: [
      {
        kind: 'clients.forget',
        about: 'deletes ended sessions and activity older than two years',
        recurs: { daily: '03:30' },
        async run() {
          await inBatches(commit, (tx) => clients.sessions.forgetOld(tx, clock()))
          await inBatches(commit, (tx) => clients.forgetActivity(tx, clock() - activityMs))
        },
      },
    ],
    personalData: [
      {
        name: 'clients',
        policy: [
          {
            what: 'Client zone',
            data: 'Name and email addresses of the client, a keyed hash of the secret code, what was opened and downloaded and when, and the name you give when you sign in',
            ground: 'Our contract with the client (Art. 6(1)(b))',
            kept: 'As long as the client has a panel; activity for two years; a session for 30 days at most',
          },
        ],
        forgottenBy: { job: 'clients.forget' },
        find: (email) => [
          ...clients.withEmail(email).map(({ name, panel, season, emails, createdAt }) => ({
            client: name,
            panel,
            season,
            emails: emails.filter((each) => each.toLowerCase() === email.toLowerCase()),
            createdAt: helsinkiIso(createdAt),
          })),
          ...clients
            .mentioning(email)
            .map(({ at, ...activity }) => ({ at: helsinkiIso(at), ...activity })),
        ],
        erase: (tx, email) => ({
          erased: clients.eraseEmail(tx, email) + clients.forgetWho(tx, email),
        }),
      },
    ],
  }
}
