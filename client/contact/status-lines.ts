import { linesWithoutCode, notSent, type Errors, type FormState } from './form-state.ts'

/**
 * What the form says below its button, line by line.
 * @param email of the agency, for who does not want to wait; empty while it is not known
 */
export function statusLines(state: FormState, email: string): string[] {
  const { phase, problem, errors, delivery } = state
  const lines: string[] = []
  if (phase === 'waiting') {
    lines.push('The verification question is on its way. Please answer it to send your message.')
  }
  if (problem === 'unavailable') lines.push(...linesWithoutCode(state, email))
  if (problem === 'refused') lines.push(notSent(reasonOf(errors), email))
  if (delivery === 'waiting') {
    lines.push(
      email
        ? `We could not reach the server yet. We keep trying; you can also e-mail ${email}.`
        : 'We could not reach the server yet. We keep trying.',
    )
  }
  return lines
}

const reasonOf = (errors: Errors): string =>
  Object.keys(errors).length > 0
    ? 'Please check the highlighted fields.'
    : 'Our server did not accept it.'
