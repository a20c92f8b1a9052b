import i18next, { type BackendModule, type ReadCallback } from 'i18next'
import { expect, test } from 'vitest'
import { loadWords } from './load-words.ts'

test('missing words throw, and the next call fetches them again', async () => {
  const requests: string[] = []
  let isDown = true
  const instance = i18next.createInstance()
  await instance
    .use({
      type: 'backend',
      init: () => {},
      read: (language: string, namespace: string, callback: ReadCallback) => {
        requests.push(`${namespace} in ${language}`)
        if (isDown && namespace !== 'app') callback(new Error('no network'), true)
        else callback(null, { here: language })
      },
    } satisfies BackendModule)
    .init({ lng: 'en', fallbackLng: false, ns: ['app'], maxRetries: 0 })

  await expect(loadWords(instance, 'en', ['app', 'reseller'])).rejects.toThrow('reseller in en')
  isDown = false
  await loadWords(instance, 'en', ['app', 'reseller'])
  expect(instance.t('here' as 'statement.title', { ns: 'reseller' })).toBe('en')
  await loadWords(instance, 'en', ['app', 'reseller'])
  expect(requests).toEqual(['app in en', 'reseller in en', 'reseller in en'])

  await loadWords(instance, 'fa', ['app', 'reseller'])
  expect(instance.hasResourceBundle('fa', 'reseller')).toBe(true)
})
