import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
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
  const program = createProgram({
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
    out.end()
  }
  return printed
}
