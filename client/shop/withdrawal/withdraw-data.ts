import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { checkForm, type Entries } from '#shared/forms/form.ts'
import { withdraw, type WithdrawReply } from '#shared/shop/orders.ts'
import { postedEntries, refusalOf, wholeNumber, type FormAnswer } from '../../forms/form-action.ts'
import { newSum, sumProblem, sumProof } from '../../forms/sum.ts'
import { siteOf } from '../../site/data/loading.ts'

/** The sum of the withdrawal form. */
export const loader = async (args: LoaderFunctionArgs) => ({ sum: await newSum(siteOf(args).api) })

/** The data of the withdrawal function. */
export type WithdrawData = Awaited<ReturnType<typeof loader>>

/** A statement of withdrawal that came back; `reply` once it is complete. */
export type Withdrawal = FormAnswer & { reply: WithdrawReply | null }

/** Takes a statement of withdrawal: its contents first, then the confirmation that makes it binding. */
export async function action(args: ActionFunctionArgs) {
  const { api } = siteOf(args)
  const entries = await postedEntries(args.request)
  const answer = (status: number, more: Partial<Withdrawal> = {}) =>
    data<Withdrawal>({ entries, errors: {}, message: null, reply: null, ...more }, { status })
  // Back to the fields, with what was entered.
  if (entries.change) return answer(200)
  const { order = '', name = '', email = '', confirm, website } = entries
  const lines = chosenLines(entries)
  const { value: statement, errors: wrong } = checkForm(
    withdraw.input,
    {
      order,
      name,
      email,
      ...(lines.length > 0 && { lines }),
      ...(confirm && { confirm: true }),
      ...(website && { website }),
    },
    { more: { captcha: sumProblem(entries, { optional: true }) } },
  )
  if (wrong) return answer(400, { errors: wrong })
  try {
    const proof = confirm ? await sumProof(entries) : null
    return answer(200, { reply: await api(withdraw, statement, { proof }) })
  } catch (thrown) {
    const { status, errors, message } = refusalOf(thrown)
    // What is wrong with the choice is said beside it, where it can be changed.
    if (errors.lines) {
      const { lines: _lines, confirm: _confirm, ...first } = statement
      return answer(status, { errors, reply: await api(withdraw, first) })
    }
    return answer(status, { errors, message })
  }
}

/** The pieces that were chosen, by the number of their line; none before there was a choice. */
const chosenLines = (entries: Entries): { line: number; quantity: number }[] =>
  Object.entries(entries).flatMap(([name, text]) => {
    const [, line] = /^quantity-(\d{1,3})$/.exec(name) ?? []
    return line === undefined ? [] : [{ line: Number(line), quantity: wholeNumber(text) }]
  })
