import { data } from 'react-router'
import type { Entries } from '#shared/forms/form.ts'
import { refusalOf, sendBack, type FormAnswer } from '../../forms/form-action.ts'

/** A form of the desk that came back. */
export type DeskAnswer = FormAnswer & {
  /** Whether it says that the thing has changed since the form was shown. */
  isChanged?: boolean
}

/** Like {@link sendBack}, for a form that carries the state which it showed. */
export function sendBackToDesk(thrown: unknown, entries: Entries) {
  const { data: answer, init } = sendBack(thrown, entries)
  return data<DeskAnswer>(
    { ...answer, isChanged: refusalOf(thrown).code === 'changed' },
    init ?? {},
  )
}
