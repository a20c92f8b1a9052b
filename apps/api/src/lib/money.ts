export const dollars = (cents: number): number => cents / 100
export const cents = (amount: number): number => Math.round(amount * 100)

export const worthOf = (points: number, rate: number): number => dollars(Math.floor((points * 100) / rate))
