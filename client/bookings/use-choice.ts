import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Entries } from '#shared/forms/form.ts'
import { monthOf } from '#shared/dates/months.ts'
import { paths } from '#shared/paths.ts'
import type { BookingFormData } from './form-data.ts'
import type { Chosen } from './selection.ts'

/** What was chosen before a form was left. */
type Restored = { service?: string } & Partial<Chosen>

/** Marks the steps that the form takes itself, such as to another month. */
const ownStep = { step: true }

/**
 * Service and days as chosen so far, and how they are changed. What is shown follows the address, so
 * the form works without scripts, too.
 * @param entries what a refused form came back with
 */
export function useChoice(loaded: BookingFormData, entries: Entries | undefined) {
  const { form, month, service } = loaded
  const navigate = useNavigate()
  const { slug, setSlug, dates, setDates, visit, event } = useChosen(loaded, entries)
  const address = (change: { service?: string; month?: string; chosen?: Chosen }) => {
    const { from, to } = change.chosen ?? dates
    const query = new URLSearchParams()
    if (form.event) query.set('event', form.event.id)
    if (from) query.set('from', from)
    query.set('month', change.month ?? month)
    query.set('service', change.service ?? slug)
    if (to) query.set('to', to)
    return `${paths.booking()}?${query.toString()}`
  }
  const go = (to: string) =>
    void navigate(to, { preventScrollReset: true, replace: true, state: ownStep })
  // What a link does not name stays as chosen, and its days are then still to come.
  useOnVisit(visit, () => {
    const wanted = dates.from && !loaded.asks.month ? monthOf(dates.from) : month
    if (slug !== service || wanted !== month) go(address({ month: wanted }))
  })
  return {
    slug,
    dates,
    setDates,
    visit,
    event,
    /** The page with a change. */
    address,
    showMonth: (to: string) => go(address({ month: to })),
    /** Chooses a service, and shows its days. */
    chooseService(to: string) {
      setSlug(to)
      go(address({ service: to }))
    },
    /** Takes up what was chosen before the form was left; what is left out stays. */
    restore({ service: before = slug, from = dates.from, to = dates.to }: Restored) {
      setSlug(before)
      setDates({ from, to })
      go(
        address({
          service: before,
          chosen: { from, to },
          ...(from && { month: monthOf(from) }),
        }),
      )
    },
    /** Takes dates that may lie in another month, and shows it. */
    showDates(next: Chosen) {
      setDates(next)
      if (next.from && monthOf(next.from) !== month)
        go(address({ month: monthOf(next.from), chosen: next }))
    },
  }
}

/**
 * What is chosen. A link from elsewhere wins in what its address names; what it does not name stays
 * as it was chosen.
 */
function useChosen({ service, asks, chosen, form }: BookingFormData, entries: Entries | undefined) {
  const { key, state } = useLocation() as { key: string; state: { step?: boolean } | null }
  const [slug, setSlug] = useState(entries?.service || service)
  const [dates, setDates] = useState<Chosen>(() =>
    entries?.from === undefined ? chosen : { from: entries.from, to: entries.to ?? '' },
  )
  const [event, setEvent] = useState(form.event?.id)
  const [visit, setVisit] = useState({ key, count: 0 })
  // The choice follows the address while it renders, so no render shows the one before.
  if (key !== visit.key) {
    const isFromElsewhere = entries === undefined && !state?.step
    setVisit({ key, count: visit.count + (isFromElsewhere ? 1 : 0) })
    if (isFromElsewhere && asks.service) setSlug(service)
    if (isFromElsewhere && chosen.from) setDates(chosen)
    if (isFromElsewhere && form.event) setEvent(form.event.id)
  }
  return {
    slug,
    setSlug,
    dates,
    setDates,
    /** Changes when a link from elsewhere came, so controls take up what it says. */
    visit: visit.count,
    /** The last event that the form was opened for: its place is where the place begins. */
    event,
  }
}

/** Runs once for each new number, not for the first. */
function useOnVisit(visit: number, act: () => void): void {
  const seen = useRef(visit)
  const onVisit = useEffectEvent(act)
  useEffect(() => {
    if (seen.current === visit) return
    seen.current = visit
    onVisit()
  }, [visit])
}
