import Synchronization
import X509

/// Carries the certificate library's questions to a transport and takes down what was asked and answered.
final class OCSPRecorder: OCSPRequester {
    /// A question and what came back; nil when nothing did.
    struct Exchange: Sendable {
        let request: [UInt8]
        let answer: [UInt8]?
    }

    private let transport: any OCSPTransport
    private let recorded = Mutex<[Exchange]>([])

    init(_ transport: any OCSPTransport) {
        self.transport = transport
    }

    /// One for each certificate that was asked about, the leaf first.
    var exchanges: [Exchange] { recorded.withLock { $0 } }

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do {
            let answer = try await transport.answer(to: request, from: uri)
            // What is too long is not read, and so not believed.
            let read = answer.count <= RevocationChecker.maximumAnswer ? answer : []
            recorded.withLock { $0.append(Exchange(request: request, answer: read)) }
            return .response(read)
        } catch {
            recorded.withLock { $0.append(Exchange(request: request, answer: nil)) }
            // The library then goes on as if the answer had been good. Whoever reads the record must not.
            return .nonTerminalError(error)
        }
    }
}
