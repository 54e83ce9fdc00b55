import { useEffect, useState } from 'react'
import { Head } from '../site/head/head.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { checks, type Result } from './checks.ts'
import styles from './page.module.css'

/** The self-check: what works in this browser. Reveals nothing about the server beyond its health. */
export function Component() {
  const [results, setResults] = useState<Readonly<Record<string, Result>>>({})
  useEffect(() => {
    let gone = false
    for (const { name, run } of checks) {
      void run().then(
        (result) => !gone && setResults((others) => ({ ...others, [name]: result })),
        (error: unknown) =>
          !gone &&
          setResults((others) => ({ ...others, [name]: { ok: false, text: String(error) } })),
      )
    }
    return () => {
      gone = true
    }
  }, [])
  const done = Object.values(results)
  const failed = done.filter(({ ok }) => !ok).length
  const whole = done.some(({ partly }) => partly)
    ? 'Everything works in this browser. Our server is running with a fault.'
    : 'Everything works.'
  return (
    <>
      <Head
        title="Self-check"
        description="What works in this browser: scripts, storage, fonts and the connection to our server."
        hidden
      />
      <PageHead
        label="Test"
        title="Self-check"
        lead="Something not working? Send us a screenshot of this page."
      />
      <div className={`wrap ${styles.checks}`}>
        <p role="status" className={styles.sum}>
          {done.length < checks.length
            ? 'Checking…'
            : failed === 0
              ? whole
              : `${failed} of ${checks.length} checks failed.`}
        </p>
        <noscript>
          <p>
            Scripts don’t run in this browser. You can still read every page and send us messages.
          </p>
        </noscript>
        <dl>
          {checks.map(({ name, title }) => {
            const result = results[name]
            return (
              <div key={name} data-ok={result ? String(result.ok) : undefined}>
                <dt>{title}</dt>
                <dd>{result ? result.text : '…'}</dd>
                <dd className="label">{result ? labelOf(result) : 'Checking'}</dd>
              </div>
            )
          })}
        </dl>
      </div>
    </>
  )
}

const labelOf = ({ ok, partly }: Result) => (ok ? (partly ? 'Partly' : 'OK') : 'Failed')
