import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/**
 * Reads a secret that must not be among the options, where every user of the machine and the
 * shell's history would see it: hidden on a terminal, else the first line of the input.
 * @param question asked on a terminal
 * @throws when nothing was entered, or the two entries on a terminal differ
 */
export async function readSecret(question: string): Promise<string> {
  const { stdin } = process
  if (!stdin.isTTY) return firstLine()
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: true })
  try {
    const first = await lines.question('')
    process.stderr.write('\nAgain: ')
    const second = await lines.question('')
    process.stderr.write('\n')
    if (first !== second) throw new Error('The two entries don’t match.')
    return given(first)
  } finally {
    lines.close()
  }
}

/** Whether a person sits at the input. */
export const isInteractive = (): boolean => process.stdin.isTTY

/**
 * Reads a line that need not be hidden, such as a number that counts for half a minute.
 * @param question asked on a terminal
 * @throws when nothing was entered
 */
export async function readLine(question: string): Promise<string> {
  if (!isInteractive()) return firstLine()
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return given(await lines.question(question))
  } finally {
    lines.close()
  }
}

async function firstLine(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  return given(text.split(/\r?\n/)[0])
}

function given(text = ''): string {
  if (text.trim() === '') throw new Error('Nothing was entered.')
  return text.trim()
}
