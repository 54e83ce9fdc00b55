import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Entries } from './form-action.ts'
import type { BookingFormData } from './form-loader.ts'
import type { Chosen } from './selection.ts'

/** Marks the steps that the form takes itself, such as to another month. */
const ownStep = { step: true }

/**
 * Service and days as chosen so far. A link from elsewhere wins in what its address names; what it
 * does not name stays as it was chosen.
 * @param entries what a refused form came back with
 */
export function useChoice(
  { service, asks, chosen, form }: BookingFormData,
  entries: Entries | undefined,
) {
  const { key, state } = useLocation() as { key: string; state: { step?: boolean } | null }
  const navigate = useNavigate()
  const [slug, setSlug] = useState(entries?.service || service)
  const [dates, setDates] = useState<Chosen>(() =>
    entries?.from === undefined ? chosen : { from: entries.from, to: entries.to ?? '' },
  )
  const [event, setEvent] = useState(form.event?.id)
  const [visit, setVisit] = useState({ key, count: 0 })
  // The choice follows the address while it renders, so that no render shows the one before.
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
    /** Changes when a link from elsewhere came, so that controls take up what it says. */
    visit: visit.count,
    /** The last event that the form was opened for: its place is where the place begins. */
    event,
    /** Takes a step of the form's own: to another month, or to the days of another service. */
    go: (to: string) =>
      void navigate(to, { preventScrollReset: true, replace: true, state: ownStep }),
  }
}

/** Runs once for each new number, not for the first. */
export function useOnVisit(visit: number, act: () => void): void {
  const seen = useRef(visit)
  const onVisit = useEffectEvent(act)
  useEffect(() => {
    if (seen.current === visit) return
    seen.current = visit
    onVisit()
  }, [visit])
}
