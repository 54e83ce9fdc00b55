import express, { Router } from 'express'
import { ownList } from '#shared/newsletter.ts'
import type { Http, Platform } from '../feature.ts'
import { createAsking } from './asking.ts'
import { addConfirmationRoutes } from './confirmation-routes.ts'
import { addFormRoutes } from './form-routes.ts'
import { addLeaveRoutes } from './leave-routes.ts'
import type { Subscribers } from './store.ts'
import type { ConfirmationTokens } from './tokens.ts'
import * as views from './views.ts'

/** The newsletter's forms and links. */
const subscribing = { name: 'subscribe', seconds: 600, most: 60 }
/** Unsubscribing, which one mail provider may do for many people at once. */
const leaving = { name: 'leave', seconds: 60, most: 600 }

/** Where mail programs unsubscribe; the token is all they need, so these pass the same-origin check. */
const leavePaths = /^\/subscription\/leave\/[\w-]+$/

/**
 * The list service (docs/contract.md, Newsletter), in the shape of listmonk's public forms: double
 * opt-in, confirming and leaving by POST alone, since mail scanners open every link.
 */
export function newsletterRoutes(
  platform: Platform,
  { limit, mount, openPath, plain }: Http,
  {
    subscribers,
    confirmationTokens,
  }: { subscribers: Subscribers; confirmationTokens: ConfirmationTokens },
): void {
  const list = platform.config.newsletter.list ?? ownList
  const router = Router()
  const body = express.urlencoded({ extended: false, limit: 16 * 1024, parameterLimit: 50 })
  const ask = createAsking(platform, subscribers)
  const limiter = limit(subscribing)

  addFormRoutes(router, plain, { list, ask, limiter, body })
  addConfirmationRoutes(router, plain, platform, { subscribers, confirmationTokens, ask, limiter })
  addLeaveRoutes(router, plain, platform, { subscribers, limiter: limit(leaving), body })
  router.use('/subscription', plain.failures(views.failedView))
  openPath(leavePaths)
  mount(router)
}
