import Hummingbird
import NIOCore
import PurchaseModel
import Testing
import Wire
import WireClient

/// Tests of a response that begins and never ends.
@Suite(.timeLimit(.minutes(10))) struct WholeExchangeTests {
    private static let endless = Endpoint<Empty, WireError>(.get, "/endless/{status}")

    @Test(arguments: [200, 503]) func `a call times out when the response begins and does not end`(_ status: Int) async throws {
        let router = Router()
        router.get("/endless/{status}") { _, context in
            Response(
                status: .init(code: try context.parameters.require("status", as: Int.self)), headers: [.contentLength: "1000"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "{"))
                    for await _ in AsyncStream<Void>.makeStream().stream {}
                })
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let serverPort = try #require(await ports.first { _ in true })
            let client = WireClient(baseURL: "http://127.0.0.1:\(serverPort)", timeoutSeconds: 1)
            let start = ContinuousClock.now
            await #expect(throws: WireClientError.self) {
                try await client.call(Self.endless, Empty(), parameters: ["status": "\(status)"])
            }
            #expect(ContinuousClock.now - start < .seconds(20))
            group.cancelAll()
        }
    }
}
