import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { failure } from '#shared/failures.ts'

/** A JSON object and nothing else; anything else is told apart as 400, 413 or 415. */
export function jsonBody(bytes: number): RequestHandler[] {
  return [
    (request: Request, _: Response, next: NextFunction) => {
      next(request.is('application/json') ? undefined : failure('wrong-type'))
    },
    express.json({ limit: bytes, strict: true }),
    (request: Request, _: Response, next: NextFunction) => {
      const isObject = request.body instanceof Object && !Array.isArray(request.body)
      next(
        isObject
          ? undefined
          : failure('malformed', { message: 'The request body must be a JSON object.' }),
      )
    },
  ]
}
