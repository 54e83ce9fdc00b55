import { spawn } from 'node:child_process'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { table, type Row, type Style } from './table.ts'

const styles = { bold: [1, 22], red: [31, 39], yellow: [33, 39] } as const satisfies Record<
  Style,
  readonly [number, number]
>

/** Whether what goes to a terminal may have colours. */
export const takesColours = (env: NodeJS.ProcessEnv): boolean =>
  !env.NO_COLOR && env.TERM !== 'dumb'

/**
 * The terminal, or the pipe or file in its place. On a terminal a long answer goes through a pager (`PAGER`,
 * or less); in a pipe nothing but the text leaves.
 */
export function createScreen(out: Writable, env: NodeJS.ProcessEnv) {
  const isTerminal = 'isTTY' in out && out.isTTY === true
  const size = (name: 'columns' | 'rows', usual: number) => {
    const value = name in out ? (out as unknown as Record<string, unknown>)[name] : undefined
    return typeof value === 'number' && value > 0 ? value : usual
  }
  const isColoured = isTerminal && takesColours(env)
  /** What waits until the command is done: only then its length is known, and its tables are drawn. */
  let held: (string | readonly Row[])[] | null = null
  const write = (text: string) => void (held ? held.push(text) : out.write(text))

  const style = (name: Style, text: string): string => {
    if (!isColoured) return text
    const [on, off] = styles[name]
    return `\u001b[${on}m${text}\u001b[${off}m`
  }

  return {
    isTerminal,
    style,
    write,
    /** Writes what belongs to an answer that may need a pager; what follows waits with it. */
    page(text: string): void {
      if (isTerminal) held ??= []
      write(text)
    },
    /** A table, drawn when the command is done; what follows waits with it. @param rows at least one */
    table(rows: readonly Row[]): void {
      held ??= []
      held.push(rows)
    },
    /** Shows what waits. */
    async finish(): Promise<void> {
      let text = ''
      for (const part of held ?? []) {
        text +=
          typeof part === 'string'
            ? part
            : `${await table(part, { columns: size('columns', 80), isTerminal, style })}\n`
      }
      held = null
      if (text === '') return
      const isLong = isTerminal && text.split('\n').length > size('rows', 24)
      if (!isLong || !(await paged(text, env))) out.write(text)
    },
  }
}

/** Shows a text in the pager. @returns false where there is none */
async function paged(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const named = env.PAGER
  if (named === '' || named === 'cat') return false
  const options = {
    env: { ...env, LESS: env.LESS ?? 'FRX' },
    stdio: ['pipe', 'inherit', 'inherit'],
  } as const
  const pager =
    named === undefined
      ? spawn('less', ['-FRX'], { ...options, stdio: [...options.stdio] })
      : spawn(named, { ...options, stdio: [...options.stdio], shell: true })
  const isOver = new Promise<boolean>((resolve) => {
    pager.once('error', () => resolve(false))
    // A shell says 127 for a program that isn't there.
    pager.once('close', (code) => resolve(code !== 127))
  })
  pager.stdin.end(text)
  // Closing the pager early is no fault.
  await finished(pager.stdin).catch(() => {})
  return isOver
}
