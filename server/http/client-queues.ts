import { ipKeyGenerator } from 'express-rate-limit'

/** What waits, in one queue for each client. */
export type ClientQueues<Item> = {
  /** @param address of the client; those of one network are one client (IPv6: of one /56) */
  add(address: string, item: Item): void
  /** Takes the first item of the client whose turn it is, who is then the last to have one. */
  next(): Item | undefined
  isEmpty(): boolean
}

/** Makes empty queues in which clients take turns, so that a flood of one is behind the first item of another. */
export function createClientQueues<Item>(): ClientQueues<Item> {
  /** The client that comes first is the next. */
  const queues = new Map<string, Item[]>()
  return {
    add(address, item) {
      const client = ipKeyGenerator(address, 56)
      const queue = queues.get(client)
      if (queue) queue.push(item)
      else queues.set(client, [item])
    },
    next() {
      const [first] = queues
      if (!first) return undefined
      const [client, queue] = first
      const item = queue.shift()
      queues.delete(client)
      if (queue.length > 0) queues.set(client, queue)
      return item
    },
    isEmpty: () => queues.size === 0,
  }
}
