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

test('a table of an article is one in both parts of the email, and what was struck out stays so', async () => {
  const content = `<table><thead><tr><th>Material</th><th>Ready</th></tr></thead><tbody>
    <tr><td>First photo</td><td>30 minutes after the first car</td></tr>
    <tr><td colspan="2">Film and gallery follow on Monday</td></tr></tbody></table>
    <p lang="fi">Nyt <del>890 €</del> 690 €</p><ol start="4"><li>Fourth</li></ol>`
  await using site = await contentSite({
    'news.json': [
      {
        id: 1,
        slug: 'delivery-plan',
        title: 'Our delivery plan',
        content,
        published_at: '2026-11-01T08:00:00Z',
        status: 'published',
      },
    ],
  })
  await subscribe(site)
  await runOn(site, 'newsletter', 'send', '--news', 'delivery-plan', '--send')
  const issue = await eventually(() => {
    const found = mailFiles(site.dataDir).find(({ file }) => file.endsWith('newsletterIssue.eml'))
    expect(found).toBeDefined()
    return found!
  })
  expect(issue.text).toMatch(/^Material +Ready$/m)
  expect(issue.text).toMatch(/^First photo +30 minutes after the first car$/m)
  expect(issue.html).toMatch(/<table [^>]*class="data"/)
  expect(issue.html).toMatch(/<td colspan="2"[^>]*padding:8px 12px 8px 0[^>]*>Film and gallery/)
  expect(issue.html).toContain('<del>890 €</del>')
  expect(issue.html).toMatch(/<p lang="fi"/)
  expect(issue.html).toMatch(/<ol start="4"/)
})
