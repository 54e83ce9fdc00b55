import { InvalidArgumentError, Option, type Command } from 'commander'
import { harmless } from './terminal.ts'

/** What is asked for of a command's JSON: some fields alone, and what a jq program makes of it. */
export type Shape = { fields?: readonly string[]; jq?: string }

/** `--json`, which every listing takes. */
export const json = () =>
  new Option('--json [fields]', 'JSON; only these fields, comma-separated, if you name any')

/** `--jq`, which goes with {@link json} everywhere. */
export const jq = () => new Option('--jq <program>', 'filter the JSON by a jq program')

/**
 * Reads what `--json` and `--jq` of a command ask for, and leaves `json` a plain yes or no for what
 * the command does itself.
 */
export function shapeOf(command: Command): Shape {
  // A copy, since commander gives out the very object that is changed below.
  const given = { ...command.opts<{ json?: true | string; jq?: string }>() }
  if (given.json === undefined && given.jq === undefined) return {}
  command.setOptionValue('json', true)
  command.setOptionValue('jq', undefined)
  const fields =
    typeof given.json === 'string' ? given.json.split(',').map((name) => name.trim()) : []
  return {
    ...(fields.some(Boolean) && { fields: fields.filter(Boolean) }),
    ...(given.jq !== undefined && { jq: given.jq }),
  }
}

/**
 * The words of a command as commander has to see them: where a verb takes arguments, a single word after
 * `--json` is one of them, as it has always been; fields have a comma, or are behind `--json=`.
 */
export const withPlainJson = (words: readonly string[]): string[] =>
  words.map((word, at) => {
    const next = words[at + 1]
    const isPlain = next !== undefined && !next.startsWith('-') && !next.includes(',')
    return word === '--json' && isPlain ? '--json=' : word
  })

/**
 * The fields that are asked for, of one thing or of each in a list.
 * @throws InvalidArgumentError with the fields that there are, for one that isn't
 */
export function pickFields(value: unknown, { fields }: Shape): unknown {
  if (!fields || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => pickFields(each, { fields }))
  const known = new Map(Object.entries(value))
  const wrong = fields.filter((name) => !known.has(name))
  if (wrong.length > 0) {
    throw new InvalidArgumentError(
      `Unknown field: ${harmless(wrong.join(', '))}. There are: ${[...known.keys()].join(', ')}.`,
    )
  }
  return Object.fromEntries(fields.map((name) => [name, known.get(name)]))
}
