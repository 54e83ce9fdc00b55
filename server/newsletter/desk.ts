import type { DeskLine } from '#shared/desk/lines.ts'
import { deskPersonPath } from '#shared/desk/people.ts'
import { isoOf, type DeskSource } from '../contributions/desk-source.ts'
import { panelDay } from '../contributions/panel-block.ts'
import type { Subscriber } from './schema.ts'
import type { Subscribers } from './store.ts'

/** Newsletter subscribers at the desk, for its search. */
export const subscriberDesk = ({
  find,
  findId,
  search,
}: Pick<Subscribers, 'find' | 'findId' | 'search'>): DeskSource => ({
  find: async (words, limit) =>
    (await search(words, limit)).flatMap((id) => findId(id) ?? []).map(line),
  ofPerson(email) {
    const subscriber = find(email)
    return subscriber ? [line(subscriber)] : []
  },
  aboutPerson(email) {
    const subscriber = find(email)
    if (!subscriber) return {}
    const { name, status, since } = subscriber
    return { names: [name], newsletter: `${status} since ${panelDay(since)}` }
  },
})

const line = ({ email, name, status, since }: Subscriber): DeskLine => ({
  label: 'Newsletter',
  title: name || email,
  detail: [name && email, status].filter(Boolean).join(' · '),
  urgent: false,
  at: isoOf(since),
  href: deskPersonPath(email),
})
