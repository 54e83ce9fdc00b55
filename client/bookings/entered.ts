import { createContext } from 'react-router'

/**
 * What was posted, for the loader that runs after the action: the form comes back with the month of
 * the dates that were entered, whatever its address says.
 */
export const enteredContext = createContext<{ service: string; from: string; to: string } | null>(
  null,
)
