import { useEffect, useId, useRef } from 'react'
import { Icon } from '../ui/icons.tsx'
import styles from './quantity-input.module.css'

type Props = {
  /** What is counted; for screen readers alone where the row says it already. */
  label: string
  isLabelShown?: boolean
  name: string
  /** Taken over when it changes, as by the server; what was typed before that goes. */
  defaultValue?: number
  min?: number
  max?: number
  onChange?: (quantity: number) => void
}

/** A whole number with buttons for one less and one more; without scripts, the number alone. */
export function QuantityInput(props: Props) {
  const { label, isLabelShown = true, name, defaultValue = 1, min = 0, max = 20 } = props
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const shown = useRef(defaultValue)
  useEffect(() => {
    if (shown.current === defaultValue) return
    shown.current = defaultValue
    field.current!.valueAsNumber = defaultValue
  }, [defaultValue])
  const report = () => {
    const { validity, valueAsNumber } = field.current!
    if (validity.valid && !Number.isNaN(valueAsNumber)) props.onChange?.(valueAsNumber)
  }
  const step = (by: 1 | -1) => {
    const { current } = field
    if (by === 1) current?.stepUp()
    else current?.stepDown()
    report()
  }
  return (
    <div className={styles.quantity}>
      <label htmlFor={id} className={isLabelShown ? undefined : 'unseen'}>
        {label}
      </label>
      <div className={styles.line}>
        <button type="button" aria-label={`Decrease: ${label}`} onClick={() => step(-1)}>
          <Icon size={18}>
            <path d="M4 12h16" />
          </Icon>
        </button>
        <input
          ref={field}
          id={id}
          name={name}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          step={1}
          required
          defaultValue={defaultValue}
          onChange={report}
        />
        <button type="button" aria-label={`Increase: ${label}`} onClick={() => step(1)}>
          <Icon size={18}>
            <path d="M4 12h16M12 4v16" />
          </Icon>
        </button>
      </div>
    </div>
  )
}
