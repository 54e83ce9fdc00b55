import { useEffect, useState } from 'react'
import { followTheme, themeToastMs, type Theme } from './theme.ts'
import styles from './theme-toast.module.css'

const names: Record<Theme, string> = { light: 'Light', dark: 'Dark', system: 'System' }

/**
 * Says for 2 s at the top right which theme was chosen (docs/contract.md, Theme), and keeps the
 * page in step.
 */
export function ThemeToast() {
  const [changed, setChanged] = useState<{ theme: Theme } | null>(null)
  useEffect(() => followTheme((theme) => setChanged({ theme })), [])
  useEffect(() => {
    if (!changed) return undefined
    const timer = setTimeout(setChanged, themeToastMs, null)
    return () => clearTimeout(timer)
  }, [changed])
  return (
    <div role="status" className={styles.toast} data-shown={changed ? '' : undefined}>
      {changed && `${names[changed.theme]} mode activated`}
    </div>
  )
}
