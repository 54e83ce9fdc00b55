import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** A regular expression as it is in the source. */
export type Pattern = { file: string; source: string; flags: string }

const root = join(import.meta.dirname, '../..')

/**
 * Every regular expression literal of some files.
 * @param files globs below the project's directory
 */
export function patternsIn(files: readonly string[]): Pattern[] {
  const found: Pattern[] = []
  for (const file of globSync(files, { cwd: root })) {
    const { program, errors } = parseSync(file, readFileSync(join(root, file), 'utf8'))
    if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`)
    new Visitor({
      Literal(node) {
        if (!('regex' in node)) return
        found.push({ file, source: node.regex.pattern, flags: node.regex.flags })
      },
    }).visit(program)
  }
  return found
}
