import { layoutShifts } from '../support/layout-shifts.ts'
import { alive, expect, test } from './site.ts'

const first = 'Blue hour in Rovaniemi'

test('filters change the address and the grid, and Back undoes them', async ({ page }) => {
  await page.goto('/portfolio')
  await page
    .getByRole('navigation', { name: 'Discipline' })
    .getByRole('link', { name: /^Rallycross/ })
    .click()
  await expect(page).toHaveURL('/portfolio?discipline=rallycross')
  await expect(page.getByText('2 projects')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(2)
  // What would leave nothing cannot be pressed.
  const years = page.getByRole('navigation', { name: 'Year' })
  await expect(years.getByText('2023')).toBeVisible()
  await expect(years.getByRole('link', { name: /^2023/ })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('article')).toHaveCount(14)
  await page.goForward()
  await expect(page.getByRole('article')).toHaveCount(2)
  // A chosen one takes itself back.
  await page
    .getByRole('navigation', { name: 'Discipline' })
    .getByRole('link', { name: /^Rallycross/ })
    .click()
  await expect(page).toHaveURL('/portfolio')

  await page.goto('/portfolio?discipline=rallycross&year=2023')
  await expect(page.getByText('No projects match')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL('/portfolio')
  await expect(page.getByRole('article')).toHaveCount(14)
})

test('on a phone the filters are one row that scrolls by itself, with what is chosen in sight', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/portfolio?year=2024')
  await alive(page)
  const tops = await page
    .getByRole('navigation', { name: /^(?:Discipline|Service|Year)$/ })
    .evaluateAll((rows) =>
      rows.flatMap((row) =>
        Array.from(row.querySelectorAll('li'), (each) => each.getBoundingClientRect().top),
      ),
    )
  expect(new Set(tops).size).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expect(page.getByRole('link', { name: /^2024/ })).toBeInViewport()
})

test('a project opens above the grid, moves by keys, and gives the focus back', async ({
  page,
}) => {
  await page.goto('/portfolio')
  await alive(page)
  await page.getByRole('link', { name: first }).focus()
  await page.keyboard.press('Enter')
  const view = page.getByRole('dialog', { name: first })
  await expect(view).toBeVisible()
  await expect(page).toHaveURL('/portfolio?project=blue-hour-in-rovaniemi')
  await expect(page).toHaveTitle(/^Blue hour in Rovaniemi/)
  const counter = view.getByRole('status').first()
  await expect(counter).toHaveText(/^Photo 1 \/ 4: Long exposure/)
  await page.keyboard.press('ArrowRight')
  await expect(counter).toHaveText(/^Photo 2 \/ 4: /)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(counter).toHaveText(/^Photo 4 \/ 4: /)
  await view.getByRole('button', { name: 'Next photo' }).click()
  await expect(counter).toHaveText(/^Photo 1 \/ 4: /)
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab')
    const inside = await page.evaluate(
      () =>
        !document.hasFocus() ||
        document.activeElement === document.body ||
        document.activeElement?.closest('dialog') !== null,
    )
    expect(inside).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(view).toHaveCount(0)
  await expect(page).toHaveURL('/portfolio')
  await expect(page.getByRole('link', { name: first })).toBeFocused()
})

test('Back closes a project, and a shared address opens it', async ({ page }) => {
  await page.goto('/portfolio?discipline=rally')
  await page.getByRole('link', { name: first }).click()
  await expect(page.getByRole('dialog', { name: first })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog', { name: first })).toHaveCount(0)
  await expect(page).toHaveURL('/portfolio?discipline=rally')
  await page.goto('/portfolio?discipline=rally&project=blue-hour-in-rovaniemi')
  const view = page.getByRole('dialog', { name: first })
  await expect.poll(() => view.evaluate((dialog) => dialog.matches(':modal'))).toBe(true)
  await view.getByRole('link', { name: 'Close project' }).click()
  await expect(page).toHaveURL('/portfolio?discipline=rally')
  await expect(view).toHaveCount(0)
})

test('a broken picture leaves its words and another try', async ({ page, complaints }) => {
  complaints.expect(/Failed to load resource/)
  await page.route('**/assets/snow-stage-blue-hour?*', (route) => route.abort())
  await page.goto('/portfolio?project=blue-hour-in-rovaniemi')
  const view = page.getByRole('dialog', { name: first })
  await expect(view.getByText('This photo didn’t load.')).toBeVisible()
  await page.unroute('**/assets/snow-stage-blue-hour?*')
  await view.getByRole('button', { name: 'Try again' }).click()
  await expect(view.getByRole('img', { name: /snowy forest road/ })).toBeVisible()
})

test('nothing moves while the grid loads', async ({ page }) => {
  const moved = await layoutShifts(page)
  await page.goto('/portfolio', { waitUntil: 'networkidle' })
  expect(await moved()).toBeLessThan(0.001)
})

test.describe('pictures that move from page to page', () => {
  /** Writes down which pictures have the shared name as each transition begins. */
  const recordTransitions = () => {
    const seen: string[][] = []
    Object.assign(globalThis, { transitions: seen })
    const named = () =>
      Array.from(document.images)
        .filter((image) => getComputedStyle(image).viewTransitionName === 'picture')
        .map((image) => new URL(image.src).pathname)
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (update) => {
      const transition = start(update)
      seen.push(named())
      void transition.ready.then(
        () => seen.push(named()),
        (error: unknown) => seen.push([String(error)]),
      )
      return transition
    }
  }
  const transitions = () => (globalThis as unknown as { transitions: string[][] }).transitions

  test('the picture of a project grows into its case, and that of the next one', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.addInitScript(recordTransitions)
    await page.goto('/')
    await alive(page)
    const work = page.getByRole('region', { name: 'Selected work' })
    await work.scrollIntoViewIfNeeded()
    // What moves pictures comes with the code for the second page, as this does.
    await expect(page.locator('#main ~ [role=status]').first()).toBeAttached()
    await work.getByRole('link', { name: first }).click()
    await expect(page).toHaveURL('/portfolio/blue-hour-in-rovaniemi')
    const lead = '/assets/snow-stage-blue-hour'
    await expect.poll(() => page.evaluate(transitions)).toEqual([[lead], [lead]])
    await page.getByRole('link', { name: /Next case/ }).click()
    await expect(page).not.toHaveURL('/portfolio/blue-hour-in-rovaniemi')
    await expect.poll(async () => (await page.evaluate(transitions)).length).toBe(4)
    const [, , from, to] = await page.evaluate(transitions)
    expect(from).toHaveLength(1)
    expect(to).toEqual(from)
  })

  test('the picture of a project grows into its view above the grid', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.addInitScript(recordTransitions)
    await page.goto('/portfolio')
    await alive(page)
    await page.getByRole('link', { name: first }).click()
    await expect(page.getByRole('dialog', { name: first })).toBeVisible()
    const lead = '/assets/snow-stage-blue-hour'
    await expect.poll(() => page.evaluate(transitions)).toEqual([[lead], [lead]])
  })

  test('with reduced motion nothing moves', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.addInitScript(recordTransitions)
    await page.goto('/portfolio')
    await alive(page)
    await page.getByRole('link', { name: first }).click()
    await expect(page.getByRole('dialog', { name: first })).toBeVisible()
    expect(await page.evaluate(transitions)).toEqual([])
  })
})

test('a film plays with its captions, and nothing of it is loaded before', async ({ page }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  await page.goto('/portfolio/round-saimaa')
  await alive(page)
  const film = page.getByLabel('Film: Round Saimaa')
  await film.scrollIntoViewIfNeeded()
  await expect(film).toHaveAttribute('poster', /lamps-in-dust/)
  expect(await film.evaluate((video: HTMLVideoElement) => video.paused)).toBe(true)
  expect(loaded).not.toContain('/assets/round-saimaa-film')
  await film.evaluate((video: HTMLVideoElement) => video.play())
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0)
  expect(loaded).toContain('/assets/round-saimaa-film')
  const cues = () =>
    film.evaluate((video: HTMLVideoElement) =>
      Array.from(video.textTracks[0]!.cues ?? [], (cue) => (cue as VTTCue).text),
    )
  await expect.poll(cues).toContain('All day for ten minutes of sun.')
  expect(await film.evaluate((video: HTMLVideoElement) => video.textTracks[0]!.mode)).toBe(
    'showing',
  )
})

test('the poster and the captions of a film leave the line to the first view', async ({ site }) => {
  const { text } = await site.get('/portfolio/round-saimaa')
  const withScripts = text.replaceAll(/<noscript>.*?<\/noscript>/gs, '')
  expect(withScripts).toContain('src="/assets/round-saimaa-film"')
  expect(withScripts).not.toMatch(/poster=|<track/)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a film has one player, with its poster and captions', async ({ page }) => {
    await page.goto('/portfolio/round-saimaa')
    const film = page.locator('video:visible')
    await expect(film).toHaveCount(1)
    await expect(film).toHaveAttribute('poster', /lamps-in-dust/)
    await expect(film.locator('track')).toHaveAttribute('src', /captions/)
  })
})

test('a film that is gone says so once it is played', async ({ page, complaints }) => {
  complaints.expect(/404/)
  await page.route('**/assets/round-saimaa-film*', (route) => route.fulfill({ status: 404 }))
  await page.goto('/portfolio/round-saimaa')
  await alive(page)
  await expect(page.getByRole('alert')).toHaveCount(0)
  const film = page.getByLabel('Film: Round Saimaa')
  await film.evaluate((video: HTMLVideoElement) => video.play().catch(() => {}))
  await expect(page.getByRole('alert')).toContainText('The film didn’t load')
})
