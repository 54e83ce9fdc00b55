#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import * as nodeModules from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// What `npm run cli` and `pitlane` run, in plain JavaScript: the command line is a bundle, which starts
// in a third of the time of its five hundred sources (docs/decisions/0073). Where there is none that is
// up to date and none can be made, the sources do the same.

// Up to the check of its version, this has to run in a Node that is years old.
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
if (isOld()) await goOnInOurs()
const { buildState } = await import('../server/build-stamp.js')

// As the server's start does; what is set already counts more.
const settings = join(root, '.env')
if (existsSync(settings)) process.loadEnvFile(settings)

// A site that is not there yet is not begun by asking for help.
const dataDir = resolve(root, process.env.DATA_DIR || 'data/var')
if (existsSync(dataDir)) nodeModules.enableCompileCache(join(dataDir, 'cache/compiled'))

const { main } = await import(pathToFileURL(join(root, usable())).href)
process.exitCode = await main()

/** @returns the file to run */
function usable() {
  const bundle = 'dist/cli/main.js'
  if (buildState('cli') === 'current') return bundle
  if (!canBuild()) return 'cli/main.ts'
  process.stderr.write('The command line has changed: building…\n')
  const { status } = spawnSync(process.execPath, [join(root, 'server/build.ts'), 'cli'], {
    stdio: ['ignore', 2, 2],
  })
  // The build has said why.
  return status === 0 ? bundle : 'cli/main.ts'
}

/** Whether the bundle can be made here, with the rights of this command. */
function canBuild() {
  if (!existsSync(join(root, 'node_modules/vite'))) return false
  try {
    accessSync(existsSync(join(root, 'dist')) ? join(root, 'dist') : root, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Whether this Node is older than package.json says. */
function isOld() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [major, minor] = /\d+\.\d+/.exec(engines.node)[0].split('.').map(Number)
  const [ours, step] = process.versions.node.split('.').map(Number)
  return ours < major || (ours === major && step < minor)
}

/**
 * Does the same in the Node that is among our packages, as npm scripts do: `pitlane` is started with
 * whichever is installed. Doesn't return.
 */
async function goOnInOurs() {
  const ours = join(root, 'node_modules/node/bin/node')
  if (!existsSync(ours) || realpathSync(ours) === realpathSync(process.execPath)) {
    const { node } = process.versions
    process.stderr.write(
      `Pitlane can’t run in Node ${node}. Install Node 24, or run npm ci in ${root}, which brings it.\n`,
    )
    process.exit(1)
  }
  const command = spawn(ours, process.argv.slice(1), { stdio: 'inherit' })
  // Ctrl-C reaches both; the command ends in its own way, and this one after it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => signal !== 'SIGINT' && command.kill(signal))
  }
  const code = await new Promise((ended) => {
    command.once('error', (error) => {
      process.stderr.write(`${ours} doesn’t start: ${error.message}\n`)
      ended(1)
    })
    command.once('exit', (status) => ended(status ?? 1))
  })
  process.exit(code)
}
