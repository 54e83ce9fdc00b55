import { join } from 'node:path'
import { Router } from 'express'
import type { ClientFeature } from '../clients/feature.ts'
import type { Http, Platform } from '../feature.ts'
import { createTransfers } from '../transfers/transfers.ts'
import { createAccess } from './access/access.ts'
import { createDownloads } from './files/downloads.ts'
import { createPreviews } from './files/previews.ts'
import { createWebSizes } from './files/web-sizes.ts'
import { fileRoutes, previewRoutes } from './files/routes.ts'
import type { Folders } from './folders.ts'
import { createOriginals } from './files/originals.ts'
import { passwordRoutes } from './access/password-routes.ts'
import { favouriteRoutes } from './favourites/routes.ts'
import { createFavouriteVisitors } from './favourites/visitors.ts'
import { createFolderQuotas } from './limits.ts'
import { createReplies } from './access/refusals.ts'
import { createSelections } from './zip/selections.ts'
import { serveFolder } from './page.ts'
import { uploadFormRoutes } from './uploads/form-routes.ts'
import { tusRoutes } from './uploads/tus-routes.ts'
import { zipRoutes } from './zip/routes.ts'

/** Downloads at the same time, in all and of one network at most. */
const fileDownloads = { max: 200, each: 20 }
const zipDownloads = { max: 24, each: 3 }

/**
 * Shared folders: the page's data, marks, forms, files and ZIPs. Whatever it
 * is, one function says who may have it; see access.ts.
 */
export function folderRoutes(
  platform: Platform,
  http: Http,
  { folders, clients }: { folders: Folders; clients: ClientFeature },
): void {
  const { endpoints, limit, mount } = http
  const { config, keys, clock, commit, log } = platform
  const { store, favourites, root, uploads } = folders
  const { panels, codes, sessionIn } = clients
  const secure = config.siteUrl.startsWith('https:')
  const access = createAccess({ store, panels, sessionIn, keys, clock, secure })
  const quotas = createFolderQuotas({ clock })
  const visitors = createFavouriteVisitors({
    panels,
    codes,
    sessionIn,
    keys,
    favourites,
    quotas,
    secure,
  })
  const replies = createReplies(access)
  const { inFolder } = replies

  serveFolder(platform, endpoints, { folders, access, visitors, replies })

  const originals = createOriginals({ root, store, commit, log })
  const previews = createPreviews({ dir: join(config.dataDir, 'cache/folders'), log })
  const webSizes = createWebSizes({ root, previews, brand: platform.brand })
  const downloads = createDownloads(platform, folders, clients)
  const selections = createSelections({ store, keys, clock, commit })
  const files = createTransfers({ ...fileDownloads, clock })
  const zips = createTransfers({ ...zipDownloads, clock })
  const zipParts = {
    store,
    favourites,
    visitors,
    originals,
    webSizes,
    selections,
    downloads,
    quotas,
    inFolder,
  }
  // One router, below /s, so no error of another address comes to its handler.
  mount(
    Router()
      .use(fileRoutes({ store, originals, downloads, transfers: files, inFolder }, limit))
      .use(previewRoutes(platform, limit, { folders, previews, downloads, inFolder }))
      .use(zipRoutes({ ...zipParts, transfers: zips }, limit))
      .use(passwordRoutes(platform, limit, access))
      .use(favouriteRoutes(platform, limit, { clients, folders, visitors, quotas, inFolder }))
      .use('/s', replies.failed),
  )
  mount(tusRoutes(platform, http, { store, uploads, clients }))
  mount(uploadFormRoutes(platform, http, { store, uploads, clients }))
}
