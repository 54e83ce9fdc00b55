import { useState } from 'react'
import { Form, useActionData, useLoaderData, useLocation } from 'react-router'
import type { DeskAct, DeskField, DeskOutcome, DeskThingView } from '#shared/desk/things.ts'
import type { Entries } from '#shared/forms/form.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { withWholeMeasures } from '#shared/text/measures.ts'
import { Checkbox } from '../../forms/checkbox.tsx'
import { Field, fieldsOf, SelectField } from '../../forms/field.tsx'
import { FieldSet } from '../../forms/field-set.tsx'
import { resultPlace, useOwnResult } from '../../forms/result.ts'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import danger from '../../ui/danger.module.css'
import fold from '../../ui/fold.module.css'
import { Facts } from '../../ui/lists/facts.tsx'
import { Lines } from '../desk-page.tsx'
import { Desk } from '../desk.tsx'
import type { DeskAnswer } from './desk-answer.ts'
import { KeptText } from './kept-text.tsx'
import type { ThingData } from './thing-data.ts'
import { UploadForm } from '../uploads/upload-form.tsx'
import { TypedFormsContext, useTyped, type TypedForms } from './use-typed.ts'
import { YourName } from './your-name.tsx'
import styles from './ticket.module.css'
import { useSending } from '../uploads/use-sending.ts'

/** A thing for staff, as its feature shows it: facts, what belongs to it, what can be done, its history. */
export function Component() {
  const { thing, id } = useLoaderData<ThingData>()
  return <ThingPage key={`${thing}/${id}`} />
}

function ThingPage() {
  const { session, isStaff, isByLink, thing, id, view } = useLoaderData<ThingData>()
  const outcome = useActionData<ThingOutcome>()
  const [forms] = useState<TypedForms>(() => new Map())
  return (
    <TypedFormsContext value={forms}>
      {!view && <KeptText text={typedIn(outcome, forms)} />}
      <Desk
        session={session}
        isStaff={isStaff}
        isByLink={isByLink}
        to={paths.deskThing(thing, id)}
        label={view?.label}
        title={view?.title}
        last={view?.history.at(-1)}
        isResult={!outcome}
      >
        {view && <Thing view={view} outcome={outcome} />}
      </Desk>
    </TypedFormsContext>
  )
}

/** What was typed into a form that came back and into the others of the page, a field below the other. */
function typedIn(outcome: ThingOutcome | undefined, forms: TypedForms): string {
  const sent: Entries = outcome && 'entries' in outcome ? outcome.entries : {}
  const others = Array.from(forms).flatMap(([act, entries]) => (act === sent.act ? [] : [entries]))
  return [sent, ...others]
    .flatMap((entries) => Object.entries(entries))
    .flatMap(([name, text]) => (ownNames.includes(name) ? [] : text))
    .filter(Boolean)
    .join('\n')
}

/** Fields that every form of the page fills in by itself, so they needn't be copied. */
const ownNames = ['act', 'state', 'by']

type Preview = NonNullable<DeskOutcome['preview']>

/** What became of a form: what staff are told once, what would happen, or why it was refused. */
type ThingOutcome = { notice: string } | { preview: Preview } | DeskAnswer

function Thing({ view, outcome }: { view: DeskThingView; outcome: ThingOutcome | undefined }) {
  const { facts, parts, acts, history } = view
  const refusal = outcome && 'entries' in outcome ? outcome : undefined
  const notice = outcome && 'notice' in outcome ? outcome.notice : undefined
  return (
    <div className={styles.ticket}>
      {outcome && 'preview' in outcome && <Previewed preview={outcome.preview} />}
      {outcome && !('preview' in outcome) && (
        <Alert {...resultPlace} tone={refusal ? 'bad' : 'good'} role="alert">
          {refusal ? (
            (Object.values(refusal.errors)[0] ?? refusal.message)
          ) : (
            <p className={styles.text}>{notice}</p>
          )}
        </Alert>
      )}
      <Facts
        facts={facts.map(({ name, text, href }) => [
          name,
          href ? (
            <a key={name} href={href}>
              {text}
            </a>
          ) : (
            <span key={name} className={styles.text}>
              {text}
            </span>
          ),
        ])}
      />
      {parts.map(
        ({ title, lines }, index) =>
          lines.length > 0 && (
            <section key={`${index}-${title}`}>
              <h2>{title}</h2>
              <Lines lines={lines} />
            </section>
          ),
      )}
      {view.upload && <UploadForm key={view.upload.folder} upload={view.upload} />}
      {acts.length > 0 && (
        <section aria-labelledby="acts">
          <h2 id="acts">What you can do</h2>
          <div className={styles.acts}>
            {acts.map((each) => (
              <Act key={each.act} act={each} view={view} refusal={refusal} />
            ))}
          </div>
        </section>
      )}
      {acts.length + history.length > 0 && <History history={history} />}
    </div>
  )
}

const History = ({ history }: Pick<DeskThingView, 'history'>) => (
  <section aria-labelledby="history">
    <h2 id="history">History</h2>
    {history.length === 0 ? (
      <p className={styles.soft}>Nothing yet.</p>
    ) : (
      <ol className={styles.history}>
        {history.map(({ at, text }, index) => (
          <li key={`${index}-${at}`}>
            <time dateTime={at} className={styles.soft}>
              {officeTime(Date.parse(at))}
            </time>
            <span className={styles.text}>{text}</span>
          </li>
        ))}
      </ol>
    )}
  </section>
)

/** What an act would do, with the button that does it and the way back. */
function Previewed({ preview: { act, label, text, entries, state } }: { preview: Preview }) {
  const action = useOwnResult()
  const { pathname } = useLocation()
  const { busy, onSubmit } = useSending()
  return (
    <section {...resultPlace} className={styles.preview} aria-labelledby="preview">
      <h2 id="preview">Please check</h2>
      <p className={styles.text}>{text}</p>
      <Form method="post" action={action} onSubmit={onSubmit} className={styles.buttons}>
        {Object.entries({ ...entries, act, state }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button className={button.button} aria-disabled={busy}>
          {label}
        </button>
        <a href={pathname}>Not now</a>
      </Form>
    </section>
  )
}

type ActProps = { act: DeskAct; view: DeskThingView; refusal: DeskAnswer | undefined }

/** An act behind its own name: opening it shows what happens before anyone presses. */
function Act({ act: { act, label, hint, isDanger, fields }, view, refusal }: ActProps) {
  const { form, formKey, doneKey, state, answer, onChange } = useTyped(
    act,
    { state: view.state, version: view.state },
    refusal,
  )
  const own = answer === refusal ? refusal : undefined
  const fieldFor = fieldsOf(act, answer)
  const action = useOwnResult()
  const { busy, onSubmit } = useSending()
  // Where nothing has to be filled in, nothing has to say that it needn't.
  const needsSome = fields.some(({ required }) => required)
  return (
    <details key={doneKey} className={fold.fold} open={answer !== undefined}>
      <summary>{label}</summary>
      <Form
        key={formKey}
        ref={form}
        method="post"
        action={action}
        className={styles.form}
        onSubmit={onSubmit}
        onChange={onChange}
      >
        <input type="hidden" name="act" value={act} />
        <input type="hidden" name="state" value={state} />
        {hint?.split('\n').map((line) => (
          <p key={line} className={styles.soft}>
            {line}
          </p>
        ))}
        {inRows(fields).map(({ row, fields: together }) => {
          const shown = together.map((field) => (
            <ActField
              key={field.name}
              field={field}
              isMarked={needsSome && !field.required}
              common={fieldFor(field.name, own && field.kind === 'check' ? '' : field.value)}
            />
          ))
          return row === undefined ? (
            shown
          ) : (
            <FieldSet key={row} legend={withWholeMeasures(row)} className={styles.row}>
              {shown}
            </FieldSet>
          )
        })}
        {view.actor === null && <YourName fieldFor={fieldFor} name="by" />}
        <button
          className={`${button.button} ${isDanger ? `${button.quiet} ${danger.danger}` : ''}`}
          aria-disabled={busy}
        >
          {label}
        </button>
      </Form>
    </details>
  )
}

/** Fields in their order, those of one row together. */
function inRows(fields: readonly DeskField[]): { row?: string | undefined; fields: DeskField[] }[] {
  const rows: { row?: string | undefined; fields: DeskField[] }[] = []
  for (const field of fields) {
    const last = rows.at(-1)
    if (last && field.row !== undefined && last.row === field.row) last.fields.push(field)
    else rows.push({ row: field.row, fields: [field] })
  }
  return rows
}

type ActFieldProps = {
  field: DeskField
  common: ReturnType<ReturnType<typeof fieldsOf>>
  /** Whether it says that it's optional. */
  isMarked: boolean
}

function ActField({ field, common, isMarked }: ActFieldProps) {
  const { label, kind, hint, required, options = [] } = field
  if (kind === 'check') {
    const { defaultValue, ...rest } = common
    return (
      <Checkbox
        {...rest}
        label={label}
        hint={hint}
        required={required}
        value="on"
        defaultChecked={defaultValue === 'on'}
      />
    )
  }
  const shown = { ...common, label, hint, required, optional: isMarked }
  if (kind === 'select') return <SelectField {...shown} options={options} />
  return (
    <Field
      {...shown}
      type={kind === 'number' ? 'text' : kind}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      autoComplete={kind === 'password' ? 'new-password' : undefined}
      rows={4}
    />
  )
}
