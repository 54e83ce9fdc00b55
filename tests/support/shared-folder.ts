import { mkdirSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { hashPassword } from '#server/secrets/passwords.ts'
import { withoutPrivateMetadata } from '#server/images/metadata.ts'
import type { Folder } from '#server/folders/schema.ts'
import type { FolderChange } from '#server/folders/store.ts'
import type { Site } from './site.ts'

/** A browser that a person uses, as far as the counts can tell. */
export const person = {
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
}

/** A small photo with everything that a camera writes, GPS and serial number included. */
export function photo(width = 60, height = 40): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#c43' } })
    .jpeg()
    .withExif({
      IFD0: { Copyright: 'Pitlane Media', Artist: 'A. Kuvaaja', Make: 'Canon' },
      IFD2: { BodySerialNumber: 'SERIAL-4711' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '62/1 14/1 0/1' },
    })
    .toBuffer()
}

/** What leaves of a photo: neither its place nor the serial number of the camera. */
export const leaving = (bytes: Buffer | string) =>
  withoutPrivateMetadata(Buffer.from(bytes), 'image/jpeg')

/** Bytes that no other length or seed has. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  return bytes
}

/** Writes files below DATA_DIR/folders. */
export function writeFiles(
  site: Pick<Site, 'dataDir'>,
  directory: string,
  files: Readonly<Record<string, Buffer | string>>,
): void {
  mkdirSync(join(site.dataDir, 'folders', directory), { recursive: true })
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(site.dataDir, 'folders', directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
}

/**
 * Shares a directory, as the command line does.
 * @param change what else is said about it; the password in plain
 */
export async function share(
  { context, ...site }: Pick<Site, 'context' | 'dataDir'>,
  directory: string,
  files: Readonly<Record<string, Buffer | string>>,
  { password, ...change }: FolderChange = {},
): Promise<Folder> {
  writeFiles(site, directory, files)
  const { store, sync } = context.features.folders
  const added = await context.commit((tx) =>
    store.add(tx, {
      directory,
      title: 'Arctic Rally',
      client: 'Team Kaamos',
      season: '2026',
      expiresAt: context.clock() + 90 * 86_400_000,
    }),
  )
  const hashed = password ? { password: await hashPassword(password) } : {}
  const folder = await context.commit((tx) => store.change(tx, added, { ...change, ...hashed }))
  await sync(folder)
  return store.find(folder.key)!
}

/** Puts folders into the panel of a client, as staff do. */
export const inPanel = (
  { context }: Pick<Site, 'context'>,
  clientId: number,
  ...folders: readonly Folder[]
) =>
  context.commit((tx) =>
    context.features.clients.panels.add(tx, {
      clientId,
      kind: 'folders',
      title: null,
      data: { folders: folders.map(({ key }) => key) },
    }),
  )

/** Begins a download and reads nothing of it. */
export function startSlowly(url: string, localAddress = '127.0.0.1', headers = {}) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers: { ...person, ...headers }, agent: false, localAddress })
      .once('response', (response) => {
        response.pause()
        resolve(response)
      })
      .once('error', reject)
      .end()
  })
}

/** The ids of a folder's files by their paths. */
export const idsOf = ({ context }: Pick<Site, 'context'>, folder: Folder) =>
  Object.fromEntries(
    context.features.folders.store.files(folder.id).map(({ path, id }) => [path, id]),
  )

/** Posts a form as a browser on the folder's page does, which tells no referrer. */
export function postForm(
  site: Pick<Site, 'url'>,
  path: string,
  fields: Readonly<Record<string, string>> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(site.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      ...person,
      'Sec-Fetch-Site': 'same-origin',
      Origin: 'null',
      Accept: 'text/html',
      ...headers,
    },
    body: new URLSearchParams(fields),
  })
}

/** The cookies that a reply sets, as a browser sends them back. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
