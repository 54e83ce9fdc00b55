import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildState, parts } from './build-stamp.js'

// What `npm start` runs, in plain JavaScript: the server itself is one of the bundles, which start in
// half the time of four hundred sources and need no type stripper in memory. A process of its own
// builds them, so that the 400 MB which that takes do not stay with the server.

const root = join(import.meta.dirname, '..')
const states = parts.map(buildState)
if (states.some((state) => state !== 'current')) {
  console.error(
    states.includes('missing') ? 'No build yet: building…' : 'The sources have changed: building…',
  )
  const { status } = spawnSync(process.execPath, [join(root, 'server/build.ts'), '--missing'], {
    stdio: ['ignore', 2, 2],
  })
  // The build has said why.
  if (status !== 0) process.exit(status ?? 1)
}
await import(pathToFileURL(join(root, 'dist/app/main.js')).href)
