import { test } from './site.ts'
const list: [string, string][] = [
  ['booking', '/booking?service=photography&month=2027-01&from=2027-01-20&to=2027-01-22'],
  ['calendar', '/calendar'],
  ['month', '/calendar?month=2027-02'],
]
for (const [name, path] of list)
  for (const dark of [false, true])
    test(`${name} ${dark}`, async ({ page, site }) => {
      await site.post('/api/bookings', {
        key: 'aaaaaaaaaaaaaaaaaaaaaaa1',
        service: 'photography',
        from: '2027-01-13',
        to: '2027-01-14',
        place: 'x',
        name: 'y',
        email: 'a@b.fi',
        terms: true,
      })
      await site.post('/api/bookings', {
        key: 'aaaaaaaaaaaaaaaaaaaaaaa2',
        service: 'photography',
        from: '2027-01-14',
        to: '2027-01-15',
        place: 'x',
        name: 'y',
        email: 'a@b.fi',
        terms: true,
      })
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
      for (const w of [390, 820, 1440]) {
        await page.setViewportSize({ width: w, height: 900 })
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        await page.screenshot({
          path: `/tmp/shots/${name}-${w}-${dark ? 'd' : 'l'}.png`,
          fullPage: name === 'booking' || w === 390,
        })
      }
    })
test('signed', async ({ page, site }) => {
  const r = await site.post('/api/bookings', {
    key: 'aaaaaaaaaaaaaaaaaaaaaaa1',
    service: 'photography',
    from: '2027-01-13',
    to: '2027-01-14',
    place: 'Ice track of Rovaniemi',
    name: 'Aino Virtanen',
    email: 'a@b.fi',
    terms: true,
    message: 'We need two photographers.',
  })
  const { actions } = site.context.features.bookings
  const staff = new URL(actions.staffUrl([...actions.bookings.list()][0]!)).pathname
  for (const [n, p] of [
    ['visitor', String(r.json!.url)],
    ['staff', staff],
  ] as const)
    for (const w of [390, 1440]) {
      await page.setViewportSize({ width: w, height: 900 })
      await page.goto(p)
      await page.screenshot({ path: `/tmp/shots/${n}-${w}.png`, fullPage: true })
    }
})
