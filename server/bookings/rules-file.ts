import { readFileSync, statSync } from 'node:fs'
import type { Logger } from 'pino'
import { defaultRules, readRules, type BookingRules } from './rules.ts'

/** The rules of booking, as the settings file has them at this moment. */
export type RulesFile = {
  inForce(): BookingRules
  /** What is wrong with the file; none while it is in force, or not there. */
  problems(): readonly string[]
}

/** Milliseconds between two looks at the file. */
const lookEvery = 1_000

/**
 * Reads the settings file, and again when it has changed. While it has mistakes, the last good
 * rules stay in force, and each mistake is in the log.
 */
export function createRulesFile({ file, log }: { file: string; log: Logger }): RulesFile {
  let rules = defaultRules
  let wrong: readonly string[] = []
  let version = ''
  let lookedAt = -Infinity

  const look = () => {
    const now = performance.now()
    if (now - lookedAt < lookEvery) return
    lookedAt = now
    const found = versionOf(file)
    if (found === version) return
    version = found
    wrong = []
    if (found === '') {
      rules = defaultRules
      return
    }
    const read = readRules(readFileSync(file, 'utf8'))
    if (read.problems) {
      wrong = read.problems
      log.error({ file, problems: wrong }, 'booking rules invalid; last valid ones stay')
    } else {
      rules = read.rules
      log.info({ file }, 'booking rules read')
    }
  }

  return {
    inForce() {
      look()
      return rules
    },
    problems() {
      look()
      return wrong
    },
  }
}

/** Changes when the file does; empty while there is none. */
function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs}/${stat.size}/${stat.ino}` : ''
}
