import Logging
import ServerProtocol
import ServiceLifecycle

/// Checks the teams of an app whose checks are due.
struct TeamCheckService: Service {
    /// The pause in seconds between two searches for due checks.
    private static let pauseSeconds: Int64 = 60

    let keeper: TeamKeeper
    let timer: any Clock<Duration>

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    _ = try await FeedContext.$cause.withValue(.reconciliation) { try await keeper.checkDue() }
                } catch {
                    keeper.logger.warning("teams not checked", metadata: ["app": "\(keeper.app)", "error": "\(error)"])
                }
                do { try await timer.sleep(for: .seconds(Self.pauseSeconds)) } catch { return }
            }
        }
    }
}
