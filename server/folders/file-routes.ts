import { Router, type Request } from 'express'
import type { GetLimit } from '../http/limits.ts'
import { requestContextOf } from '../http/request-context.ts'
import { sendRanged, readRange } from '../transfers/ranged.ts'
import type { Transfers } from '../transfers/transfers.ts'
import type { Downloads } from './downloads.ts'
import { isPassive } from '../transfers/file-kinds.ts'
import type { Originals } from './originals.ts'
import { fileLimit } from './rate-limits.ts'
import { FolderRefusal, type createReplies } from './replies.ts'
import { isGranted, ruleOf, type Rights, type Way } from './rights.ts'
import type { StoredFile } from './file-store.ts'
import type { Folder, FolderStore } from './store.ts'
import { zipNames } from './zip-names.ts'

/** Whatever a file is, nothing in it runs here. */
export const sandboxed = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** The name of a file for disks of any kind, as in a ZIP. */
export const savedName = (name: string) => zipNames([name])[0]!

/**
 * Checks whether a visitor may have a file at an address.
 * @returns what it takes from the folder's number of downloads
 * @throws FolderRefusal when his rights do not open it
 */
export function demand(way: Way, file: Pick<StoredFile, 'kind' | 'type'>, rights: Rights) {
  if (!isGranted(way, file, rights)) throw new FolderRefusal('scope')
  return ruleOf(way, file).takes
}

/** The file that an address names. @throws FolderRefusal when the folder has none with this id */
export function fileOf(store: FolderStore, folder: Folder, request: Request): StoredFile {
  const { file } = request.params
  const found = /^\d{1,15}$/.test(String(file)) ? store.file(folder.id, Number(file)) : null
  if (!found) throw new FolderRefusal('file')
  return found
}

/** The files of a folder: `/files/{id}` to keep, `/view/{id}` to see films and hear sounds in place. */
export function fileRoutes(
  {
    store,
    originals,
    downloads,
    transfers,
    inFolder,
  }: {
    store: FolderStore
    originals: Originals
    downloads: Downloads
    transfers: Transfers
    inFolder: ReturnType<typeof createReplies>['inFolder']
  },
  limit: GetLimit,
): Router {
  const send = (way: 'file' | 'view') =>
    inFolder(async (folder, request, response, rights) => {
      const file = fileOf(store, folder, request)
      const takes = demand(way, file, rights)
      const requestContext = requestContextOf(response)
      const isHead = request.method === 'HEAD'
      const transfer = isHead ? null : transfers.begin(requestContext.address, response)
      if (!isHead && !transfer) throw new FolderRefusal('busy', 15)
      try {
        const original = await originals.find(folder, file)
        if (!original) throw new FolderRefusal('file')
        if (original.held) throw new FolderRefusal('held')
        const { size, mtime, etag } = original
        const range = readRange(request, size, etag)
        if (!isHead && range.kind !== 'beyond') {
          await downloads(
            folder,
            { what: { file: file.id }, takes, name: file.name },
            requestContext,
          )
        }
        const isShown = way === 'view' && isPassive(file.kind, file.type)
        if (!isShown) response.attachment(savedName(file.name))
        response.setHeader('Content-Type', file.type)
        response.setHeader('Content-Security-Policy', sandboxed)
        response.setHeader('Last-Modified', new Date(mtime).toUTCString())
        await sendRanged(request, response, { size, etag, range, transfer }, original.open)
      } finally {
        transfer?.end()
      }
    })

  const router = Router({ strict: true })
  router.get('/s/:id/files/:file', limit(fileLimit), send('file'))
  router.get('/s/:id/view/:file', limit(fileLimit), send('view'))
  return router
}
