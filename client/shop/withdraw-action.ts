import { data, type ActionFunctionArgs } from 'react-router'
import { withdraw, type WithdrawReply } from '#shared/orders.ts'
import { refusalOf } from '../site/refusal.ts'
import { siteOf } from '../site/loading.ts'
import { sumProblem, sumProof } from '../site/sum.ts'
import { entriesOf, type Entries } from './entries.ts'

/** Where a statement of withdrawal stands. */
export type Withdrawal = {
  entries: Entries
  errors: Readonly<Record<string, string>>
  message: string | null
  reply: WithdrawReply | null
}

/** Takes a statement of withdrawal: its contents first, then the confirmation that makes it binding. */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const entries = await entriesOf(args.request)
  const answer = (more: Partial<Withdrawal>, status = 200) =>
    data<Withdrawal>({ entries, errors: {}, message: null, reply: null, ...more }, { status })
  // Back to the fields, with what was entered.
  if (entries.change) return answer({})
  const { order = '', name = '', email = '', confirm, website } = entries
  const statement = {
    order,
    name,
    email,
    ...(confirm && { confirm: true }),
    ...(website && { website }),
  }
  const wrong: Record<string, string> = {}
  for (const { path, message } of checked(statement)) wrong[String(path[0])] ??= message
  const sum = sumProblem(entries, { optional: true })
  if (sum) wrong.captcha = sum
  if (Object.keys(wrong).length > 0) return answer({ errors: wrong }, 400)
  try {
    const proof = confirm ? await sumProof(entries) : null
    return answer({ reply: await api(withdraw, statement, { proof }) })
  } catch (thrown) {
    const { status, errors, message } = refusalOf(thrown)
    return answer({ errors, message: Object.keys(errors).length > 0 ? null : message }, status)
  }
}

function checked(statement: unknown) {
  const parsed = withdraw.input.safeParse(statement)
  return parsed.success ? [] : parsed.error.issues
}
