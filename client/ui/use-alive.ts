import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether scripts run here: false on the server and for the first render in the browser. */
export const useAlive = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
