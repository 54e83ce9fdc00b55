import express, { Router, type RequestHandler } from 'express'
import { entriesOf } from '#shared/forms/form.ts'
import { toResult } from '#shared/forms/result.ts'
import { failure, isFailure } from '#shared/failures.ts'
import type { Platform } from '../../feature.ts'
import { allowMethods } from '../../http/methods.ts'
import { createAttempts } from '../../http/limits/attempts.ts'
import type { GetLimit } from '../../http/limits/limits.ts'
import { requestContextOf } from '../../http/request-context.ts'
import type { FolderAccess } from './access.ts'
import { passwordLimit } from '../limits.ts'
import { folderReturnPath } from '../place.ts'
import { privateHeaders } from './refusals.ts'

/**
 * Wrong passwords within an hour, in all folders, at which staff are told. One who guesses from a
 * single address reaches it, as slow as he is made.
 */
const alertAt = 15

/**
 * The form for a folder's password, which works without scripts. Who guesses is slowed down as with
 * secret codes; an address that has not failed is never kept waiting.
 */
export function passwordRoutes(
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  limit: GetLimit,
  access: FolderAccess,
): Router {
  const attempts = createAttempts({
    secrets: 'passwords',
    clock,
    alertAt,
    alert: (failures) =>
      log.error({ failures, alert: true }, 'many wrong folder passwords within an hour'),
  })

  const enter: RequestHandler = async (request, response, next) => {
    const id = String(request.params.id)
    const requestContext = requestContextOf(response)
    for (const [name, value] of Object.entries(privateHeaders)) response.setHeader(name, value)
    const allowed = access.of(id, requestContext)
    const { password = '', to } = entriesOf(request.body as object | undefined)
    const back = folderReturnPath(id, to)
    if (allowed.state === 'open') return response.redirect(303, toResult(back))
    if (allowed.state !== 'locked') {
      // The page says what has become of the folder.
      request.method = 'GET'
      return next('router')
    }
    const { folder } = allowed
    const forgive = attempts.begin(requestContext.address)
    const entered = await access.enter(folder, password, requestContext).catch((error: unknown) => {
      // It was not looked at, so it is no failure of the visitor.
      forgive()
      throw isFailure(error) ? failure('too-many', { retryAfter: 2, cause: error }) : error
    })
    if (entered) {
      forgive()
      return response.redirect(303, toResult(back))
    }
    attempts.failed()
    log.info({ id: requestContext.id, directory: folder.directory }, 'wrong folder password')
    response.redirect(303, withWrongFlag(back))
  }

  const router = Router({ strict: true })
  const form = express.urlencoded({ extended: false, limit: 8 * 1024, parameterLimit: 20 })
  router.post('/s/:id/password', limit(passwordLimit), form, enter)
  router.all('/s/:id/password', allowMethods(['POST']))
  return router
}

const withWrongFlag = (to: string) => `${to}${to.includes('?') ? '&' : '?'}wrong=1#folder-password`
