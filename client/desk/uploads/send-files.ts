import { Upload } from 'tus-js-client'
import { uploadLimits } from '#shared/folders/folder-numbers.ts'
import { paths } from '#shared/paths.ts'
import { tokenHeaders } from '../../site/security-token.ts'

/** A file on its way: bytes that have arrived, and what became of it. */
export type SentFile = {
  readonly name: string
  readonly size: number
  readonly sent: number
  readonly state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Why it failed; empty otherwise. */
  readonly why: string
}

/** Files that are sent at the same time. */
const parallel = 3

/** Milliseconds before each further attempt after a connection was cut or the server was busy. */
const retryDelays = [0, 1000, 3000, 8000, 20_000, 30_000, 30_000, 30_000]

const stopped = 'Stopped. Choose the file again to go on.'

/**
 * Sends files to a folder in pieces (tus.io). One that was cut off goes on where it ended, also after the
 * page was reloaded and the same file is chosen again.
 * @param changed told of each change of a file, by its place among them
 * @param signal stops all; what has arrived stays for the next time
 */
export async function sendFiles(
  files: readonly File[],
  {
    folder,
    section,
    changed,
    signal,
  }: {
    folder: string
    /** Where they go in the folder; empty for the folder itself. */
    section: string
    changed: (index: number, file: SentFile) => void
    signal: AbortSignal
  },
): Promise<void> {
  const waiting = files.entries()
  const work = async () => {
    for (const [index, file] of waiting) {
      const { name, size } = file
      // Those whose turn never came are told, too: one that waits for good would keep the form busy.
      if (signal.aborted) changed(index, { name, size, sent: 0, state: 'failed', why: stopped })
      else await sendFile(file, { folder, section, signal, changed: (now) => changed(index, now) })
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
}

async function sendFile(
  file: File,
  {
    folder,
    section,
    changed,
    signal,
  }: {
    folder: string
    section: string
    changed: (now: SentFile) => void
    signal: AbortSignal
  },
): Promise<void> {
  const { name, size } = file
  const tell = (now: Partial<SentFile>) =>
    changed({ name, size, sent: 0, state: 'sending', why: '', ...now })
  tell({})
  const ended = Promise.withResolvers<void>()
  const upload = new Upload(file, {
    endpoint: paths.deskUploads(),
    chunkSize: uploadLimits.maxChunkBytes,
    retryDelays,
    metadata: { filename: name, folder, section },
    headers: tokenHeaders(),
    removeFingerprintOnSuccess: true,
    // The same file may be on its way into another folder or section.
    fingerprint: async () => [folder, section, name, size, file.lastModified].join('-'),
    onShouldRetry(error) {
      const status = error.originalResponse?.getStatus() ?? 0
      // A disk that is full stays so until someone does something about it.
      if (status === 507) return false
      return status === 0 || status === 409 || status === 423 || status === 429 || status >= 500
    },
    onProgress: (sent) => tell({ sent }),
    onSuccess() {
      tell({ sent: size, state: 'done' })
      ended.resolve()
    },
    onError(error) {
      const said = 'originalResponse' in error ? error.originalResponse : null
      tell({ state: 'failed', why: sentenceOf(said?.getStatus(), said?.getBody()) })
      ended.resolve()
    },
  })
  const stop = () => {
    void upload.abort()
    tell({ state: 'failed', why: stopped })
    ended.resolve()
  }
  signal.addEventListener('abort', stop, { once: true })
  const [before] = await upload.findPreviousUploads()
  if (before) upload.resumeFromPreviousUpload(before)
  if (!signal.aborted) upload.start()
  await ended.promise
  signal.removeEventListener('abort', stop)
}

/** What the server said, for people; it answers with JSON or with a sentence alone. */
function sentenceOf(status: number | undefined, body = ''): string {
  if (!status) return 'The connection was lost. Choose the file again to go on.'
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {
    // It is the sentence itself.
  }
  return body.trim() || `The server answered with ${status}.`
}
