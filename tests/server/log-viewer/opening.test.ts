import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cookiesOf, idsOf, photo, postForm, share } from '../../support/shared-folder.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn, type Staff } from '../../support/staff.ts'
import { ask, confirmLink, subscribe } from '../newsletter/subscription.ts'

const password = 'folder-password-fred'
const words = {
  comment: 'our-comment-garply',
  name: 'Confidential Corge',
  note: 'a note about waldo',
  wrong: 'wrong-password-thud',
}

/** Uses everything of a shared folder, also what fails. @returns what opens it */
async function useFolder(site: Site, staff: Staff): Promise<string[]> {
  const given = { 'a.jpg': await photo(), 'gone.pdf': 'p' }
  const folder = await share(site, 'winter', given, { password, alias: 'winter-alias-plugh' })
  const { 'a.jpg': file, 'gone.pdf': gone } = idsOf(site, folder)
  rmSync(join(site.dataDir, 'folders/winter/gone.pdf'))
  const tokens: string[] = []
  for (const id of [folder.key, folder.alias!]) {
    const at = `/s/${id}`
    await postForm(site, `${at}/password`, { password: words.wrong, to: at })
    const entered = await postForm(site, `${at}/password`, { password, to: at })
    const Cookie = `${staff.headers.Cookie}; ${cookiesOf(entered)}`
    const headers = { Cookie, Referer: `${site.url}${at}` }
    const chosen = await postForm(site, `${at}/zip`, { files: `${file},${gone}` }, headers)
    const zip = chosen.headers.get('location')!
    for (const path of [
      at,
      `${at}/nothing`,
      `${at}%2f`,
      `${at}/zip`,
      zip,
      `/api/folders/${id}`,
      `/api/folders/${id}%00?page=2`,
      `/S/${id}`,
      `/API/Folders/${id}`,
      ...['files', 'view', 'thumb', 'web'].flatMap((way) =>
        [file, gone, 'x'].map((wanted) => `${at}/${way}/${wanted}`),
      ),
    ]) {
      await site.get(path, { headers })
      await site.get(path)
    }
    for (const heart of [true, 'broken']) {
      const mark = { file, heart, comment: words.comment }
      await site.post(`/api/folders/${id}/marks`, mark, { headers: { Cookie } })
    }
    const picks = { submit: '1', name: words.name, note: words.note }
    const picked = await postForm(site, `${at}/picks`, { heart: String(file) }, headers)
    await postForm(site, `${at}/picks`, picks, { Cookie: `${Cookie}; ${cookiesOf(picked)}` })
    tokens.push(
      ...`${cookiesOf(entered)}; ${cookiesOf(picked)}`
        .split('; ')
        .map((pair) => pair.split('=')[1]!),
    )
  }
  return [password, folder.key, folder.alias!, ...tokens.filter(Boolean)]
}

/** Asks for a file of a panel that the disk has lost. @returns what opens it */
async function usePanel(site: Site, staff: Staff): Promise<string[]> {
  const { panels, codes } = site.context.features.clients
  const kind = { clientId: staff.clientId, kind: 'files', title: null, data: {} }
  const file = panels.copy(join(import.meta.dirname, 'opening.test.ts'))
  await site.context.commit((tx) => panels.attach(tx, panels.add(tx, kind).id, file))
  const path = `/panel/pit-wall/files/${file.id}`
  await site.get(path, staff)
  await site.get(path)
  panels.forget([file])
  await site.get(path, staff)
  await site.get(`/api/panel?panel=${file.id}`, staff)
  const { code } = await site.context.commit((tx) => codes.rotate(tx, codes.find(staff.codeId)!))
  for (const next of [`/panel/${file.id}`, `/s/${file.id}`]) {
    const reply = await postForm(site, '/client-zone', { secretCode: code, next })
    await site.get(reply.headers.get('location')!, { headers: { Cookie: cookiesOf(reply) } })
  }
  // The file's number opens nothing without the session.
  return [staff.code, code, /client=([\w-]+)/.exec(staff.headers.Cookie!)![1]!]
}

/** Subscribes, confirms and leaves. @returns what the links in the emails carry */
async function useNewsletter(site: Site): Promise<string[]> {
  const { leaveToken } = await subscribe(site)
  await ask(site, { email: 'secretperson@private.example' })
  const confirm = await confirmLink(site)
  for (const path of [confirm, `/subscription/leave/${leaveToken}`]) {
    await site.get(path)
    await postForm(site, `${path}?x=${leaveToken}`, {})
    await postForm(site, path.replace('/confirm/', '/again/'), {})
  }
  return [leaveToken, confirm.split('/').at(-1)!, 'secretperson']
}

test('no secret address of a folder, panel file or subscription is logged', async () => {
  await using site = await startSite({ logFiles: true })
  const staff = await signIn(site, ['view', 'download', 'select', 'ops', 'links'])
  const opening = [
    ...Object.values(words),
    ...(await useFolder(site, staff)),
    ...(await usePanel(site, staff)),
    ...(await useNewsletter(site)),
  ]
  await site.context.outbox.stop()
  const places = {
    output: site.logLines().join(''),
    recentLog: site.context.recentLog.since(0).lines.join('\n'),
    file: '',
  }
  await site.context.close()
  places.file = readFileSync(join(site.dataDir, 'logs/pitlane.log'), 'utf8')
  expect(opening.every((secret) => secret.length > 8)).toBe(true)
  for (const [place, text] of Object.entries(places)) {
    for (const path of ['/s/', '/api/folders/', '/panel/', '/subscription/confirm/']) {
      expect(text, place).toContain(path)
    }
    const found = opening.filter(
      (secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
    )
    expect([place, found]).toEqual([place, []])
  }
})
