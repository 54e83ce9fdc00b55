import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { startPinned } from './load.ts'

/** The bytes and headers of a reply. */
type RawReply = { body: Buffer; headers: Record<string, string> }

/** A reply as it comes over the wire, without what belongs to its connection. */
export function fetchRaw(url: string, headers: Record<string, string> = {}): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { rawHeaders } = response
        const kept: Record<string, string> = {}
        for (let i = 0; i < rawHeaders.length; i += 2) {
          const name = rawHeaders[i]!
          if (!/^(date|connection|keep-alive|content-length)$/i.test(name))
            kept[name] = rawHeaders[i + 1]!
        }
        resolve({ body: Buffer.concat(chunks), headers: kept })
      })
    })
      .on('error', reject)
      .end()
  })
}

/**
 * A server with the same bytes and the usual three headers, as a static server would send them.
 * @param work a directory for the bytes
 * @param script `bare.ts` for node:http, `express-bytes.ts` for Express
 */
export function startBare(
  work: string,
  { body, headers }: RawReply,
  script: 'bare.ts' | 'express-bytes.ts' = 'bare.ts',
) {
  const file = join(work, `body-${body.length}`)
  writeFileSync(file, body)
  const few = Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      /^(content-type|content-encoding|etag)$/i.test(name),
    ),
  )
  return startPinned(join(import.meta.dirname, script), {
    BODY: file,
    HEADERS: JSON.stringify(few),
  })
}
