import type { Request, RequestHandler, Response, Router } from 'express'
import {
  isMailable,
  looksLikeEmail,
  newsletterLimits,
  newsletterPaths,
} from '#shared/newsletter.ts'
import { entriesOf } from '#shared/form.ts'
import { oneLine } from '#shared/text.ts'
import type { Http } from '../feature.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Ask } from './asking.ts'
import * as views from './views.ts'

/**
 * The form of the list.
 * @param options `list` is the only one there is; `limiter` how often a form may be sent, `body` reads it
 */
export function addFormRoutes(
  router: Router,
  plain: Http['plain'],
  {
    list,
    ask,
    limiter,
    body,
  }: { list: string; ask: Ask; limiter: RequestHandler; body: RequestHandler },
): void {
  const subscribe = async (request: Request, response: Response) => {
    const posted = request.body as { l?: unknown } | undefined
    const lists = [posted?.l].flat().filter((each) => each !== undefined)
    const { email: typed = '', name = '', nonce = '' } = entriesOf(posted)
    const email = oneLine(typed)
    if (lists.length === 0 || lists.some((each) => each !== list)) {
      return plain.reply(response, 400, views.unknownListView)
    }
    if (!looksLikeEmail(email) || !isMailable(email)) {
      return plain.reply(response, 400, views.invalidView(list, email))
    }
    // A filled honeypot is answered like everything else.
    if (oneLine(nonce) === '') {
      const shortName = Array.from(oneLine(name)).slice(0, newsletterLimits.name).join('')
      const { address } = requestContextOf(response)
      await ask({ email, name: shortName }, { address, source: sourceOf(request) })
    }
    await plain.reply(response, 200, views.askedView)
  }

  router.get(newsletterPaths.form(), (_request, response) =>
    plain.reply(response, 200, views.formView(list)),
  )
  router.post(newsletterPaths.form(), limiter, body, subscribe)
}

/** The path of the page that the form stood on, for the proof of consent; without its query. */
function sourceOf(request: Request): string | null {
  const referrer = request.get('referer')
  if (!referrer || !URL.canParse(referrer)) return null
  return new URL(referrer).pathname.slice(0, 200)
}
