import { useState, type ChangeEvent, type ReactNode } from 'react'
import { Form, useActionData, useLoaderData } from 'react-router'
import { deskPersonPath } from '#shared/desk/people.ts'
import { contactLimits } from '#shared/contact/contact-form.ts'
import { ticketStatuses } from '#shared/contact/contact.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { maxStaffNameLength } from '#shared/desk/things.ts'
import {
  longConversation,
  type StaffTicketMessage,
  type StaffTicketView,
} from '#shared/contact/tickets.ts'
import { FormProblems } from '../../forms/error-summary.tsx'
import { Field, SelectField, fieldsOf } from '../../forms/field.tsx'
import type { FormAnswer } from '../../forms/form-action.ts'
import { useOwnResult } from '../../forms/result.ts'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { Facts } from '../../ui/lists/facts.tsx'
import { Desk } from '../desk.tsx'
import type { DeskAnswer } from './desk-answer.ts'
import { KeptText } from './kept-text.tsx'
import type { TicketData } from './ticket-data.ts'
import { AttachedFiles } from '../../tickets/attached-files.tsx'
import { FileField } from './file-field.tsx'
import { TextBlockField } from './text-block-field.tsx'
import { TypedFormsContext, useTyped, type TypedForms } from './use-typed.ts'
import { YourName } from './your-name.tsx'
import styles from './ticket.module.css'
import { useBrowserSending, useSending } from '../uploads/use-sending.ts'

const timeOf = (iso: string) => officeTime(Date.parse(iso))

/** A ticket for staff: what was written, the reply, who takes care of it, and its history. */
export function Component() {
  const { session, isStaff, isByLink, name, key, ticket } = useLoaderData<TicketData>()
  const refusal = useActionData<DeskAnswer>()
  const [forms] = useState<TypedForms>(() => new Map())
  return (
    <TypedFormsContext value={forms}>
      {!ticket && <KeptText text={textsIn(refusal, forms)} />}
      <Desk
        session={session}
        isStaff={isStaff}
        isByLink={isByLink}
        to={paths.deskTicket(name)}
        label={ticket && `Ticket ${ticket.ticketId}`}
        title={ticket?.subject}
        last={ticket?.history.at(-1)}
        isResult={!refusal}
      >
        {ticket && (
          <Ticket
            key={ticket.ticketId}
            ticket={ticket}
            address={name}
            formKey={key}
            refusal={refusal}
          />
        )}
      </Desk>
    </TypedFormsContext>
  )
}

/** The text of a form that came back, and those of the others of the page. */
const textsIn = (refusal: DeskAnswer | undefined, forms: TypedForms): string =>
  [
    refusal?.entries.text,
    ...Array.from(forms, ([act, { text }]) => act !== refusal?.entries.act && text),
  ]
    .filter(Boolean)
    .join('\n\n')

type TicketProps = {
  ticket: StaffTicketView
  formKey: string
  refusal: DeskAnswer | undefined
}

function Ticket({ ticket, address, formKey, refusal }: TicketProps & { address: string }) {
  const { status, name, email, message, receivedAt, dueAt, isLate, assignee, messages } = ticket
  const waits = status === 'new' || status === 'open'
  return (
    <div className={styles.ticket}>
      <FormProblems form={refusal?.entries.act ?? 'reply'} answer={refusal} />
      <Facts
        facts={[
          ['Status', status],
          ['Assigned to', assignee ?? 'nobody'],
          ['Name', name],
          [
            'Email',
            // The link in an email doesn't open the pages of people.
            <a key="email" href={ticket.actor === null ? `mailto:${email}` : deskPersonPath(email)}>
              {email}
            </a>,
          ],
          ['Received', timeOf(receivedAt)],
          ['Reply due', waits && `${timeOf(dueAt)}${isLate ? ', late' : ''}`],
        ]}
      />
      {messages.length >= longConversation && (
        <p className={styles.buttons}>
          <a href="#latest">Latest message</a>
          <a href="#reply">Reply</a>
          <a href="#care">Status, assignee and notes</a>
        </p>
      )}
      <section aria-labelledby="written">
        <h2 id="written">Conversation</h2>
        <ol className={styles.messages}>
          <Entry author="visitor" name={name} at={receivedAt} text={message} />
          {messages.map(({ delivery, email: source, files, ...each }, index) => (
            <Entry
              key={each.at + each.text.slice(0, 20)}
              {...each}
              id={index === messages.length - 1 ? 'latest' : undefined}
            >
              <AttachedFiles files={files} page={paths.deskTicket(address)} />
              {delivery && (
                <p className={delivery.failed ? styles.failed : styles.soft}>{delivery.text}</p>
              )}
              {source && <Email {...source} />}
            </Entry>
          ))}
        </ol>
      </section>
      <Reply ticket={ticket} formKey={formKey} refusal={refusal} />
      <Care ticket={ticket} refusal={refusal} />
      <History ticket={ticket} refusal={refusal} />
    </div>
  )
}

type EntryProps = {
  id?: string | undefined
  author: 'staff' | 'visitor'
  name: string
  at: string
  text: string
  children?: ReactNode
}

/** A message of a conversation. */
const Entry = ({ id, author, name, at, text, children }: EntryProps) => (
  <li id={id} data-author={author}>
    <p className={styles.soft}>
      <bdi>{name}</bdi>, <time dateTime={at}>{timeOf(at)}</time>
    </p>
    <p className={styles.text}>{text}</p>
    {children}
  </li>
)

/** The email that a message came as: its files, and what it quotes. */
const Email = ({ text, isCut, attachments }: NonNullable<StaffTicketMessage['email']>) => (
  <>
    {attachments.length > 0 && (
      <p className={styles.soft}>Attached, in your mailbox: {attachments.join(', ')}</p>
    )}
    {text !== null && (
      <details>
        <summary>Whole email</summary>
        <p className={styles.text}>{text}</p>
        {isCut && <p className={styles.soft}>Cut here. The rest is in your mailbox.</p>}
      </details>
    )}
  </>
)

type Act = 'reply' | 'note' | 'assign' | 'status' | 'undo'

/** The form of an act, with what was entered into it before. */
const useActForm = (
  act: Act,
  { state, history }: StaffTicketView,
  refusal: DeskAnswer | undefined,
) => useTyped(act, { state, version: `${state}-${history.length}` }, refusal)

type ActFormProps = {
  act: Act
  own: ReturnType<typeof useActForm>
  ticket: StaffTicketView
  /** Whether it can send files. With some chosen, the browser itself sends it and reloads the page. */
  hasFiles?: boolean
  /** On its button. */
  send: string
  children?: ReactNode
}

/** A form of the page, with the state that it shows; without a session it asks for a name. */
function ActForm({
  act,
  own: { form, formKey, doneKey, state, answer, onChange, leave },
  ticket: { actor },
  hasFiles = false,
  send,
  children,
}: ActFormProps) {
  const action = useOwnResult()
  const { onSubmit } = useSending()
  const { isUnreachable, sendByBrowser } = useBrowserSending(leave)
  const [filesFor, setFilesFor] = useState<string | null>(null)
  const isWithFiles = hasFiles && filesFor === doneKey
  return (
    <Form
      method="post"
      action={action}
      {...(hasFiles && { encType: 'multipart/form-data', reloadDocument: isWithFiles })}
      className={styles.form}
      // Chosen files can't be chosen again by a page, so a change of the ticket leaves them alone.
      key={hasFiles ? doneKey : formKey}
      ref={form}
      onSubmit={isWithFiles ? sendByBrowser : onSubmit}
      onChange={(event: ChangeEvent<HTMLFormElement>) => {
        const { target } = event
        if (target.type === 'file') setFilesFor(target.files.length > 0 ? doneKey : null)
        onChange(event)
      }}
    >
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="state" value={state} />
      {children}
      {actor === null && <YourName fieldFor={fieldsOf(act, answer)} name="name" />}
      {isUnreachable && (
        <Alert tone="bad" role="alert">
          We can’t reach the server, so nothing was sent. Your text and files are still here. Please
          try again in a moment.
        </Alert>
      )}
      <Send quiet={act !== 'reply'}>{send}</Send>
    </Form>
  )
}

function Send({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  const { busy } = useSending()
  return (
    <button className={`${button.button} ${quiet ? button.quiet : ''}`} aria-disabled={busy}>
      {children}
    </button>
  )
}

/** A form that came back with a text block in it has none chosen any more. */
const withoutChoice = (answer: FormAnswer): FormAnswer => ({
  ...answer,
  entries: { ...answer.entries, block: '' },
})

function Reply({ ticket, formKey, refusal }: TicketProps) {
  const own = useActForm('reply', ticket, refusal)
  const { answer } = own
  const fieldFor = fieldsOf('reply', answer)
  // It stays while the form is corrected and sent again; the next reply has another.
  const [{ key, doneKey }, setKey] = useState({
    key: answer?.entries.key ?? formKey,
    doneKey: own.doneKey,
  })
  if (doneKey !== own.doneKey) setKey({ key: formKey, doneKey: own.doneKey })
  return (
    <section aria-labelledby="reply">
      <h2 id="reply">Reply</h2>
      <ActForm act="reply" own={own} ticket={ticket} send="Send reply" hasFiles>
        <input type="hidden" name="key" value={key} />
        <TextBlockField
          blocks={ticket.blocks}
          common={fieldsOf('reply', answer && withoutChoice(answer))('block', '')}
        />
        <Field
          label="Your reply"
          {...fieldFor('text')}
          type="textarea"
          rows={8}
          required
          maxLength={contactLimits.maxMessage}
          hint={`Goes to ${ticket.email}, signed ${ticket.actor ?? 'with your name'}, above their message.`}
        />
        <FileField
          {...fieldFor('files')}
          kept={ticket.waiting.filter((file) => file.key === key)}
        />
      </ActForm>
    </section>
  )
}

function Care({ ticket, refusal }: Omit<TicketProps, 'formKey'>) {
  const status = useActForm('status', ticket, refusal)
  const assign = useActForm('assign', ticket, refusal)
  const note = useActForm('note', ticket, refusal)
  return (
    <section aria-labelledby="care" className={styles.care}>
      <h2 id="care">Status, assignee and notes</h2>
      <ActForm act="status" own={status} ticket={ticket} send="Set status">
        <SelectField
          label="Status"
          {...fieldsOf('status', status.answer)('status', ticket.status)}
          options={ticketStatuses.map((value) => ({ value, label: value }))}
        />
      </ActForm>
      <ActForm act="assign" own={assign} ticket={ticket} send="Assign">
        <Field
          label="Assigned to"
          {...fieldsOf('assign', assign.answer)('assignee', ticket.assignee ?? ticket.actor ?? '')}
          optional
          maxLength={maxStaffNameLength}
          hint="Leave empty to unassign."
        />
      </ActForm>
      <ActForm act="note" own={note} ticket={ticket} send="Add note">
        <Field
          label="Note"
          {...fieldsOf('note', note.answer)('text')}
          type="textarea"
          rows={3}
          required
          maxLength={contactLimits.maxMessage}
          hint="For staff only."
        />
      </ActForm>
    </section>
  )
}

const History = ({ ticket, refusal }: Omit<TicketProps, 'formKey'>) => (
  <section aria-labelledby="history">
    <h2 id="history">History</h2>
    {ticket.history.length === 0 ? (
      <p className={styles.soft}>Nothing yet.</p>
    ) : (
      <ol className={styles.history}>
        {ticket.history.map(({ at, text }, index) => (
          <li key={`${index}-${at}`}>
            <time dateTime={at} className={styles.soft}>
              {timeOf(at)}
            </time>
            <span className={styles.text}>{text}</span>
            {ticket.undoTo !== null && index === ticket.history.length - 1 && (
              <Undo ticket={ticket} refusal={refusal} />
            )}
          </li>
        ))}
      </ol>
    )}
  </section>
)

function Undo({ ticket, refusal }: Omit<TicketProps, 'formKey'>) {
  const own = useActForm('undo', ticket, refusal)
  return <ActForm act="undo" own={own} ticket={ticket} send="Undo" />
}
