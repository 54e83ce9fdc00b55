import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request, type Agent } from 'node:http'
import { join } from 'node:path'
import { imageWidths } from '#shared/images.ts'

const assets = join(import.meta.dirname, '../../data/content/assets')

/** Addresses of pictures of the sample content, each of which has to be made. */
export function pictureVariants(count: number): string[] {
  const ids = readdirSync(assets)
    .filter((name) => /\.(?:jpe?g|png|webp)$/.test(name))
    .map((name) => name.slice(0, name.lastIndexOf('.')))
  const variants = ['webp', 'avif', 'jpg'].flatMap((format) =>
    imageWidths.flatMap((width) =>
      ids.map((id) => `/assets/${id}?width=${width}&quality=80&format=${format}`),
    ),
  )
  return variants.slice(0, count)
}

/** What is sent to the site. */
export type Sent = { method?: string; headers?: Record<string, string>; body?: string }

const token = randomBytes(16).toString('hex')

/** A ticket of the contact form. @param at its number */
export const enquiry = (at: number): Sent => ({
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    Cookie: `X-CSRF-TOKEN=${token}`,
    'X-CSRF-TOKEN': token,
  },
  body: JSON.stringify({
    Name: `Visitor ${at}`,
    Email: `visitor${at}@example.com`,
    Subject: 'Season coverage',
    Message: 'We run three cars in the championship and look for photographs. '.repeat(8),
    'Ticket ID': at.toString(36).padStart(6, '0'),
    Date: new Date().toISOString(),
  }),
})

/**
 * Asks for something from one of many loopback addresses.
 * @returns the status, once all has come; 0 where a connection that was kept had just been closed
 */
export function exchange(
  url: string,
  path: string,
  { agent, from, method = 'GET', headers, body }: Sent & { agent: Agent; from: number },
): Promise<number> {
  return new Promise((resolve) => {
    const options = { method, agent, headers, localAddress: `127.0.${1 + (from % 200)}.1` }
    request(url + path, options, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
      .on('error', () => resolve(0))
      .end(body)
  })
}
