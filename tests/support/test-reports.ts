import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * What a runner counted; one text for each failed test: where, its name, and what it said; and the names
 * of those that passed at their second try, which count as passed.
 */
export type TestReport = {
  passed: number
  failed: number
  skipped: number
  failures: string[]
  flaky: string[]
}

/** Lines that a failed test may take at the end of a run; its whole output stands further up. */
const linesPerFailure = 12

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** Reads what Vitest's JSON reporter and the one beside this file wrote. Throws where they wrote nothing. */
export function readVitestReport(file: string): TestReport {
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(process.cwd(), name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that cannot be loaded has a message, and no test; one whose process died, unfinished ones.
    if (status === 'failed' && failed.length === 0) {
      const unfinished = assertionResults.filter((test) => test.status === 'pending')
      return [
        failure(
          path,
          message || `not finished: ${unfinished.map(({ fullName }) => fullName).join(', ')}`,
        ),
      ]
    }
    return failed.map((test) =>
      failure(`${path} › ${test.fullName}`, test.failureMessages.join('\n')),
    )
  })
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, failures.length),
    skipped: report.numPendingTests,
    failures,
    flaky: readFileSync(`${file}.flaky`, 'utf8').split('\n').filter(Boolean),
  }
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    line: number
    tests: { status: string; results: { errors: { message?: string }[] }[] }[]
  }[]
}

type PlaywrightReport = {
  suites: PlaywrightSuite[]
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

/** Reads what Playwright's JSON reporter wrote. Throws where there is no such file. */
export function readPlaywrightReport(file: string): TestReport {
  const { suites, stats } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: suites.flatMap(failedJourneys),
    flaky: suites.flatMap(flakyJourneys),
  }
}

function failedJourneys({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => {
        const errors = results.flatMap((result) => result.errors)
        return failure(
          `tests/journeys/${file}:${line} › ${title}`,
          errors.map(({ message = '' }) => message).join('\n'),
        )
      }),
  )
  return [...own, ...suites.flatMap(failedJourneys)]
}

function flakyJourneys({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ title, file, line }) => `tests/journeys/${file}:${line} › ${title}`)
  return [...own, ...suites.flatMap(flakyJourneys)]
}

function failure(where: string, message: string): string {
  const lines = message.split('\n').slice(0, linesPerFailure)
  return [where, ...lines.map((line) => `    ${line}`)].join('\n')
}
