import { dayMs } from '#shared/dates/durations.ts'
import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import { clientZoneTexts } from '#shared/clients/client-zone-texts.ts'
import { idleScopes } from '#shared/clients/secret-code.ts'
import { paths } from '#shared/paths.ts'
import { counted } from '#shared/text/counted.ts'
import type { Kept } from '../contributions/personal-data.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Feature, Finding, Platform } from '../feature.ts'
import { searchPage } from '../contributions/search-source.ts'
import { createClientActs, openNothing, type ClientActs, type ClientRenamed } from './acts.ts'
import { challengePurpose } from './second-factor/challenges.ts'
import { createFactorActs, type FactorActs } from './second-factor/factor-acts.ts'
import { createSessionActs, type SessionActs } from './session-acts.ts'
import { createBlockActs, type BlockActs } from './block-acts.ts'
import { createClients, type Clients } from './clients.ts'
import { clientDesk } from './desk.ts'
import { clientsAtDesk } from './desk-client.ts'
import { ownBlocks } from './own-blocks.ts'
import { sessionCookie } from './sessions.ts'

/** Milliseconds for which a client's activity is kept. */
const activityMs = 730 * dayMs

/** Clients, their codes and sessions, and their panels (docs/contract.md, Clients and panels). */
export type ClientFeature = Feature &
  Clients & {
    /** Staff's acts on clients and codes. */
    readonly acts: ClientActs
    /** Staff's acts on second factors. */
    readonly factorActs: FactorActs
    /** Staff's acts on sessions. */
    readonly sessionActs: SessionActs
    /** Staff's acts on panel blocks. */
    readonly blocks: BlockActs
  }

/** @param renamed hears of a client's new name, so that what is labelled with the old one follows */
export function clientFeature(
  platform: Platform,
  { renamed }: { renamed: ClientRenamed },
): ClientFeature {
  const { config, clock, commit, db, keys } = platform
  const clients = createClients({ db, keys, clock, dataDir: config.dataDir })
  const acts = createClientActs(platform, { clients, renamed })
  const sessionActs = createSessionActs(platform, clients)
  return {
    ...clients,
    factorActs: createFactorActs(platform, clients),
    sessionActs,
    acts,
    blocks: createBlockActs(platform, clients),
    name: 'clients',
    async routes(http) {
      const { clientRoutes } = await import('./routes.ts')
      clientRoutes(platform, http, { clients, sessionActs })
    },
    findSession: (cookies, now) => clients.sessionOf(cookies[sessionCookie(config)], now),
    thingNames: { client: (id) => clients.find(Number(id))?.panel ?? null },
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
        purposes: ['client-session', challengePurpose],
        revoke(tx) {
          clients.sessions.endAll(tx)
          clients.challenges.endAll(tx)
        },
      },
      {
        kind: 'codes',
        what: 'secret codes of clients and staff, and their sessions',
        purposes: ['secret-code'],
        revoke: (tx) => clients.codes.revokeAll(tx),
        renew: (tx) => clients.factors.renew(tx),
      },
    ],
    doctor: [
      { check: 'secret codes', look: () => checkScopes(clients, acts) },
      { check: 'second factors', look: () => checkFactors(clients) },
    ],
    jobs: [
      {
        kind: 'clients.forget',
        about: 'deletes ended sessions and activity older than two years',
        recurs: { daily: '03:30' },
        async run() {
          await commit((tx) => {
            clients.challenges.forget(tx, clock())
            clients.factors.forgetPending(tx, clock())
            clients.factors.renew(tx)
          })
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
            data: 'Name and email addresses of the client, a keyed hash of the secret code, what was opened and downloaded and when, the name you give when you sign in, and of each session your browser and your network without the end of your address',
            ground: 'Our contract with the client (Art. 6(1)(b))',
            kept: 'As long as the client has a panel; activity for two years; a session for 30 days at most',
          },
        ],
        forgottenBy: { job: 'clients.forget' },
        addresses: clients.addresses,
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
          ...clients.signedIn(email),
          ...clients.panels.mentioning(email).map(({ clientId, kind, title, data }) => ({
            panel: clients.find(clientId)!.panel,
            kind,
            title,
            data,
          })),
          ...clients.panels.filesNaming(email).map(({ clientId, name, addedAt }) => ({
            panel: clients.find(clientId)!.panel,
            file: name,
            addedAt: helsinkiIso(addedAt),
          })),
        ],
        erase: (tx, email) => ({
          erased:
            clients.eraseEmail(tx, email) +
            clients.forgetWho(tx, email) +
            clients.panels.redact(tx, email) +
            clients.panels.redactFileNames(tx, email),
          ...keptLinks(clients, email),
        }),
      },
    ],
  }
}

/** What an erasure says of an address in the URLs of links, which only staff can make again. */
function keptLinks({ find, panels }: Clients, email: string): { kept?: Kept } {
  const found = panels.namedByLinks(email)
  if (found.length === 0) return {}
  const named = found.map(({ block: { id, clientId } }) => `${id} of ${find(clientId)!.panel}`)
  return {
    kept: {
      count: found.reduce((sum, { links }) => sum + links, 0),
      why: `The address is part of a link’s URL, which would lead nowhere without it. Replace or remove the link with pitlane panels edit or remove: block ${named.join(', ')}.`,
      until: null,
    },
  }
}

/** What the doctor says of codes that work, and whose scopes open nothing without `view`. */
function checkScopes({ codes, find }: Clients, { codeState }: ClientActs): Finding {
  const working = codes.list().filter((code) => codeState(code) === 'good')
  const found = working.filter(({ scopes }) => idleScopes(scopes).length > 0)
  const [first] = found
  if (!first) return { state: 'ok', text: counted(working.length, 'code') }
  const named = found.map(({ id, clientId }) => `${id} of ${find(clientId)!.panel}`)
  const scopes = ['view', ...first.scopes].join(',')
  return {
    state: 'warn',
    text: `no view, without which ${openNothing(idleScopes(first.scopes))}: code ${named.join(', ')}; make another with pitlane codes create ${find(first.clientId)!.panel} --scopes ${scopes}, then pitlane codes revoke ${first.id}`,
  }
}

/** What the doctor says of second factors. */
function checkFactors({ factors }: Clients): Finding {
  const known = factors.list()
  const codesOf = (found: typeof known) => found.map(({ codeId }) => codeId).join(', ')
  const unreadable = known.filter(({ isReadable }) => !isReadable)
  const guessed = known.filter(({ wrong }) => wrong >= 5)
  if (unreadable.length > 0) {
    const text = `encrypted with a key that is gone, so no number opens code ${codesOf(unreadable)}; set up again with pitlane codes totp <code>`
    return { state: 'fail', text }
  }
  if (guessed.length > 0) {
    const text = `someone has code ${codesOf(guessed)} and is guessing the app’s numbers; replace it with pitlane codes rotate <code>`
    return { state: 'warn', text }
  }
  return { state: 'ok', text: known.length === 0 ? 'none' : `${known.length} in use` }
}
