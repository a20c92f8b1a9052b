import type { ComponentType } from 'react'

/** This area's screens by their files, fetched one by one. Only whoever enters the area learns their names. */
export const screens = import.meta.glob<Record<string, ComponentType>>('./screens/*-screen.tsx')
