import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { startDirectus } from '../../support/directus-double.ts'
import { startSite } from '../../support/site.ts'

test('no id comes twice in a page whose parts are late, as on the first page of a process', async () => {
  await using directus = await startDirectus()
  const renderer = await builtRenderer(dist)
  for (const path of ['/', '/news', '/portfolio', '/privacy-policy']) {
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    // What held the page before has been let go, and would answer this one at once.
    directus.heal()
    // Before the site starts, since its first jobs read them, too.
    for (const held of ['settings', 'services']) {
      directus.fail({ kind: 'hold', until }, { path: `/items/${held}` })
    }
    await using site = await startSite({
      renderer,
      env: { CONTENT_URL: directus.url },
      contentTiming: { settings: 60_000, timeout: 60_000 },
    })
    const html = await streamed(site.url + path, release)
    expect(html, path).toContain('data-late')
    const ids = Array.from(html.matchAll(/<[a-z][^>]*\sid="([^"]+)"/g), ([, id]) => id!)
    const repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
    expect(repeated, path).toEqual([])
  }
})

/** A page as it is streamed; what is late comes once its beginning has arrived. */
async function streamed(url: string, release: () => void): Promise<string> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage]
  let html = ''
  for await (const chunk of response.setEncoding('utf8')) {
    html += chunk as string
    release()
  }
  return html
}
