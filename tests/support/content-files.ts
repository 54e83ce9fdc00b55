import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of content files, for CONTENT_DIR. */
export type ContentFiles = Disposable & {
  readonly dir: string
  /** Writes a file; anything but text and bytes as JSON. */
  write(path: string, content: unknown): void
  remove(path: string): void
}

/**
 * Makes a content folder of its own.
 * @param files contents by path, such as `news.json` or `assets/car.jpg`
 */
export function contentFiles(files: Record<string, unknown> = {}): ContentFiles {
  const dir = mkdtempSync(join(tmpdir(), 'pitlane-content-'))
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    const asIs = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(join(dir, path), asIs ? content : JSON.stringify(content, null, 2))
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  return {
    dir,
    write,
    remove: (path) => rmSync(join(dir, path), { recursive: true, force: true }),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}
