import Logging
import ServiceLifecycle

/// A service that reads changed catalogs in the background.
struct CatalogRefreshService: Service {
    let catalogs: [CatalogService]
    let timer: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                for catalog in catalogs {
                    do {
                        try await catalog.refresh()
                        try await catalog.reportChange()
                    } catch { logger.warning("the catalog can't be read; the last one is used", metadata: ["error": "\(error)"]) }
                }
            } while (try? await sleep()) != nil
        }
    }

    private func sleep() async throws {
        try await timer.sleep(for: .seconds(CatalogService.refreshSeconds))
    }
}
