import protobuf from 'protobufjs'

/** The part of the core's protobuf definitions (26.3.27) that the agent uses. */
const text = `
syntax = "proto3";
package xray;
message TypedMessage { string type = 1; bytes value = 2; }
message User { uint32 level = 1; string email = 2; TypedMessage account = 3; }
message AddUserOperation { User user = 1; }
message RemoveUserOperation { string email = 1; }
message AlterInboundRequest { string tag = 1; TypedMessage operation = 2; }
message GetInboundUserRequest { string tag = 1; string email = 2; }
message GetInboundUserResponse { repeated User users = 1; }
message GetInboundUsersCountResponse { int64 count = 1; }
message QueryStatsRequest { string pattern = 1; bool reset = 2; }
message Stat { string name = 1; int64 value = 2; }
message QueryStatsResponse { repeated Stat stat = 1; }
message SysStatsResponse { uint32 Uptime = 10; }
message GetStatsRequest { string name = 1; bool reset = 2; }
message GetStatsOnlineIpListResponse { string name = 1; map<string, int64> ips = 2; }
message GetAllOnlineUsersResponse { repeated string users = 1; }
message SocketConfig { int32 mark = 1; }
message StreamConfig { string protocol_name = 5; SocketConfig socket_settings = 6; }
message SenderConfig { StreamConfig stream_settings = 2; }
message Outbound { string tag = 1; TypedMessage sender_settings = 2; TypedMessage proxy_settings = 3; }
message AddOutboundRequest { Outbound outbound = 1; }
message RemoveOutboundRequest { string tag = 1; }
message OutboundTag { string tag = 1; }
message ListOutboundsResponse { repeated OutboundTag outbounds = 1; }
message Cidr { bytes ip = 1; uint32 prefix = 2; }
message GeoIp { repeated Cidr cidr = 2; }
message Rule {
  string tag = 1;
  repeated string user_email = 7;
  repeated string inbound_tag = 8;
  repeated GeoIp source_geoip = 11;
  string rule_tag = 19;
}
message RouterConfig { repeated Rule rule = 2; }
message AddRuleRequest { TypedMessage config = 1; bool shouldAppend = 2; }
message RemoveRuleRequest { string ruleTag = 1; }
message ListRuleItem { string ruleTag = 2; }
message ListRuleResponse { repeated ListRuleItem rules = 1; }
`
const { root } = protobuf.parse(text, { keepCase: true })

interface Message<T> {
  encode(value: Partial<T>): Buffer
  decode(bytes: Uint8Array): T
}

const message = <T extends object>(name: string): Message<T> => codecOf(root.lookupType(`xray.${name}`))

export function parseMessage<T extends object>(definition: string): Message<T> {
  const { root: definitionRoot } = protobuf.parse(`syntax = "proto3"; ${definition}`, { keepCase: true })
  const [type] = definitionRoot.nestedArray
  if (!(type instanceof protobuf.Type)) throw new Error(`not a message: ${definition}`)
  return codecOf(type)
}

function codecOf<T extends object>(type: protobuf.Type): Message<T> {
  return {
    encode: (value) => Buffer.from(type.encode(type.fromObject(value)).finish()),
    decode: (bytes) => type.toObject(type.decode(bytes), { longs: Number, defaults: true }) as T,
  }
}

/** A call of the core's API. */
export type Ask = <T>(path: string, body: Buffer, read: (bytes: Buffer) => T) => Promise<T>

export interface TypedMessage {
  type: string
  value: Uint8Array
}
export interface User {
  email: string
  account: TypedMessage | null
}

export const addUser = message<{ user: User }>('AddUserOperation')
export const removeUser = message<{ email: string }>('RemoveUserOperation')
export const alterInbound = message<{ tag: string; operation: TypedMessage }>('AlterInboundRequest')
export const usersRequest = message<{ tag: string }>('GetInboundUserRequest')
export const usersResponse = message<{ users: User[] }>('GetInboundUserResponse')
export const countResponse = message<{ count: number }>('GetInboundUsersCountResponse')
export const statsRequest = message<{ pattern: string }>('QueryStatsRequest')
export const statsResponse = message<{ stat: { name: string; value: number }[] }>('QueryStatsResponse')
export const systemResponse = message<{ Uptime: number }>('SysStatsResponse')
export const statRequest = message<{ name: string }>('GetStatsRequest')
export const addressesResponse = message<{ ips: Record<string, number> }>('GetStatsOnlineIpListResponse')
export const onlineResponse = message<{ users: string[] }>('GetAllOnlineUsersResponse')
interface Outbound {
  tag: string
  sender_settings?: TypedMessage
  proxy_settings: TypedMessage
}
export const addOutbound = message<{ outbound: Outbound }>('AddOutboundRequest')
export const removeOutbound = message<{ tag: string }>('RemoveOutboundRequest')
export const senderConfig = message<{
  stream_settings: { protocol_name: string; socket_settings: { mark: number } }
}>('SenderConfig')
export const outboundsResponse = message<{ outbounds: { tag: string }[] }>('ListOutboundsResponse')

export interface Rule {
  tag: string
  rule_tag: string
  inbound_tag: string[]
  user_email?: string[]
  source_geoip?: { cidr: { ip: Buffer; prefix: number }[] }[]
}
export const routerConfig = message<{ rule: Rule[] }>('RouterConfig')
export const addRule = message<{ config: TypedMessage; shouldAppend: boolean }>('AddRuleRequest')
export const removeRule = message<{ ruleTag: string }>('RemoveRuleRequest')
export const rulesResponse = message<{ rules: { ruleTag: string }[] }>('ListRuleResponse')
