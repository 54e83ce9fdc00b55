import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase } from 'vitest/node'

/** Names in a file, one a line, the tests that passed at their second try, and what failed at first. */
export class FlakyReporter implements Reporter {
  readonly #file: string
  readonly #names: string[] = []

  constructor(file: string) {
    this.#file = file
  }

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const name = `${relative(process.cwd(), test.module.moduleId)} › ${test.fullName}`
    const [why = ''] = test.result().errors?.[0]?.message.split('\n') ?? []
    this.#names.push(why ? `${name}: ${why}` : name)
  }

  onTestRunEnd(): void {
    writeFileSync(this.#file, this.#names.map((name) => `${name}\n`).join(''))
  }
}
