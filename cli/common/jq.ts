import { createRequire } from 'node:module'
import { InvalidArgumentError } from 'commander'
import type jqWeb from 'jq-web'

// The package is a promise, which not every loader of modules lets through.
const load = (): typeof jqWeb => createRequire(import.meta.url)('jq-web')

/**
 * What a jq program makes of a value, a result in each line; texts without quotes.
 * @throws InvalidArgumentError when the program can't be read, an Error when it fails on the value
 */
export async function filtered(value: unknown, program: string): Promise<string> {
  const jq = await load()
  try {
    // Nothing is given back where the program has no result.
    const answer = jq.raw(JSON.stringify(value), program, ['-r']) ?? ''
    return answer === '' ? '' : `${answer}\n`
  } catch (error) {
    const said = (error as Error).message.replace(/^Non-zero exit code: \d+\n/, '').trim()
    if (said.includes('compile error')) throw new InvalidArgumentError(said)
    throw new Error(said, { cause: error })
  }
}
