import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

/** A Directus with very long lists, in a thread of its own, whose work is none of the site's. */
export type LongDirectus = AsyncDisposable & {
  readonly url: string
  /** Gives the first file and the first article another text. */
  edit(): Promise<void>
}

const counts = { files: 100_000, news: 5_000 }

/** The id of a file by its number. */
export const fileId = (at: number) => `0b1f2c3d-0000-4000-8000-${String(at).padStart(12, '0')}`

/** Starts it. */
export async function startLongDirectus(): Promise<LongDirectus> {
  const worker = new Worker(new URL(import.meta.url))
  const answer = () => new Promise<unknown>((resolve) => worker.once('message', resolve))
  const port = Number(await answer())
  return {
    url: `http://127.0.0.1:${port}`,
    async edit() {
      const done = answer()
      worker.postMessage('edit', [])
      await done
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

type Row = Readonly<Record<string, unknown>>

const files = (edits: number): Row[] =>
  Array.from({ length: counts.files }, (_, at) => ({
    id: fileId(at),
    width: 6000,
    height: 4000,
    description: at === 0 ? `Edit ${edits}, with "quotes", [brackets] and {braces} \\` : null,
    focal_point_x: null,
    focal_point_y: null,
    alt: null,
  }))

const news = (edits: number): Row[] =>
  Array.from({ length: counts.news }, (_, at) => ({
    id: at,
    slug: `a${at}`,
    title: at === 0 ? `Edit ${edits}` : `Article ${at}`,
    excerpt: 'What it is about. '.repeat(8),
    content: '<p>Text</p>',
    image: fileId(at),
    author: null,
    category: null,
    tags: ['rally', 'gravel'],
    published_at: '2026-01-01T08:00:00Z',
    date_updated: '2026-01-01T08:00:00.000Z',
    old_slugs: null,
    status: 'published',
  }))

function serve(port: NonNullable<typeof parentPort>): void {
  let edits = 0
  let lists = listsOf(edits)
  const bodies = new Map<string, { body: string; tag: string }>()

  port.on('message', () => {
    edits += 1
    lists = listsOf(edits)
    bodies.clear()
    port.postMessage('done', [])
  })

  const bodyOf = (url: URL, rows: readonly Row[]) => {
    const known = bodies.get(url.href)
    if (known) return known
    const filter = url.searchParams.get('filter')
    const ids =
      filter && new Set((JSON.parse(filter) as { id: { _in: unknown[] } }).id._in.map(String))
    const found = ids ? rows.filter(({ id }) => ids.has(String(id))) : rows
    const fields = url.searchParams.get('fields')!.split(',')
    const data = found.map((row) => Object.fromEntries(fields.map((name) => [name, row[name]])))
    const body = JSON.stringify({ meta: { filter_count: data.length }, data })
    const made = { body, tag: `"${createHash('sha1').update(body).digest('hex')}"` }
    bodies.set(url.href, made)
    return made
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://directus')
    const rows = lists.get(url.pathname)
    const fields = url.searchParams.get('fields')?.split(',') ?? []
    response.setHeader('Content-Type', 'application/json')
    if (!rows || !fields.every((name) => name in rows[0]!)) {
      const errors = [{ message: 'No', extensions: { code: 'FORBIDDEN' } }]
      response.writeHead(403).end(JSON.stringify({ errors }))
      return
    }
    const { body, tag } = bodyOf(url, rows)
    response.setHeader('ETag', tag)
    if (request.headers['if-none-match'] === tag) response.writeHead(304).end()
    else response.end(body)
  })
  server.listen(0, '127.0.0.1', () => port.postMessage((server.address() as AddressInfo).port, []))
}

const listsOf = (edits: number) =>
  new Map([
    ['/files', files(edits)],
    ['/items/news', news(edits)],
  ])

if (!isMainThread && parentPort) serve(parentPort)
