import { expect, test } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { htmlToText } from '#server/text/html-to-text.ts'
import { startSite } from '../../support/site.ts'

/** What the privacy and the cookie policy say on a site with these settings. */
async function policies(env: Record<string, string>) {
  await using site = await startSite({ sending: false, env, renderer: await builtRenderer(dist) })
  const [privacy, cookies] = await Promise.all(
    ['/privacy-policy', '/cookie-policy'].map(async (path) => {
      const { text } = await site.get(path)
      return htmlToText(/<main[^]*<\/main>/.exec(text)![0].replaceAll('<!-- -->', ''))
    }),
  )
  return { privacy: privacy!, cookies: cookies! }
}

test('by default the policies name no measuring service and no other newsletter', async () => {
  const { privacy, cookies } = await policies({})
  expect(privacy).not.toMatch(/Google|service at/)
  expect(privacy).toContain('double opt-in')
  expect(cookies).not.toContain('Google')
  expect(cookies).toContain('This site uses no third-party analytics')
})

test('who measures and who sends the newsletter is named where the settings name them', async () => {
  const { privacy, cookies } = await policies({
    ANALYTICS_ID: 'G-TEST1',
    STATS_SCRIPT_URL: 'https://stats.example/script.js',
    STATS_WEBSITE_ID: 'w1',
    NEWSLETTER_URL: 'https://lists.example/subscription/form',
    NEWSLETTER_LIST: 'abc',
  })
  expect(privacy).toContain(
    'Google Analytics and stats.example, if you allow third-party analytics: the pages you visit and your IP address. Google Analytics also reads its cookies.',
  )
  expect(privacy).toContain('The newsletter service at lists.example, if you subscribe')
  // What that service does isn't ours to promise.
  expect(privacy).not.toMatch(/double opt-in|do not track|link we email you/)
  expect(cookies).toContain('_ga*')
})

test('cookies of Google Analytics are not announced where only another service measures', async () => {
  const { privacy, cookies } = await policies({
    STATS_SCRIPT_URL: 'https://stats.example/script.js',
    STATS_WEBSITE_ID: 'w1',
  })
  expect(privacy).toContain('stats.example, if you allow third-party analytics')
  expect(privacy + cookies).not.toContain('Google')
  expect(cookies).not.toContain('_ga')
  expect(cookies).toContain('thirdPartyMeasurement')
})
