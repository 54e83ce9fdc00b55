import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './support/browser.ts'

/**
 * Everything that `npm test` promises, in order: types, lint, format, unused code, production build, unit and
 * HTTP tests, browser journeys. All of it runs even when a part fails; the last line counts.
 */
const reports = mkdtempSync(join(tmpdir(), 'pitlane-reports-'))
const counts = { passed: 0, failed: 0, skipped: 0 }

type Step = {
  name: string
  command: string[]
  env?: Record<string, string>
  count?: () => typeof counts
}

const steps: Step[] = [
  { name: 'types', command: ['npx', 'tsc', '--build'] },
  { name: 'lint', command: ['npx', 'oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['npx', 'oxfmt', '--check'] },
  { name: 'unused code', command: ['npx', 'knip'] },
  { name: 'build', command: ['node', 'server/build.ts'] },
  {
    name: 'unit and HTTP tests',
    command: [
      'npx',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(reports, 'vitest.json')}`,
    ],
    count: () => vitestCounts(join(reports, 'vitest.json')),
  },
  {
    name: 'browser journeys',
    command: ['npx', 'playwright', 'test'],
    env: { PITLANE_REPORT: join(reports, 'playwright.json') },
    count: () => playwrightCounts(join(reports, 'playwright.json')),
  },
]

ensureBrowser()
for (const { name, command, env = {}, count } of steps) {
  console.log(`\n— ${name}`)
  const code = await run(command, env)
  const counted = count
    ? readCounts(count, code)
    : { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  // A runner that failed without a failed test, such as by a crash, must not look green.
  if (code !== 0 && counted.failed === 0) counted.failed = 1
  counts.passed += counted.passed
  counts.failed += counted.failed
  counts.skipped += counted.skipped
}
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`)
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0

function run([command, ...args]: string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command!, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.once('error', () => resolve(1))
    child.once('close', (code) => resolve(code ?? 1))
  })
}

function readCounts(count: () => typeof counts, code: number): typeof counts {
  try {
    return count()
  } catch {
    return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  }
}

function vitestCounts(file: string): typeof counts {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
  }
}

function playwrightCounts(file: string): typeof counts {
  const { stats } = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  }
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}
