import { Router } from 'express'
import type { Context } from '../context.ts'
import type { Endpoints } from '../http/endpoints.ts'
import type { Limits } from '../http/limits.ts'
import { createTransfers } from '../transfers/transfers.ts'
import { createAccess } from './access.ts'
import { createDownloads } from './downloads.ts'
import { fileRoutes } from './file-routes.ts'
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
export function folderRoutes(context: Context, endpoints: Endpoints, limits: Limits): Router {
  const { config, folders, keys, clock, commit, log } = context
  const { store, picks } = folders
  const { panels, codes } = context.clients
  const secure = config.siteUrl.startsWith('https:')
  const access = createAccess({ store, panels, keys, clock, secure })
  const quotas = createFolderQuotas({ clock })
  const pickers = createPickers({ panels, codes, keys, picks, quotas, secure })
  const replies = createReplies(access)
  const { inFolder } = replies

  serveFolder(context, endpoints, { access, pickers, replies })

  const { root } = folders
  const originals = createOriginals({ root, store, commit, log })
  const downloads = createDownloads(context)
  const selections = createSelections({ store, keys, clock, commit })
  const files = createTransfers({ ...fileDownloads, clock })
  const zips = createTransfers({ ...zipDownloads, clock })
  // Below /s, so that no error of another address comes here.
  return Router()
    .use(fileRoutes({ store, originals, downloads, transfers: files, inFolder }, limits))
    .use(previewRoutes(context, limits, downloads, replies))
    .use(
      zipRoutes(
        {
          store,
          picks,
          pickers,
          originals,
          selections,
          downloads,
          transfers: zips,
          quotas,
          inFolder,
        },
        limits,
      ),
    )
    .use(passwordRoutes(context, limits, access))
    .use(pickRoutes(context, limits, { pickers, quotas, inFolder }))
    .use('/s', replies.failed)
}
