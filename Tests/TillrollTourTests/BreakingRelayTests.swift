import Foundation
import FoundationNetworking
import HTTPTypes
import Hummingbird
import Logging
import MonkeyShopBackend
import NIOCore
import Testing

@testable import TillrollTour

@Suite struct BreakingRelayTests {
    private static let length = 300_000

    /// Returns the received lengths of three fetches through a relay that breaks one connection after `bytes` bytes.
    private static func lengths(breakingAfter bytes: Int?) async throws -> [Int?] {
        let router = Router()
        router.get("bytes") { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 7, count: length)))
        }
        func application(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
            Application(
                router: router,
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { await onServerRunning($0.localAddress?.port ?? 0) },
                logger: Logger(label: "relay", factory: { _ in SwiftLogNoOpLogHandler() })
            )
        }
        return try await withRunningApplication(application, Logger(label: "relay", factory: { _ in SwiftLogNoOpLogHandler() })) { port in
            try await BreakingRelay.with(upstreamPort: port) { relay in
                if let bytes { relay.breakOnce(after: bytes) }
                var lengths: [Int?] = []
                for _ in 0..<3 {
                    lengths.append(await Self.fetch("\(relay.url)/bytes"))
                }
                return lengths
            }
        }
    }

    /// Returns the number of received bytes; nil if the connection broke.
    private static func fetch(_ url: String) async -> Int? {
        guard let (data, _) = try? await URLSession.shared.data(from: URL(string: url)!) else { return nil }
        return data.count
    }

    @Test func `a relay forwards all bytes by default`() async throws {
        #expect(try await Self.lengths(breakingAfter: nil) == [Self.length, Self.length, Self.length])
    }

    @Test func `a relay that is set to break once breaks one connection only`() async throws {
        #expect(try await Self.lengths(breakingAfter: 100_000) == [nil, Self.length, Self.length])
    }
}
