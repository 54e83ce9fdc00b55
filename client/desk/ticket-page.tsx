import type { ReactNode } from 'react'
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router'
import { deskPersonPath } from '#shared/desk-people.ts'
import { contactLimits } from '#shared/contact-form.ts'
import { ticketStatuses } from '#shared/contact.ts'
import { officeTime } from '#shared/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { longestStaffName } from '#shared/desk-things.ts'
import type { StaffTicketMessage, StaffTicketView } from '#shared/tickets.ts'
import { FormProblems } from '../forms/error-summary.tsx'
import { Field, SelectField, fieldsOf } from '../forms/field.tsx'
import type { FormAnswer } from '../forms/form-action.ts'
import { useOwnResult } from '../forms/result.ts'
import button from '../ui/button.module.css'
import { Facts } from '../ui/lists/facts.tsx'
import { Desk } from './desk.tsx'
import { KeptText } from './kept-text.tsx'
import type { TicketData } from './ticket-data.ts'
import { AttachedFiles } from '../tickets/attached-files.tsx'
import { FileField } from './file-field.tsx'
import { TextBlockField } from './text-block-field.tsx'
import styles from './ticket.module.css'

const timeOf = (iso: string) => officeTime(Date.parse(iso))

/** A ticket for staff: what was written, the reply, who takes care of it, and its history. */
export function Component() {
  const { session, isStaff, isByLink, name, key, ticket } = useLoaderData<TicketData>()
  const refusal = useActionData<FormAnswer>()
  return (
    <>
      {!ticket && <KeptText text={refusal?.entries.text ?? ''} />}
      <Desk
        session={session}
        isStaff={isStaff}
        isByLink={isByLink}
        to={paths.deskTicket(name)}
        label={ticket && `Ticket ${ticket.ticketId}`}
        title={ticket?.subject}
        isResult={!refusal}
      >
        {ticket && <Ticket ticket={ticket} address={name} formKey={key} refusal={refusal} />}
      </Desk>
    </>
  )
}

type TicketProps = {
  ticket: StaffTicketView
  formKey: string
  refusal: FormAnswer | undefined
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
            // Whoever came by the link in an email can't open the pages of people.
            <a key="email" href={ticket.actor === null ? `mailto:${email}` : deskPersonPath(email)}>
              {email}
            </a>,
          ],
          ['Received', timeOf(receivedAt)],
          ['Reply due', waits && `${timeOf(dueAt)}${isLate ? ', late' : ''}`],
        ]}
      />
      <section aria-labelledby="written">
        <h2 id="written">Conversation</h2>
        <ol className={styles.messages}>
          <Entry author="visitor" name={name} at={receivedAt} text={message} />
          {messages.map(({ delivery, email: source, files, ...each }) => (
            <Entry key={each.at + each.text.slice(0, 20)} {...each}>
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
  author: 'staff' | 'visitor'
  name: string
  at: string
  text: string
  children?: ReactNode
}

/** A message of a conversation. */
const Entry = ({ author, name, at, text, children }: EntryProps) => (
  <li data-author={author}>
    <p className={styles.soft}>
      {name}, <time dateTime={at}>{timeOf(at)}</time>
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

/** The fields of an act, with what was entered for it before. */
const fieldsFor = (act: Act, refusal: FormAnswer | undefined) =>
  fieldsOf(act, refusal?.entries.act === act ? refusal : undefined)

type ActFormProps = {
  act: Act
  ticket: StaffTicketView
  refusal: FormAnswer | undefined
  /** Whether it sends files, for which the browser loads the page anew. */
  hasFiles?: boolean
  children: ReactNode
}

/** A form of the page, with the state that it shows; without a session it asks for a name. */
function ActForm({
  act,
  ticket: { state, actor, history },
  refusal,
  hasFiles = false,
  children,
}: ActFormProps) {
  const action = useOwnResult()
  return (
    // What was sent leaves the fields once the ticket has changed.
    <Form
      method="post"
      action={action}
      {...(hasFiles && { encType: 'multipart/form-data', reloadDocument: true })}
      className={styles.form}
      key={`${state}-${history.length}`}
    >
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="state" value={state} />
      {children}
      {actor === null && (
        <Field
          label="Your name"
          {...fieldsFor(act, refusal)('name', refusal?.entries.name)}
          required
          autoComplete="name"
          maxLength={longestStaffName}
        />
      )}
    </Form>
  )
}

function Send({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  const busy = useNavigation().state !== 'idle' || undefined
  return (
    <button className={`${button.button} ${quiet ? button.quiet : ''}`} aria-disabled={busy}>
      {children}
    </button>
  )
}

/** A form that came back with a text block in it has none chosen any more. */
const withoutChoice = (refusal: FormAnswer): FormAnswer => ({
  ...refusal,
  entries: { ...refusal.entries, block: '' },
})

function Reply({ ticket, formKey, refusal }: TicketProps) {
  const own = refusal?.entries.act === 'reply' ? refusal : undefined
  const key = own?.entries.key ?? formKey
  return (
    <section aria-labelledby="reply">
      <h2 id="reply">Reply</h2>
      <ActForm act="reply" ticket={ticket} refusal={refusal} hasFiles>
        <input type="hidden" name="key" value={key} />
        <TextBlockField
          blocks={ticket.blocks}
          common={fieldsFor('reply', refusal && withoutChoice(refusal))('block', '')}
        />
        <Field
          label="Your reply"
          {...fieldsFor('reply', refusal)('text')}
          type="textarea"
          rows={8}
          required
          maxLength={contactLimits.maxMessage}
          hint={`Goes to ${ticket.email}, signed ${ticket.actor ?? 'with your name'}, above their message.`}
        />
        <FileField
          {...fieldsFor('reply', refusal)('files')}
          kept={ticket.waiting.filter((file) => file.key === key)}
        />
        <Send>Send reply</Send>
      </ActForm>
    </section>
  )
}

function Care({ ticket, refusal }: Omit<TicketProps, 'formKey'>) {
  return (
    <section aria-labelledby="care" className={styles.care}>
      <h2 id="care">Status, assignee and notes</h2>
      <ActForm act="status" ticket={ticket} refusal={refusal}>
        <SelectField
          label="Status"
          {...fieldsFor('status', refusal)('status', ticket.status)}
          options={ticketStatuses.map((value) => ({ value, label: value }))}
        />
        <Send quiet>Set status</Send>
      </ActForm>
      <ActForm act="assign" ticket={ticket} refusal={refusal}>
        <Field
          label="Assigned to"
          {...fieldsFor('assign', refusal)('assignee', ticket.assignee ?? ticket.actor ?? '')}
          optional
          maxLength={longestStaffName}
          hint="Leave empty to unassign."
        />
        <Send quiet>Assign</Send>
      </ActForm>
      <ActForm act="note" ticket={ticket} refusal={refusal}>
        <Field
          label="Note"
          {...fieldsFor('note', refusal)('text')}
          type="textarea"
          rows={3}
          required
          maxLength={contactLimits.maxMessage}
          hint="For staff only."
        />
        <Send quiet>Add note</Send>
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
              <ActForm act="undo" ticket={ticket} refusal={refusal}>
                <Send quiet>Undo</Send>
              </ActForm>
            )}
          </li>
        ))}
      </ol>
    )}
  </section>
)
