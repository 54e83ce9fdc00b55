import { useActionData } from 'react-router'
import { withdrawTexts } from '#shared/shop/withdrawal-texts.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../../site/head/head.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Steps } from '../../ui/lists/steps.tsx'
import { WithAside } from '../../ui/page/with-aside.tsx'
import type { Withdrawal } from './withdraw-data.ts'
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
      <Head title={withdrawTexts.title} description={withdrawTexts.description} />
      <PageHead
        label={<a href={paths.shop()}>Shop</a>}
        title={withdrawTexts.title}
        lead={withdrawTexts.lead}
      />
      <WithAside label="Good to know" aside={<GoodToKnow />}>
        <div className={styles.main}>
          <Steps label="Your withdrawal" steps={steps} current={current} />
          {state && reply ? (
            reply.step === 'confirm' ? (
              <ConfirmWithdrawal
                entries={state.entries}
                lines={reply.lines}
                error={state.errors.lines}
              />
            ) : (
              <WithdrawalReceived entries={state.entries} reply={reply} />
            )
          ) : (
            <WithdrawStatement state={state} />
          )}
        </div>
      </WithAside>
    </>
  )
}

const GoodToKnow = () => (
  <>
    <p className="label">Good to know</p>
    <p>
      Consumers have 14 days: for goods from the day they receive them, for services and downloads
      from the day of the order. If the last day isn’t a working day, the next one counts.
    </p>
    <p>
      Return the goods within 14 days of withdrawing, at your own cost. We refund what you paid,
      including standard delivery if you keep none of the goods.
    </p>
    <p>
      You can also email us or use the form in our{' '}
      <a href={`${paths.termsOfService()}#withdrawal`}>terms</a>.
    </p>
  </>
)
