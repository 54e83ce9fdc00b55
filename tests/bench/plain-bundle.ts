import { join } from 'node:path'
import { build } from 'vite'

/**
 * Bundles the plain renderer with the site's own components.
 * @param work a directory for it
 * @returns the bundle's file
 */
export async function plainBundle(work: string): Promise<string> {
  await build({
    root: join(import.meta.dirname, '../..'),
    logLevel: 'error',
    build: {
      ssr: 'tests/bench/plain-entry.tsx',
      outDir: join(work, 'plain'),
      emptyOutDir: true,
      rolldownOptions: { input: 'tests/bench/plain-entry.tsx' },
    },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return join(work, 'plain/plain-entry.js')
}
