/** Runs one regular expression over lines, away from the page: it may take forever and be ended. */
type Job = { source: string; lines: readonly (readonly [key: string, text: string])[] }

addEventListener('message', ({ data }: MessageEvent<Job>) => {
  const pattern = new RegExp(data.source, 'i')
  const found = data.lines.flatMap(([key, text]) => (pattern.test(text) ? [key] : []))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  postMessage(found)
})
