import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** True on the server and for the first render of what it wrote, as React hydrates that. */
export const useHydrating = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  )

/** Whether scripts run here: false on the server and for the first render in the browser. */
export const useHydrated = (): boolean => !useHydrating()
