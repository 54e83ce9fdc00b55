import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Loaded by `--import` ahead of everything else, and plain JavaScript: it lets Node keep compiled
// modules between starts, so that the type stripper, which takes 20 MB and a tenth of a second, is
// not loaded at all. A directory that cannot be written does no harm.
const directory = join(process.env.DATA_DIR || 'data/var', 'cache/compiled')
const isFirst = !existsSync(directory)
enableCompileCache(directory)

// The first start of a server has its modules compiled by a process that ends, so that the one that
// stays is as small as after a restart.
const server = join(import.meta.dirname, 'main.ts')
if (isFirst && process.argv[1] === server && process.argv.length === 2) {
  spawnSync(process.execPath, ['--import', import.meta.url, server, '--compile'])
}
