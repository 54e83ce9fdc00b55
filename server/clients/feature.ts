import { dayMs } from '#shared/durations.ts'
import { helsinkiIso } from '#shared/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import type { Feature, Platform } from '../feature.ts'
import { createClients, type Clients } from './clients.ts'
import { ownBlocks } from './own-blocks.ts'
import { clientRoutes } from './routes.ts'
import { sessionCookie } from './sessions.ts'

/** Milliseconds for which it is known what happened in a client's name. */
const activityMs = 730 * dayMs

/** Clients, their codes and sessions, and their panels (docs/contract.md, Clients and panels). */
export type ClientFeature = Feature & Clients

/** Makes the feature. */
export function clientFeature(platform: Platform): ClientFeature {
  const { config, clock, commit, db, keys } = platform
  const clients = createClients({ db, keys, clock, dataDir: config.dataDir })
  return {
    ...clients,
    name: 'clients',
    routes: (http) => clientRoutes(platform, http, clients),
    findSession: (cookies, now) => clients.sessionOf(cookies[sessionCookie(config)], now),
    panelBlocks: ownBlocks(clients),
    disallowedPaths: [paths.panel('')],
    privatePaths: [paths.panel('')],
    jobs: [
      {
        kind: 'clients.forget',
        about: 'forgets sessions that have ended and what happened two years ago',
        recurs: { daily: '08:00' },
        run: () =>
          commit((tx) => {
            clients.sessions.forgetOld(tx, clock())
            clients.forgetActivity(tx, clock() - activityMs)
          }),
      },
    ],
    personalData: [
      {
        name: 'clients',
        policy: [
          {
            what: 'Client zone',
            data: 'Name and e-mail addresses of the client, a keyed hash of the secret code, what was opened and downloaded and when, the name that you give as you enter',
            ground: 'Our contract with the client (Art. 6(1)(b))',
            kept: 'As long as the client has a panel, what was opened and downloaded for two years; a session for 30 days at most',
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
