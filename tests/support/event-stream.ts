import { request, type ClientRequest, type IncomingHttpHeaders } from 'node:http'

/** A server-sent event; its data may have several lines. */
export type StreamEvent = { id: string | null; data: string }

/** An open stream of server-sent events. */
export type EventStream = Disposable & {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly events: readonly StreamEvent[]
  /** Whether the server has ended it. */
  ended(): boolean
  pause(): void
  resume(): void
}

/**
 * Opens a stream and collects its events.
 * @param from local address to come from, any of 127.0.0.0/8
 */
export function openEvents(
  url: string,
  headers: Record<string, string> = {},
  from = '127.0.0.1',
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const events: StreamEvent[] = []
    let ended = false
    let text = ''
    const sent: ClientRequest = request(
      url,
      { agent: false, localAddress: from, headers: { Accept: 'text/event-stream', ...headers } },
      (response) => {
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          // An event of many lines comes in many pieces, and is looked at once.
          if (!text.includes('\n\n', text.length - chunk.length - 1)) return
          const blocks = text.split('\n\n')
          text = blocks.pop() ?? ''
          for (const block of blocks) {
            const fields = new Map<string, string>()
            for (const line of block.split('\n')) {
              const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line)!
              const before = name === 'data' ? fields.get(name) : undefined
              fields.set(name, before === undefined ? value : `${before}\n${value}`)
            }
            const data = fields.get('data')
            if (data !== undefined) events.push({ id: fields.get('id') ?? null, data })
          }
        })
        response.on('end', () => {
          ended = true
        })
        response.on('error', () => {})
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          events,
          ended: () => ended,
          pause: () => void response.pause(),
          resume: () => void response.resume(),
          [Symbol.dispose]: () => void sent.destroy(),
        })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}
