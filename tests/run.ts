import { spawn, type ChildProcess } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfMissing } from '#server/build.ts'
import { ensureBrowser } from './support/browser.ts'
import { compiled } from './support/bare-environment.ts'
import { readPlaywrightReport, readVitestReport, type TestReport } from './support/test-reports.ts'

/**
 * Everything that `npm test` promises: types, lint, format, unused code and the production build side
 * by side; then unit and HTTP tests beside browser journeys, since each of them waits for a third of its
 * time (decision 25). All of it runs even when a part fails; what failed is named once more at the end,
 * and the last line counts. `npm test -- contact orders` runs the test files with these words in their
 * paths and builds only what they use and what has changed; `npm test -- --watch contact` runs their unit
 * and HTTP tests again with every change.
 */
type Step = {
  name: string
  command: readonly string[]
  env?: Record<string, string>
  /** Reads what a test runner wrote; without it the step counts as one test. */
  report?: () => TestReport
}

/** Lines of a failed step that are shown again at the end. */
const linesOfStep = 40

/** Minutes after which a step is stopped and counts as failed; a slow machine takes half of it. */
const longest = 60

const reports = mkdtempSync(join(tmpdir(), 'pitlane-reports-'))

/** Where tests keep the state of their sites; gone after the run. */
const temporary = mkdtempSync(join(roomiest(), 'pitlane-tests-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
const places = { TMPDIR: temporary, NODE_COMPILE_CACHE: compiled }
const { positionals: words, values: options } = parseArgs({
  allowPositionals: true,
  options: { watch: { type: 'boolean', default: false } },
})

const checks: readonly Step[] = [
  { name: 'build', command: ['node', 'server/build.ts'] },
  { name: 'types', command: ['tsc', '--build'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'unused code', command: ['knip'] },
]

const unitTests: Step = {
  name: 'unit and HTTP tests',
  command: ['vitest', 'run', ...words],
  env: { PITLANE_REPORT: join(reports, 'vitest.json'), ...places },
  report: () => readVitestReport(join(reports, 'vitest.json')),
}

const journeys: Step = {
  name: 'browser journeys',
  command: ['playwright', 'test', ...words],
  env: { PITLANE_REPORT: join(reports, 'playwright.json'), ...places },
  report: () => readPlaywrightReport(join(reports, 'playwright.json')),
}

/** Steps that run now, side by side; who stops the run stops all of them. */
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) end(child, signal)
    process.exit(130)
  })
}

const chosen = globSync('tests/**/*.test.ts').filter((file) =>
  words.some((word) => file.includes(word)),
)
const isJourney = (file: string) => file.startsWith(join('tests', 'journeys'))

if (options.watch) {
  if (usesPages(chosen)) buildIfMissing(console.log, ['pages'])
  const watching = spawn('vitest', ['watch', ...words], { stdio: 'inherit' })
  process.exit(await new Promise<number>((resolve) => watching.once('close', resolve)))
}

const reported: TestReport[] = []
if (words.length === 0) {
  ensureBrowser()
  reported.push(...(await Promise.all(checks.map((step) => runStep(step, 'when done')))))
  const tests = [unitTests, journeys].map((step) => runStep(step, 'at once'))
  reported.push(...(await Promise.all(tests)))
} else if (chosen.length === 0) {
  console.log(`No test file has ${words.join(' or ')} in its path.`)
} else {
  if (usesPages(chosen)) buildIfMissing(console.log, ['pages'])
  else console.log('These tests use no bundle: nothing to build.')
  const steps = [
    ...(chosen.every(isJourney) ? [] : [unitTests]),
    ...(chosen.some(isJourney) ? [journeys] : []),
  ]
  if (steps.includes(journeys)) ensureBrowser()
  reported.push(...(await Promise.all(steps.map((step) => runStep(step, 'at once')))))
}

const sum = (key: 'passed' | 'failed' | 'skipped') =>
  reported.reduce((total, each) => total + each[key], 0)
for (const name of reported.flatMap(({ flaky }) => flaky)) {
  console.log(`\n~ passed at the second try only: ${name}`)
}
for (const failure of reported.flatMap(({ failures }) => failures)) console.log(`\n✗ ${failure}`)
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0

/**
 * A folder in memory where the machine has room for it: tests make thousands of databases, each of whose
 * commits would otherwise wait for a disk (decision 25).
 */
function roomiest(): string {
  const memory = '/dev/shm'
  const enough = 4 * 1024 ** 3
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enough ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Whether a test needs built pages: a journey does, and what asks for their renderer, by itself or with
 * something from tests/support that does.
 */
function usesPages(files: readonly string[]): boolean {
  const asks = (file: string) => /builtRenderer|firstLoads/.test(readFileSync(file, 'utf8'))
  const helpers = globSync('tests/support/*.ts').filter(asks)
  const uses = (file: string) => {
    const text = readFileSync(file, 'utf8')
    return helpers.some((helper) => text.includes(`support/${basename(helper)}`))
  }
  return files.some((file) => isJourney(file) || asks(file) || uses(file))
}

/** Runs a step. @param shown steps that run side by side show what they wrote when they are done */
async function runStep(step: Step, shown: 'at once' | 'when done'): Promise<TestReport> {
  const began = performance.now()
  if (shown === 'at once') console.log(`\n— ${step.name}`)
  const { code, output } = await run(step, shown === 'at once')
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  if (shown === 'when done') console.log(`\n— ${step.name}\n${output.trimEnd()}`)
  console.log(`${step.name}: ${code === 0 ? 'done' : 'failed'} after ${seconds} s`)
  const failure = [step.name, ...output.trimEnd().split('\n').slice(-linesOfStep)].join('\n    ')
  if (!step.report) {
    if (code === 0) return { passed: 1, failed: 0, skipped: 0, failures: [], flaky: [] }
    return { passed: 0, failed: 1, skipped: 0, failures: [failure], flaky: [] }
  }
  const report = readReport(step.report)
  // A runner that failed without a failed test, such as by a crash, must not look green.
  return code !== 0 && report.failed === 0 ? { ...report, failed: 1, failures: [failure] } : report
}

function readReport(read: () => TestReport): TestReport {
  try {
    return read()
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] }
  }
}

/** Runs a command of this project in a process group of its own, which a deadline ends as a whole. */
function run({ command, env }: Step, isShown: boolean): Promise<{ code: number; output: string }> {
  const [tool, ...args] = command
  return new Promise((resolve) => {
    const child = spawn(tool!, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...process.env, ...env },
    })
    let output = ''
    let written = 0
    // Whole lines, since another step may write as well.
    const show = (until: number) => {
      if (isShown && until > written) process.stdout.write(output.slice(written, until))
      written = until
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        show(output.lastIndexOf('\n') + 1)
      })
    }
    const deadline = setTimeout(() => {
      console.log(`Stopped after ${longest} minutes: ${command.join(' ')}`)
      end(child, 'SIGKILL')
    }, longest * 60_000)
    running.add(child)
    const settle = (code: number) => {
      clearTimeout(deadline)
      running.delete(child)
      show(output.length)
      resolve({ code, output })
    }
    child.once('error', () => settle(1))
    child.once('close', (code) => settle(code ?? 1))
  })
}

/** Ends a step with all that it started. */
function end({ pid }: ChildProcess, signal: NodeJS.Signals) {
  if (pid) process.kill(-pid, signal)
}
