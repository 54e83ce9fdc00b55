import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { ApiClient } from '#shared/endpoint.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Framing, pagePolicy } from '../http/security-headers.ts'
import type { Renderer } from '../renderer.ts'

/** What rendering pages depends on. */
export type PageDeps = {
  renderer: Renderer
  /** False renders every page anew. */
  keepPages: boolean
  log: Logger
  clock: () => number
  siteUrl: string
  apiFor(requestContext: RequestContext): ApiClient
  contentVersion(): number
  /** Headers that every reply has. */
  commonHeaders: Readonly<Record<string, string>>
  /** Which other sites may show a page in a frame. */
  framing: Framing
  /** Origins that configuration and content add to the policy of pages. */
  policyOrigins(): Parameters<typeof pagePolicy>[1]
  /** How many pages an address may have rendered. */
  limit: RequestHandler
}
