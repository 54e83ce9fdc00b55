import type { EventCoverage, EventStatus, SeasonEvent } from '#shared/calendar.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'

const statuses: Record<Exclude<EventStatus, 'scheduled'>, { tone: BadgeTone; word: string }> = {
  tbc: { tone: 'waiting', word: 'To be confirmed' },
  postponed: { tone: 'waiting', word: 'Postponed' },
  cancelled: { tone: 'bad', word: 'Cancelled' },
}

const coverages: Record<Exclude<EventCoverage, 'none'>, { tone: BadgeTone; word: string }> = {
  free: { tone: 'active', word: 'Crew slots open' },
  covered: { tone: 'active', word: 'We’re on site' },
  full: { tone: 'done', word: 'Crews fully booked' },
}

/** Whether an event takes place, and whether we are there; nothing where there is nothing to say. */
export function EventBadges({
  event: { status, coverage, isOver },
}: {
  event: Pick<SeasonEvent, 'status' | 'coverage' | 'isOver'>
}) {
  const said = status === 'scheduled' ? null : statuses[status]
  const isOff = status === 'cancelled' || status === 'postponed'
  const there = coverage === 'none' || isOff ? null : coverages[coverage]
  return (
    <>
      {said && <Badge tone={said.tone}>{said.word}</Badge>}
      {there && !isOver && <Badge tone={there.tone}>{there.word}</Badge>}
      {there && isOver && <Badge tone="done">We covered it</Badge>}
    </>
  )
}
