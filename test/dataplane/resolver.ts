import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { address } from './network.ts'

type Answer = string | null | (() => string | null)
/** Names of this small world; a function may change its mind, and what is not here does not exist. */
export const names = new Map<string, Answer>()

/** Records of this name, as a DNS provider stores them. */
export const texts = new Map<string, string>()

const type = { a: 1, ns: 2, soa: 6, txt: 16 }
/** All names lie in one zone, whose name server is this one. */
const zone = { name: 'example', server: 'ns.example' }
names.set(zone.server, address.world)

const encoded = (name: string) =>
  Buffer.concat(
    [...name.split('.'), ''].map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
  )

function recordOf(name: string, asked: number): Buffer | null {
  const text = texts.get(name)
  if (asked === type.txt && text) return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
  if (name === zone.name && asked === type.ns) return encoded(zone.server)
  if (name === zone.name && asked === type.soa)
    return Buffer.concat([encoded(zone.server), encoded(zone.server), Buffer.alloc(20)])
  const known = names.get(name)
  const ip = asked === type.a && (typeof known === 'function' ? known() : known)
  return ip ? Buffer.from(ip.split('.').map(Number)) : null
}

const isKnown = (name: string) => texts.has(name) || name === zone.name || (names.get(name) ?? null) !== null

/** Answers with no time to live, so that every question is asked again. */
function reply(question: Buffer): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const asked = question.readUInt16BE(at + 1)
  const name = labels.join('.').toLowerCase()
  const record = recordOf(name, asked)
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(isKnown(name) ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(record ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const answer = record ? [Buffer.from([0xc0, 12, 0, asked, 0, 1, 0, 0, 0, 0, 0, record.length]), record] : []
  return Buffer.concat([header, question.subarray(12, at + 5), ...answer])
}

export async function openResolver() {
  const socket = createSocket('udp4', (question, from) =>
    socket.send(reply(question), from.port, from.address),
  )
  socket.bind(53, address.world)
  await once(socket, 'listening')
}
