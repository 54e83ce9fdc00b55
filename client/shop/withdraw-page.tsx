import { useEffect, useRef, type ReactNode } from 'react'
import { useActionData } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Steps } from '../ui/steps.tsx'
import { WithAside } from '../ui/with-aside.tsx'
import type { Withdrawal } from './withdraw-action.ts'
import { ConfirmWithdrawal, WithdrawalReceived } from './withdraw-confirm.tsx'
import styles from './withdraw-page.module.css'
import { WithdrawStatement } from './withdraw-statement.tsx'

const steps = [{ title: 'Your order' }, { title: 'Confirm' }, { title: 'Received' }]

/** The withdrawal function (Directive 2011/83/EU, art. 11a): two steps, without signing in. */
export function Component() {
  const state = useActionData<Withdrawal>()
  const reply = state?.reply ?? null
  const current = reply === null ? 0 : reply.step === 'confirm' ? 1 : 2
  return (
    <>
      <Head
        title="Withdraw from contract here"
        description="Withdraw from an order within 14 days: two steps, no account, no reason needed. You get an acknowledgement by mail at once."
      />
      <PageHead
        label={<a href={paths.shop()}>Shop</a>}
        title="Withdraw from contract here"
        lead="Two steps, no account and no reason needed. The acknowledgement comes by mail at once."
      />
      <WithAside label="Good to know" aside={<GoodToKnow />}>
        <div className={styles.main}>
          <Steps label="Your withdrawal" steps={steps} current={current} />
          {state && reply ? (
            <Told key={reply.step}>
              {reply.step === 'confirm' ? (
                <ConfirmWithdrawal entries={state.entries} exempt={reply.exempt} />
              ) : (
                <WithdrawalReceived entries={state.entries} reply={reply} />
              )}
            </Told>
          ) : (
            <WithdrawStatement state={state} />
          )}
        </div>
      </WithAside>
    </>
  )
}

/** A step that takes the place of the one before it, and the focus. */
function Told({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className={styles.told}>
      {children}
    </div>
  )
}

const GoodToKnow = () => (
  <>
    <p className="label">Good to know</p>
    <p>
      You have 14 days: for goods from the day you receive them, for services and downloads from the
      day of the order.
    </p>
    <p>
      Goods go back to us within 14 days of your statement, at your cost. We refund every payment,
      standard delivery included.
    </p>
    <p>
      A mail or the form in our <a href={`${paths.termsOfService()}#withdrawal`}>terms</a> does just
      as well.
    </p>
  </>
)
