import Logging
import PurchaseModel
import ServiceLifecycle

/// The service that processes due events and sends due notifications of all stores once a second, even if no requests arrive.
///
/// The interval is measured by the machine's clock and not by the stores' clocks, because a store's time can jump.
struct StoreTicker: Service {
    let stores: @Sendable () -> [LocalAppStore]
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // A store that waits for an unresponsive developer's server does not delay the other stores.
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
            // A store with too many due events continues in the next second; the other stores are processed in between.
            do { try await store.context.time.catchUp() } catch StoreError.behind {}
            try await store.notifier.deliver()
        } catch is CancellationError {
            return
        } catch {
            logger.error(
                "processing due events or sending notifications failed; the store tries again in one second",
                metadata: ["error": "\(type(of: error))"])
        }
    }
}
