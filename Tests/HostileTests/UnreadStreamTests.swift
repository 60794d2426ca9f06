import Foundation
import NIOCore
import NIOPosix
import ProcessTestSupport
import PurchaseModel
import StoreTestSupport
import Testing

/// Tests of many event streams whose clients read nothing.
@Suite(.timeLimit(.minutes(10))) struct UnreadStreamTests {
    @Test func `unread event streams do not delay purchases`() async throws {
        try await RunningStore.with { store in
            let port = try #require(URL(string: store.url)?.port)
            try await store.client.createAccount(.test)
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
            for _ in 0..<40 { try await store.client.buy(RunningStore.seeds) }
            // If each stream read each event from the database, a purchase would take half a second with 200 streams.
            #expect(ContinuousClock.now - start < .seconds(10))
            for channel in streams { try await channel.close() }
        }
    }
}
