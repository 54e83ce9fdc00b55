import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { cancelReasons, type CancelReason } from '#shared/bookings/staff-page.ts'
import { addDays, dateAt, daysBetween, instantAt } from '#shared/dates/civil-dates.ts'
import { dateRange, longDate } from '#shared/dates/date-format.ts'
import { book } from '../support/bookings.ts'
import { contentFiles } from '../support/content-files.ts'
import { caughtUp } from '../support/enquiry.ts'
import { runOn } from '../support/in-process-cli.ts'
import { daysByTwo, readByTwo } from '../support/read-calendar.ts'
import type { ReadMail } from '../support/read-mail.ts'
import { startSite, type Site } from '../support/site.ts'
import { startSmtp, type Smtp } from '../support/smtp.ts'
import { startVies } from '../support/vies-double.ts'
import {
  amountsIn,
  datesIn,
  invoiceOver,
  partOf,
  priceOf,
  sum,
  type Line,
  type Sum,
  type Tenths,
} from './told-money.ts'

/**
 * A booking told from its request to its end. After each step everything that anyone can read of it
 * is read back: emails, pages, documents, calendar files and the command line have to name the same
 * dates, amounts, VAT and parties, and none besides.
 */

/** A way in which services are sold. */
export type Kind = {
  unit: 'day' | 'event' | 'project'
  service: string
  title: string
  /** Net cents of one unit. */
  price: number
  /** Days of work; a project has its start alone. */
  days: number
  start?: string
  end?: string
}

/** Who books. */
export type Buyer = {
  name: string
  email: string
  company?: string
  country: string
  vatId?: string
  address: { street: string; postcode: string; city: string; region?: string }
  rate: Tenths
  /** Why an invoice has no VAT. */
  reason?: string
}

type Range = { from: string; to: string }

/** An invoice or credit note that should be there: its part, what became of it, and its sum. */
export type Paper = readonly [part: string, state: string, gross: number]

/** What everyone should read of the booking now. */
type Truth = {
  state: string
  dates: Range
  lines: Line[]
  asked: Range | null
  /** What is agreed once those dates are confirmed. */
  askedLines: Line[]
  papers: Paper[]
  /** What becomes of payments: cents that go back, that pay a fee, that are still to pay. */
  moved: number[]
  /** When it was cancelled. */
  endedOn: string | null
  /** Further ranges, such as the dates that were given up. */
  before: Range[]
}

/** What pages and the command line show of a booking, as far as stories read it. */
type Shown = {
  offer: { id: string; validUntil: string } | null
  agreement: { agreedAt: string; cancellation: unknown } | null
  change: { heldUntil: string } | null
  heldUntil: string | null
  requestedAt: string
  lines: Line[]
  documents: { part: string; order: string; state: string; total: number; dueOn: string | null }[]
  cancellingBecause: Record<CancelReason, string[]>
}

const staffAddress = 'staff@example.com'

/** Cancelling is free until 30 days before, costs a quarter until 14 days before, later 60 %. */
export const rules = {
  closedOnHolidays: false,
  deposit: { percent: 30 },
  cancellation: {
    freeUntilDays: 30,
    shares: [
      { untilDays: 14, percent: 25 },
      { untilDays: 0, percent: 60 },
    ],
  },
  services: { photography: {}, 'public-relations': {}, 'website-design': { needsCrew: false } },
}

/** A site with mail server, VIES and pages, on which stories are told one after the other. */
export async function openHouse() {
  const opened = new AsyncDisposableStack()
  const sample = (name: string) =>
    readFileSync(join(import.meta.dirname, '../../data/content', name), 'utf8')
  // No more than a booking needs: the backup of every night copies what there is.
  const content = opened.use(
    contentFiles({
      'booking-rules.json': rules,
      'services.json': sample('services.json'),
      'settings.json': sample('settings.json'),
      'menu_main.json': sample('menu_main.json'),
    }),
  )
  const smtp = opened.use(await startSmtp())
  const vies = opened.use(await startVies())
  const site = opened.use(
    await startSite({
      renderer: await builtRenderer(dist),
      env: {
        ...vies.env,
        SMTP_URL: smtp.url,
        STAFF_EMAIL: staffAddress,
        CONTENT_DIR: content.dir,
      },
    }),
  )
  return { site, smtp, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

let networks = 0

/** Begins a story whose work starts so many days from today. */
export function storyOf(
  { site, smtp }: { site: Site; smtp: Smtp },
  kind: Kind,
  buyer: Buyer,
  startsIn = 60,
) {
  const from = addDays(dateAt(site.clock()), startsIn)
  const truth: Truth = {
    state: 'requested',
    dates: { from, to: addDays(from, kind.days - 1) },
    lines: [],
    asked: null,
    askedLines: [],
    papers: [],
    moved: [],
    endedOn: null,
    before: [],
  }
  let seen = smtp.mails.length
  const links = { reference: '', visitor: '', staff: '' }
  // Each story comes from a network of its own, as its visitor does.
  const network = `127.${20 + (networks % 200)}.${Math.floor(networks++ / 200)}`
  let host = 0
  const address = () => `${network}.${1 + (host++ % 250)}`
  const ofVisitor = (rest = '') => `/api/bookings/by-link/${links.visitor}${rest}`
  const get = (path: string) => site.get(path, { from: address() })

  const story = {
    site,
    truth,
    links,
    /** The total as things stand. */
    total: (): Sum => priceOf(truth.lines, buyer.rate),
    dueBy: (because: CancelReason) => dueBy(because),

    /** The dates some days later, some days longer. */
    later: (days: number, longer = 0): Range => ({
      from: addDays(truth.dates.from, days),
      to: addDays(truth.dates.to, days + longer),
    }),

    async request() {
      const { service, start, end, unit } = kind
      const { address: _, rate: __, reason: ___, ...who } = buyer
      const isProject = unit === 'project'
      const reply = await book(
        site,
        {
          service,
          ...truth.dates,
          start,
          end,
          ...who,
          phone: '+358 40 123 4567',
          ...(isProject && {
            to: undefined,
            place: undefined,
            scope: 'A site for our team.',
            budget: 'up to ten thousand',
          }),
        },
        address(),
      )
      expect([reply.status, reply.json?.errors]).toEqual([201, undefined])
      links.reference = String(reply.json?.reference)
      links.visitor = String(reply.json?.url).split('/').at(-1)!
      const { actions } = site.context.features.bookings
      links.staff = actions.staffUrl(actions.find(links.reference)).split('/').at(-1)!
    },

    /** What the visitor does by their link. @returns the status */
    async visitor(act: string, body: object = {}): Promise<number> {
      return (await site.post(ofVisitor(`/${act}`), body, { from: address() })).status
    },
    view: async () => (await get(ofVisitor())).json as Shown,
    /** What staff do by the link in their email. */
    async staff(body: object): Promise<number> {
      const path = `/api/bookings/by-staff-link/${links.staff}`
      return (await site.post(path, body, { from: address() })).status
    },
    cli: (verb: string, ...args: string[]) =>
      runOn(site, 'bookings', verb, links.reference, ...args),
    shown: async () =>
      JSON.parse(await runOn(site, 'bookings', 'show', links.reference, '--json')) as Shown,
    /** Staff note that the money for a part is there. */
    async pays(part: string) {
      const { documents } = await story.shown()
      const { order } = documents.findLast((each) => each.part === part)!
      await runOn(site, 'orders', 'paid', order, '--on', dateAt(site.clock()))
    },

    /** Lets the minutes go by in which staff can take a decision back. */
    async undoTimeOver() {
      site.clock.advance(11 * 60_000)
    },

    today: () => dateAt(site.clock()),
    /** Passes over the emails that came meanwhile; another story reads them. */
    async passesOver() {
      await caughtUp(site)
      seen = smtp.mails.length
    },

    /** Cancels it: the visitor by their link, staff for one of their reasons. */
    async cancels(because: 'visitor' | CancelReason) {
      if (because === 'visitor') expect(await story.visitor('cancel')).toBe(200)
      else {
        // Days before the start the visitor has to call.
        const late = daysBetween(story.today(), truth.dates.from) < 7
        if (late) expect(await story.visitor('cancel')).toBe(410)
        await story.cli('cancel', '--because', because)
      }
    },

    /** What staff have to pay back at the bank, in cents. */
    async owedBack(): Promise<number> {
      const listed = JSON.parse(await runOn(site, 'orders', 'payouts', '--json')) as {
        order: string
        amount: number
      }[]
      const { documents } = await story.shown()
      const own = documents.map(({ order }: { order: string }) => order)
      return sum(listed.filter(({ order }) => own.includes(order)).map(({ amount }) => amount))
    },

    /** Goes to 09:30 of a day that is to come. */
    async goTo(date: string) {
      const at = instantAt(date, '09:30')!
      if (at <= site.clock()) throw new Error(`${date} is over.`)
      site.clock.advance(at - site.clock())
    },

    /**
     * Reads everything, and compares it with {@link truth}.
     * @param wanted who got which emails since the last look: `customer: Confirmed`, by the beginning of
     *   the subject
     */
    async reads(...wanted: string[]) {
      await caughtUp(site)
      const mails = smtp.mails.slice(seen)
      seen += mails.length
      const told = mails.map(
        ({ envelopeTo, subject }) =>
          `${envelopeTo.includes(staffAddress) ? 'staff' : envelopeTo.includes(buyer.email) ? 'customer' : envelopeTo.join()}: ${subject}`,
      )
      const about = told.filter((line) => !/^staff: .*(?:waiting for you|digest)/i.test(line))
      const matched = about.map(
        (line) => wanted.find((each) => line.startsWith(each)) ?? `unexpected ${line}`,
      )
      expect(matched.toSorted()).toEqual(wanted.toSorted())
      const [shown, when] = await known()
      for (const mail of mails) await readsMail(mail, when)
      await readsPages(shown, when)
      readsCalendar((await get(`/booking/${links.visitor}.ics`)).text)
      // No two things happen at the same instant.
      site.clock.advance(60_000)
      return mails.filter(({ envelopeTo }) => envelopeTo.includes(buyer.email))
    },
  }

  const paid = () => sum(truth.papers.filter(([, state]) => state === 'paid').map(([, , g]) => g))

  /** What cancelling costs now, by whose wish it is, and what of the payments goes back. */
  function dueBy(because: CancelReason): { fee: Sum; kept: number; back: number } {
    const daysLeft = daysBetween(dateAt(site.clock()), truth.dates.from)
    const { cancellation } = rules
    const share =
      daysLeft >= cancellation.freeUntilDays
        ? 0
        : (cancellation.shares.find(({ untilDays }) => daysLeft >= untilDays)?.percent ?? 60)
    const fee = {
      customer: partOf(story.total(), share),
      organiser: priceOf(
        truth.lines.filter(({ text }) => text === 'Travel'),
        buyer.rate,
      ),
      us: partOf(story.total(), 0),
    }[because]
    const kept = Math.min(paid(), fee.gross)
    return { fee, kept, back: paid() - kept }
  }

  /** Every amount that may be read now. */
  function amounts(): Set<number> {
    const { net, vat, gross } = story.total()
    const dues = cancelReasons.flatMap((because) => {
      const { fee, back } = dueBy(because)
      return [...Object.values(fee), back, Math.max(0, fee.gross - paid())]
    })
    const lines = truth.lines.flatMap((line) => Object.values(priceOf([line], buyer.rate)))
    const asked =
      truth.askedLines.length > 0 ? Object.values(priceOf(truth.askedLines, buyer.rate)) : []
    const papers = truth.papers.flatMap(([, , over]) => {
      const told = Object.values(invoiceOver(over, buyer.rate))
      return [...told, ...told.map((each) => -each)]
    })
    const rest = truth.papers.map(([, , over]) => gross - over)
    const { moved } = truth
    return new Set([
      kind.price,
      net,
      vat,
      gross,
      ...lines,
      ...asked,
      ...papers,
      ...rest,
      ...dues,
      // What the agreed rules ask for at confirmation.
      partOf(story.total(), rules.deposit.percent).gross,
      ...moved,
      0,
    ])
  }

  function ranges(): string[] {
    const { dates, asked, before } = truth
    return [dates, ...(asked ? [asked] : []), ...before].flatMap(({ from: first, to: last }) => [
      dateRange(first, last).replace(/^[A-Z][a-z]+day /, ''),
      longDate(first),
      longDate(last),
    ])
  }

  function readsText(text: string, where: string, moments: readonly string[]): void {
    const allowed = amounts()
    expect(
      amountsIn(text).filter((amount) => !allowed.has(amount)),
      `${where}\n${text}`,
    ).toEqual([])
    const dates = new Set([...ranges(), ...moments])
    expect(
      datesIn(text).filter((date) => !dates.has(date)),
      `${where}: ${[...dates].join('; ')}\n${text}`,
    ).toEqual([])
    if (buyer.rate === 0) expect(text, where).not.toMatch(/incl\. VAT|\+ VAT|VAT 25\.5/)
    if (kind.unit === 'project') {
      expect(text, where).not.toMatch(/\bcrew\b|accreditation|hold (?:these|the) dates|on site/i)
    }
  }

  /** What the command line shows, and the days on which something ends or was issued. */
  async function known(): Promise<[Shown, string[]]> {
    const shown = await story.shown()
    const at = (time: string | null | undefined) => (time ? [Date.parse(time)] : [])
    const instants = [
      site.clock(),
      ...at(shown.heldUntil),
      ...at(shown.requestedAt),
      ...at(shown.agreement?.agreedAt),
      ...at(shown.change?.heldUntil),
      // The last minute counts.
      ...at(shown.offer?.validUntil).map((end) => end - 60_000),
    ]
    const dues = shown.documents.flatMap(({ dueOn }: { dueOn: string | null }) =>
      dueOn === null ? [] : [dueOn, addDays(dueOn, -14)],
    )
    const issued = site.context.features.orders.actions.invoices
      .list()
      .map(({ issuedOn }) => issuedOn)
    const days = [...instants.map((instant) => dateAt(instant)), ...dues, ...issued]
    return [shown, days.map(longDate)]
  }

  async function readsMail(
    mail: ReadMail & { envelopeTo: string[] },
    all: readonly string[],
  ): Promise<void> {
    const { subject, text, html, calendar, attachments, envelopeTo } = mail
    if (/waiting for you|digest/i.test(subject)) return
    const inOneLine = text.replaceAll(/\s+/g, ' ')
    const where = `mail “${subject}”`
    expect(text, where).toContain(links.reference)
    readsText(`${subject}\n${text}`, where, all)
    // Both parts of an email are the same message.
    const seenIn = (part: string) => [...new Set(amountsIn(part))].toSorted((a, b) => a - b)
    const shown = html.replaceAll(/<style.*?<\/style>|<[^>]+>/gs, ' ').replaceAll('&#39;', '’')
    expect(seenIn(shown), where).toEqual(seenIn(text))
    const isStaff = envelopeTo.includes(staffAddress)
    if (!isStaff) expect(mail.replyTo ?? staffAddress, where).toContain(staffAddress)
    if (calendar) {
      expect(kind.unit, where).not.toBe('project')
      expect(calendar.method, where).toBe(truth.state === 'cancelled' ? 'CANCEL' : 'REQUEST')
      readsCalendar(calendar.ics)
    }
    for (const { filename, type, bytes } of attachments) {
      if (type !== 'application/pdf' || filename?.startsWith('terms')) continue
      const { text: pdf } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), {
        mergePages: true,
      })
      readsText(pdf, `${filename} of ${where}`, all)
      readsPaper(pdf, filename ?? '')
    }
    if (isStaff) expect(inOneLine, where).toContain(buyer.name)
  }

  /** A PDF names its parties and why there is no VAT. */
  function readsPaper(text: string, filename: string): void {
    const { name, company, address: billed, vatId, reason, rate } = buyer
    const isInvoice = /^(?:invoice|credit)/.test(filename)
    for (const word of [name, company, vatId]) if (word) expect(text, filename).toContain(word)
    if (!isInvoice) return
    for (const word of Object.values(billed)) expect(text, filename).toContain(word)
    expect(text, filename).toContain(rate === 0 ? '0 %' : '25.5 %')
    const inOneLine = text.replaceAll(/\s+/g, ' ')
    if (reason) expect(inOneLine, filename).toContain(reason)
  }

  function readsCalendar(text: string): void {
    if (kind.unit === 'project') return
    const { reference } = links
    const { from: first, to: last } = truth.dates
    const status = { confirmed: 'CONFIRMED', requested: 'TENTATIVE', offered: 'TENTATIVE' }
    for (const event of readByTwo(text).map((events) => events.get(reference)!)) {
      expect(event.status, text).toBe(status[truth.state as keyof typeof status] ?? 'CANCELLED')
      if (!kind.start) {
        expect([event.start, event.end]).toEqual([first, addDays(last, 1)])
        continue
      }
    }
    if (!kind.start) return
    const wanted: string[] = []
    for (let date = first; date <= last; date = addDays(date, 1)) {
      const instants = [kind.start, kind.end!].map((time) =>
        new Date(instantAt(date, time)!).toISOString(),
      )
      wanted.push(instants.join('/'))
    }
    expect(daysByTwo(text, reference)).toEqual([wanted, wanted])
  }

  async function readsPages(shown: Shown, all: readonly string[]): Promise<void> {
    const { state, dates, asked, papers } = truth
    const total = story.total()
    const papersNow = (documents: { part: string; state: string; total: number }[]) =>
      documents.map((paper) => [paper.part, paper.state, paper.total])
    const visitors = await story.view()
    const byStaff = (await get(`/api/bookings/by-staff-link/${links.staff}`)).json as Shown
    // Staff's link ends a month after the last day, or after it was cancelled.
    const settledOn = truth.endedOn ?? addDays(dates.to, 1)
    const isOver = dateAt(site.clock()) > addDays(settledOn, 30)
    if (isOver) expect(byStaff).toMatchObject({ code: 'gone' })
    for (const view of isOver ? [visitors] : [visitors, byStaff]) {
      expect(view).toMatchObject({
        state,
        ...dates,
        total,
        email: buyer.email,
        name: buyer.name,
        company: buyer.company ?? null,
        change: asked && { ...asked },
      })
      expect(papersNow(view.documents)).toEqual(papers)
      expect(view.lines.map(({ net }: Line) => net)).toEqual(truth.lines.map(({ net }) => net))
    }
    expect(shown).toMatchObject({
      state,
      ...dates,
      total: total.gross,
      change: asked && { ...asked },
    })
    if (state === 'confirmed' && !isOver) {
      for (const because of cancelReasons) {
        const { fee, kept, back } = dueBy(because)
        const said = amountsIn(byStaff.cancellingBecause[because].join(' '))
        const left = fee.gross - kept
        const wanted = [
          fee.net,
          fee.gross,
          back,
          ...(kept > 0 && left > 0 ? [kept, left] : []),
        ].filter((amount) => amount > 0)
        expect(new Set(said), because).toEqual(new Set(wanted))
      }
    }
    if (shown.agreement) {
      expect(shown.agreement).toMatchObject({ ...dates, lines: shown.lines })
      expect(shown.agreement.cancellation).toEqual(rules.cancellation)
    }
    for (const [path, who, wanted] of [
      [`/booking/${links.visitor}`, 'visitor’s page', 200],
      [`/booking/staff/${links.staff}`, 'staff’s page', isOver ? 410 : 200],
    ] as const) {
      const { status, text } = await get(path)
      expect(status, who).toBe(wanted)
      if (wanted === 410) continue
      const page = /<main.*<\/main>/s.exec(text)![0]
      const words = page
        // Days to choose from aren't dates of the booking.
        .replaceAll(/<table.*?<\/table>|<(?:select|input)\b[^>]*>/gs, ' ')
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll('&#x27;', '’')
        .replaceAll('&amp;', '&')
        .replaceAll(/\s+/g, ' ')
      readsText(words, who, all)
      expect(words, who).toContain(links.reference)
      expect(amountsIn(words), who).toContain(total.gross)
    }
  }

  return story
}
