#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildState } from '../server/build-stamp.js'

// What `npm run cli` and `pitlane` run, in plain JavaScript: the command line is a bundle, which starts
// in a third of the time of its five hundred sources (docs/decisions/0073). Where there is none that is
// up to date and none can be made, the sources do the same.

const root = join(import.meta.dirname, '..')

// As the server's start does; what is set already counts more.
const settings = join(root, '.env')
if (existsSync(settings)) process.loadEnvFile(settings)

// A site that is not there yet is not begun by asking for help.
const dataDir = resolve(root, process.env.DATA_DIR || 'data/var')
if (existsSync(dataDir)) enableCompileCache(join(dataDir, 'cache/compiled'))

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
