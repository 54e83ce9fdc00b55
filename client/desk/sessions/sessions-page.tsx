import { Form, useActionData, useLoaderData } from 'react-router'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import type { SessionLine } from '#shared/clients/sessions.ts'
import type { FormAnswer } from '../../forms/form-action.ts'
import { resultPlace, useOwnResult } from '../../forms/result.ts'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { Desk } from '../desk.tsx'
import type { SessionsData } from './sessions-data.ts'
import styles from '../desk.module.css'
import lines from './sessions-page.module.css'
import { useSending } from '../uploads/use-sending.ts'

/** Where the visitor's code is signed in; for codes with `ops`, all staff. */
export function Component() {
  const { session, isStaff, sessions } = useLoaderData<SessionsData>()
  const refusal = useActionData<FormAnswer>()
  return (
    <Desk
      session={session}
      isStaff={isStaff}
      to={paths.deskSessions()}
      title="Sessions"
      isResult={!refusal}
    >
      {refusal && (
        <Alert {...resultPlace} tone="bad" role="alert">
          {refusal.message ?? Object.values(refusal.errors)[0]}
        </Alert>
      )}
      {sessions && <Own sessions={sessions.own} />}
      {sessions?.others && <Others sessions={sessions.others} />}
    </Desk>
  )
}

function Own({ sessions }: { sessions: readonly SessionLine[] }) {
  const isAlone = sessions.every(({ isThis }) => isThis)
  return (
    <section className={styles.group} aria-labelledby="own">
      <h2 id="own">
        Your code <span>{sessions.length}</span>
      </h2>
      <Lines sessions={sessions} />
      {!isAlone && (
        <div className={lines.all}>
          <End session="others" label="End all others" />
        </div>
      )}
    </section>
  )
}

const Others = ({ sessions }: { sessions: readonly SessionLine[] }) => (
  <section className={styles.group} aria-labelledby="others">
    <h2 id="others">Other staff {sessions.length > 0 && <span>{sessions.length}</span>}</h2>
    {sessions.length > 0 ? (
      <Lines sessions={sessions} />
    ) : (
      <p className={styles.none}>No other staff are signed in.</p>
    )}
  </section>
)

const Lines = ({ sessions }: { sessions: readonly SessionLine[] }) => (
  <ul className={lines.sessions}>
    {sessions.map(({ id, who, label, since, lastUsed, network, browser, isThis }) => (
      <li key={id}>
        <div>
          <strong>
            {browser ?? 'Unknown browser'}
            {isThis && <span className={lines.here}>This one</span>}
          </strong>
          <span>{[who, label !== who && label].filter(Boolean).join(', code ')}</span>
          <span>
            {network ? `Network ${network}` : 'Unknown network'}. Since <Time iso={since} />, last
            used <Time iso={lastUsed} />
          </span>
        </div>
        <End session={String(id)} label="End" about={`${who}, ${browser ?? 'unknown browser'}`} />
      </li>
    ))}
  </ul>
)

const Time = ({ iso }: { iso: string }) => <time dateTime={iso}>{officeTime(Date.parse(iso))}</time>

/** A button that ends a session, or all others of the visitor's code. */
function End({ session, label, about }: { session: string; label: string; about?: string }) {
  const action = useOwnResult()
  const { busy, onSubmit } = useSending()
  return (
    <Form method="post" action={action} onSubmit={onSubmit}>
      <input type="hidden" name="session" value={session} />
      <button
        className={`${button.button} ${button.quiet} ${button.small}`}
        aria-disabled={busy}
        aria-label={about && `${label}: ${about}`}
      >
        {label}
      </button>
    </Form>
  )
}
