import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createPrint } from '#cli/common/print.ts'
import { createProgram } from '#cli/main.ts'
import type { Site } from './site.ts'

/**
 * Runs a command of the CLI on the very context of a site, with the features that a test added.
 * @returns what the command printed
 * @throws what the command throws
 */
export async function runOn(
  { context }: Pick<Site, 'context'>,
  ...args: string[]
): Promise<string> {
  const out = new PassThrough()
  const print = createPrint({ out, err: out, env: {} })
  const program = createProgram({
    print,
    useConfig: () => context.config,
    useContext: async () => context,
    env: {},
    out,
    err: out,
  })
  const printed = text(out)
  try {
    await program.parseAsync(args, { from: 'user' })
  } finally {
    await print.finish()
    out.end()
  }
  return printed
}
