import { Router, type RequestHandler } from 'express'
import type { Http } from '../feature.ts'
import { allowMethods } from '../http/methods.ts'
import type { PlainPage } from '../http/replies/plain-page.ts'
import type { RateLimit } from '../http/limits/limits.ts'
import { html } from '../text/markup.ts'

/** Links of waiting requests, and their buttons. */
const limit: RateLimit = { name: 'waiting-links', seconds: 60, max: 120 }

/** What became of a thing whose link was used. */
export type LinkOutcome = {
  /** `held` by now; `staff` when it is over a limit that only people lift. */
  outcome: 'held' | 'staff'
  /** The page of the thing, absolute. */
  url: string
}

/** The pages behind the link of what waits: opening it changes nothing, its button does. */
export type LinkPages = {
  /** Express path with `:token`. */
  path: (token: string) => string
  /** What it is, such as "Booking B-7K3M9QTX", and what the button does. @throws missing, gone */
  look: (token: string) => { title: string; text: string; button: string }
  /** @throws missing, gone, `taken`, stock */
  use: (token: string) => Promise<LinkOutcome>
}

/**
 * Mounts the pages of the links that waiting requests get. They need no script and no cookie, since
 * the link itself is all the right there is.
 */
export function mountLinkPages(
  {
    mount,
    openPath,
    plain,
    limit: limiterOf,
  }: Pick<Http, 'mount' | 'openPath' | 'plain' | 'limit'>,
  { path, look, use }: LinkPages,
): void {
  const limiter = limiterOf(limit)
  const router = Router({ caseSensitive: true })
  const tokenOf = ({ params }: Parameters<RequestHandler>[0]) => String(params.token)
  router.get(path(':token'), limiter, (request, response) => {
    const { title, text, button } = look(tokenOf(request))
    response.setHeader('Referrer-Policy', 'no-referrer').setHeader('X-Robots-Tag', 'noindex')
    return plain.reply(response, 200, {
      title,
      body: html`<h1>${title}</h1>
        <p>${text}</p>
        <form method="post" action="${path(tokenOf(request))}"><button>${button}</button></form>`,
    })
  })
  router.post(path(':token'), limiter, async (request, response) => {
    const { outcome, url } = await use(tokenOf(request))
    response.setHeader('Referrer-Policy', 'no-referrer').setHeader('X-Robots-Tag', 'noindex')
    await plain.reply(response, 200, doneView(outcome, url))
  })
  router.all(path(':token'), allowMethods(['GET', 'POST']))
  router.use(path(':token'), plain.failures(failedView))
  openPath(new RegExp(`^${path(String.raw`[\w-]+`)}$`))
  mount(router)
}

const doneView = (outcome: LinkOutcome['outcome'], url: string): PlainPage =>
  outcome === 'held'
    ? {
        title: 'Thank you',
        body: html`<h1>Thank you</h1>
          <p role="status">Your email address is confirmed.</p>
          <p class="way"><a href="${url}">See the details</a></p>`,
      }
    : {
        title: 'We’ll take a look',
        body: html`<h1>We’ll take a look</h1>
          <p role="status">
            Your email address is confirmed. There are several open requests from you or your
            network, so we’ll look at this one first.
          </p>
          <p class="way"><a href="${url}">See the details</a></p>`,
      }

const failedView = ({ message }: { message: string }): PlainPage => ({
  title: 'That didn’t work',
  body: html`<h1>That didn’t work</h1>
    <p>${message}</p>`,
})
