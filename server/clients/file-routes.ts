import { dirname, basename } from 'node:path'
import { Router, type NextFunction, type Request, type Response } from 'express'
import { failure } from '#shared/failures.ts'
import { withheldTexts } from '#shared/folders/withheld.ts'
import { paths } from '#shared/paths.ts'
import type { Http, Platform } from '../feature.ts'
import { requestContextOf, sessionWith } from '../http/request-context.ts'
import { patched } from '../images/metadata.ts'
import { html } from '../text/markup.ts'
import { FileGone, openFile, versionOf } from '../transfers/disk.ts'
import { kindOf } from '../transfers/file-kinds.ts'
import { sendRanged, readRange, type Sent } from '../transfers/ranged.ts'
import { createTransfers } from '../transfers/transfers.ts'
import { sandboxPolicy } from '../http/security-headers.ts'
import type { Clients } from './clients.ts'
import { keepsLocation, scopeOf } from './panel-files.ts'
import type { PanelBlock, PanelFile } from './schema.ts'
import type { ClientSession } from './sessions.ts'

/**
 * Repeated requests for a file within this time count as one download, as when a film is streamed in
 * ranges.
 */
const sameDownload = 10 * 60_000

/** Max concurrent downloads, in total and per network. */
const downloads = { max: 100, each: 20 }

/**
 * `GET /panel/{panel}/files/{id}`: a file of a panel, whole or in part, for the session that owns
 * the panel. Names on disk are random and looked up, so no path comes from the address.
 */
export function fileRoutes(
  platform: Pick<Platform, 'clock' | 'commit' | 'log'>,
  { limit, plain }: Pick<Http, 'limit' | 'plain'>,
  clients: Clients,
): Router {
  const { clock } = platform
  const transfers = createTransfers({ ...downloads, clock })
  const writeDown = createNotes(platform, clients)

  const answer = async (request: Request, response: Response) => {
    const requestContext = requestContextOf(response)
    sessionWith('view', requestContext)
    const session = clients.sessionIn(requestContext)
    const { panel, id } = request.params as { panel: string; id: string }
    if (!session || panel !== session.panel) throw failure('missing')
    const file = clients.panels.findFile(id)
    const block = file?.clientId === session.clientId ? clients.panels.find(file.block) : null
    if (!file || !block) throw failure('missing')
    const scope = scopeOf(file, block)
    sessionWith(scope, requestContext)
    const isHead = request.method === 'HEAD'
    const transfer = isHead ? null : transfers.begin(requestContext.address, response)
    if (!isHead && !transfer) throw failure('unavailable', { retryAfter: 15 })
    /** Whether who began to read may still: a film takes hours, and its code may be revoked meanwhile. */
    const mayGoOn = () => {
      const now = clients.sessionIn({ session: requestContext.sessionAt(clock()) })
      const isStillThere = clients.panels.findFile(id)?.block === block.id
      return isStillThere && now?.panel === panel && now.scopes.has('view') && now.scopes.has(scope)
    }
    try {
      await send(clients, request, response, { file, block, transfer, mayGoOn })
      if (isFirstPart(request) && response.statusCode !== 304)
        writeDown(file, scope === 'view', session)
    } finally {
      transfer?.end()
    }
  }

  const failed = plain.failures(view)
  const lost = createMissingFileHandler(platform)
  return Router().get('/panel/:panel/files/:id', limit('read'), answer, lost, failed)
}

/** Sends a file as its block delivers it. */
async function send(
  clients: Clients,
  request: Request,
  response: Response,
  {
    file,
    block,
    ...reading
  }: { file: PanelFile; block: PanelBlock } & Pick<Sent, 'transfer' | 'mayGoOn'>,
): Promise<void> {
  const path = clients.panels.pathOf(file)
  const [root, name] = [dirname(path), basename(path)]
  const version = await versionOf(root, name)
  if (!version) throw new FileGone('File not found.')
  const { type } = kindOf(file.name)
  const isWhole = keepsLocation(block)
  const patches = isWhole ? [] : await clients.metadata(file)
  if (!patches)
    throw failure('forbidden', { message: `${withheldTexts.one} Please ask us for it.` })
  // The content under an ID never changes, so a broken download can resume.
  const etag = `"${file.id}${isWhole ? '' : '-c3'}"`
  const range = readRange(request, version.size, etag)
  response.attachment(file.name)
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Security-Policy', sandboxPolicy)
  response.setHeader('Cache-Control', 'private, no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Robots-Tag', 'noindex')
  await sendRanged(request, response, { size: version.size, etag, range, ...reading }, async () =>
    patched(await openFile(root, name, version), patches),
  )
}

/** Returns the function that records which files a client got, once per download. */
function createNotes(
  { clock, commit, log }: Pick<Platform, 'clock' | 'commit' | 'log'>,
  clients: Clients,
) {
  return (file: PanelFile, isWatched: boolean, { clientId, codeId, who }: ClientSession): void => {
    const detail = `${isWatched ? 'Watched' : 'Downloaded'} ${file.name}`
    const after = clock() - sameDownload
    const known = clients.activity(clientId, 50)
    if (known.some((line) => line.detail === detail && line.who === who && line.at > after)) return
    // Not awaited: a film begins also while the database is busy.
    commit((tx) => clients.audit(tx, { clientId, codeId, who, kind: 'download', detail })).catch(
      (err: unknown) => log.error({ err }, 'download not recorded'),
    )
  }
}

/** Handles a file that is in the database but missing from disk: an error in the log, a page for the visitor. */
function createMissingFileHandler({ log }: Pick<Platform, 'log'>) {
  return (thrown: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (!(thrown instanceof FileGone)) return next(thrown)
    log.error({ err: thrown, file: request.params.id }, 'panel file not readable')
    if (response.headersSent) return void response.destroy()
    response.removeHeader('Content-Disposition')
    next(failure('missing'))
  }
}

const view = ({ status, message }: { status: number; message: string }) => {
  const title = status === 401 ? 'Please enter your secret code' : 'File not available'
  return {
    title,
    body: html`<h1>${title}</h1>
      <p>${message}</p>
      <p class="way"><a href="${paths.clientZone()}">Go to the client zone</a></p>`,
  }
}

/** True for a request that begins a download rather than resuming one. */
function isFirstPart(request: Request): boolean {
  const range = request.get('range')
  return request.method === 'GET' && (range === undefined || range.startsWith('bytes=0-'))
}
