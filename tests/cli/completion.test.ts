import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runCli } from '../support/run-cli.ts'

const dataDir = join(mkdtempSync(join(tmpdir(), 'pitlane-completion-')), 'not-there')
const script = async (shell: string) => (await runCli(['completion', shell], { dataDir })).out

/** What bash offers at the end of a line. */
async function offered(file: string, ...words: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _pitlane; echo "\${COMPREPLY[@]}"`,
    file,
    'pitlane',
    ...words,
  ])
  return stdout.trim().split(' ').filter(Boolean)
}

test('bash completes nouns, verbs, options and fixed values, made from the commands', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'pitlane-bash-')), 'completion')
  writeFileSync(file, await script('bash'))
  expect(await offered(file, 'ti')).toEqual(['tickets'])
  expect(await offered(file, 'completion', '')).toEqual(
    expect.arrayContaining(['bash', 'zsh', 'fish']),
  )
  expect(await offered(file, 'tickets', 'se')).toEqual(['set'])
  expect(await offered(file, 'bookings', 'list', '--ev')).toEqual(['--event'])
  expect(await offered(file, 'links', 'list', '--status', 'us')).toEqual(['used-up'])
  expect(await offered(file, 'codes', 'list', '--status', 'u')).toEqual(['used-up'])
  expect(await offered(file, 'tickets', 'set', 'abc123', 'an')).toEqual(['answered'])
  // A value of the visitor's own isn't a verb.
  expect(await offered(file, 'tickets', 'show', 'list', '--j')).toEqual(['--json', '--jq'])
})

test.each(['zsh', 'fish'])('the script for %s names every noun and verb', async (shell) => {
  const text = await script(shell)
  for (const words of ['tickets list', 'orders ship', 'backup restore', 'codes rotate']) {
    expect(text).toContain(words)
  }
})

test('an unknown shell is wrong use', async () => {
  expect(await runCli(['completion', 'cmd'], { dataDir })).toMatchObject({
    code: 2,
    err: expect.stringContaining('Usage: pitlane completion'),
  })
})
