import type { NextFunction, Request, Response } from 'express'

/** Express middleware: one address for each page, without a slash at its end (308). */
export function trailingSlash(request: Request, response: Response, next: NextFunction): void {
  const { path, originalUrl } = request
  if (path.length < 2 || !path.endsWith('/')) return next()
  // Slashes at the start would name another host, and some read a backslash as one.
  const bare = `/${path.replaceAll(/^[/\\]+|\/+$/g, '')}`
  response.redirect(308, bare + originalUrl.slice(path.length))
}
