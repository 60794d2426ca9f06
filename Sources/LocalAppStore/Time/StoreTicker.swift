import Logging
import PurchaseModel
import ServiceLifecycle

/// Processes due renewals and sends due notifications once a second, independent of requests.
///
/// The interval follows the machine's clock and not the stores' clocks, because a store's time can jump.
struct StoreTicker: Service {
    let stores: @Sendable () -> [LocalAppStore]
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // A store with an unresponsive developer's server does not delay the other stores.
            let busy = BusyStores()
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    for store in stores() where busy.begin(store) {
                        group.addTask {
                            await tick(store)
                            busy.end(store)
                        }
                    }
                    // Cancellation during the sleep ends the service.
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { break }
                }
                group.cancelAll()
            }
        }
    }

    private func tick(_ store: LocalAppStore) async {
        do {
            // A store that is behind continues in the next second; the other stores run in between.
            do { try await store.ledger.catchUp() } catch StoreError.behind {}
            try await store.notifier.deliver()
        } catch is CancellationError {
            return
        } catch {
            logger.error("background work of the store failed; the next tick tries again", metadata: ["error": "\(type(of: error))"])
        }
    }
}
