import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'

/** One click, as far as it is remembered. */
export type Click = {
  human: boolean
  /** Host that led here, empty when none is known. */
  referrer: string
  device: Device
}

/** The device that followed the link. */
export type Device = 'phone' | 'tablet' | 'computer' | 'other'

/** What is known of a user agent; the same few come again and again. */
type Agent = { human: boolean; device: Device }

const maxAgents = 2000

/**
 * Tells people from bots. Bots are known programs, requests without a user agent, HEAD, and
 * what a browser or messenger fetches ahead of a click.
 */
export function createClickOf() {
  const agents = new Map<string, Agent>()

  const agentOf = (userAgent: string): Agent => {
    let agent = agents.get(userAgent)
    if (!agent) {
      if (agents.size >= maxAgents) agents.clear()
      agent = {
        human: userAgent !== '' && !isbot(userAgent),
        device: deviceOf(userAgent),
      }
      agents.set(userAgent, agent)
    }
    return agent
  }

  return (method: string | undefined, headers: IncomingHttpHeaders): Click => {
    // A user agent may be as long as all headers together.
    const { human, device } = agentOf((headers['user-agent'] ?? '').slice(0, 400))
    return {
      human: human && method !== 'HEAD' && !isAhead(headers),
      device,
      referrer: referrerOf(headers.referer),
    }
  }
}

/** Whether it is fetched ahead of a click. */
const isAhead = (headers: IncomingHttpHeaders) =>
  /prefetch|prerender|preview/i.test(
    String(
      headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz'] ?? '',
    ),
  )

function deviceOf(userAgent: string): Device {
  if (/iPad|Tablet|Kindle|Silk/i.test(userAgent)) return 'tablet'
  if (/Android/i.test(userAgent) && !/Mobile/i.test(userAgent)) return 'tablet'
  if (/Mobi|iPhone|iPod|Android/i.test(userAgent)) return 'phone'
  return /Windows|Macintosh|X11|Linux|CrOS/.test(userAgent) ? 'computer' : 'other'
}

/** The host of the Referer header, empty when there is none that can be read. */
function referrerOf(referrer: string | undefined): string {
  if (referrer === undefined) return ''
  const host = /^https?:\/\/([\w.-]{1,100})(?=[:/?#]|$)/i.exec(referrer)?.[1]
  return host?.toLowerCase() ?? ''
}
