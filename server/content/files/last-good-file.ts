import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type * as z from 'zod'
import { decodedText, withoutByteOrderMark } from '../../text/decoded-text.ts'
import { inWordsForStaff } from '../../text/schema-words.ts'
import { brokenAt, lineOf } from './json-position.ts'

/** What a reader makes of a text: a value, or a sentence for each mistake with its line. */
export type ReadText<Value> = (
  text: string,
) => { value: Value; problems: null } | { value: null; problems: readonly string[] }

/** A result for `doctor`. */
type Finding = { state: 'ok' | 'warn' | 'fail'; text: string }

/** A settings file in CONTENT_DIR that always has a valid version. */
export type LastGoodFile<Value> = {
  /** The current file; while it is invalid, the last good version. */
  inForce(): Value
  /** Problems in the file; empty while it is valid or missing. */
  problems(): readonly string[]
  /** For `GET /api/health`: `broken` while the last good version is used. */
  health(): 'ok' | 'broken'
  /** The `doctor` check. @param good its result for a valid file */
  check(name: string, good: (value: Value) => Finding): { check: string; look(): Finding }
}

/** Milliseconds between two checks of the file. */
const lookEvery = 1_000

/** The folder in DATA_DIR with the last good versions; backups take it along. */
const folder = 'last-good'

/**
 * Reads a settings file that staff edit while the site is running, and rereads it when it changes.
 * Each good version is saved in DATA_DIR, so server and command line agree while the file is
 * invalid, across restarts too. Problems are logged once per change.
 * @param options `missing` gives what applies without the file, or if there has never been a good
 *   version: the same each time
 */
export function createLastGoodFile<Value>({
  file,
  dataDir,
  read,
  missing,
  log,
}: {
  file: string
  dataDir: string
  read: ReadText<Value>
  missing: () => Value
  log: Pick<Logger, 'error' | 'warn' | 'info'>
}): LastGoodFile<Value> {
  const name = basename(file)
  const kept = join(dataDir, folder, name)
  let value: Value | null = null
  // What is missing is made once someone asks: most commands don't.
  const inForce = () => value ?? missing()
  let wrong: readonly string[] = []
  let isOld = false
  let version: string | null = null
  let lookedAt = -Infinity

  const look = () => {
    const now = performance.now()
    if (now - lookedAt < lookEvery) return
    lookedAt = now
    const found = versionOf(file)
    if (found === version) return
    version = found
    if (found === null) {
      ;[value, wrong, isOld] = [null, [], false]
      return
    }
    const text = readText(file)
    const parsed = typeof text === 'string' ? read(text) : { value: null, problems: [text.problem] }
    if (parsed.problems === null) {
      ;[value, wrong, isOld] = [parsed.value, [], false]
      if (typeof text === 'string') keep(text)
      return
    }
    wrong = parsed.problems
    // Another process may have seen a newer good version.
    const before = readText(kept)
    const good = typeof before === 'string' ? read(before) : null
    isOld = good !== null && good.problems === null
    value = good !== null && good.problems === null ? good.value : null
    log.error(
      { file, problems: wrong },
      isOld
        ? 'invalid settings file, keeping the last good version'
        : 'invalid settings file, using the defaults',
    )
  }

  const keep = (text: string) => {
    if (readText(kept) === text) return
    const half = `${kept}.${process.pid}.part`
    try {
      mkdirSync(join(dataDir, folder), { recursive: true })
      writeFileSync(half, text)
      renameSync(half, kept)
      log.info({ file }, 'settings file loaded')
    } catch (err) {
      // On a full disk each command and each start would leave one, and backups take them along.
      rmSync(half, { force: true })
      log.warn({ file, err }, 'cannot save the last good version of a settings file')
    }
  }

  const looking =
    <Result>(result: () => Result) =>
    () => {
      look()
      return result()
    }
  const problems = looking(() => wrong)

  return {
    inForce: looking(inForce),
    problems,
    health: () => (problems().length > 0 ? 'broken' : 'ok'),
    check: (check, good) => ({
      check,
      look: looking(() => {
        if (wrong.length > 0) {
          const used = isOld ? 'using the last good version' : 'using the defaults'
          return { state: 'warn', text: `${file}: ${wrong.join('; ')}; ${used}` }
        }
        if (version === null && versionOf(kept) !== null) {
          return { state: 'warn', text: `${file} is gone; using the defaults` }
        }
        return good(inForce())
      }),
    }),
  }
}

/** Reads a JSON file of settings by its schema; a sentence for each mistake names its line and field. */
export function readSettings<Value>(
  schema: z.ZodType<Value>,
  given: string,
): { value: Value; problems: null } | { value: null; problems: string[] } {
  const text = withoutByteOrderMark(given)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    const { line, column } = brokenAt(text)
    return { value: null, problems: [`line ${line}: not valid JSON from column ${column}`] }
  }
  const parsed = schema.safeParse(json, inWordsForStaff)
  if (parsed.success) return { value: parsed.data, problems: null }
  const problems = parsed.error.issues.map(({ path, message }) => {
    const field = path.map(String).join('.')
    return `line ${lineOf(text, path)}: ${field ? `${field}: ` : ''}${message}`
  })
  return { value: null, problems }
}

function readText(file: string): string | { problem: string } {
  try {
    return decodedText(readFileSync(file))
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
}

/** Changes when the file does; null while there is none. */
function versionOf(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs}/${stat.size}/${stat.ino}` : null
}
