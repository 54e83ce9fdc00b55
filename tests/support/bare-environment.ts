import { join } from 'node:path'

/** Where Node keeps what it compiled, so that hundreds of short processes and threads do it once. */
export const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** An empty environment but for what a process of ours needs to be found and to start fast. */
export const bareEnvironment = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled }
