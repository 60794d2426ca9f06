import NIOCore
import NIOPosix
import ProcessTestSupport
import Testing

@Suite struct PortTests {
    @Test func `only the taken one of several ports is named`() async throws {
        let taken = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)
        try await CommandFolder.with { command in
            let outcome = try await command.shell(
                "exec \"$monkeyshop\" up --folder up --store-port 0 --server-port 0 --shop-port \(port)")
            #expect(outcome.code == 64 && outcome.error.contains("Error: --shop-port \(port) "), "\(outcome.error)")
            #expect(outcome.error.contains("is taken. Choose another port"))
            #expect(!outcome.error.contains(" or --"))
        }
        try await taken.close()
    }
}
