import { api } from '../api.ts'
import { readServices, type ServiceCard } from '../site/data/loader.ts'
import type { Streamed } from '../site/data/loading.ts'

/** Asks for the services once more, for the visitor who does not want to wait for a new page. */
export const readAgain = (): Promise<Streamed<ServiceCard[]>> =>
  readServices(api).then(
    (value) => ({ now: { ok: true, value } }),
    (error: unknown) => ({ now: { ok: false, message: String(error) } }),
  )
