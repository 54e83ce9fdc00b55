import { expect, test } from 'vitest'
import { contentSite } from '../../support/content-site.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { subscribe } from './subscription.ts'

test('the address of an article with odd letters stays whole in emails, where it is shared and for machines', async () => {
  const slug = 'kesä ja yö'
  await using site = await contentSite({
    'news.json': [
      {
        id: 1,
        slug,
        title: 'Nights without a night',
        content: '<p>The sun stays up.</p>',
        published_at: '2026-11-01T08:00:00Z',
        status: 'published',
      },
    ],
  })
  const url = `${site.url}/news/kes%C3%A4%20ja%20y%C3%B6`
  expect((await site.get(new URL(url).pathname)).status).toBe(200)
  await subscribe(site)
  await runOn(site, 'newsletter', 'send', '--news', slug, '--send')
  const issue = await eventually(() => {
    const found = mailFiles(site.dataDir).find(({ file }) => file.endsWith('newsletterIssue.eml'))
    expect(found).toBeDefined()
    return found!
  })
  expect(issue.text).toContain(url)
  expect(issue.html).toContain(`href="${url}"`)

  const { text } = await site.get(new URL(url).pathname)
  expect(text).toContain(`share-offsite/?url=${encodeURIComponent(url)}`)
  expect(text).toContain(`body=${encodeURIComponent(url)}`)
  expect(text).toContain(`"mainEntityOfPage":"${url}"`)
  expect(text).toContain(`"name":"Nights without a night","item":"${url}"`)
})
