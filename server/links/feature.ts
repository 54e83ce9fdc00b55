import type { ClientFeature } from '../clients/feature.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Kept } from '../contributions/personal-data.ts'
import type { Feature, Platform } from '../feature.ts'
import { waitAtMost } from '../concurrency/timeout.ts'
import { newPassword } from '../secrets/passwords.ts'
import { createLinkActs, type LinkActs } from './acts.ts'
import { linkDesk } from './desk.ts'
import { createTargetChecks } from './checks.ts'
import { createLinks, type Links } from './links.ts'
import { linkBlock } from './panel-block.ts'
import { qrPng, qrSvg, qrTerminal } from '../images/qr-code.ts'
import { createRedirect } from './redirect.ts'
import type { Link } from './schema.ts'
import { urlMentions } from '../text/mentions.ts'
import { recentClicks, statisticsOf } from './show.ts'

/** Milliseconds that a stop waits for clicks to be written down. */
const flushTimeout = 1_000

/** Short links (docs/contract.md, Short links). Their counts name no one. */
export type LinkFeature = Feature &
  Links & {
    /** What staff do with links. */
    acts: LinkActs
    /** Asks whether the targets of links still answer. */
    checks: ReturnType<typeof createTargetChecks>
    /** Draws a password. */
    newPassword: typeof newPassword
    /** People in each of the last days that a link's small chart has. */
    recentClicks: (link: Link) => number[]
    /** Counts of the last days; null when there is no such link. */
    statistics: (code: string, days: number) => ReturnType<typeof statisticsOf>
    /** The QR code of an address, in three formats. */
    qrCode: { png: typeof qrPng; svg: typeof qrSvg; terminal: typeof qrTerminal }
  }

/** @param clients who create links; each link belongs to its creator */
export function linkFeature(
  platform: Platform,
  clients: Pick<ClientFeature, 'sessionIn'>,
): LinkFeature {
  const { clock, commit, contributions } = platform
  const links = createLinks({ ...platform, reservedPaths: () => contributions().reservedPaths })
  const acts = createLinkActs(platform, links)
  const checks = createTargetChecks(platform, links)
  return {
    ...links,
    acts,
    checks,
    newPassword,
    recentClicks: (link) => recentClicks(links, link, clock()),
    statistics: (code, days) => statisticsOf(links, code, days, clock()),
    qrCode: { png: qrPng, svg: qrSvg, terminal: qrTerminal },
    name: 'links',
    async routes(http) {
      const { linkRoutes } = await import('./routes.ts')
      linkRoutes(platform, http, { links, acts, clients })
      http.early.take('/l/', createRedirect(platform, links, http.early))
    },
    // Clicks are not worth a stop that hangs, should another process hold the database.
    close: () => waitAtMost(links.flush(), flushTimeout),
    desk: linkDesk(links),
    panelBlocks: [linkBlock(links)],
    jobs: [
      {
        kind: 'links.forget',
        about: 'deletes referrers of short links older than two years',
        recurs: { daily: '03:30' },
        run: () => inBatches(commit, links.forgetOld),
      },
      {
        kind: 'links.check',
        about: 'checks that the targets of short links respond, each about once a week',
        recurs: { daily: '04:40' },
        waitsForTrustedClock: false,
        run: ({ signal }) => checks.checkDue(signal),
      },
    ],
    doctor: [{ check: 'short links', look: checks.finding }],
    digest: () => [
      {
        count: links.deadCount(),
        what: 'short links with dead targets',
        command: 'pitlane links list --dead',
      },
    ],
    personalData: [
      {
        name: 'short links',
        policy: [
          {
            what: 'Counting short links',
            data: 'How often short links were followed, by day and kind of device, and referring sites',
            ground: 'Our legitimate interest in knowing what is used (Art. 6(1)(f))',
            kept: 'The counts, which identify no one, as long as the link; names of sites for two years',
          },
        ],
        forgottenBy: { job: 'links.forget' },
        find: (email) =>
          links.mentioning(email).map(({ code, note, target, utm }) => ({
            code,
            note,
            target,
            ...(utm && { utm }),
          })),
        erase: (tx, email) => ({
          erased: links.redact(tx, email),
          ...keptTargets(links.mentioning(email), email),
        }),
        note: 'Daily counts of short links identify no one.',
      },
    ],
  }
}

/** What an erasure says of an address in the targets of links, which only staff can make again. */
function keptTargets(found: readonly Link[], email: string): { kept?: Kept } {
  const codes = found.filter(({ target }) => urlMentions(target, email)).map(({ code }) => code)
  if (codes.length === 0) return {}
  return {
    kept: {
      count: codes.length,
      why: `The address is part of the target, which would lead nowhere without it. Change it with pitlane links edit --target, or remove the link: ${codes.join(', ')}.`,
      until: null,
    },
  }
}
