import { useCallback, useState } from 'react'

/**
 * Code that a page does without until it is asked for, such as that of a dialog. No lazy component:
 * the fallback of one stays for 300 ms.
 * @param load imports it; a function of a module, the same each time
 * @returns what it exports, null until it is there; and what brings it
 */
export function useOnDemand<Module>(load: () => Promise<Module>) {
  const [module, setModule] = useState<Module | null>(null)
  const bring = useCallback(async () => {
    const loaded = await load()
    setModule(loaded)
    return loaded
  }, [load])
  return [module, bring] as const
}
