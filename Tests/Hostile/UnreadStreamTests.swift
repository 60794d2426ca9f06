import Foundation
import NIOCore
import NIOPosix
import ProcessTestSupport
import PurchaseModel
import PurchaseProtocol
import Testing
import WireClient

/// Many who ask for a store's events and read none of them.
@Suite(.timeLimit(.minutes(2))) struct UnreadStreamTests {
    @Test func `event streams that nobody reads do not hold up purchases`() async throws {
        try await RunningStore.with { store in
            let port = try #require(URL(string: store.url)?.port)
            let account: AccountID = "ada@example.com"
            _ = try await store.wire.call(ControlEndpoints.openAccount, OpenAccountRequest(account: account, password: "secret"))
            var streams: [any Channel] = []
            for _ in 0..<200 {
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: port).get()
                try await channel.writeAndFlush(
                    ByteBuffer(string: "GET /control/v1/events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
                streams.append(channel)
            }
            let start = ContinuousClock.now
            for _ in 0..<40 {
                _ = try await store.wire.call(ControlEndpoints.buy, BuyRequest(account: account, productID: RunningStore.seeds))
            }
            // When each stream asked the database for each event, one purchase took half a second with as many streams.
            #expect(ContinuousClock.now - start < .seconds(10))
            for channel in streams { try await channel.close() }
        }
    }
}
