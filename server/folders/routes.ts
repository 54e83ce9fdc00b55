import { Router } from 'express'
import type { ClientFeature } from '../clients/feature.ts'
import type { Http, Platform } from '../feature.ts'
import { createTransfers } from '../transfers/transfers.ts'
import { createAccess } from './access.ts'
import { createDownloads } from './downloads.ts'
import { fileRoutes } from './file-routes.ts'
import type { Folders } from './folders.ts'
import { createOriginals } from './originals.ts'
import { passwordRoutes } from './password-routes.ts'
import { pickRoutes } from './pick-routes.ts'
import { createPickers } from './pickers.ts'
import { previewRoutes } from './preview-routes.ts'
import { createFolderQuotas } from './quotas.ts'
import { createReplies } from './replies.ts'
import { createSelections } from './selections.ts'
import { serveFolder } from './serve-folder.ts'
import { zipRoutes } from './zip-routes.ts'

/** Downloads at the same time, in all and of one network at most. */
const fileDownloads = { most: 200, each: 20 }
const zipDownloads = { most: 24, each: 3 }

/**
 * Shared folders: the page's data, marks, forms, files and ZIPs. Whatever it
 * is, one function says who may have it; see access.ts.
 */
export function folderRoutes(
  platform: Platform,
  { endpoints, limit, mount }: Http,
  { folders, clients }: { folders: Folders; clients: ClientFeature },
): void {
  const { config, keys, clock, commit, log } = platform
  const { store, picks, root } = folders
  const { panels, codes, sessionIn } = clients
  const secure = config.siteUrl.startsWith('https:')
  const access = createAccess({ store, panels, sessionIn, keys, clock, secure })
  const quotas = createFolderQuotas({ clock })
  const pickers = createPickers({ panels, codes, sessionIn, keys, picks, quotas, secure })
  const replies = createReplies(access)
  const { inFolder } = replies

  serveFolder(platform, endpoints, { folders, access, pickers, replies })

  const originals = createOriginals({ root, store, commit, log })
  const downloads = createDownloads(platform, folders, clients)
  const selections = createSelections({ store, keys, clock, commit })
  const files = createTransfers({ ...fileDownloads, clock })
  const zips = createTransfers({ ...zipDownloads, clock })
  const zipParts = { store, picks, pickers, originals, selections, downloads, quotas, inFolder }
  // One router, below /s, so that no error of another address comes to its handler.
  mount(
    Router()
      .use(fileRoutes({ store, originals, downloads, transfers: files, inFolder }, limit))
      .use(previewRoutes(platform, limit, { folders, downloads, inFolder }))
      .use(zipRoutes({ ...zipParts, transfers: zips }, limit))
      .use(passwordRoutes(platform, limit, access))
      .use(pickRoutes(platform, limit, { clients, folders, pickers, quotas, inFolder }))
      .use('/s', replies.failed),
  )
}
