import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// What a container asks (Dockerfile, HEALTHCHECK), in plain JavaScript: the server alone reads and checks
// the whole configuration. Ends with 0 while the site is in order.

const root = join(import.meta.dirname, '..')

/** A setting, which may come as a file. @param {string} name */
function setting(name) {
  const file = process.env[`${name}_FILE`]
  return file ? readFileSync(resolve(root, file), 'utf8').trim() : process.env[name]
}

const host = setting('HOST') || '0.0.0.0'
/** Where a server is reached that listens everywhere. @type {Readonly<Record<string, string>>} */
const everywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' }
const address = everywhere[host] ?? host
const origin = `http://${address.includes(':') ? `[${address}]` : address}:${setting('PORT') || 3000}`

const isWell = await fetch(`${origin}/api/health`).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isWell ? 0 : 1)
