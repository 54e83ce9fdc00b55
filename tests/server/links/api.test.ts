import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { send, type Reply } from '../../support/send.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn, type Staff } from '../../support/staff.ts'

const target = 'https://example.com/race'

const create = (site: Site, staff: Staff, body: object) => site.post('/api/links', body, staff)

const edit = (site: Site, { headers }: Staff, code: string, body: unknown) =>
  send(`${site.url}/api/links/${code}`, {
    method: 'PATCH',
    body,
    headers: { ...headers, 'Content-Type': 'application/json', Origin: site.url },
  })

const link = ({ json }: Reply) => json?.link as Record<string, unknown>
const errors = ({ json }: Reply) => json?.errors as Record<string, string> | undefined

describe('making links', () => {
  test('is for codes with the scope links alone', async () => {
    await using site = await startSite()
    expect((await site.post('/api/links', { target })).status).toBe(401)
    expect((await site.get('/api/links')).status).toBe(401)
    const client = await signIn(site, ['view', 'ops'])
    expect((await create(site, client, { target })).status).toBe(403)
    expect((await site.get('/api/links', client)).status).toBe(403)
    expect((await edit(site, client, 'nothing', {})).status).toBe(403)
    expect((await site.get('/api/links/nothing/statistics', client)).status).toBe(403)
  })

  test('needs the security token', async () => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    const headers = { ...staff.headers, 'X-CSRF-TOKEN': '' }
    expect((await site.post('/api/links', { target }, { headers })).status).toBe(403)
  })

  test('gives six characters that cannot be mistaken, or the code that was asked for', async () => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    const random = await create(site, staff, { target })
    expect(random.status).toBe(201)
    expect(link(random).code).toMatch(/^[bcdfghjkmnpqrstvwxyz23456789]{6}$/)
    expect(link(random)).toMatchObject({ author: 'Pit Wall', state: 'live', host: 'example.com' })
    expect(link(await create(site, staff, { target, code: 'Kaamos-27_x' })).address).toBe(
      `${site.url}/l/Kaamos-27_x`,
    )
    const again = await create(site, staff, { target, code: 'KAAMOS-27_X' })
    expect([again.status, errors(again)]).toEqual([409, { code: 'This code is already in use.' }])
  })

  test('makes one link of a form that is sent again, since its answer was lost', async () => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    const key = 'k'.repeat(32)
    const forms = [
      { target: 'https://example.com', note: 'Poster', tags: ['Press'], utm: { source: 'poster' } },
      { target, code: 'kaamos27' },
      { target, code: 'Winter', password: 'a long word' },
      { target, password: 'a long word', expiresAt: '2027-06-01T10:00:00.000Z' },
    ]
    for (const form of forms) {
      const [first, again] = [
        await create(site, staff, { ...form, key }),
        await create(site, staff, { ...form, key }),
      ]
      expect([first.status, again.status]).toEqual([201, 201])
      expect(link(again)).toEqual(link(first))
    }
    const { links } = site.context.features
    expect((await site.get('/api/links', staff)).json).toMatchObject({ total: forms.length })
    const { timeline } = site.context
    expect(timeline.of('link', 'kaamos27').map(({ act }) => act)).toEqual(['created'])

    // What differs is another link, also in its password alone, and so is another form.
    expect((await create(site, staff, { ...forms[0], note: 'Other', key })).status).toBe(201)
    const locked = { ...forms[3], password: 'another word' }
    expect((await create(site, staff, { ...locked, key })).status).toBe(201)
    expect((await create(site, staff, { ...forms[0], key: 'j'.repeat(32) })).status).toBe(201)
    expect((await create(site, staff, forms[0]!)).status).toBe(201)
    expect((await site.get('/api/links', staff)).json).toMatchObject({ total: forms.length + 4 })
    // A chosen code is taken for everyone else, and for other fields.
    const other = { target: `${target}/other`, code: 'kaamos27', key }
    expect((await create(site, staff, other)).status).toBe(409)
    expect((await create(site, staff, { target, code: 'kaamos27' })).status).toBe(409)
    const wrong = { target, code: 'Winter', password: 'another word', key }
    expect((await create(site, staff, wrong)).status).toBe(409)
    // One that was changed since is left alone.
    const { code } = link(await create(site, staff, { target: `${target}/late`, key }))
    await site.context.commit((tx) => links.edit(tx, String(code), { note: 'Changed' }))
    const later = await create(site, staff, { target: `${target}/late`, key })
    expect(link(later).code).not.toBe(code)
    expect((await create(site, staff, { target, key: 'short' })).status).toBe(400)
  })

  test.each([
    ['javascript:alert(1)', 'Only http'],
    ['data:text/html,x', 'Only http'],
    ['ftp://example.com/', 'Only http'],
    [' java\nscript:alert(1)', 'Only http'],
    ['//example.com', 'full URL'],
    ['example.com', 'full URL'],
    ['', 'enter an address'],
    ['https://', 'full URL'],
    ['https://me@example.com/', 'user name'],
    ['https://me:secret@example.com/', 'user name'],
    [`https://example.com/${'x'.repeat(10_000)}`, 'too long (maximum 2,048 characters)'],
    // As it's kept and sent to browsers: each of these letters is six characters of it.
    [`https://example.com/${'ж'.repeat(400)}`, 'too long (maximum 2,048 characters)'],
  ])('refuses %s', async (wrong, reason) => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    const reply = await create(site, staff, { target: wrong })
    expect(reply.status).toBe(400)
    expect(errors(reply)?.target).toContain(reason)
  })

  test.each(['/l/x2', '/l', '//l/x2', '/%6c/x2', '/L/x2', '/./l/x2', '/\\l\\x2'])(
    'refuses our own short links, spelt %s',
    async (path) => {
      await using site = await startSite({ env: { SITE_URL: 'https://www.pitlane.example' } })
      const make = (origin: string) =>
        site.context.commit((tx) =>
          site.context.features.links.create(tx, { target: origin + path }, 'test'),
        )
      for (const origin of [
        'https://www.pitlane.example',
        'http://PITLANE.example',
        'https://www.pitlane.example.',
      ])
        await expect(make(origin)).rejects.toThrow()
      await make('https://elsewhere.example')
    },
  )

  test.each(['127.0.0.1', '127.1', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', 'localhost.'])(
    'refuses our own short links where the site is this machine, called %s',
    async (host) => {
      await using site = await startSite({ env: { SITE_URL: 'http://localhost:3000' } })
      const make = (origin: string) =>
        site.context.commit((tx) =>
          site.context.features.links.create(tx, { target: `${origin}/l/x2` }, 'test'),
        )
      await expect(make(`http://${host}:3000`)).rejects.toThrow()
      await make(`http://${host}:3001`)
    },
  )

  test.each(['news', 'RSS', 'panel', 'api', 'x', 'ä-code', 'a b', '../x', 'x'.repeat(65)])(
    'refuses the code %s',
    async (code) => {
      await using site = await startSite()
      const staff = await signIn(site, ['links'])
      const reply = await create(site, staff, { target, code })
      expect([reply.status, Object.keys(errors(reply) ?? {})]).toEqual([400, ['code']])
    },
  )

  test('refuses times in the wrong order and numbers that are none', async () => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    const startsAt = '2026-12-01T10:00:00+02:00'
    expect(
      errors(await create(site, staff, { target, startsAt, expiresAt: startsAt })),
    ).toHaveProperty('expiresAt')
    expect(
      errors(await create(site, staff, { target, expiresAt: '2020-01-31T10:00:00Z' })),
    ).toEqual({ expiresAt: 'That expiry is in the past.' })
    expect(errors(await create(site, staff, { target, startsAt: 'soon' }))).toHaveProperty(
      'startsAt',
    )
    for (const maxClicks of [0, -1, 1.5, '7'])
      expect(errors(await create(site, staff, { target, maxClicks }))).toHaveProperty('maxClicks')
  })

  test('shows odd hosts in punycode', async () => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    const reply = await create(site, staff, { target: 'https://pаypal.example/ä' })
    expect(link(reply)).toMatchObject({
      host: 'xn--pypal-4ve.example',
      target: 'https://xn--pypal-4ve.example/%C3%A4',
    })
  })
})

describe('looking after links', () => {
  test('changes what is given, clears with null and leaves the rest', async () => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    const expiresAt = '2026-12-01T10:00:00.000Z'
    await create(site, staff, {
      target,
      code: 'kaamos',
      note: 'Poster',
      expiresAt,
      maxClicks: 3,
      utm: { source: 'x', term: '' },
    })
    const changed = await edit(site, staff, 'KAAMOS', { expiresAt: null, note: 'Flyer' })
    expect(changed.status).toBe(200)
    expect(link(changed)).toMatchObject({
      note: 'Flyer',
      expiresAt: null,
      maxClicks: 3,
      utm: { source: 'x' },
    })
    expect(link(await edit(site, staff, 'kaamos', { disabled: true })).state).toBe('disabled')
    expect(
      link(await edit(site, staff, 'kaamos', { disabled: false, maxClicks: null })),
    ).toMatchObject({
      state: 'live',
      maxClicks: null,
    })
    expect((await edit(site, staff, 'nothing', {})).status).toBe(404)
    expect(errors(await edit(site, staff, 'kaamos', { target: 'x' }))).toHaveProperty('target')
  })

  test('lists by pages, searches literally and filters by state', async () => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    for (let n = 0; n < 60; n += 1)
      await site.context.commit((tx) =>
        site.context.features.links.create(
          tx,
          { target: `${target}/${n}`, note: n === 7 ? '100%_Öljy' : '' },
          'test',
        ),
      )
    await site.context.commit((tx) =>
      site.context.features.links.create(
        tx,
        { target, code: 'ended', expiresAt: site.clock() },
        'test',
      ),
    )
    const list = async (query: string) => {
      const { json } = await site.get(`/api/links${query}`, staff)
      return json as {
        links: { code: string; target: string }[]
        total: number
        page: number
        pages: number
      }
    }
    expect(await list('')).toMatchObject({ total: 61, page: 1, pages: 3 })
    expect((await list('')).links[0]?.code).toBe('ended')
    expect((await list('?page=3')).links).toHaveLength(11)
    expect((await list('?page=99')).links).toEqual([])
    expect((await list('?q=100%25_')).links.map((each) => each.target)).toEqual([`${target}/7`])
    expect((await list('?q=%25%25')).total).toBe(0)
    expect((await list('?state=expired')).links.map(({ code }) => code)).toEqual(['ended'])
    expect(await list('?state=live&q=race%2F1')).toMatchObject({ total: 11 })
    expect((await list('?state=nonsense&page=-2')).total).toBe(61)
  })

  test('gives statistics for every day of the range', async () => {
    await using site = await startSite()
    const staff = await signIn(site, ['links'])
    const { id } = await site.context.commit((tx) =>
      site.context.features.links.create(tx, { target, code: 'kaamos' }, 'test'),
    )
    site.context.features.links.count(id, { human: true, referrer: 'x.example', device: 'phone' })
    site.context.features.links.count(id, { human: false, referrer: '', device: 'other' })
    const { json } = await site.get('/api/links/kaamos/statistics?days=7', staff)
    expect(json).toMatchObject({
      link: { clicks: { human: 1, bot: 1 } },
      referrers: [{ name: 'x.example', count: 1 }],
      devices: [{ name: 'phone', count: 1 }],
    })
    expect((json!.days as object[]).length).toBe(7)
    expect((json!.days as object[]).at(-1)).toEqual({ day: '2026-11-20', human: 1, bot: 1 })
  })
})

describe('what anybody may see', () => {
  test('a live link shows its target, anything else nothing', async () => {
    await using site = await startSite()
    const {
      features: { links },
    } = site.context
    const now = site.clock()
    await site.context.commit((tx) => links.create(tx, { target, code: 'live' }, 'test'))
    await site.context.commit((tx) =>
      links.create(tx, { target, code: 'early', startsAt: now + 1000 }, 'test'),
    )
    await site.context.commit((tx) =>
      links.create(tx, { target, code: 'late', expiresAt: now }, 'test'),
    )
    const view = async (code: string) => (await site.get(`/api/links/${code}/view`)).json
    expect(await view('LIVE')).toEqual({
      state: 'live',
      code: 'live',
      target,
      host: 'example.com',
      createdAt: '2026-11-20T12:00:00.000Z',
      expiresAt: null,
    })
    expect(await view('late')).toEqual({ state: 'gone' })
    expect(await view('early')).toEqual({ state: 'missing' })
    expect(await view('never-was')).toEqual({ state: 'missing' })
    await links.flush()
    expect(links.find('live')).toMatchObject({ human: 0, bot: 0 })
  })

  test.each([
    ['svg', 'image/svg+xml'],
    ['png', 'image/png'],
  ])('the QR code as %s says the short address', async (format, type) => {
    await using site = await startSite()
    await site.context.commit((tx) =>
      site.context.features.links.create(tx, { target, code: 'Kaamos' }, 'test'),
    )
    const reply = await fetch(`${site.url}/l/kaamos.${format}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toContain(type)
    const { data, info } = await sharp(Buffer.from(await reply.arrayBuffer()))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(decodeQR({ width: info.width, height: info.height, data })).toBe(`${site.url}/l/Kaamos`)
    expect((await site.get(`/l/nothing.${format}`)).headers['content-type']).toContain('text/html')
  })

  test('a client sees the links of its name in its panel', async () => {
    await using site = await startSite()
    const client = await signIn(site, ['view'], { name: 'Kaamos Racing' })
    await site.context.commit((tx) =>
      site.context.features.links.create(
        tx,
        { target, code: 'mine', clientId: client.clientId },
        'test',
      ),
    )
    await site.context.commit((tx) =>
      site.context.features.links.create(tx, { target, code: 'theirs' }, 'test'),
    )
    const { json } = await site.get('/api/panel', client)
    const blocks = (json!.panel as { blocks: { kind: string; rows: { detail: string }[] }[] })
      .blocks
    expect(blocks.find(({ kind }) => kind === 'short-links')?.rows).toMatchObject([
      { title: expect.stringContaining('/l/mine'), value: '0 clicks', state: { label: 'Live' } },
    ])
  })
})
