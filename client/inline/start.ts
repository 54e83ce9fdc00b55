/**
 * Runs at the end of the document and loads the code of the page once its first view is painted,
 * the large picture in it included, so nothing competes with what is seen first: as soon as the browser
 * tells of that paint, and a moment after the picture, or the page, is loaded where it doesn't. Chunks
 * are named a frame later than the entry, two at a time: each costs a slow phone ten milliseconds, and
 * thirty at once would hold up a click. Where the code cannot come, a kept click is left to the
 * browser. The pictures further down, which `first.ts` holds back, are let go at the same time. What is
 * below is laid out part by part once the page is alive.
 */
import { replayEarlyClick } from './early.ts'

/** The chunks that are named at a time. */
const chunksAtOnce = 2

/**
 * Milliseconds that the code waits for picture or fonts at most, and what is below for the code; and those
 * for a paint once the picture is there.
 */
const [maxWait, maxPaintWait] = [3000, 200]

/**
 * The elements below that are laid out in one frame, unless a part alone has more, and the milliseconds
 * until the next: all at once they would hold up a click, and one part after the other the drawing of
 * frames.
 */
const [elementsAtOnce, layoutPause] = [100, 50]

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
  // Browsers fetch it as soon as they read of it, and a line shared by one more makes the first view wait.
  const manifest = document.createElement('link')
  manifest.rel = 'manifest'
  manifest.href = '/site.webmanifest'
  document.head.append(manifest)
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

const root = document.documentElement

/** Lays out the next parts that wait for it. */
function layOutRest() {
  const parts = document.querySelectorAll('[data-below]')
  if (parts.length === 0) root.removeAttribute('data-layout-waits')
  // Gone also where a visitor went on to something below.
  if (!root.hasAttribute('data-layout-waits')) return
  let elements = 0
  for (const part of parts) {
    const more = part.querySelectorAll('*').length
    if (elements > 0 && elements + more > elementsAtOnce) break
    part.removeAttribute('data-below')
    elements += more
  }
  setTimeout(layOutRest, layoutPause)
}

/** Not sooner: while the code comes, a browser compiles it and draws pictures, and layout takes twice as long. */
function layOutOnceAlive() {
  const late = setTimeout(layOutRest, maxWait)
  const alive = new MutationObserver(() => {
    alive.disconnect()
    clearTimeout(late)
    setTimeout(layOutRest, layoutPause)
  })
  alive.observe(root, { attributeFilter: ['data-loading'] })
}

function go() {
  root.removeAttribute('data-first-view')
  start()
}

/** The picture that the first view is judged by; a list may have two in a row. */
const large = 'img[fetchpriority=high]'

let isWatched = false

/** Goes on with the paint of the large picture or, where there is none, once the fonts are there. */
function watchPicture() {
  if (isWatched) return
  isWatched = true
  const picture = document.querySelector<HTMLImageElement>(large)
  if (!picture) {
    // Its words are painted once more in the fonts they are set in.
    void document.fonts.ready.then(go)
    setTimeout(start, maxWait)
    return
  }
  // Not every browser tells of a paint, and none of one after a click.
  const type = 'largest-contentful-paint'
  const isTold = PerformanceObserver.supportedEntryTypes.includes(type)
  const loaded = () => (isTold ? void setTimeout(go, maxPaintWait) : go())
  if (isTold) {
    new PerformanceObserver((list) => {
      const painted = list.getEntries() as LargestContentfulPaint[]
      if (painted.some(({ element }) => element?.matches(large))) go()
    }).observe({ type, buffered: true })
  }
  // Where the address names a place further down, it's not what is seen.
  new IntersectionObserver((seen) => {
    if (!seen.at(-1)!.isIntersecting) go()
  }).observe(picture)
  if (picture.complete) loaded()
  picture.addEventListener('load', loaded)
  picture.addEventListener('error', go)
  addEventListener('load', loaded)
  setTimeout(start, maxWait)
}

layOutOnceAlive()
afterPaint(watchPicture)
// Also where timers stand still.
addEventListener('load', watchPicture)
