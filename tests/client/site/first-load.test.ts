import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { maxFirstLoad, firstLoads } from '../../support/first-load.ts'
import { publicPages } from '../../support/public-pages.ts'
import { startSite } from '../../support/site.ts'

test('the first load of every public page is within its budget', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const firstLoad = firstLoads(site.url)
  const pages = await publicPages(site.url)
  expect(pages).toEqual(expect.arrayContaining(['/', '/booking', '/shop', '/calendar']))
  const over: object[] = []
  for (const path of pages) {
    const { scripts, styles } = await firstLoad(path)
    // React alone is more than that: less says that the scripts have not been found.
    expect(scripts, path).toBeGreaterThan(50_000)
    expect(styles, path).toBeGreaterThan(1_000)
    if (scripts > maxFirstLoad.scripts || styles > maxFirstLoad.styles) {
      over.push({ path, scripts, styles })
    }
  }
  expect(over).toEqual([])
})

test('an iPhone that is turned leaves texts as large as they are', async () => {
  await using site = await startSite({ renderer: await builtRenderer(dist) })
  const html = await (await fetch(site.url)).text()
  const sheet = /href="(\/assets\/[^"]+\.css)" data-precedence/.exec(html)![1]!
  // Safari knows the property by this name alone, which the build had left out.
  const css = await (await fetch(site.url + sheet)).text()
  expect(css).toMatch(/html\{[^}]*-webkit-text-size-adjust:none/)
})

test('React and the router are compiled while they arrive', () => {
  const client = join(dist, 'client')
  const manifest = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; name: string }
  >
  const common = Object.values(manifest).find(({ name }) => name === 'common')
  // V8 looks for it in the first line.
  expect(readFileSync(join(client, common!.file), 'utf8')).toMatch(
    /^\/\/# allFunctionsCalledOnLoad\n/,
  )
})
