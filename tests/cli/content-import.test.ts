import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentFiles } from '../support/content-files.ts'
import { runCli } from '../support/run-cli.ts'
import { article, dataDir, pixel, sound } from '../support/sound-content.ts'

test('an import copies what differs, keeps what was there, and says so before on a dry run', async () => {
  using files = sound()
  using target = contentFiles({ 'news.json': [article(9)] })
  const state = { dataDir: dataDir(), env: { CONTENT_DIR: target.dir } }
  const dry = await runCli(['content', 'import', files.dir, '--dry-run', '--json'], state)
  expect(JSON.parse(dry.out)).toContainEqual({ file: 'news.json', change: 'changed' })
  expect(existsSync(join(target.dir, 'services.json'))).toBe(false)

  const done = await runCli(['content', 'import', files.dir], state)
  expect([done.code, done.err]).toEqual([0, ''])
  expect(readFileSync(join(target.dir, 'assets/car.jpg'))).toEqual(pixel)
  expect(readFileSync(join(target.dir, 'news.json'), 'utf8')).toContain('article-1')
  const [backup] = readdirSync(join(state.dataDir, 'backups'))
  expect(readFileSync(join(state.dataDir, 'backups', backup!, 'news.json'), 'utf8')).toContain(
    'article-9',
  )

  const again = await runCli(['content', 'import', files.dir], state)
  expect(again.out).toBe('No changes.\n')
})

test('an import makes a content directory that is not there yet', async () => {
  using files = sound()
  const state = { dataDir: dataDir(), env: { CONTENT_DIR: join(dataDir(), 'new') } }
  const { code, err } = await runCli(['content', 'import', files.dir], state)
  expect([code, err]).toEqual([0, ''])
  expect(readFileSync(join(state.env.CONTENT_DIR, 'news.json'), 'utf8')).toContain('article-1')
})

test('an import with errors changes nothing', async () => {
  using files = sound()
  files.remove('assets')
  using target = contentFiles({ 'news.json': [article(9)] })
  const { code, err } = await runCli(['content', 'import', files.dir], {
    dataDir: dataDir(),
    env: { CONTENT_DIR: target.dir },
  })
  expect(code).toBe(1)
  expect(err).toContain(' in the content.')
  expect(readdirSync(target.dir)).toEqual(['news.json'])
})

test('a mistyped folder is refused, and an export never mixes with other files', async () => {
  using files = sound()
  const state = { dataDir: dataDir(), env: { CONTENT_DIR: files.dir } }
  expect((await runCli(['content', 'import', '/nowhere'], state)).code).toBe(1)
  const to = join(state.dataDir, 'export')
  expect((await runCli(['content', 'export', to], state)).code).toBe(0)
  expect(readFileSync(join(to, 'news/a.html'), 'utf8')).toContain('/assets/car')
  expect((await runCli(['content', 'export', to], state)).err).toContain('is not empty')
})
