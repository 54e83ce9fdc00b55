import type { Site } from './site.ts'

type Headers = Readonly<Record<string, string>>

/** The headers of a resumable upload, as a browser on our own page sends them. */
const tusHeaders = (site: Pick<Site, 'url'>, headers: Headers) => ({
  'Tus-Resumable': '1.0.0',
  Origin: site.url,
  'Sec-Fetch-Site': 'same-origin',
  ...headers,
})

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Announces a file. @returns the status, what was said, and where its bytes go */
export async function announce(
  site: Pick<Site, 'url'>,
  headers: Headers,
  {
    folder,
    name,
    size,
    section,
    bytes,
  }: {
    folder: string
    name: string
    size: number | string
    section?: string
    /** Those that are sent with the announcement. */
    bytes?: Buffer
  },
) {
  const inSection = section ? `,section ${base64(section)}` : ''
  const response = await fetch(`${site.url}/api/desk/uploads`, {
    method: 'POST',
    headers: {
      ...tusHeaders(site, headers),
      'Upload-Length': String(size),
      'Upload-Metadata': `filename ${base64(name)},folder ${base64(folder)}${inSection}`,
      ...(bytes && { 'Content-Type': 'application/offset+octet-stream' }),
    },
    ...(bytes && { body: new Uint8Array(bytes) }),
  })
  const text = await response.text()
  return { status: response.status, text, location: response.headers.get('location') ?? '' }
}

/** Sends bytes of a file from a place on. */
export async function sendPiece(
  site: Pick<Site, 'url'>,
  headers: Headers,
  location: string,
  offset: number,
  bytes: Uint8Array<ArrayBuffer> | Buffer,
) {
  const response = await fetch(site.url + location, {
    method: 'PATCH',
    headers: {
      ...tusHeaders(site, headers),
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
    },
    body: new Uint8Array(bytes),
  })
  return { status: response.status, text: await response.text() }
}

/** How far a file has come; null where there is none. */
export async function offsetOf(site: Pick<Site, 'url'>, headers: Headers, location: string) {
  const response = await fetch(site.url + location, {
    method: 'HEAD',
    headers: tusHeaders(site, headers),
  })
  return response.status === 200 ? Number(response.headers.get('upload-offset')) : null
}

/** Sends a whole file. @returns the last reply */
export async function sendFile(
  site: Pick<Site, 'url'>,
  headers: Headers,
  { bytes, ...file }: { folder: string; name: string; section?: string; bytes: Buffer },
) {
  const begun = await announce(site, headers, { ...file, size: bytes.length })
  if (begun.status !== 201) return begun
  return sendPiece(site, headers, begun.location, 0, bytes)
}

/** Sends the form of the desk's page with files by their names, as a browser without scripts does. */
export function sendForm(
  site: Pick<Site, 'url'>,
  headers: Headers,
  folder: string,
  files: Readonly<Record<string, Buffer>>,
  section = '',
): Promise<Response> {
  const form = new FormData()
  form.append('section', section)
  for (const [name, bytes] of Object.entries(files)) {
    form.append('files', new Blob([new Uint8Array(bytes)]), name)
  }
  if (Object.keys(files).length === 0) form.append('files', new Blob([]), '')
  return fetch(`${site.url}/desk/folders/${folder}/files`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      Cookie: headers.Cookie ?? '',
      'Sec-Fetch-Site': 'same-origin',
      Origin: 'null',
      Accept: 'text/html',
    },
    body: form,
  })
}
