import { ipKeyGenerator } from 'express-rate-limit'
import type { Keys } from '../secret-key.ts'

/** A keyed hash that stands for a client's network (IPv6 by /56), for limits only. */
export const networkOf = ({ keys }: { keys: Keys }, address: string): string =>
  keys.hash('network', ipKeyGenerator(address, 56)).slice(0, 22)
