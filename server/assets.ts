import { join } from 'node:path'
import { Router } from 'express'
import sirv from 'sirv'
import { dist } from './build.ts'
import type { Renderer } from './renderer.ts'

const root = join(import.meta.dirname, '..')

/** Hashed assets of the build, immutable and precompressed, and the few fixed files of client/public. */
export function assetRoutes({ development }: Pick<Renderer, 'development'>): Router {
  const router = Router()
  router.use(
    sirv(join(root, 'client/public'), {
      dev: development,
      setHeaders: (response) => response.setHeader('Cache-Control', 'public, max-age=86400'),
    }),
  )
  if (!development) {
    router.use(
      '/assets',
      sirv(join(dist, 'client/assets'), {
        brotli: true,
        gzip: true,
        immutable: true,
        maxAge: 31_536_000,
        etag: true,
      }),
    )
  }
  return router
}
