import { Router } from 'express'
import { failure } from '#shared/failures.ts'
import {
  createLink,
  editLink,
  getLinkStatistics,
  linksPerPage,
  listLinks,
  viewLink,
  type LinkView,
} from '#shared/links.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Http, Platform } from '../feature.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { LinkActs } from './acts.ts'
import type { Links } from './links.ts'
import { passwordRoutes } from './password.ts'
import { qrPng, qrSvg } from '../images/qr-code.ts'
import { showLink, statisticsOf } from './show.ts'
import { hostOf, targetProblem } from './targets.ts'

/** Making and changing short links. */
const changeLimit = { name: 'links', seconds: 60, max: 120 }

/** Tags that the page of links offers, at most. */
const maxTagsShown = 20

const instant = (text: string | null | undefined) =>
  text === undefined || text === null ? text : Date.parse(text)

type Deps = {
  links: Links
  acts: LinkActs
  clients: Pick<ClientFeature, 'sessionIn'>
}

/** Making and looking after short links, their public view, and their QR codes. */
export function linkRoutes(
  platform: Pick<Platform, 'clock' | 'commit' | 'log'>,
  { endpoints, limit, mount, plain }: Http,
  deps: Deps,
): void {
  const { links } = deps
  serveStaff(platform, endpoints, deps)
  endpoints.serve(viewLink, { limit: 'read', access: 'public' }, ({ code }) => viewOf(links, code))
  mount(qrCodes(links, limit))
  mount(passwordRoutes(platform, { limit, plain }, links))
}

/** What staff may do: make links, change them, and see how they are used. */
function serveStaff(
  { clock }: Pick<Platform, 'clock'>,
  endpoints: Http['endpoints'],
  { links, acts, clients }: Deps,
): void {
  const staff = { limit: 'read', access: 'public', scope: 'links' } as const
  const changing = { limit: changeLimit, access: 'csrf', scope: 'links' } as const

  endpoints.serve(
    createLink,
    changing,
    async ({ startsAt, expiresAt, key, ...fields }, requestContext) => {
      const session = clients.sessionIn(requestContext)
      if (!session) throw failure('signed-out')
      const { actor: name, clientId } = session
      const link = await acts.create(
        { ...fields, startsAt: instant(startsAt), expiresAt: instant(expiresAt), clientId },
        name,
        key,
      )
      return { success: true as const, link: showLink(links, link, clock()) }
    },
  )

  endpoints.serve(editLink, changing, async (input, requestContext) => {
    const { code, startsAt, expiresAt, ...changes } = input
    const session = clients.sessionIn(requestContext)
    if (!session) throw failure('signed-out')
    const times = { startsAt: instant(startsAt), expiresAt: instant(expiresAt) }
    await links.settleCounts()
    const link = await acts.edit(code, { ...changes, ...times }, session.actor)
    return { success: true as const, link: showLink(links, link, clock()) }
  })

  endpoints.serve(listLinks, staff, async ({ q = '', state = null, tag = null, page = 1 }) => {
    const found = await links.list(
      { text: q.trim(), state, tag },
      (page - 1) * linksPerPage,
      linksPerPage,
    )
    return {
      links: found.links.map((link) => showLink(links, link, clock())),
      total: found.total,
      page,
      pages: Math.max(1, Math.ceil(found.total / linksPerPage)),
      tags: links.tags(maxTagsShown),
      dead: links.deadCount(),
    }
  })

  endpoints.serve(getLinkStatistics, staff, async ({ code, days }) => {
    const statistics = await statisticsOf(links, code, days, clock())
    if (!statistics) throw failure('missing', { message: 'Link not found.' })
    return statistics
  })
}

/** What the public may know of a link. */
function viewOf(links: Links, code: string): LinkView {
  const link = links.find(code)
  if (!link) return { state: 'missing' }
  const state = links.state(link)
  if (state === 'scheduled') return { state: 'missing' }
  if (state === 'live' && link.password !== null) return { state: 'locked', code: link.code }
  if (state !== 'live' || targetProblem(link.target, links.ownHosts())) return { state: 'gone' }
  return {
    state,
    code: link.code,
    target: link.target,
    host: hostOf(link.target),
    createdAt: new Date(link.createdAt).toISOString(),
    expiresAt: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
  }
}

/** QR codes of links as files. */
function qrCodes(links: Links, limit: Http['limit']): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get(/^\/l\/([\w-]{2,64})\.(svg|png)$/, limit('read'), async (request, response, next) => {
    const [code, format] = [request.params[0]!, request.params[1]!]
    const link = links.find(code)
    const isStaff = requestContextOf(response).session?.scopes.has('links') ?? false
    const isLive = link !== null && links.state(link) === 'live'
    // The page of a missing link, by the same rule as for the link itself.
    if (!link || (!isLive && !isStaff)) return next()
    response
      .setHeader('Cache-Control', isLive ? 'public, max-age=3600' : 'private, no-store')
      .setHeader('X-Robots-Tag', 'noindex')
      .type(format)
      .send(await (format === 'png' ? qrPng : qrSvg)(links.addressOf(link)))
  })
  return router
}
