import { spawn } from 'node:child_process'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'

/** A way to show a text on a terminal. */
export type Style = keyof typeof styles

const styles = { bold: [1, 22], red: [31, 39], yellow: [33, 39] } as const

/** Where answers are shown. */
export type Screen = ReturnType<typeof createScreen>

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
  const isColoured = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  /** What waits until the command is done, since only then its length is known. */
  let held: string[] | null = null
  const write = (text: string) => void (held ? held.push(text) : out.write(text))

  return {
    isTerminal,
    /** Places in a line. */
    get columns() {
      return size('columns', 80)
    },
    style(style: Style, text: string): string {
      if (!isColoured) return text
      const [on, off] = styles[style]
      return `\u001b[${on}m${text}\u001b[${off}m`
    },
    write,
    /** Writes what belongs to an answer that may need a pager; what follows waits with it. */
    page(text: string): void {
      if (isTerminal) held ??= []
      write(text)
    },
    /** Shows what waits. */
    async finish(): Promise<void> {
      const text = held?.join('') ?? ''
      held = null
      if (text === '') return
      const isLong = text.split('\n').length > size('rows', 24)
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
  // Whoever closes the pager early has seen enough.
  await finished(pager.stdin).catch(() => {})
  return isOver
}
