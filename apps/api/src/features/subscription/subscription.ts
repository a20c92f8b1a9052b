export { linkOf, type SubscriptionAccount } from './links.ts'
