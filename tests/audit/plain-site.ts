import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { brotliCompressSync, constants, createBrotliCompress } from 'node:zlib'
import { chromium as playwright } from 'playwright'
import { createElement } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { build, type Rolldown } from 'vite'
import { chromium } from '../support/browser.ts'
import { PlainPage, type Piece, type PlainContent } from './plain-page.ts'

/**
 * The headers of ours that decide in which process a browser shows a page. One without them is shown in
 * the process that is there, where a browser under Lighthouse paints nothing for a second: the code of
 * such a page runs undisturbed, and its first view comes late.
 */
const isolation = ['cross-origin-opener-policy', 'origin-agent-cluster']

/**
 * A plain React page with the words, pictures, styles and isolation of one of ours:
 * `renderToPipeableStream` on the server, one `hydrateRoot` in the browser, and nothing else. What ours
 * may cost is told by it.
 * @param address of our page
 */
export async function startPlainSite(address: string): Promise<AsyncDisposable & { url: string }> {
  const [content, script] = await Promise.all([contentOf(address), entryScript()])
  const { headers: ours } = await fetch(address)
  const isolated = Object.fromEntries([...ours].filter(([name]) => isolation.includes(name)))
  const data = JSON.stringify(content).replaceAll('<', String.raw`\u003c`)
  const { origin } = new URL(address)
  const server = createServer(({ url = '/', headers }, response) => {
    if (url === '/') sendPage(response)
    else if (url === '/entry.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript', 'Content-Encoding': 'br' })
      response.end(script)
    } else void sendFile(origin + url, headers, response)
  }).listen(0)
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }

  function sendPage(response: ServerResponse) {
    response.writeHead(200, {
      ...isolated,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Encoding': 'br',
    })
    const brotli = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
    pipeline(brotli, response, () => {})
    const stream = renderToPipeableStream(createElement(PlainPage, { content }), {
      bootstrapScriptContent: `plainContent=${data}`,
      bootstrapModules: ['/entry.js'],
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onShellReady: () => void stream.pipe(brotli),
    })
  }
}

/** The styles, fonts and pictures of ours, as they are sent there. */
async function sendFile(
  url: string,
  headers: NodeJS.Dict<string | string[]>,
  response: ServerResponse,
): Promise<void> {
  const asked = await fetch(url, { headers: { accept: String(headers.accept ?? '*/*') } })
  const type = asked.headers.get('content-type') ?? 'application/octet-stream'
  const isText = type.startsWith('text/') || type.includes('svg')
  const bytes = Buffer.from(await asked.arrayBuffer())
  response.writeHead(asked.status, {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    ...(isText && { 'Content-Encoding': 'br' }),
  })
  Readable.from([isText ? brotliCompressSync(bytes) : bytes]).pipe(response)
}

/** The one script of the plain page, in production's build of React. */
async function entryScript(): Promise<Buffer> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    build: {
      write: false,
      target: 'es2022',
      minify: 'terser',
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, 'plain-entry.ts') },
    },
  })
  return brotliCompressSync((built as Rolldown.RolldownOutput).output[0].code)
}

/** Reads in a browser what a page shows, as its server wrote it. */
async function contentOf(address: string): Promise<PlainContent> {
  // The first page of a process may lack what was late.
  await (await fetch(address)).text()
  const browser = await playwright.launch(chromium())
  try {
    const page = await browser.newPage({ javaScriptEnabled: false })
    await page.goto(address)
    return await page.evaluate(readContent)
  } finally {
    await browser.close()
  }
}

/** Runs in the page. */
function readContent(): PlainContent {
  const names: Record<string, string> = {
    class: 'className',
    for: 'htmlFor',
    srcset: 'srcSet',
    fetchpriority: 'fetchPriority',
    crossorigin: 'crossOrigin',
    colspan: 'colSpan',
    imagesrcset: 'imageSrcSet',
    imagesizes: 'imageSizes',
    charset: 'charSet',
    tabindex: 'tabIndex',
    datetime: 'dateTime',
  }
  const plain =
    /^(?:id|href|src|sizes|media|width|height|alt|loading|rel|as|type|name|property|content|lang)$/
  const left = 'script, style, noscript, template, svg, dialog, [hidden], input[type=hidden]'
  const read = (node: Node): Piece[] => {
    if (node instanceof Text) return node.data.trim() === '' ? [] : [node.data]
    if (!(node instanceof Element) || node.matches(left)) return []
    const props: Record<string, string> = {}
    for (const { name, value } of node.attributes) {
      if (names[name] || plain.test(name) || /^(?:data-(?!precedence)|aria-)/.test(name)) {
        props[names[name] ?? name] = value
      }
    }
    return [{ tag: node.localName, props, pieces: Array.from(node.childNodes).flatMap(read) }]
  }
  const inHead = 'meta, title, link[rel=stylesheet], link[rel=preload]'
  return {
    head: Array.from(document.head.querySelectorAll(inHead)).flatMap(read),
    body: Array.from(document.body.childNodes).flatMap(read),
  }
}
