import { Decrypter, Encrypter } from 'age-encryption'
import { answerTasks } from '../concurrency/worker-thread.ts'

// Runs in its own thread: deriving a key from a passphrase takes a second by design.

/** What this thread is asked to do: encrypt a text with a passphrase, or decrypt what it made of one. */
export type Sealing =
  | { task: 'seal'; passphrase: string; text: string }
  | { task: 'open'; passphrase: string; sealed: Uint8Array }

answerTasks(async (asked: Sealing) => {
  if (asked.task === 'seal') {
    const encrypter = new Encrypter()
    encrypter.setPassphrase(asked.passphrase)
    return encrypter.encrypt(asked.text)
  }
  const decrypter = new Decrypter()
  decrypter.addPassphrase(asked.passphrase)
  return decrypter.decrypt(asked.sealed, 'text').catch(() => null)
})
