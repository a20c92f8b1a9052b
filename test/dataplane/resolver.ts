import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { address } from './network.ts'

type Answer = string | null | (() => string | null)
/** Names of this small world; a function may change its mind, and what is not here does not exist. */
export const names = new Map<string, Answer>()

const type = { a: 1, aaaa: 28 }

/** Answers for addresses, with no time to live, so that every question is asked again. */
function reply(question: Buffer): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const asked = question.readUInt16BE(at + 1)
  const known = names.get(labels.join('.').toLowerCase())
  const found = asked === type.a && typeof known === 'function' ? known() : known
  const ip = asked === type.a && typeof found === 'string' ? found : null
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(known === undefined || known === null ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(ip ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const answer = ip
    ? [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...ip.split('.').map(Number)])]
    : []
  return Buffer.concat([header, question.subarray(12, at + 5), ...answer])
}

export async function openResolver() {
  const socket = createSocket('udp4', (question, from) =>
    socket.send(reply(question), from.port, from.address),
  )
  socket.bind(53, address.world)
  await once(socket, 'listening')
}
