/** Runs a regular expression over texts, in a worker because it may never finish. */
addEventListener('message', ({ data }: MessageEvent<{ source: string; texts: string[] }>) => {
  const pattern = new RegExp(data.source, 'i')
  postMessage(data.texts.map((text) => pattern.test(text)))
})
