/**
 * Runs at the end of the document and loads the code of the page once its first view is painted,
 * the large picture in it included, so nothing competes with what is seen first; at the latest
 * with the load event, which as a rule waits for the code. Chunks are named a frame later than the
 * entry, when the picture is painted, and two at a time: each costs a slow phone ten milliseconds, and
 * thirty at once would hold up a click. Where the code cannot come, a kept click is left to the
 * browser. The pictures further down, which `first.ts` holds back, are let go when the large one is on
 * the screen, at the latest with the load event.
 */
import { replayEarlyClick } from './early.ts'

/** The chunks that are named at a time. */
const chunksAtOnce = 2

/** Milliseconds that the code waits for the large picture at most. */
const maxPictureWait = 3000

const { entry, modules } = document.currentScript!.dataset
let isStarted = false

function start() {
  if (isStarted) return
  isStarted = true
  const script = document.createElement('script')
  script.type = 'module'
  script.src = entry!
  script.fetchPriority = 'low'
  script.addEventListener('error', replayEarlyClick)
  document.body.append(script)
  const chunks = modules!.split(' ').filter(Boolean)
  const nameChunks = () => {
    for (const chunk of chunks.splice(0, chunksAtOnce)) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = chunk
      link.fetchPriority = 'low'
      document.head.append(link)
    }
    if (chunks.length > 0) setTimeout(nameChunks)
  }
  afterPaint(nameChunks)
}

function afterPaint(next: () => void) {
  requestAnimationFrame(() => void setTimeout(next))
}

const showRest = () => document.documentElement.removeAttribute('data-first-view')

/** Not every browser tells of a paint that was on the screen. */
function afterPaintOf(picture: HTMLImageElement, next: () => void) {
  const type = 'largest-contentful-paint'
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return
  new PerformanceObserver((list) => {
    const painted = list.getEntries() as LargestContentfulPaint[]
    if (painted.some(({ element }) => element === picture)) next()
  }).observe({ type, buffered: true })
}

afterPaint(() => {
  const picture = document.querySelector<HTMLImageElement>('img[fetchpriority=high]')
  if (picture) afterPaintOf(picture, showRest)
  else showRest()
  if (!picture || picture.complete) return start()
  picture.addEventListener('load', start)
  picture.addEventListener('error', start)
  setTimeout(start, maxPictureWait)
})
addEventListener('load', () => {
  start()
  showRest()
})
