import express, { Router, type RequestHandler } from 'express'
import { failure, isFailure } from '#shared/failures.ts'
import { entriesOf } from '#shared/forms/form.ts'
import { paths } from '#shared/paths.ts'
import { stateOf } from '#shared/link-rules.ts'
import type { Http, Platform } from '../feature.ts'
import { createAttempts } from '../http/limits/attempts.ts'
import { allowMethods } from '../http/methods.ts'
import { requestContextOf } from '../http/request-context.ts'
import { html } from '../text/markup.ts'
import { isPassword } from '../secrets/passwords.ts'
import { createClickOf } from './click.ts'
import type { Links } from './links.ts'
import type { Link } from './schema.ts'
import { destinationOf, hostOf, targetProblem } from './targets.ts'

/** Forms for passwords of links. */
const formLimit = { name: 'link-password', seconds: 60, max: 60 }

/** Wrong passwords within an hour, of all links, at which staff are told. */
const alertAt = 15

/**
 * The form for a link's password, which works without scripts and asks again every time: nothing is
 * kept in the browser. Who guesses is slowed down; others never wait for it.
 */
export function passwordRoutes(
  { clock, commit, log }: Pick<Platform, 'clock' | 'commit' | 'log'>,
  { limit, plain }: Pick<Http, 'limit' | 'plain'>,
  links: Links,
): Router {
  const clickOf = createClickOf()
  const attempts = createAttempts({
    secrets: 'passwords',
    clock,
    alertAt,
    alert: (failures) =>
      log.error({ failures, alert: true }, 'many wrong passwords of short links within an hour'),
  })

  /** Counts the click. @returns false when the last one of a maximum went to someone else */
  const count = async (link: Link, click: ReturnType<typeof clickOf>): Promise<boolean> => {
    const isSpending = link.maxClicks !== null && click.human
    if (isSpending && !(await commit((tx) => links.spend(tx, link.id, clock())))) return false
    links.count(link.id, click, isSpending)
    return true
  }

  const enter: RequestHandler = async (request, response, next) => {
    const link = links.find(String(request.params[0]))
    const isOpen =
      link !== null &&
      stateOf(link, clock()) === 'live' &&
      targetProblem(link.target, links.ownHosts()) === null
    if (!isOpen || link.password === null) {
      // The page says what has become of the link.
      request.method = 'GET'
      return next('router')
    }
    response
      .setHeader('Cache-Control', 'private, no-store')
      .setHeader('X-Robots-Tag', 'noindex, nofollow')
      .setHeader('Referrer-Policy', 'no-referrer')
    const { password = '' } = entriesOf(request.body as object | undefined)
    const { address, id } = requestContextOf(response)
    const forgive = attempts.begin(address)
    const isRight = await isPassword(password, link.password, address).catch((error: unknown) => {
      // It was not looked at, so it is no failure of the visitor.
      forgive()
      throw isFailure(error) ? failure('too-many', { retryAfter: 2, cause: error }) : error
    })
    // The form posts to the address that it was opened at.
    const query = new URLSearchParams(request.url.split('?').slice(1).join('?'))
    query.delete('wrong')
    if (!isRight) {
      attempts.failed()
      log.info({ id, code: link.code }, 'wrong password of a short link')
      query.set('wrong', '1')
      return response.redirect(303, `${paths.shortLink(link.code)}?${query.toString()}`)
    }
    forgive()
    if (!(await count(link, clickOf('GET', request.headers)))) {
      request.method = 'GET'
      return next('router')
    }
    const forwarded = link.forwardQuery ? query.toString() : null
    const destination = destinationOf(link.target, link.utm, forwarded)
    // Not by a redirect: browsers hold those after a form to the page's own policy.
    response.setHeader('Refresh', `0; url=${destination}`)
    await plain.reply(response, 200, {
      title: 'Opening the link',
      body: html`<h1>Opening the link</h1>
        <p>If nothing happens, continue here:</p>
        <p><a class="button" href="${destination}" rel="nofollow">${hostOf(link.target)}</a></p>`,
    })
  }

  const router = Router({ caseSensitive: true, strict: true })
  const form = express.urlencoded({ extended: false, limit: 8 * 1024, parameterLimit: 20 })
  router.post(/^\/l\/([\w-]{2,64})$/, limit(formLimit), form, enter)
  // HEAD and GET are answered ahead of the middleware.
  router.all(/^\/l\/[\w-]{2,64}$/, allowMethods(['GET', 'POST']))
  return router
}
