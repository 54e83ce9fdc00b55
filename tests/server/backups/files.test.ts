import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyFile } from '#server/backups/files.ts'

test.each([
  ['empty', 0, 0],
  ['small', 5000, 5000],
  ['that has grown since it was looked at', 5000, 4000],
  ['that has been cut since it was looked at', 4000, 5000],
  ['that has grown large since it was looked at', 3_000_000, 4000],
  ['large', 3_000_000, 3_000_000],
])('a file %s is copied as it is, with its time and its digest', async (_, bytes, lookedAt) => {
  const dir = mkdtempSync(join(tmpdir(), 'pitlane-copy-'))
  const [from, to] = [join(dir, 'from'), join(dir, 'to')]
  try {
    const content = Buffer.from(Array.from({ length: bytes }, (_byte, at) => (at * 7) % 251))
    writeFileSync(from, content)
    const mtime = Date.UTC(2026, 10, 20, 12, 0, 0, 123)
    const digest = await copyFile(from, to, { mtime, bytes: lookedAt })
    expect(readFileSync(to).equals(content)).toBe(true)
    expect(digest).toEqual({ bytes, sha256: createHash('sha256').update(content).digest('hex') })
    const copied = statSync(to)
    expect(Math.floor(copied.mtimeMs)).toBe(mtime)
    expect(copied.mode & 0o777).toBe(0o600)
    await expect(copyFile(from, to, { mtime, bytes: lookedAt })).rejects.toThrow(/EEXIST/)
  } finally {
    rmSync(dir, { recursive: true })
  }
})
