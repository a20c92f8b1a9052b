export const bulkActions = ['renew', 'enable', 'disable', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]
