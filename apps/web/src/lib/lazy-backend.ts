import type { BackendModule, InitOptions, ReadCallback, Services } from 'i18next'
import type { HttpBackendOptions } from 'i18next-http-backend'

/** The http backend, fetched with the first language that is switched to: most visitors never do. */
export class LazyBackend implements BackendModule<HttpBackendOptions> {
  static readonly type = 'backend'
  readonly type = 'backend'
  private given: [Services, HttpBackendOptions, InitOptions<HttpBackendOptions>] | undefined

  init(services: Services, options: HttpBackendOptions, all: InitOptions<HttpBackendOptions>): void {
    this.given = [services, options, all]
  }

  read(language: string, namespace: string, callback: ReadCallback): void {
    import('i18next-http-backend').then(
      ({ default: HttpBackend }) =>
        new HttpBackend(...(this.given ?? [])).read(language, namespace, callback),
      (error: Error) => callback(error, true),
    )
  }
}
