import { timings } from '@kelid/contract'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { useLater } from '../../lib/use-later.ts'

export function useLeaveLater(to: string) {
  const navigate = useNavigate()
  const later = useLater()
  const isStaying = useRef(false)
  return {
    leaveLater: () =>
      later(() => {
        if (!isStaying.current) void navigate(to)
      }, timings.afterCreateMs),
    stay: () => {
      isStaying.current = true
    },
  }
}
