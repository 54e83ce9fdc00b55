import { helsinkiIso } from '#shared/helsinki-time.ts'
import type { PersonalData } from '../personal-data.ts'
import type { Subscribers } from './store.ts'

/** What the newsletter keeps of people. */
export const newsletterData = (subscribers: Subscribers): PersonalData => ({
  name: 'newsletter',
  policy: [
    {
      what: 'Newsletter',
      data: 'Email address; as proof of your consent, its time and wording, the page you signed up on, and a keyed hash of your network',
      ground: 'Your consent (Art. 6(1)(a)), given by confirming a link we email you',
      kept: 'Until you unsubscribe, and after that the fact that you did; the hash, and an address never confirmed, for 30 days',
    },
  ],
  forgottenBy: { job: 'newsletter.forget' },
  find(email) {
    const subscriber = subscribers.find(email)
    if (!subscriber) return []
    const { leaveToken: _, secret: _s, round: __, id, createdAt, since, ...facts } = subscriber
    const history = subscribers
      .history(id)
      .map(({ at, ...event }) => ({ at: helsinkiIso(at), ...event }))
    return [{ ...facts, createdAt: helsinkiIso(createdAt), since: helsinkiIso(since), history }]
  },
  erase: (tx, email) => ({ erased: subscribers.erase(tx, email) ? 1 : 0 }),
})
