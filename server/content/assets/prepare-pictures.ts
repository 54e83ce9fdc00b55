import { fork, type ChildProcess } from 'node:child_process'
import { extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createBackgroundPass } from '../../concurrency/background-pass.ts'
import { isRaster } from '../../http/media-types.ts'
import type { Content } from '../source.ts'
import { readImageRequest } from './image-request.ts'
import type { PictureReply, PictureTask } from './picture-process.ts'
import { requestedVariant, type ImageVariant, type ResizedImages } from './resized-images.ts'

/**
 * Makes the pictures that public pages show before anyone asks for them, after a first start and
 * after a change of content (decision 98).
 */
export type PicturePreparation = {
  /** Idempotent. */
  start(): void
  close(): Promise<void>
}

/** Pictures made at the same time. */
const atOnce = 2
/** Most pages read, and most pictures looked for, in one pass: half of what the cache holds. */
const [maxPages, maxPictures] = [1_000, 10_000]
/** A pass with more failures than this ends: the library doesn't run here. */
const maxFailures = 20
/** Milliseconds for which changes are collected, between two pages, and until a failed pass repeats. */
const [settleMs, restMs, repeatMs] = [1_000, 200, 5 * 60_000]
/** What browsers accept. Those without AVIF have their pictures made as they ask. */
const accept = 'image/avif,image/webp'

type Options = {
  content: Pick<Content, 'version' | 'asset' | 'picture'>
  pictures: ResizedImages
  /** Pictures on public pages that no content names. */
  given: () => readonly string[]
  /** Paths of all public pages. */
  paths: () => Promise<readonly string[]>
  /** The HTML of a public page, in all its variants. */
  html: (path: string) => Promise<readonly string[]>
  /** Subscribes to changes of anything public. */
  onChange: (listener: () => void) => void
  log: Pick<Logger, 'info' | 'warn'>
}

/** Creates the preparation; it does nothing until it is started. */
export function createPicturePreparation({
  given,
  onChange,
  ...options
}: Options): PicturePreparation {
  const { content, log } = options
  // Orders and bookings change public pages, too, but no pictures.
  const state = () => JSON.stringify([content.version(), given()])
  let prepared: string | null = null
  const told = new Set<string>()
  const work = createBackgroundPass({
    async pass(signal) {
      await delay(settleMs, undefined, { signal, ref: false })
      prepared = state()
      const isWhole = await preparePictures(options, { signal, told }).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err }, 'images of pages not prepared')
        return false
      })
      return isWhole ? null : repeatMs
    },
    // The server closes.
    failed() {},
  })
  onChange(() => {
    if (prepared !== null && state() !== prepared) work.request()
  })
  return { start: work.request, close: work.close }
}

/** What names a full disk among the troubles that were logged. */
const fullDisk = 'full disk'

/**
 * @param run `told`: the troubles that the log has already, since a pass with any is repeated; one without
 *   empties it
 * @returns whether all pictures are there that pages name
 */
async function preparePictures(
  { content, pictures, paths, html, log }: Omit<Options, 'given' | 'onChange'>,
  { signal, told }: { signal: AbortSignal; told: Set<string> },
): Promise<boolean> {
  const seen = new Set<string>()
  const running = new Set<Promise<void>>()
  const maker = createPictureMaker()
  let [made, failed] = [0, 0]
  let isFull = false

  async function prepare(variant: ImageVariant): Promise<void> {
    try {
      const { preset, focal } = variant
      const source = await variant.original.path()
      await pictures.store(variant, (target) => maker.make({ source, preset, focal, target }))
      made += 1
    } catch (err) {
      if (signal.aborted) return
      failed += 1
      // As text it comes from the process that makes them.
      const isOfDisk = /\b(?:ENOSPC|EDQUOT)\b/.test(String(err))
      isFull ||= isOfDisk
      const trouble = isOfDisk ? fullDisk : variant.name
      if (told.has(trouble)) return
      told.add(trouble)
      log.warn({ err, asset: variant.name }, 'image not prepared')
    }
  }

  /** The variant that an address stands for, unless it is there already. */
  async function missing(address: string): Promise<ImageVariant | null> {
    const { pathname, searchParams } = new URL(address, 'http://localhost')
    const id = decodeURIComponent(pathname.slice('/assets/'.length))
    const wanted = readImageRequest(new Map(searchParams), accept)
    const original = wanted && (await content.asset(id, 'pictures of pages'))
    if (!original || !isRaster(original.type)) return null
    const variant = await requestedVariant({ content, pictures }, id, original, wanted)
    return (await pictures.find(variant)) ? null : variant
  }

  try {
    for (const path of nearestFirst(await paths()).slice(0, maxPages)) {
      for (const address of (await html(path)).flatMap(pictureAddresses)) {
        if (seen.has(address) || seen.size >= maxPictures) continue
        seen.add(address)
        if (signal.aborted || failed > maxFailures) return true
        // None of the others would fit, and visitors' own need what is left.
        if (isFull) return false
        // An address that no picture belongs to is answered with an error; there's nothing to make.
        const variant = await missing(address).catch(() => null)
        if (!variant) continue
        if (running.size >= atOnce) await Promise.race(running)
        const task = prepare(variant).finally(() => running.delete(task))
        running.add(task)
      }
      await delay(restMs, undefined, { signal, ref: false })
    }
    await Promise.all(running)
    if (isFull) return false
    log.info({ pictures: seen.size, made, failed }, 'images of pages prepared')
    if (failed === 0) told.clear()
    return failed === 0
  } finally {
    maker.close()
    await Promise.all(running)
  }
}

/** The home page first, then pages by how deep they lie. */
const nearestFirst = (paths: readonly string[]): string[] => {
  const depth = (path: string) => path.split('/').filter(Boolean).length
  return [...new Set(['/', ...paths])].toSorted((a, b) => depth(a) - depth(b))
}

/** The addresses of resized pictures in a page: in its elements and in the data for its scripts. */
function pictureAddresses(html: string): string[] {
  return html
    .split('/assets/')
    .slice(1)
    .flatMap((rest) => /^[\w%-]{1,200}\?[^\s"'<>,]{1,500}/.exec(rest)?.[0] ?? [])
    .map((found) => `/assets/${found.replaceAll('&amp;', '&').replaceAll(String.raw`\u0026`, '&')}`)
}

/** Has pictures made by a process that runs when nothing else does, and ends with its work. */
function createPictureMaker() {
  const waiting = new Map<number, (problem: string | null) => void>()
  let child: ChildProcess | null = null
  let count = 0
  let isClosed = false

  function start(): ChildProcess {
    // It lies beside this file: as a source, or as a part of the bundle.
    const script = new URL(`picture-process${extname(import.meta.url)}`, import.meta.url)
    const started = fork(script, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const gone = (why: string) => {
      if (child === started) child = null
      for (const settle of waiting.values()) settle(why)
      waiting.clear()
    }
    started.on('message', ({ id, problem }: PictureReply) => {
      waiting.get(id)?.(problem)
      waiting.delete(id)
    })
    started.once('error', (err) => gone(String(err)))
    started.once('exit', (code, signal) => gone(`The process ended with ${signal ?? code}.`))
    return started
  }

  return {
    /** @throws when the picture cannot be made or written */
    async make(task: Omit<PictureTask, 'id'>): Promise<void> {
      if (isClosed) throw new Error('No more images are made.')
      child ??= start()
      const busy = child
      count += 1
      const id = count
      const problem = await new Promise<string | null>((resolve) => {
        waiting.set(id, resolve)
        busy.send({ ...task, id } satisfies PictureTask, (err) => {
          if (err && waiting.delete(id)) resolve(String(err))
        })
      })
      if (problem !== null) throw new Error(problem)
    },
    close() {
      isClosed = true
      child?.kill()
      child = null
    },
  }
}
