import type { ReactNode } from 'react'
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import { contactLimits } from '#shared/contact/contact-form.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { longConversation, type VisitorTicketView } from '#shared/contact/tickets.ts'
import { FormProblems } from '../forms/error-summary.tsx'
import { Field, fieldsOf } from '../forms/field.tsx'
import type { FormAnswer } from '../forms/form-action.ts'
import { Head } from '../site/head/head.tsx'
import button from '../ui/button.module.css'
import { Facts } from '../ui/lists/facts.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { WithAside } from '../ui/page/with-aside.tsx'
import { AttachedFiles } from './attached-files.tsx'
import type { TicketData } from './data.ts'
import styles from './page.module.css'

const timeOf = (iso: string) => officeTime(Date.parse(iso))

/** The visitor's own page of a ticket: where it is, what was written, and room for more. */
export function Component() {
  const { token, key, ticket } = useLoaderData<TicketData>()
  const refusal = useActionData<FormAnswer>()
  const { ticketId, state, dueAt } = ticket
  return (
    <>
      <Head title={`Ticket ${ticketId}`} hidden />
      <PageHead
        label={
          <span>
            Ticket <span className={styles.number}>{ticketId}</span>
          </span>
        }
        title={state.label}
        lead={
          dueAt
            ? `We’ll reply by ${timeOf(dueAt)} at the latest.`
            : 'Something to add? Write to us below.'
        }
        isResult={!refusal}
      />
      <WithAside label="Your ticket" aside={<Summary ticket={ticket} />}>
        <div className={styles.main}>
          <FormProblems form="ticket" answer={refusal} />
          <Conversation token={token} ticket={ticket} />
          <Add
            token={token}
            formKey={refusal?.entries.key ?? key}
            ticket={ticket}
            refusal={refusal}
          />
        </div>
      </WithAside>
    </>
  )
}

const Summary = ({ ticket }: { ticket: VisitorTicketView }) => (
  <>
    <Facts
      facts={[
        ['Ticket', ticket.ticketId],
        ['Status', ticket.state.label],
        ['Received', timeOf(ticket.receivedAt)],
        ['Subject', ticket.written?.subject],
      ]}
    />
    <p className={styles.note}>
      Anyone with this link can see your ticket and add to it. Keep it private. It’s also in your
      email.
    </p>
  </>
)

function Conversation({ token, ticket }: { token: string; ticket: VisitorTicketView }) {
  const { written, receivedAt, messages } = ticket
  return (
    <section aria-labelledby="written">
      <h2 id="written" className={styles.title}>
        Messages
      </h2>
      {written === null && <Claim token={token} />}
      {messages.length >= longConversation && (
        <p className={styles.jumps}>
          <a href="#latest">Latest message</a>
          <a href="#add">Add to this ticket</a>
        </p>
      )}
      <ol className={styles.messages}>
        {written && <Entry author="visitor" name="You" at={receivedAt} text={written.message} />}
        {messages.map(({ files, ...each }, index) => (
          <Entry
            key={each.at + each.text.slice(0, 20)}
            {...each}
            id={index === messages.length - 1 ? 'latest' : undefined}
            name={each.author === 'visitor' ? 'You' : each.name}
          >
            <AttachedFiles files={files} page={paths.ticket(token)} />
          </Entry>
        ))}
      </ol>
    </section>
  )
}

/** Anyone can write under an address, so what was typed is shown to who says that it's theirs. */
function Claim({ token }: { token: string }) {
  const busy = useNavigation().state !== 'idle' || undefined
  return (
    <Form method="post" action={toResult(paths.ticketClaim(token))} className={styles.claim}>
      <p>Someone sent us a message with your email address. Was it you?</p>
      <button className={`${button.button} ${button.quiet}`} aria-disabled={busy}>
        Yes, show my message
      </button>
    </Form>
  )
}

type EntryProps = Omit<VisitorTicketView['messages'][number], 'files'> & {
  id?: string | undefined
  children?: ReactNode
}

const Entry = ({ id, author, name, at, text, children }: EntryProps) => (
  <li id={id} data-author={author}>
    <p className={styles.note}>
      <bdi>{name}</bdi>, <time dateTime={at}>{timeOf(at)}</time>
    </p>
    <p className={styles.text}>{text}</p>
    {children}
  </li>
)

type AddProps = {
  token: string
  formKey: string
  ticket: VisitorTicketView
  refusal: FormAnswer | undefined
}

function Add({ token, formKey, ticket: { messages }, refusal }: AddProps) {
  const busy = useNavigation().state !== 'idle' || undefined
  return (
    <section aria-labelledby="add">
      <h2 id="add" className={styles.title}>
        Add to this ticket
      </h2>
      <Form
        // What was sent leaves the field.
        key={messages.length}
        method="post"
        action={toResult(paths.ticket(token))}
        className={styles.form}
      >
        <input type="hidden" name="key" value={formKey} />
        <Field
          label="Your message"
          {...fieldsOf('ticket', refusal)('text')}
          type="textarea"
          required
          maxLength={contactLimits.maxMessage}
        />
        <button className={button.button} aria-disabled={busy}>
          Send
        </button>
      </Form>
    </section>
  )
}
