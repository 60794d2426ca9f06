import Logging
import PurchaseModel
import ServiceLifecycle

/// Lets time have its effect while nobody asks: once a second it renews what is due and sends what is to be sent.
///
/// Once a second by the machine's time, whatever the stores' say, because a store's time can jump.
struct StoreTicker: Service {
    let stores: @Sendable () -> [LocalAppStore]
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // A store whose developer's server is silent waits for it alone.
            let busy = BusyStores()
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    for store in stores() where busy.begin(store) {
                        group.addTask {
                            await tick(store)
                            busy.end(store)
                        }
                    }
                    // Cancelled in its sleep, it is done.
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { break }
                }
                group.cancelAll()
            }
        }
    }

    private func tick(_ store: LocalAppStore) async {
        do {
            // A store that is behind goes on in its next second; until then the others work.
            do { try await store.ledger.catchUp() } catch StoreError.behind {}
            try await store.notifier.deliver()
        } catch is CancellationError {
            return
        } catch {
            logger.error("the store's background work failed and will be tried again", metadata: ["error": "\(type(of: error))"])
        }
    }
}
